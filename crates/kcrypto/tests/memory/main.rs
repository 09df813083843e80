//! What happens to memory: requests allocate nothing, and dropped transforms leave no key behind.
//!
//! This is the one test of the facade with unsafe code: an allocator that counts, and that looks into blocks
//! as they are given back.
#![allow(unsafe_code, reason = "a test of wiped memory has to read it")]

mod aead;
mod shash;
mod skcipher;
mod watching;

use kcrypto::{KindTag, Registry, Verdict, Want};

use watching::{allocations, given_back};

/// Every driver that answers one of the names here, fused and composed.
fn drivers(registry: &Registry, kind: KindTag, names: &[&str]) -> Vec<String> {
    let usable = |name: &&str| {
        let candidates = registry.explain(name, Want::new(kind)).candidates.into_iter();
        candidates
            .filter(|c| c.verdict == Verdict::Chosen || c.verdict.is_relative())
            .map(|c| c.alg.driver_name.to_string())
            .collect::<Vec<_>>()
    };
    let drivers: Vec<_> = names.iter().flat_map(usable).collect();
    assert!(drivers.len() >= names.len(), "{drivers:?}");
    drivers
}

/// A key of so many bytes.
fn key(len: usize) -> Vec<u8> {
    (0..len).map(|i| 0x11 + i as u8).collect()
}

#[test]
fn the_watch_sees_what_is_not_wiped() {
    let secret = vec![0xa5u8; 240];
    assert_eq!(given_back(|| drop(secret)).dirty, 1);
    let mut kept = Vec::new();
    assert_eq!(allocations(|| kept.push(1)), 1);
}
