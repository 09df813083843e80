//! Hashes and MACs.

use kcrypto::batch::{self, Job};
use kcrypto::{Defaults, KindTag, MAX_DIGEST, MAX_EXPORT, Registry, Shash};

use crate::{allocations, drivers, key};

const NAMES: [&str; 19] = [
    "md5",
    "sha1",
    "sha256",
    "sha512",
    "sha3-256",
    "sm3",
    "blake2b-256",
    "rmd160",
    "streebog512",
    "wp512",
    "crc32c",
    "xxhash64",
    "ghash",
    "polyval",
    "cmac(aes)",
    "xcbc(aes)",
    "cbcmac(aes)",
    "hmac(sha256)",
    "hmac(sha3-256)",
];

#[test]
fn requests_allocate_nothing() {
    let registry = Registry::with_defaults();
    for driver in drivers(&registry, KindTag::Shash, &NAMES) {
        let mut tfm = registry.shash(&driver).unwrap();
        if let Some(keys) = tfm.key_sizes() {
            tfm.set_key(&key(keys.max.min(keys.min.max(100) / keys.step * keys.step))).unwrap();
        }
        let message = vec![7u8; 1024];
        let made =
            allocations(|| [0, 16, 100, 1024].iter().for_each(|&len| every_way(&tfm, &message[..len])));
        assert_eq!(made, 0, "{driver}");
    }
}

fn every_way(tfm: &Shash, message: &[u8]) {
    let mut digests = [[0; MAX_DIGEST]; 5];
    let [whole, cut, pieces, one, other] = digests.each_mut().map(|digest| &mut digest[..tfm.digest_size()]);
    tfm.digest(message, whole).unwrap();
    let (head, tail) = message.split_at(message.len() / 3);
    tfm.digest_segments(&[head, tail], cut).unwrap();
    let mut hashing = tfm.hasher().unwrap();
    hashing.update(head);
    let mut state = [0; MAX_EXPORT];
    let state = &mut state[..tfm.export_size()];
    hashing.export(state).unwrap();
    let mut hashing = tfm.import(state).unwrap().clone();
    hashing.update(tail);
    hashing.finalize(pieces).unwrap();
    let mut jobs = [Job::digest(tfm, message, one), Job::digest(tfm, message, other)];
    batch::run(&mut jobs);
    assert!(jobs.iter().all(|job| job.result().is_ok()));
    assert!(digests.iter().all(|digest| *digest == digests[0]));
}
