//! Which driver answers a name, with the AES extension and without it.

use kcrypto_core::{Alg, Error, KindTag, Registry, Want};
use kcrypto_driver_tests::Drivers;
use kcrypto_simd::aarch64::{AesCe, Neon, ShaCe};

use crate::aes;

/// Every name, with the beginning of its drivers' names.
const NAMES: [(&str, &str, KindTag); 10] = [
    ("aes", "aes", KindTag::Cipher),
    ("ecb(aes)", "ecb-aes", KindTag::Skcipher),
    ("cbc(aes)", "cbc-aes", KindTag::Skcipher),
    ("ctr(aes)", "ctr-aes", KindTag::Skcipher),
    ("cts(cbc(aes))", "cts-cbc-aes", KindTag::Skcipher),
    ("xts(aes)", "xts-aes", KindTag::Skcipher),
    ("cmac(aes)", "cmac-aes", KindTag::Shash),
    ("xcbc(aes)", "xcbc-aes", KindTag::Shash),
    ("cbcmac(aes)", "cbcmac-aes", KindTag::Shash),
    ("ccm(aes)", "ccm-aes", KindTag::Aead),
];

fn winner(registry: &Registry, name: &str, kind: KindTag) -> (String, u32) {
    let info = registry.resolve(name, Want::new(kind)).expect(name);
    (info.alg.driver_name.to_string(), info.alg.priority)
}

fn all_go(registry: &Registry, way: &str) {
    for (name, driver, kind) in NAMES {
        let priority = match (name, way) {
            ("aes", "ce") => 250,
            (_, "ce") => 300,
            _ => 200,
        };
        assert_eq!(winner(registry, name, kind), (format!("{driver}-{way}"), priority), "{name}");
    }
}

#[test]
fn the_best_way_that_is_left() {
    let Drivers { registry, names } = aes();
    if names.contains(&"ce") {
        all_go(&registry, "ce");
    }
    registry.mask_cpu(&["aes"]);
    if names.contains(&"neon") {
        all_go(&registry, "neon");
    }
    registry.mask_cpu(&["neon"]);
    assert_eq!(winner(&registry, "aes", KindTag::Cipher), ("aes-generic".into(), 100));
    assert_eq!(winner(&registry, "cts(cbc(aes))", KindTag::Skcipher).0, "cts(cbc(aes-generic))");
}

#[test]
fn a_fused_driver_wins_also_where_a_part_of_it_is_outdone() {
    let Drivers { registry, names } = aes();
    if !names.contains(&"ce") {
        return;
    }
    let ctr = registry.resolve("ctr-aes-ce", Want::new(KindTag::Skcipher)).expect("it is in the list");
    let faster = Alg { driver_name: "ctr-aes-faster".into(), ..Alg::clone(&ctr.alg) }.with_priority(800);
    let _registered = registry.register(faster).expect("a new name");
    assert_eq!(winner(&registry, "ctr(aes)", KindTag::Skcipher), ("ctr-aes-faster".into(), 800));
    assert_eq!(winner(&registry, "ccm(aes)", KindTag::Aead), ("ccm-aes-ce".into(), 300));
}

#[test]
fn ciphers_say_that_they_make_chains() {
    let Drivers { registry, names } = aes();
    let chains = |name: &str| {
        let info = registry.resolve(name, Want::new(KindTag::Cipher)).expect(name);
        info.alg.properties.mac_chain
    };
    assert!(names.iter().all(|way| chains(&format!("aes-{way}"))) && !chains("aes-other"));
}

#[test]
fn what_cannot_run_here_says_why() {
    let registry = aes().registry;
    for (way, usable) in [("ce", AesCe::require()), ("neon", Neon::require())] {
        for (_, driver, kind) in NAMES {
            let resolved = registry.resolve(&format!("{driver}-{way}"), Want::new(kind));
            match &usable {
                Ok(()) => assert!(resolved.is_ok(), "{driver}-{way}"),
                Err(why) => assert!(
                    matches!(&resolved, Err(Error::Unavailable { reason, .. }) if **reason == **why),
                    "{driver}-{way}: {resolved:?}"
                ),
            }
        }
    }
}

#[test]
fn gcm_is_fused_or_made_of_the_best_halves() {
    let Drivers { registry, names } = aes();
    if names.contains(&"ce") {
        assert_eq!(winner(&registry, "gcm(aes)", KindTag::Aead), ("gcm-aes-ce".into(), 300));
        assert_eq!(winner(&registry, "rfc4106(gcm(aes))", KindTag::Aead).0, "rfc4106(gcm-aes-ce)");
    }
    registry.mask_cpu(&["aes"]);
    if names.contains(&"neon") {
        let halves = "gcm_base(ctr-aes-neon,ghash-generic)";
        assert_eq!(winner(&registry, "gcm(aes)", KindTag::Aead).0, halves);
    }
    let fused = registry.resolve("gcm-aes-ce", Want::new(KindTag::Aead));
    assert!(matches!(fused, Err(Error::Unavailable { .. })), "{fused:?}");
}

#[test]
fn hashes_rank_with_the_modes() {
    let registry = aes().registry;
    for (name, need) in [
        ("ghash", AesCe::require()),
        ("sha1", ShaCe::require()),
        ("sha224", ShaCe::require()),
        ("sha256", ShaCe::require()),
    ] {
        let (driver, priority) = if need.is_ok() { ("ce", 300) } else { ("generic", 100) };
        assert_eq!(winner(&registry, name, KindTag::Shash), (format!("{name}-{driver}"), priority));
    }
}

#[test]
fn portable_drivers_stand_in_for_vectors() {
    let registry = aes().registry;
    let names = [
        ("chacha20", KindTag::Skcipher, 300),
        ("xchacha20", KindTag::Skcipher, 300),
        ("xchacha12", KindTag::Skcipher, 300),
        ("poly1305", KindTag::Shash, 200),
    ];
    for (name, kind, priority) in names {
        if Neon::require().is_ok() {
            assert_eq!(winner(&registry, name, kind), (format!("{name}-neon"), priority));
        }
    }
    registry.mask_cpu(&["neon"]);
    for (name, kind, _) in names {
        assert_eq!(winner(&registry, name, kind), (format!("{name}-generic"), 100));
        let masked = registry.resolve(&format!("{name}-neon"), Want::new(kind));
        assert!(matches!(masked, Err(Error::Unavailable { .. })), "{masked:?}");
    }
}
