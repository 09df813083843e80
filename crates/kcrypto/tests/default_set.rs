//! The default registry has what it should have, by link-time registration and by explicit lists alike.

use std::collections::BTreeSet;

use kcrypto::{Defaults, Info, KindTag, Registry, TestState, Want};

const GENERIC: &[&str] = &["aes-generic", "speck64-generic", "speck128-generic"];
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const ARCH: &[&str] = &[
    "aes-aesni",
    "ecb-aes-aesni",
    "cbc-aes-aesni",
    "ctr-aes-aesni",
    "cts-cbc-aes-aesni",
    "xts-aes-aesni",
    "cbcmac-aes-aesni",
    "cmac-aes-aesni",
    "xcbc-aes-aesni",
    "ccm-aes-aesni",
    "xts-speck64-avx2",
    "xts-speck128-avx2",
];
#[cfg(target_arch = "aarch64")]
const ARCH: &[&str] = &[
    "aes-ce",
    "ecb-aes-ce",
    "cbc-aes-ce",
    "ctr-aes-ce",
    "cts-cbc-aes-ce",
    "xts-aes-ce",
    "cbcmac-aes-ce",
    "cmac-aes-ce",
    "xcbc-aes-ce",
    "ccm-aes-ce",
    "aes-neon",
    "ecb-aes-neon",
    "cbc-aes-neon",
    "ctr-aes-neon",
    "cts-cbc-aes-neon",
    "xts-aes-neon",
    "cbcmac-aes-neon",
    "cmac-aes-neon",
    "xcbc-aes-neon",
    "ccm-aes-neon",
    "gcm-aes-ce",
    "ghash-ce",
    "xts-speck64-neon",
    "xts-speck128-neon",
    "chacha20-neon",
    "xchacha12-neon",
    "xchacha20-neon",
    "poly1305-neon",
    "sha1-ce",
    "sha224-ce",
    "sha256-ce",
];
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
const ARCH: &[&str] = &[];
const TEMPLATES: &[&str] =
    &["cbc", "cbcmac", "ccm", "ccm_base", "cmac", "ctr", "cts", "ecb", "rfc3686", "rfc4309", "xcbc", "xts"];

fn drivers(list: &[Info]) -> BTreeSet<&str> {
    list.iter().map(|info| info.alg.driver_name.as_ref()).collect()
}

#[test]
fn link_time_registration_is_complete() {
    let list = Registry::linked().unwrap().list();
    let found = drivers(&list);
    for driver in GENERIC.iter().chain(ARCH) {
        assert!(found.contains(driver), "{driver} is not linked");
    }
    let templates = Registry::linked().unwrap().templates();
    assert!(TEMPLATES.iter().all(|template| templates.contains(template)), "{templates:?}");
}

#[test]
fn explicit_lists_are_what_is_linked() {
    let (linked, explicit) = (Registry::linked().unwrap(), Registry::with_defaults());
    assert_eq!(drivers(&linked.list()), drivers(&explicit.list()));
    assert_eq!(linked.templates(), explicit.templates());
}

#[test]
fn both_resolve_alike() {
    let (linked, explicit) = (kcrypto::registry(), Registry::with_defaults());
    for name in ["cbc(aes)", "cts(cbc(aes))", "rfc3686(ctr(aes))", "xts(aes)"] {
        let want = Want::new(KindTag::Skcipher);
        let driver = |registry: &Registry| registry.resolve(name, want).unwrap().alg.driver_name.clone();
        assert_eq!(driver(linked), driver(&explicit), "{name}");
    }
}

#[test]
fn nothing_is_used_untested() {
    let linked = kcrypto::registry();
    for registry in [linked, &Registry::with_defaults()] {
        let info = registry.resolve("cts(cbc(aes))", Want::new(KindTag::Skcipher)).unwrap();
        assert!(matches!(info.test, TestState::Passed(_)), "{:?}", info.test);
    }
}
