//! Batches of the modes whose blocks wait for each other: any number of messages side by side. Names are ways of
//! doing AES.

use kcrypto_core::batch::{self, Job};
use kcrypto_core::{Aad, Registry};

use crate::{Drivers, bytes, digest, of, shash};

/// More messages than any driver has lanes, so that some go into lanes that others have left.
const MOST: usize = 20;
const KEY_LENS: [usize; 3] = [16, 24, 32];
const BLOCK: usize = 16;

/// Two keys of the same length, by turns.
fn keys(len: usize) -> [Vec<u8>; 2] {
    [bytes(len, 3), bytes(len, 5)]
}

/// Long enough for lanes; whole blocks if they must be.
fn text(nth: usize, whole: bool) -> Vec<u8> {
    let len = 320 + nth * 29 % 67;
    bytes(if whole { len - len % BLOCK } else { len }, nth as u64)
}

/// Ciphertexts, and the IVs after them.
pub fn of_ciphertexts(drivers: &Drivers) {
    for way in &drivers.names {
        for (name, whole) in of(&["cbc-aes-way", "cts-cbc-aes-way"], way).iter().zip([true, false]) {
            KEY_LENS.iter().for_each(|&len| ciphertexts(&drivers.registry, name, whole, len));
        }
    }
}

fn ciphertexts(registry: &Registry, name: &str, whole: bool, key_len: usize) {
    let tfms = keys(key_len).map(|key| {
        let mut tfm = registry.skcipher(name).expect(name);
        tfm.set_key(&key).expect(name);
        tfm
    });
    for count in 0..MOST {
        let mut texts: Vec<_> = (0..count).map(|nth| (text(nth, whole), bytes(BLOCK, nth as u64))).collect();
        let mut expected = texts.clone();
        for (nth, (text, iv)) in expected.iter_mut().enumerate() {
            tfms[nth % 2].encrypt_chained(iv, text).expect("a good request");
        }
        let parts = texts.iter_mut().enumerate();
        let mut jobs: Vec<_> =
            parts.map(|(nth, (text, iv))| Job::encrypt(&tfms[nth % 2], iv, text)).collect();
        batch::run(&mut jobs);
        assert!(jobs.iter().all(|job| job.result().is_ok()), "{name}");
        drop(jobs);
        assert!(texts == expected, "{name}: {count} messages under keys of {key_len} bytes");
    }
}

/// Digests.
pub fn of_digests(drivers: &Drivers) {
    for way in &drivers.names {
        for name in of(&["cmac-aes-way", "xcbc-aes-way", "cbcmac-aes-way"], way) {
            KEY_LENS.iter().for_each(|&len| digests(&drivers.registry, &name, len));
        }
    }
}

fn digests(registry: &Registry, name: &str, key_len: usize) {
    let tfms = keys(key_len).map(|key| shash(registry, name, &key));
    for count in 0..MOST {
        let messages: Vec<_> = (0..count).map(|nth| text(nth, false)).collect();
        let mut digests = vec![vec![0xfe; BLOCK]; count];
        let parts = messages.iter().zip(&mut digests).enumerate();
        let mut jobs: Vec<_> =
            parts.map(|(nth, (message, digest))| Job::digest(&tfms[nth % 2], message, digest)).collect();
        batch::run(&mut jobs);
        drop(jobs);
        for (nth, (message, digest_of)) in messages.iter().zip(&digests).enumerate() {
            let what = format!("{name}: {nth} of {count} messages under keys of {key_len} bytes");
            assert_eq!(*digest_of, digest(&tfms[nth % 2], message), "{what}");
        }
    }
}

/// Ciphertexts and tags of CCM, and what they are opened to.
pub fn of_sealed_texts(drivers: &Drivers) {
    for way in &drivers.names {
        for name in of(&["ccm-aes-way"], way) {
            KEY_LENS.iter().for_each(|&len| sealed_texts(&drivers.registry, &name, len));
        }
    }
}

fn sealed_texts(registry: &Registry, name: &str, key_len: usize) {
    let tfms = keys(key_len).map(|key| {
        let mut tfm = registry.aead(name).expect(name);
        tfm.set_key(&key).expect(name);
        tfm
    });
    let (iv, aad) = ([1; BLOCK], bytes(20, 7));
    for count in 0..MOST {
        let pieces = [aad.as_slice()];
        let texts: Vec<_> = (0..count).map(|nth| text(nth, false)).collect();
        let mut sealed: Vec<_> = texts.iter().map(|text| (text.clone(), [0; BLOCK])).collect();
        let mut expected = sealed.clone();
        for (nth, (text, tag)) in expected.iter_mut().enumerate() {
            tfms[nth % 2].seal(&iv, &aad, text, tag).expect("a good request");
        }
        let parts = sealed.iter_mut().enumerate();
        let mut jobs: Vec<_> = parts
            .map(|(nth, (text, tag))| Job::seal(&tfms[nth % 2], &iv, Aad::new(&pieces), text, tag))
            .collect();
        batch::run(&mut jobs);
        drop(jobs);
        assert!(sealed == expected, "{name}: {count} messages under keys of {key_len} bytes");

        let parts = sealed.iter_mut().enumerate();
        let mut jobs: Vec<_> = parts
            .map(|(nth, (text, tag))| Job::open(&tfms[nth % 2], &iv, Aad::new(&pieces), text, tag))
            .collect();
        batch::run(&mut jobs);
        assert!(jobs.iter().all(|job| job.result().is_ok()), "{name}");
        drop(jobs);
        assert!(sealed.iter().map(|(text, _)| text).eq(&texts), "{name}: {count} opened");
    }
}
