//! ChaCha20-Poly1305 with AVX2 beside its peers, and its parts alone.

use kcrypto::{InOut, Registry};
use kcrypto_benches::lineup::{Entrant, table};
use kcrypto_benches::ours;
use kcrypto_benches::peers::chacha20poly1305::{self, NONCE};

/// Message lengths in bytes.
const LENS: [usize; 7] = [16, 64, 128, 256, 1024, 1424, 4096];
const KEY: [u8; 32] = [0x5a; 32];

fn main() {
    let registry = ours::registry();
    aead(&registry);
    stream(&registry);
    authenticator(&registry);
}

fn aead(registry: &Registry) {
    let mut tfm = registry.aead("rfc7539(chacha20,poly1305)").expect("it resolves");
    tfm.set_key(&KEY).expect("a good key");
    let ours = Entrant::new(tfm.alg().driver_name.clone(), move |message, output| {
        let (text, tag) = output.split_at_mut(message.len());
        let io = InOut::apart(message, text).expect("equal lengths");
        tfm.seal(&NONCE, &[], io, tag).expect("a good request");
    });
    let mut entrants = [
        ours,
        chacha20poly1305::openssl(&KEY),
        chacha20poly1305::aws_lc(&KEY),
        chacha20poly1305::rustcrypto(&KEY),
    ];
    table("rfc7539(chacha20,poly1305), sealing", &LENS, |len| len + 16, &mut entrants);
}

fn stream(registry: &Registry) {
    let mut entrants = ["chacha20-avx2", "chacha20-generic"].map(|name| {
        let mut tfm = registry.skcipher(name).expect("it resolves");
        tfm.set_key(&KEY).expect("a good key");
        Entrant::new(name, move |message, output| {
            let io = InOut::apart(message, output).expect("equal lengths");
            tfm.crypt(kcrypto::Dir::Encrypt, &[7; 16], io).expect("a good request");
        })
    });
    table("chacha20", &LENS, |len| len, &mut entrants);
}

fn authenticator(registry: &Registry) {
    let mut entrants = ["poly1305-avx2", "poly1305-generic"].map(|name| {
        let tfm = registry.shash(name).expect("it resolves");
        Entrant::new(name, move |message, output| tfm.digest(message, output).expect("it holds a key"))
    });
    table("poly1305, of which 32 bytes are the key", &LENS[1..], |_| 16, &mut entrants);
}
