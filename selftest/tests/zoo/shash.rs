//! Wrong hashes and MACs.

mod blocks;
mod key;
mod state;

use kcrypto_core::{KeySizes, ShashDriver};

use crate::wrap::{HashFault, Right, Specimen, shash};
use blocks::{
    EmptyIsBlock, Flip, FullLastBlock, Length, LostOnBlock, Misaligned, NoTail, OddState, OneShot,
    PaddedFullBlock, StaleTail, ThirdBlock,
};
use key::{FirstKey, Key, KeyRefused, NoKey, cut, eager, early, last_byte};
use state::{Elsewhere, Gullible, Kept, Layout, Picky, Scratch, Worn};

const WRONG: &str = "wrong result";
const WRONG_STATE: &str = "wrong exported state";

pub(crate) fn specimens() -> Vec<Specimen> {
    let wrong = Specimen::shash;
    vec![
        // Blocks and tails.
        wrong("sha1", "the empty message", WRONG, || Box::new(Flip(|total, _| total == 0))),
        wrong("sha256", "padding that spills by one byte", WRONG, || Box::new(Flip(|_, tail| tail == 56))),
        wrong("sha512", "a full block of tail but one byte", WRONG, || Box::new(Flip(|_, tail| tail == 127))),
        wrong("sha3-256", "a tail that lacks one byte", WRONG, || Box::new(Flip(|_, tail| tail == 135))),
        wrong("md5", "state lost when an update ends on a block", WRONG, || Box::new(LostOnBlock)),
        wrong("sha256", "partial block kept across messages", WRONG, || Box::new(StaleTail::default())),
        wrong("sha256", "third block of a run", WRONG, || Box::new(ThirdBlock)),
        wrong("sha512", "only at odd addresses", WRONG, || Box::new(Misaligned)),
        wrong("ghash", "last partial block ignored", WRONG, || Box::new(NoTail)),
        wrong("cbcmac(aes)", "the empty message is a block", WRONG, || Box::new(EmptyIsBlock)),
        wrong("cmac(aes)", "subkeys swapped on a full last block", WRONG, || Box::new(FullLastBlock)),
        wrong("xcbc(aes)", "a full last block is padded", WRONG, || Box::new(PaddedFullBlock)),
        wrong("cbcmac(aes)", "state at an odd address", "contract: inside ccm_base(", || Box::new(OddState)),
        // Lengths.
        wrong("sha1", "length in bits kept in a byte", WRONG, || Box::new(Length(|total| total & 31))),
        wrong("sm3", "message length wraps at 256", WRONG, || Box::new(Length(|total| total & 255))),
        wrong("md5", "message length wraps at 4096", WRONG, || Box::new(Length(|total| total & 4095))),
        wrong("xxhash64", "length of the tail only", WRONG, || Box::new(Length(|total| total % 32))),
        // The fast path.
        wrong("sha256", "one call of 64 bytes", WRONG, || Box::new(OneShot(|len| len == 64))),
        wrong("crc32c", "one call of 17 bytes", WRONG, || Box::new(OneShot(|len| len == 17))),
        wrong("poly1305", "one call of 5 blocks", WRONG, || Box::new(OneShot(|len| len / 16 == 5))),
        // Keys.
        wrong("hmac(sha256)", "long keys are cut, not hashed", WRONG, || Box::new(Key(cut))),
        wrong("hmac(sha512)", "block size of SHA-256", WRONG, || Box::new(Key(early))),
        wrong("hmac(sha1)", "a key of a whole block is hashed", WRONG, || Box::new(Key(eager))),
        wrong("cmac(aes)", "stale after a new key", WRONG, || Box::new(FirstKey(false))),
        wrong("crc32", "key ignored", WRONG, || Box::new(NoKey)),
        wrong("blake2b-256", "keys of 64 bytes", WRONG, || Box::new(Key(last_byte))),
        // States.
        wrong("sha256", "last block of an update kept in the transform", WRONG, || Box::new(Kept::default())),
        wrong("sha1", "running state in the transform", WRONG, || Box::new(Elsewhere::default())),
        wrong("sha256", "exports its words little-endian", WRONG_STATE, || Box::new(Layout(4))),
        wrong("polyval", "exports its state reversed", WRONG_STATE, || Box::new(Layout(16))),
        wrong("sha512", "refuses states of its own", "digest failed", || Box::new(Picky)),
        wrong("streebog256", "panics over a state that it accepts", "panicked in states", || {
            Box::new(Gullible)
        }),
        // Sharing.
        wrong("rmd160", "worn by use", WRONG, || Box::new(Worn::default())),
        // Limits.
        wrong("sha224", "declares another block size", "blocksize", || Box::new(Right))
            .declaring(|kind| shash(kind).block_size = 32),
        wrong("cmac(aes)", "gives its last full block away", "full block kept", || Box::new(Right))
            .declaring(|kind| shash(kind).keeps_full_block = false),
        wrong("ghash", "declares keys of 15 bytes", "min keysize", || Box::new(Right))
            .declaring(|kind| shash(kind).keys = Some(KeySizes { min: 15, max: 16, step: 1 })),
        wrong("sha384", "panics", "panicked in known answers, check", || Box::new(Panics)),
    ]
}

/// What only the full mode finds: threads.
pub(crate) fn late_specimens() -> Vec<Specimen> {
    vec![Specimen::shash("sha3-512", "scratch shared by threads", "4 threads", || {
        Box::new(Scratch::default())
    })]
}

/// A fault that every message shows.
pub(crate) fn flip() -> Box<dyn HashFault> {
    Box::new(Flip(|_, _| true))
}

/// A fault that one call shows, and pieces do not.
pub(crate) fn one_shot() -> Box<dyn HashFault> {
    Box::new(OneShot(|len| len == 65))
}

/// Refuses every key as one of a wrong length.
pub(crate) fn no_key() -> Box<dyn HashFault> {
    Box::new(KeyRefused)
}

struct Panics;
impl HashFault for Panics {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        assert_ne!(total, 47, "47 bytes");
        right.finish(state, tail, total, digest);
    }
}
