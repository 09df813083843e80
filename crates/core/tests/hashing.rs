//! Hashes over a toy algorithm that notices every broken rule of the block contract.

use kcrypto_core::{Alg, Error, Flags, KeySizes, Make, Policy, Registry, Result, ShashAlg, ShashDriver};
use rstest::rstest;

/// A length that the toy refuses to end a message at.
const TOO_SHORT: u64 = 99;

/// Adds the bytes of each 4-byte block times a running weight; asserts what core promises.
#[derive(Default)]
struct Toy {
    key: u8,
    keeps: bool,
}

impl ShashDriver for Toy {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.key = key[0];
        Ok(())
    }
    fn init(&self, state: &mut [u8]) {
        assert_eq!(*state, [0; 4]);
        state[0] = self.key;
    }
    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        assert!(!blocks.is_empty() && blocks.len().is_multiple_of(4));
        for (i, byte) in blocks.iter().enumerate() {
            state[1] = state[1].wrapping_mul(31).wrapping_add(*byte);
            state[2 + i % 2] ^= state[1];
        }
    }
    fn finish(&self, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        let whole = total % 4;
        let kept = if self.keeps && whole == 0 && total > 0 { 4 } else { whole };
        assert_eq!(tail.len() as u64, kept, "the tail of {total} bytes");
        for byte in tail {
            state[1] = state[1].wrapping_mul(33).wrapping_add(*byte);
        }
        digest.copy_from_slice(&[state[0] ^ total as u8, state[1], state[2], state[3], self.key]);
    }
    fn check_total(&self, total: u64) -> Result<()> {
        if total == TOO_SHORT { Err(Error::NeedKey) } else { Ok(()) }
    }
    fn is_state(&self, state: &[u8]) -> bool {
        state[0] == self.key
    }
}

fn registry() -> Registry {
    let limits = |keeps_full_block, keys, make| ShashAlg {
        block_size: 4,
        digest_size: 5,
        state_size: 4,
        keys,
        keeps_full_block,
        make,
    };
    let keeping = Make::Static(|| Box::new(Toy { key: 0, keeps: true }) as Box<dyn ShashDriver>);
    let plain = Make::Static(|| Box::new(Toy::default()) as Box<dyn ShashDriver>);
    let key = Some(KeySizes::exactly(1));
    Registry::with(
        [
            Alg::shash("toy", "toy-generic", limits(false, None, plain.clone())),
            Alg::shash("toymac", "toymac-generic", limits(false, key, plain.clone())),
            Alg::shash("toykeep", "toykeep-generic", limits(true, key, keeping.clone())),
            Alg::shash("toykeep", "toykeep-fast", limits(true, key, keeping)).with_priority(9),
            Alg::shash("toyopt", "toyopt-generic", limits(false, key, plain)).with_flags(Flags::OPTIONAL_KEY),
        ],
        [],
    )
    .unwrap()
}

fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (5 * i + 1) as u8).collect()
}

#[rstest]
fn every_split_and_every_export_give_the_digest_of_one_call(#[values("toymac", "toykeep")] name: &str) {
    let registry = registry();
    let mut tfm = registry.shash(name).unwrap();
    let mut other = registry.shash(&format!("{name}-generic")).unwrap();
    tfm.set_key(&[7]).unwrap();
    other.set_key(&[7]).unwrap();
    for len in 0..20 {
        let message = message(len);
        let mut expected = [0; 5];
        tfm.digest(&message, &mut expected).unwrap();
        for first in 0..=len {
            for second in first..=len {
                let pieces = [&message[..first], &[], &message[first..second], &message[second..]];
                let mut digest = [0; 5];
                tfm.digest_segments(&pieces, &mut digest).unwrap();
                assert_eq!(digest, expected, "{len} cut at {first} and {second}");
                let mut hashing = tfm.hasher().unwrap();
                hashing.update(pieces[0]);
                let mut exported = vec![0xfe; tfm.export_size() + 1];
                assert_eq!(hashing.export(&mut exported), Ok(16 + 4 + 4));
                assert_eq!(exported.pop(), Some(0xfe), "nothing is written past the state");
                let mut moved = other.import(&exported).unwrap();
                moved.update(pieces[2]);
                let clone = moved.clone();
                moved.update(b"something else");
                let mut clone = clone;
                clone.update(pieces[3]);
                assert_eq!(clone.total(), len as u64);
                clone.finalize(&mut digest).unwrap();
                assert_eq!(digest, expected, "{len} moved at {first}");
            }
        }
    }
}

#[test]
fn an_import_refuses_what_no_export_wrote() {
    let registry = registry();
    let mut tfm = registry.shash("toykeep").unwrap();
    assert!(matches!(tfm.import(&[0; 24]), Err(Error::NeedKey)));
    tfm.set_key(&[7]).unwrap();
    let mut hashing = tfm.hasher().unwrap();
    hashing.update(&message(6));
    let mut good = vec![0; tfm.export_size()];
    hashing.export(&mut good).unwrap();
    assert!(tfm.import(&good).is_ok());
    let refused = |state: &[u8]| match tfm.import(state) {
        Err(error @ Error::BadState { .. }) => assert_eq!(error.errno_name(), "EOVERFLOW"),
        other => panic!("{other:?}"),
    };
    refused(&good[1..]);
    refused(&[]);
    // Magic, version, partial length, name, total, the state's first byte (the toy checks it), the padding.
    for at in (0..9).chain([16, 22, 23]) {
        let mut bad = good.clone();
        bad[at] ^= 1;
        refused(&bad);
    }
    let mut stranger = registry.shash("toymac").unwrap();
    stranger.set_key(&[7]).unwrap();
    assert!(matches!(stranger.import(&good), Err(Error::BadState { .. })), "another algorithm's state");
    assert!(matches!(hashing.export(&mut [0; 23]), Err(Error::LengthMismatch { .. })));
}

#[rstest]
fn an_import_refuses_a_length_that_would_wrap_around(#[values("toymac", "toykeep")] name: &str) {
    let registry = registry();
    let mut tfm = registry.shash(name).unwrap();
    tfm.set_key(&[7]).unwrap();
    let mut hashing = tfm.hasher().unwrap();
    hashing.update(&message(6));
    let mut state = vec![0; tfm.export_size()];
    hashing.export(&mut state).unwrap();
    for (total, good) in [
        (6, true),
        ((1 << 63) - 2, true),
        ((1 << 63) + 2, false),
        (u64::MAX - 5, false),
        (u64::MAX - 1, false),
    ] {
        state[8..16].copy_from_slice(&total.to_le_bytes());
        let imported = tfm.import(&state);
        assert_eq!(imported.is_ok(), good, "{total}");
        let Ok(mut hashing) = imported else {
            assert!(matches!(imported, Err(Error::BadState { .. })));
            continue;
        };
        // What is taken can be continued, and moved again.
        hashing.update(&message(1));
        let mut next = vec![0; tfm.export_size()];
        hashing.export(&mut next).unwrap();
        assert_eq!(tfm.import(&next).map(|hashing| hashing.total()), Ok(total + 1));
        hashing.finalize(&mut [0; 5]).unwrap();
    }
}

#[test]
fn keys_are_needed_optional_or_refused() {
    let registry = registry();
    let mut digest = [0; 5];
    let mut plain = registry.shash("toy").unwrap();
    plain.digest(b"abc", &mut digest).unwrap();
    assert_eq!(plain.set_key(&[1]).unwrap_err().errno_name(), "ENOSYS");
    plain.digest(b"abc", &mut digest).unwrap();
    let mut mac = registry.shash("toymac").unwrap();
    assert_eq!(mac.digest(b"abc", &mut digest), Err(Error::NeedKey));
    assert!(matches!(mac.hasher(), Err(Error::NeedKey)));
    mac.set_key(&[1]).unwrap();
    assert!(matches!(mac.set_key(&[]), Err(Error::BadKeyLen { len: 0, .. })));
    assert_eq!(mac.digest(b"abc", &mut digest), Err(Error::NeedKey), "a failed rekey takes the key away");
    let mut optional = registry.shash("toyopt").unwrap();
    optional.digest(b"abc", &mut digest).unwrap();
    assert!(optional.set_key(&[1, 2]).is_err());
    optional.digest(b"abc", &mut digest).unwrap();
    registry.set_policy(Policy::new().min_key(2));
    assert!(matches!(registry.shash("toymac").unwrap().set_key(&[1]), Err(Error::Denied { .. })));
}

#[test]
fn a_driver_can_refuse_a_length() {
    let registry = registry();
    let tfm = registry.shash("toy").unwrap();
    let mut digest = [9; 5];
    assert_eq!(tfm.digest(&[0; TOO_SHORT as usize], &mut digest), Err(Error::NeedKey));
    let mut hashing = tfm.hasher().unwrap();
    hashing.update(&[0; TOO_SHORT as usize]);
    assert_eq!(hashing.finalize(&mut digest), Err(Error::NeedKey));
    assert_eq!(digest, [9; 5], "nothing is written");
}

#[test]
fn digests_have_one_length_and_tags_verify_by_their_start() {
    let registry = registry();
    let tfm = registry.shash("toy").unwrap();
    assert_eq!(tfm.digest(b"abc", &mut [0; 4]), Err(Error::LengthMismatch { src: 5, dst: 4 }));
    let mut digest = [0; 5];
    tfm.digest(b"abc", &mut digest).unwrap();
    for len in 1..=5 {
        tfm.verify(b"abc", &digest[..len]).unwrap();
        let mut wrong = digest;
        wrong[len - 1] ^= 1;
        assert_eq!(tfm.verify(b"abc", &wrong[..len]), Err(Error::BadTag));
    }
    assert!(matches!(tfm.verify(b"abc", &[]), Err(Error::BadTagLen { len: 0, .. })));
    assert!(matches!(tfm.verify(b"abc", &[0; 6]), Err(Error::BadTagLen { len: 6, .. })));
}

#[test]
fn broken_descriptions_are_refused() {
    let with = |change: fn(&mut ShashAlg)| {
        let mut limits = ShashAlg {
            block_size: 4,
            digest_size: 4,
            state_size: 4,
            keys: None,
            keeps_full_block: false,
            make: Make::Static(|| Box::new(Toy::default())),
        };
        change(&mut limits);
        Registry::new().register(Alg::shash("x", "x-1", limits)).map(|guard| guard.keep())
    };
    assert_eq!(with(|_| ()), Ok(()));
    assert!(matches!(with(|l| l.block_size = 0), Err(Error::BadAlg { .. })));
    assert!(matches!(with(|l| l.block_size = 161), Err(Error::BadAlg { .. })));
    assert!(matches!(with(|l| l.digest_size = 65), Err(Error::BadAlg { .. })));
    assert!(matches!(with(|l| l.state_size = 417), Err(Error::BadAlg { .. })));
    assert!(matches!(
        with(|l| l.keys = Some(KeySizes { min: 2, max: 1, step: 1 })),
        Err(Error::BadAlg { .. })
    ));
}
