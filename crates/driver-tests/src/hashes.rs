//! SHA-1 and SHA-2 beside the portable drivers.
//!
//! A name is a driver's.

use crate::{Drivers, agree, bytes, digest, shash, unkeyed};

/// Every length, cut at every place.
pub fn the_portable_driver_agrees_at_every_split(drivers: &Drivers) {
    for name in &drivers.names {
        let portable = format!("{}-generic", drivers.algorithm(name));
        let [ours, portable] = [name, &*portable].map(|name| unkeyed(&drivers.registry, name));
        agree(&ours, &portable, (0..=300).chain([511, 512, 513]));
    }
}

/// HMAC with keys around the length of a block; it is made of these drivers.
pub fn hmac_over_them(drivers: &Drivers) {
    for name in &drivers.names {
        let algorithm = drivers.algorithm(name);
        for key in [0, 1, 20, 63, 64, 65, 200] {
            let key = bytes(key, 1);
            let [ours, portable] = [format!("hmac({name})"), format!("hmac({algorithm}-generic)")]
                .map(|hmac| shash(&drivers.registry, &hmac, &key));
            agree(&ours, &portable, [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 300]);
        }
        let chosen = unkeyed(&drivers.registry, &format!("hmac({algorithm})"));
        assert_eq!(chosen.alg().driver_name, format!("hmac({name})"));
    }
}

/// FIPS 180-4's examples as NIST publishes them: "abc", two blocks, and a million times "a".
pub fn published(drivers: &Drivers) {
    let messages: [&[u8]; 3] =
        [b"abc", b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", &[b'a'; 1_000_000]];
    for name in &drivers.names {
        let digests = match &*drivers.algorithm(name) {
            "sha1" => [
                "a9993e364706816aba3e25717850c26c9cd0d89d",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
                "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
            ],
            "sha224" => [
                "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
                "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525",
                "20794655980c91d8bbb4c1ea97618a4bf03f42581948b2ee4ee7ad67",
            ],
            "sha256" => [
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            ],
            algorithm => panic!("nothing is known of {algorithm}"),
        };
        for (message, expected) in messages.iter().zip(digests) {
            let tfm = unkeyed(&drivers.registry, name);
            assert_eq!(hex::encode(digest(&tfm, message)), expected, "{name} of {} bytes", message.len());
        }
    }
}
