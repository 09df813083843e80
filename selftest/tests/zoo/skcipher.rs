//! Wrong symmetric-key ciphers.

mod iv;
mod key;
mod pieces;
mod result;
mod sharing;

use core::sync::atomic::AtomicU32;

use kcrypto_core::{Dir, Error, InOut, KeySizes, Length, SkcipherDriver, State};

use crate::wrap::{Fault, Right, Specimen, skcipher};
use iv::{EmptyMessage, LastBlockIv, LateIv, LostIv, PartialBlock, Tweak};
use key::{Key192, KeyError, NoKey, ShortKeys, Stale, Weak};
use pieces::{AlwaysLast, LongRun, NewTweak, PiecesIv};
use result::{Carry, Cs1, Flip, Nonce, OneBlock, ZeroIv};
use sharing::{FirstOfBatch, IvOfBatch, Kept, LongBatch, LostBatchIv, Worn};

const WRONG: &str = "wrong result";
const WRONG_IV: &str = "wrong output IV";

pub(crate) fn specimens() -> Vec<Specimen> {
    let wrong = Specimen::skcipher;
    vec![
        // Results.
        wrong("cbc(aes)", "last block of nine or more", WRONG, || {
            Box::new(Flip(|len, _, _| (len > 128).then(|| len - 1)))
        }),
        wrong("ctr(aes)", "exactly 16 blocks in a long message", WRONG, || {
            Box::new(Flip(|len, _, _| (len > 256).then_some(255)))
        }),
        wrong("ctr(aes)", "33rd block", WRONG, || Box::new(Flip(|len, _, _| (len > 512).then_some(512)))),
        wrong("ecb(aes)", "decryption of three blocks", WRONG, || {
            Box::new(Flip(|len, dir, _| (len == 48 && dir == Dir::Decrypt).then_some(20)))
        }),
        wrong("xts(aes)", "only in place", WRONG, || {
            Box::new(Flip(|_, _, place| (place.in_place).then_some(0)))
        }),
        wrong("cbc(aes)", "only apart", WRONG, || {
            Box::new(Flip(|len, _, place| (!place.in_place && len > 0).then_some(0)))
        }),
        wrong("ctr(aes)", "only at odd addresses", WRONG, || {
            Box::new(Flip(|len, _, place| (place.address % 2 == 1 && len > 16).then_some(0)))
        }),
        wrong("cts(cbc(aes))", "stealing of one byte", WRONG, || {
            Box::new(Flip(|len, _, _| (len % 16 == 1).then(|| len - 1)))
        }),
        wrong("cts(cbc(aes))", "stealing of nine bytes", WRONG, || {
            Box::new(Flip(|len, _, _| (len % 16 == 9).then(|| len - 1)))
        }),
        wrong("xts(aes)", "stealing of fifteen bytes", WRONG, || {
            Box::new(Flip(|len, _, _| (len % 16 == 15).then(|| len - 9)))
        }),
        wrong("cts(cbc(aes))", "order of the last blocks as in CS1", WRONG, || Box::new(Cs1)),
        wrong("cts(cbc(aes))", "one block swapped with the IV", WRONG, || Box::new(OneBlock)),
        wrong("ctr(aes)", "carry in 32 bits", WRONG, || Box::new(Carry(4))),
        wrong("ctr(aes)", "carry in 64 bits", WRONG, || Box::new(Carry(8))),
        wrong("rfc3686(ctr(aes))", "little nonce", WRONG, || Box::new(Nonce)),
        // Only inside of what is built over it.
        wrong("ctr(aes)", "the block of counter zero", "contract: inside ", || {
            Box::new(ZeroIv(Dir::Encrypt))
        }),
        wrong("cbc(aes)", "decryption of one block without IV", "contract: inside ", || {
            Box::new(ZeroIv(Dir::Decrypt))
        }),
        // IV.
        wrong("cbc(aes)", "IV not written back", WRONG_IV, || Box::new(LostIv)),
        wrong("cbc(aes)", "IV taken after the overwrite", WRONG_IV, || Box::new(LateIv)),
        wrong("ctr(aes)", "a partial block does not count", WRONG_IV, || Box::new(PartialBlock)),
        wrong("ctr(aes)", "an empty message counts", WRONG_IV, || Box::new(EmptyMessage)),
        wrong("xts(aes)", "tweak left in the IV", WRONG_IV, || Box::new(Tweak)),
        wrong("cts(cbc(aes))", "IV is the last ciphertext block", WRONG_IV, || Box::new(LastBlockIv)),
        // Keys.
        wrong("cbc(aes)", "key schedule of 192 bits", WRONG, || Box::new(Key192)),
        wrong("cts(cbc(aes))", "decryption schedule stale after a new key", WRONG, || {
            Box::new(Stale::default())
        }),
        wrong("cbc(aes)", "declares keys of 8 bytes", "min keysize", || Box::new(Right))
            .declaring(|kind| skcipher(kind).keys.min = 8),
        wrong("ecb(aes)", "wrong error for a bad key length", "keysize step", || Box::new(KeyError))
            .declaring(|kind| skcipher(kind).keys.step = 1),
        wrong("xts(aes)", "weak keys allowed", "setkey unexpectedly succeeded", || Box::new(Weak)),
        wrong("ctr(aes)", "refuses keys of 256 bits", "setkey failed", || Box::new(ShortKeys)),
        // Limits.
        wrong("cbc(aes)", "takes any length", "length multiple", || Box::new(Right))
            .declaring(|kind| skcipher(kind).length = Length::ANY),
        wrong("cts(cbc(aes))", "takes short messages", "min length", || Box::new(Right))
            .declaring(|kind| skcipher(kind).length = Length::ANY),
        wrong("rfc3686(ctr(aes))", "IV of 16 bytes", "ivsize", || Box::new(Right))
            .declaring(|kind| skcipher(kind).iv_size = 16),
        // Pieces.
        wrong("xts(aes)", "tweak starts anew with each piece", WRONG, || Box::new(NewTweak)),
        wrong("cts(cbc(aes))", "every piece is the last", WRONG, || Box::new(AlwaysLast)),
        wrong("cbc(aes)", "the IV after pieces is the first one", WRONG_IV, || Box::new(PiecesIv)),
        wrong("ctr(aes)", "pieces of 17 bytes and more", WRONG, || Box::new(LongRun)),
        // Sharing.
        wrong("ctr(aes)", "state of a request kept in the transform", WRONG, || Box::new(Kept::default())),
        wrong("cbc(aes)", "changed by use", WRONG, || Box::new(Worn(AtomicU32::new(0)))),
        wrong("cbc(aes)", "batch with the key of its first job", WRONG, || Box::new(FirstOfBatch)),
        wrong("cbc(aes)", "long messages of a batch under one key", WRONG, || Box::new(LongBatch)),
        wrong("ctr(aes)", "batch with the IV of its first job", WRONG, || Box::new(IvOfBatch)),
        wrong("cts(cbc(aes))", "batch loses the returned IV", WRONG_IV, || Box::new(LostBatchIv)),
        // Worse.
        wrong("cts(cbc(aes))", "panics", "panicked in known answers, check", || Box::new(Panics)),
        wrong("xts(aes)", "panics without words", "panicked in", || Box::new(Silent)),
    ]
}

/// A fault that every message shows.
pub(crate) fn flip() -> Box<dyn Fault> {
    Box::new(Flip(|len, _, _| (len > 0).then(|| len - 1)))
}

/// A fault that only long messages show.
pub(crate) fn late() -> Box<dyn Fault> {
    Box::new(Flip(|len, _, _| (len > 2000).then_some(2000)))
}

/// Refuses every key as one of a wrong length.
pub(crate) fn no_key() -> Box<dyn Fault> {
    Box::new(NoKey(|len| Error::BadKeyLen { len, accepted: KeySizes::AES }))
}

/// Refuses every key with an error that says nothing.
pub(crate) fn no_reason() -> Box<dyn Fault> {
    Box::new(NoKey(|_| Error::NeedKey))
}

struct Panics;
impl Fault for Panics {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        assert_ne!(io.len(), 47, "47 bytes");
        right.crypt(dir, iv, io);
    }
}

struct Silent;
impl Fault for Silent {
    fn end(&self, _right: &dyn SkcipherDriver, _dir: Dir, _state: &State, _iv_out: &mut [u8]) {
        std::panic::panic_any(47);
    }
}
