//! GCM in one function, ChaCha and Poly1305 against the portable drivers.

use kcrypto_core::{Aead, Dir, InOut, Registry, Skcipher};
use kcrypto_simd::aarch64::{AesCe, Neon};

use crate::common::{self, agree, bytes, digest};

fn aead(registry: &Registry, name: &str, key: &[u8]) -> Aead {
    let mut tfm = registry.aead(name).expect(name);
    tfm.set_key(key).expect(name);
    tfm
}

fn skcipher(registry: &Registry, name: &str) -> Skcipher {
    let mut tfm = registry.skcipher(name).expect(name);
    tfm.set_key(&bytes(32, 1)).expect(name);
    tfm
}

fn sealed(tfm: &Aead, aad: &[u8], text: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let (mut in_place, mut tag) = (text.to_vec(), [0; 16]);
    tfm.seal(&bytes(12, 2), aad, &mut in_place, &mut tag).expect("a legal message");
    let (mut apart, mut again) = (vec![0xa5; text.len() + 17], [0; 16]);
    let io = InOut::apart(text, &mut apart[1..=text.len()]).expect("the same length");
    tfm.seal(&bytes(12, 2), aad, io, &mut again).expect("a legal message");
    assert!(apart[0] == 0xa5 && apart[text.len() + 1..].iter().all(|&b| b == 0xa5), "wrote outside");
    assert_eq!((&apart[1..=text.len()], again), (&in_place[..], tag));
    let mut opened = in_place.clone();
    tfm.open(&bytes(12, 2), aad, &mut opened, &tag).expect("its own tag");
    assert_eq!(opened, text);
    (in_place, tag)
}

#[test]
fn gcm() {
    let Some(registry) = common::registry(AesCe::require()) else { return };
    for key_len in [16, 24, 32] {
        let key = bytes(key_len, 3);
        let [ours, portable] = ["gcm-aes-ce", "gcm_base(ctr(aes-generic),ghash-generic)"]
            .map(|name| aead(&registry, name, &key));
        for len in 0..=600 {
            let (aad, text) = (bytes(len % 41, 4), bytes(len, 5));
            assert_eq!(sealed(&ours, &aad, &text), sealed(&portable, &aad, &text), "{len}");
        }
    }
}

#[test]
fn streams() {
    let Some(registry) = common::registry(Neon::require()) else { return };
    for name in ["chacha20", "xchacha20", "xchacha12"] {
        let [ours, portable] =
            ["neon", "generic"].map(|driver| skcipher(&registry, &format!("{name}-{driver}")));
        for len in 0..=1100 {
            let iv = bytes(ours.iv_size(), 2);
            let message = bytes(len, 6);
            let mut want = message.clone();
            portable.encrypt(&iv, &mut want).unwrap();
            let mut in_place = message.clone();
            ours.encrypt(&iv, &mut in_place).unwrap();
            assert_eq!(in_place, want, "{name} {len}");
            let mut apart = vec![0xa5; len + 17];
            ours.crypt(Dir::Decrypt, &iv, InOut::apart(&message, &mut apart[1..=len]).unwrap()).unwrap();
            assert!(apart[0] == 0xa5 && apart[len + 1..].iter().all(|&b| b == 0xa5), "wrote outside");
            assert_eq!(apart[1..=len], want, "{name} {len}");
        }
    }
}

#[test]
fn poly1305() {
    let Some(registry) = common::registry(Neon::require()) else { return };
    let [ours, portable] = ["poly1305-neon", "poly1305-generic"].map(|name| registry.shash(name).unwrap());
    agree(&ours, &portable, (32..=300).chain([511, 512, 513, 700]));
    for r in [0xff, 0x0f, 1, 0] {
        for len in 32..1200 {
            let mut message = vec![0xff; len];
            message[..16].fill(r);
            assert_eq!(digest(&ours, &message), digest(&portable, &message), "{r} {len}");
        }
    }
}
