//! A registry of this crate's drivers, the portable ones, and the templates.

use kcrypto_core::{Registry, Shash};

/// `None` where this CPU cannot run a driver that needs this.
pub(crate) fn registry<E: std::fmt::Display>(need: Result<(), E>) -> Option<Registry> {
    if let Err(why) = need {
        eprintln!("skipped: {why}");
        return None;
    }
    let algs = kcrypto_arm::ALGS.iter().chain(kcrypto_generic::ALGS).cloned();
    Some(Registry::with(algs, kcrypto_templates::ALL.iter().copied()).expect("no names conflict"))
}

/// Bytes without a pattern, the same on every run.
pub(crate) fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 32) as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

/// The digest of a message in one piece.
pub(crate) fn digest(tfm: &Shash, message: &[u8]) -> Vec<u8> {
    let mut digest = vec![0; tfm.digest_size()];
    tfm.digest(message, &mut digest).expect("a good request");
    digest
}

/// Two drivers of a hash on messages of every length in `lens`, whole and cut at every place, where one takes
/// the first part and the other goes on from its exported state: the same states and the same digests.
pub(crate) fn agree(ours: &Shash, portable: &Shash, lens: impl IntoIterator<Item = usize>) {
    for len in lens {
        let message = bytes(len, len as u64);
        let want = digest(portable, &message);
        assert_eq!(digest(ours, &message), want, "{} {len}", ours.alg().driver_name);
        for cut in 0..=len {
            let (first, second) = message.split_at(cut);
            let states = [ours, portable].map(|tfm| {
                let mut hashing = tfm.hasher().expect("no key is needed");
                hashing.update(first);
                let mut state = vec![0; tfm.export_size()];
                hashing.export(&mut state).expect("room for the state");
                state
            });
            assert_eq!(states[0], states[1], "the state after {cut} bytes");
            for tfm in [ours, portable] {
                let mut hashing = tfm.import(&states[0]).expect("a good state");
                hashing.update(second);
                let mut out = vec![0; want.len()];
                hashing.finalize(&mut out).expect("a good request");
                assert_eq!(out, want, "{} {len} cut at {cut}", tfm.alg().driver_name);
            }
        }
    }
}
