//! Poly1305 with AVX2, and ChaCha20-Poly1305 over it.

use kcrypto_core::{Aead, InOut, Registry};
use kcrypto_simd::x86::Avx2;

use crate::common::{self, agree, bytes, digest};

fn registry() -> Option<Registry> {
    common::registry(Avx2::require())
}

#[test]
fn the_portable_driver_agrees_at_every_split() {
    let Some(registry) = registry() else { return };
    let [ours, portable] = ["poly1305-avx2", "poly1305-generic"].map(|name| registry.shash(name).unwrap());
    agree(&ours, &portable, (32..=300).chain([511, 512, 513, 700, 1024]));
    for len in (300..2000).chain([4096, 4100]) {
        let message = bytes(len, len as u64);
        assert_eq!(digest(&ours, &message), digest(&portable, &message), "{len}");
    }
}

/// Blocks of ones, and r of as many ones as the clamp leaves: the largest numbers at every place.
#[test]
fn the_largest_numbers() {
    let Some(registry) = registry() else { return };
    let [ours, portable] = ["poly1305-avx2", "poly1305-generic"].map(|name| registry.shash(name).unwrap());
    for r in [0xff, 0x0f, 1, 0] {
        for len in 32..1200 {
            let mut message = vec![0xff; len];
            message[..16].fill(r);
            assert_eq!(digest(&ours, &message), digest(&portable, &message), "{r} {len}");
        }
    }
}

fn sealed(tfm: &Aead, aad: &[u8], text: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut out, mut tag) = (vec![0; text.len()], vec![0; 16]);
    tfm.seal(&bytes(12, 3), aad, InOut::apart(text, &mut out).unwrap(), &mut tag).unwrap();
    (out, tag)
}

#[test]
fn chacha20_poly1305_over_every_choice_of_children() {
    let Some(registry) = registry() else { return };
    let tfms =
        ["generic,poly1305-generic", "generic,poly1305-avx2", "avx2,poly1305-generic", "avx2,poly1305-avx2"]
            .map(|children| {
                let mut tfm = registry.aead(&format!("rfc7539(chacha20-{children})")).unwrap();
                tfm.set_key(&bytes(32, 1)).unwrap();
                tfm
            });
    assert_eq!(
        registry.aead("rfc7539(chacha20,poly1305)").unwrap().alg().driver_name,
        "rfc7539(chacha20-avx2,poly1305-avx2)"
    );
    for aad in [0, 1, 12, 13, 16, 20, 63, 64, 65, 300] {
        let aad = bytes(aad, 5);
        for len in (0..=300).chain([447, 448, 449, 511, 512, 513, 1024, 1424, 4096]) {
            let text = bytes(len, 6);
            let want = sealed(&tfms[0], &aad, &text);
            for tfm in &tfms {
                assert_eq!(sealed(tfm, &aad, &text), want, "{} {} {len}", tfm.alg().driver_name, aad.len());
                let mut out = want.0.clone();
                tfm.open(&bytes(12, 3), &aad, InOut::in_place(&mut out), &want.1).unwrap();
                assert_eq!(out, text);
            }
        }
    }
}

/// RFC 8439, 2.8.2.
#[test]
fn published() {
    let Some(registry) = registry() else { return };
    let mut tfm = registry.aead("rfc7539(chacha20-avx2,poly1305-avx2)").unwrap();
    tfm.set_key(&(0x80..0xa0).collect::<Vec<u8>>()).unwrap();
    let iv = hex::decode("070000004041424344454647").unwrap();
    let aad = hex::decode("50515253c0c1c2c3c4c5c6c7").unwrap();
    let text =
        b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
                 sunscreen would be it.";
    let (mut out, mut tag) = (text.to_vec(), [0; 16]);
    tfm.seal(&iv, &aad[..], InOut::in_place(&mut out), &mut tag).unwrap();
    assert_eq!(hex::encode(tag), "1ae10b594f09e26a7e902ecbd0600691");
    assert_eq!(
        hex::encode(&out),
        "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6\
         3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36\
         92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc\
         3ff4def08e4b7a9de576d26586cec64b6116"
    );
}
