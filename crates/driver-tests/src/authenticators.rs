//! Poly1305 beside the portable driver, and ChaCha20-Poly1305 over it.
//!
//! A name is the end of the drivers' names: `avx2` for `chacha20-avx2` and `poly1305-avx2`.

use kcrypto_core::{Aead, InOut, Shash};

use crate::sealing::aead;
use crate::{Drivers, agree, bytes, digest, unkeyed};

/// Poly1305 of each way, and the portable one.
fn pairs(drivers: &Drivers) -> impl Iterator<Item = [Shash; 2]> {
    drivers
        .names
        .iter()
        .map(|way| [way, "generic"].map(|way| unkeyed(&drivers.registry, &format!("poly1305-{way}"))))
}

/// Every length, cut at every place.
pub fn the_portable_driver_agrees_at_every_split(drivers: &Drivers) {
    for [ours, portable] in pairs(drivers) {
        agree(&ours, &portable, (32..=300).chain([511, 512, 513, 700, 1024]));
        for len in (300..2000).chain([4096, 4100]) {
            let message = bytes(len, len as u64);
            assert_eq!(digest(&ours, &message), digest(&portable, &message), "{len}");
        }
    }
}

/// Blocks of ones, and r of as many ones as the clamp leaves: the largest numbers at every place.
pub fn the_largest_numbers(drivers: &Drivers) {
    for [ours, portable] in pairs(drivers) {
        for r in [0xff, 0x0f, 1, 0] {
            for len in 32..1200 {
                let mut message = vec![0xff; len];
                message[..16].fill(r);
                assert_eq!(digest(&ours, &message), digest(&portable, &message), "{r} {len}");
            }
        }
    }
}

fn sealed(tfm: &Aead, aad: &[u8], text: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut out, mut tag) = (vec![0; text.len()], vec![0; 16]);
    let io = InOut::apart(text, &mut out).expect("the same length");
    tfm.seal(&bytes(12, 3), aad, io, &mut tag).expect("a legal message");
    (out, tag)
}

/// ChaCha20-Poly1305 with one, the other or both of its children portable; the name alone has neither.
pub fn chacha20_poly1305_over_every_choice_of_children(drivers: &Drivers) {
    for way in &drivers.names {
        let tfms =
            [["generic", "generic"], ["generic", way], [way, "generic"], [way, way]].map(|[stream, mac]| {
                let name = format!("rfc7539(chacha20-{stream},poly1305-{mac})");
                aead(&drivers.registry, &name, &bytes(32, 1))
            });
        let chosen = drivers.registry.aead("rfc7539(chacha20,poly1305)").expect("its children");
        assert_eq!(chosen.alg().driver_name, format!("rfc7539(chacha20-{way},poly1305-{way})"));
        for aad in [0, 1, 12, 13, 16, 20, 63, 64, 65, 300] {
            let aad = bytes(aad, 5);
            for len in (0..=300).chain([447, 448, 449, 511, 512, 513, 1024, 1424, 4096]) {
                let text = bytes(len, 6);
                let want = sealed(&tfms[0], &aad, &text);
                for tfm in &tfms {
                    assert_eq!(
                        sealed(tfm, &aad, &text),
                        want,
                        "{} {} {len}",
                        tfm.alg().driver_name,
                        aad.len()
                    );
                    let mut out = want.0.clone();
                    tfm.open(&bytes(12, 3), &aad, InOut::in_place(&mut out), &want.1).expect("its own tag");
                    assert_eq!(out, text);
                }
            }
        }
    }
}

/// RFC 8439, 2.8.2.
pub fn published(drivers: &Drivers) {
    let key: Vec<u8> = (0x80..0xa0).collect();
    let iv = hex::decode("070000004041424344454647").expect("hex");
    let aad = hex::decode("50515253c0c1c2c3c4c5c6c7").expect("hex");
    let text: &[u8] =
        b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
          sunscreen would be it.";
    for way in &drivers.names {
        let tfm = aead(&drivers.registry, &format!("rfc7539(chacha20-{way},poly1305-{way})"), &key);
        let (mut out, mut tag) = (text.to_vec(), [0; 16]);
        tfm.seal(&iv, &aad[..], InOut::in_place(&mut out), &mut tag).expect("a legal message");
        assert_eq!(hex::encode(tag), "1ae10b594f09e26a7e902ecbd0600691");
        assert_eq!(
            hex::encode(&out),
            "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6\
             3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36\
             92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc\
             3ff4def08e4b7a9de576d26586cec64b6116"
        );
    }
}
