//! Symmetric-key ciphers.

use kcrypto::batch::{self, Job};
use kcrypto::{Defaults, Dir, InOut, KindTag, Registry, Segments, Skcipher, Stream};

use crate::{allocations, drivers, given_back, key};

const NAMES: [&str; 6] =
    ["ecb(aes)", "cbc(aes)", "ctr(aes)", "rfc3686(ctr(aes))", "cts(cbc(aes))", "xts(aes)"];

fn keyed(registry: &Registry, driver: &str) -> Skcipher {
    let mut tfm = registry.skcipher(driver).unwrap();
    tfm.set_key(&key(tfm.key_sizes().max)).unwrap();
    tfm
}

#[test]
fn requests_allocate_nothing() {
    let registry = Registry::with_defaults();
    for driver in drivers(&registry, KindTag::Skcipher, &NAMES) {
        let tfm = keyed(&registry, &driver);
        let mut iv = vec![1; tfm.iv_size()];
        let (mut buf, mut out) = (vec![7u8; 1024], vec![0u8; 1024]);
        let made = allocations(|| {
            for dir in Dir::BOTH {
                for len in [16, 32, 48, 64, 512, 1024] {
                    every_way(&tfm, dir, &mut iv, &mut buf[..], &mut out[..], len);
                }
            }
        });
        assert_eq!(made, 0, "{driver}");
    }
}

fn every_way(tfm: &Skcipher, dir: Dir, iv: &mut [u8], buf: &mut [u8], out: &mut [u8], len: usize) {
    tfm.crypt(dir, iv, InOut::in_place(&mut buf[..len])).unwrap();
    tfm.crypt_chained(dir, iv, InOut::apart(&buf[..len], &mut out[..len]).unwrap()).unwrap();
    let (a, b) = buf[..len].split_at_mut(9);
    tfm.crypt_segments(dir, iv, Segments::InPlace(&mut [a, b])).unwrap();
    let mut stream = Stream::new(tfm, dir, iv).unwrap();
    let mut at = 0;
    for piece in buf[..len].chunks(11) {
        at += stream.update(piece, &mut out[at..]).unwrap();
    }
    stream.finish(&mut out[at..]).unwrap();
    let (first, second) = buf[..2 * len.min(512)].split_at_mut(len.min(512));
    let (mut iv_a, mut iv_b) = ([0; 16], [0; 16]);
    let (iv_a, iv_b) = (&mut iv_a[..iv.len()], &mut iv_b[..iv.len()]);
    let mut jobs =
        [Job::new(tfm, dir, iv_a, InOut::in_place(first)), Job::new(tfm, dir, iv_b, InOut::in_place(second))];
    batch::run(&mut jobs);
    assert!(jobs.iter().all(|job| job.result().is_ok()));
}

#[test]
fn dropped_transforms_leave_no_key_schedule() {
    let registry = Registry::with_defaults();
    for driver in drivers(&registry, KindTag::Skcipher, &NAMES) {
        let tfm = keyed(&registry, &driver);
        tfm.encrypt(&vec![1; tfm.iv_size()], &mut [7u8; 64]).unwrap();
        let seen = given_back(|| drop(tfm));
        assert!(seen.largest >= 240, "{driver}: a key schedule was given back");
        assert_eq!(seen.dirty, 0, "{driver}: a block was given back with its secrets");
    }
}
