//! SHA-1 and SHA-2 with the SHA extensions.

use kcrypto_core::Registry;
use kcrypto_simd::x86::ShaNi;

use crate::common::{self, agree, digest};

/// Name, driver and portable driver.
const HASHES: [[&str; 3]; 3] = [
    ["sha1", "sha1-ni", "sha1-generic"],
    ["sha224", "sha224-ni", "sha224-generic"],
    ["sha256", "sha256-ni", "sha256-generic"],
];

fn registry() -> Option<Registry> {
    common::registry(ShaNi::require())
}

#[test]
fn the_portable_driver_agrees_at_every_split() {
    let Some(registry) = registry() else { return };
    for [_, ours, portable] in HASHES {
        let [ours, portable] = [ours, portable].map(|name| registry.shash(name).unwrap());
        agree(&ours, &portable, (0..=300).chain([511, 512, 513]));
    }
}

#[test]
fn hmac_over_them() {
    let Some(registry) = registry() else { return };
    for [name, ours, portable] in HASHES {
        for key in [0, 1, 20, 63, 64, 65, 200] {
            let key = common::bytes(key, 1);
            let [ours, portable] = [ours, portable].map(|driver| {
                let mut tfm = registry.shash(&format!("hmac({driver})")).unwrap();
                tfm.set_key(&key).unwrap();
                tfm
            });
            agree(&ours, &portable, [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 300]);
        }
        assert_eq!(
            registry.shash(&format!("hmac({name})")).unwrap().alg().driver_name,
            format!("hmac({ours})")
        );
    }
}

/// FIPS 180-4's examples as NIST publishes them: "abc", two blocks, and a million times "a".
#[test]
fn published() {
    let Some(registry) = registry() else { return };
    let check = |name: &str, message: &[u8], want: &str| {
        assert_eq!(hex::encode(digest(&registry.shash(name).unwrap(), message)), want, "{name}");
    };
    let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    check("sha1-ni", b"abc", "a9993e364706816aba3e25717850c26c9cd0d89d");
    check("sha1-ni", two_blocks, "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    check("sha1-ni", &[b'a'; 1_000_000], "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    check("sha224-ni", b"abc", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7");
    check("sha224-ni", two_blocks, "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525");
    check("sha224-ni", &[b'a'; 1_000_000], "20794655980c91d8bbb4c1ea97618a4bf03f42581948b2ee4ee7ad67");
    let sha256 = |message, want| check("sha256-ni", message, want);
    sha256(b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sha256(two_blocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    sha256(&[b'a'; 1_000_000], "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
