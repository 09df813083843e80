//! GHASH with carry-less products.

use kcrypto_core::{KindTag, Registry, Shash, Want};
use kcrypto_simd::aarch64::AesCe;

use crate::common::{self, agree, bytes, digest};

fn keyed(registry: &Registry, name: &str, key: &[u8]) -> Shash {
    let mut tfm = registry.shash(name).expect(name);
    tfm.set_key(key).expect(name);
    tfm
}

#[test]
fn the_portable_driver_agrees_at_every_split() {
    let Some(registry) = common::registry(AesCe::require()) else { return };
    let keys = [vec![0; 16], vec![0xff; 16], bytes(16, 1), bytes(16, 2)];
    for key in keys {
        let [ours, portable] = ["ghash-ce", "ghash-generic"].map(|name| keyed(&registry, name, &key));
        agree(&ours, &portable, (0..=150).chain([255, 256, 257, 300]));
    }
}

/// McGrew and Viega, The Galois/Counter Mode of Operation, appendix B, test case 2.
#[test]
fn published() {
    let Some(registry) = common::registry(AesCe::require()) else { return };
    let hex = |text: &str| hex::decode(text).expect(text);
    let tfm = keyed(&registry, "ghash-ce", &hex("66e94bd4ef8a2c3b884cfa59ca342b2e"));
    let message = hex("0388dace60b6a392f328c2b971b2fe7800000000000000000000000000000080");
    assert_eq!(digest(&tfm, &message), hex("f38cbb1ad69223dcc3457ae5b6b0f885"));
}

#[test]
fn the_fused_gcm_wins() {
    let Some(registry) = common::registry(AesCe::require()) else { return };
    let winner =
        |name| registry.resolve(name, Want::new(KindTag::Aead)).expect(name).alg.driver_name.to_string();
    assert_eq!(winner("gcm(aes)"), "gcm-aes-ce");
    assert_eq!(winner("rfc4106(gcm(aes))"), "rfc4106(gcm-aes-ce)");
}
