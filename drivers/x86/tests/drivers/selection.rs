//! Which driver answers a name.

use kcrypto_core::{Alg, KindTag, Registry, Want};

fn winner(registry: &Registry, name: &str, kind: KindTag) -> (String, u32) {
    let info = registry.resolve(name, Want::new(kind)).expect(name);
    (info.alg.driver_name.to_string(), info.alg.priority)
}

#[test]
fn fused_drivers_win_also_where_a_part_of_them_is_outdone() {
    let drivers = crate::aes();
    if drivers.names.is_empty() {
        return;
    }
    let winner = |name: &str, kind| winner(&drivers.registry, name, kind);
    for (name, driver) in [
        ("cmac(aes)", "cmac-aes-aesni"),
        ("xcbc(aes)", "xcbc-aes-aesni"),
        ("cbcmac(aes)", "cbcmac-aes-aesni"),
    ] {
        assert_eq!(winner(name, KindTag::Shash), (driver.into(), 400));
    }
    let ctr = drivers.registry.resolve("ctr-aes-aesni", Want::new(KindTag::Skcipher)).expect("linked");
    let faster = Alg { driver_name: "ctr-aes-faster".into(), ..Alg::clone(&ctr.alg) }.with_priority(800);
    let _registered = drivers.registry.register(faster).expect("a new name");
    assert_eq!(winner("ctr(aes)", KindTag::Skcipher), ("ctr-aes-faster".into(), 800));
    assert_eq!(winner("ccm(aes)", KindTag::Aead), ("ccm-aes-aesni".into(), 400));
    assert_eq!(winner("rfc4309(ccm(aes))", KindTag::Aead), ("rfc4309(ccm-aes-aesni)".into(), 400));
    let spelled = "ccm_base(ctr-aes-faster,cbcmac-aes-aesni)";
    assert_eq!(winner(spelled, KindTag::Aead), (spelled.into(), 600));
}

#[test]
fn the_cipher_says_that_it_makes_chains() {
    let drivers = crate::aes();
    let chains = |name| {
        let info = drivers.registry.resolve(name, Want::new(KindTag::Cipher)).expect(name);
        info.alg.properties.mac_chain
    };
    if !drivers.names.is_empty() {
        assert!(chains("aes-aesni") && !chains("aes-other"));
    }
}

#[test]
fn fused_gcm_and_its_hashes_win() {
    let drivers = crate::gcm();
    if drivers.names.is_empty() {
        return;
    }
    let winner = |name: &str, kind| winner(&drivers.registry, name, kind);
    assert_eq!(winner("ghash", KindTag::Shash), ("ghash-clmulni".into(), 400));
    assert_eq!(winner("polyval", KindTag::Shash), ("polyval-clmulni".into(), 400));
    assert_eq!(winner("gcm(aes)", KindTag::Aead), ("gcm-aes-aesni".into(), 400));
    assert_eq!(winner("rfc4106(gcm(aes))", KindTag::Aead), ("rfc4106(gcm-aes-aesni)".into(), 400));
}
