//! Tests that the drivers of every CPU family share.
//!
//! A family's tests name its drivers and what they need of the CPU ([`Drivers`]), and list the functions of this
//! crate to be called with them ([`tests!`]). What is compared with are drivers that no instruction set has a part
//! in: an AES of another crate, GHASH and POLYVAL bit by bit, and the portable drivers.
#![forbid(unsafe_code)]

pub mod authenticated;
pub mod authenticators;
pub mod batches;
mod bitwise;
pub mod gcm;
pub mod ghash;
pub mod hashes;
pub mod modes;
mod other;
pub mod published;
mod sealing;
mod skciphers;
pub mod speck;
pub mod streams;

use std::borrow::Cow;

use kcrypto_core::{Alg, Registry, Shash};

/// Drivers to be tested, in a registry with all templates and with what they are compared with.
pub struct Drivers {
    /// Everything.
    pub registry: Registry,
    /// What is to be tested, and can run here. What a name is, a driver's or the end of some drivers' names, each
    /// module says.
    pub names: Vec<&'static str>,
}

impl Drivers {
    /// A family's drivers, of which none is tested yet.
    ///
    /// # Panics
    /// If two of them have one name.
    pub fn new(family: &[Alg]) -> Self {
        let others = [other::AES, bitwise::GHASH, bitwise::POLYVAL];
        let algs = family.iter().chain(kcrypto_generic::ALGS).cloned().chain(others);
        let registry = Registry::with(algs, kcrypto_templates::ALL.iter().copied());
        Drivers { registry: registry.expect("no names conflict"), names: Vec::new() }
    }

    /// Tests these, if the CPU has what they need; if not, the output says so.
    #[must_use]
    pub fn with(mut self, names: &[&'static str], need: Result<(), Cow<'static, str>>) -> Self {
        match need {
            Ok(()) => self.names.extend(names),
            Err(why) => eprintln!("{names:?} skipped: {why}"),
        }
        self
    }

    /// The name of the algorithm that a driver implements.
    fn algorithm(&self, driver: &str) -> String {
        self.registry.info(driver).expect(driver).alg.name.to_string()
    }
}

/// Makes a test of each of these functions: `tests! { crate::drivers => modes: counters_carry; }`, where
/// `crate::drivers` is a function that makes [`Drivers`].
#[macro_export]
macro_rules! tests {
    ($drivers:path => $($module:ident: $($test:ident),+;)+) => {
        $(mod $module {
            $(#[test]
            fn $test() {
                $crate::$module::$test(&$drivers());
            })+
        })+
    };
}

/// Names that have `way` in them, with this way for it.
fn of(names: &[&str], way: &str) -> Vec<String> {
    names.iter().map(|name| name.replace("way", way)).collect()
}

/// Bytes without a pattern, the same on every run.
fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 32) as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

/// A hash that takes no key.
fn unkeyed(registry: &Registry, name: &str) -> Shash {
    registry.shash(name).expect(name)
}

/// A keyed hash.
fn shash(registry: &Registry, name: &str, key: &[u8]) -> Shash {
    let mut tfm = unkeyed(registry, name);
    tfm.set_key(key).expect(name);
    tfm
}

/// The digest of a message in one piece.
fn digest(tfm: &Shash, message: &[u8]) -> Vec<u8> {
    let mut digest = vec![0xfe; tfm.digest_size()];
    tfm.digest(message, &mut digest).expect("a good request");
    digest
}

/// A hash of a message whose first bytes go to one transform, and the rest to another with the first one's state.
fn handed_over(before: &Shash, after: &Shash, message: &[u8], cut: usize) -> Vec<u8> {
    let mut hashing = before.hasher().expect("keyed");
    hashing.update(&message[..cut]);
    let mut state = vec![0; before.export_size()];
    let size = hashing.export(&mut state).expect("room for the state");
    let mut hashing = after.import(&state[..size]).expect("a state of the same hash");
    hashing.update(&message[cut..]);
    let mut out = vec![0; after.digest_size()];
    hashing.finalize(&mut out).expect("room for the digest");
    out
}

/// Two drivers of a hash on messages of every length in `lens`, whole and cut at every place, where one takes
/// the first part and the other goes on from its exported state: the same states and the same digests.
fn agree(ours: &Shash, portable: &Shash, lens: impl IntoIterator<Item = usize>) {
    for len in lens {
        let message = bytes(len, len as u64);
        let want = digest(portable, &message);
        assert_eq!(digest(ours, &message), want, "{} {len}", ours.alg().driver_name);
        for cut in 0..=len {
            let states = [ours, portable].map(|tfm| {
                let mut hashing = tfm.hasher().expect("keyed, if it must be");
                hashing.update(&message[..cut]);
                let mut state = vec![0; tfm.export_size()];
                hashing.export(&mut state).expect("room for the state");
                state
            });
            assert_eq!(states[0], states[1], "the state after {cut} bytes");
            for (before, after) in [(portable, ours), (ours, portable)] {
                let out = handed_over(before, after, &message, cut);
                assert_eq!(out, want, "{} {len} cut at {cut}", after.alg().driver_name);
            }
        }
    }
}
