//! Hashes with the SHA extensions beside their peers, one message at a time: time for each, and the ratio of ours.

use kcrypto::{Registry, Shash};
use kcrypto_benches::lineup::{Entrant, table};
use kcrypto_benches::ours;
use kcrypto_benches::peers::hashes;

/// Message lengths in bytes.
const LENS: [usize; 5] = [16, 64, 256, 1024, 4096];
/// The key of HMAC.
const KEY: [u8; 32] = [0x5a; 32];

fn main() {
    let registry = ours::registry();
    sha256(&registry);
    hmac(&registry);
    sha1(&registry);
}

/// The hash that this name resolves to.
fn kcrypto(tfm: Shash) -> Entrant {
    Entrant::new(tfm.alg().driver_name.clone(), move |message, output| {
        tfm.digest(message, output).expect("a good request");
    })
}

fn sha256(registry: &Registry) {
    let mut entrants = [
        kcrypto(registry.shash("sha256").expect("it resolves")),
        hashes::openssl(c"SHA256"),
        hashes::aws_lc_sha256(),
        hashes::rustcrypto::<sha2::Sha256>(),
    ];
    table("sha256", &LENS, |_| 32, &mut entrants);
}

fn hmac(registry: &Registry) {
    let mut tfm = registry.shash("hmac(sha256)").expect("it resolves");
    tfm.set_key(&KEY).expect("a good key");
    let mut entrants =
        [kcrypto(tfm), hashes::openssl_hmac(&KEY), hashes::aws_lc_hmac(&KEY), hashes::rustcrypto_hmac(&KEY)];
    table("hmac(sha256)", &LENS, |_| 32, &mut entrants);
}

fn sha1(registry: &Registry) {
    let mut entrants = [
        kcrypto(registry.shash("sha1").expect("it resolves")),
        hashes::openssl(c"SHA1"),
        hashes::aws_lc_sha1(),
        hashes::rustcrypto::<sha1::Sha1>(),
    ];
    table("sha1", &LENS, |_| 20, &mut entrants);
}
