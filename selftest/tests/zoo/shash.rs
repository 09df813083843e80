//! Wrong hashes and MACs.

use std::sync::Mutex;

use kcrypto_core::{Error, KeySizes, Result, ShashDriver};

use crate::registry;
use crate::wrap::{HashFault, Right, Specimen, shash};

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

/// What only the full mode finds: threads, and what long messages alone show.
pub(crate) fn late_specimens() -> Vec<Specimen> {
    vec![
        Specimen::shash(
            "sha3-512",
            "scratch shared by threads",
            "4 threads",
            || Box::new(Scratch::default()),
        ),
        Specimen::shash("md5", "message length wraps at 4096", WRONG, || {
            Box::new(Length(|total| total & 4095))
        }),
    ]
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

struct KeyRefused;
impl HashFault for KeyRefused {
    fn set_key(&mut self, _right: &mut dyn ShashDriver, key: &[u8]) -> Result<()> {
        Err(Error::BadKeyLen { len: key.len(), accepted: KeySizes::exactly(0) })
    }
}

/// Changes a bit of the digest if the function of total length and tail length says so.
struct Flip(fn(u64, usize) -> bool);
impl HashFault for Flip {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, total, digest);
        if (self.0)(total, tail.len()) {
            digest[0] ^= 4;
        }
    }
}

struct LostOnBlock;
impl HashFault for LostOnBlock {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        if tail.is_empty() {
            right.init(state);
        }
        right.finish(state, tail, total, digest);
    }

    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        right.digest(message, digest)
    }
}

/// The buffer of the tail is not cleared: a shorter tail is followed by the end of a longer one.
#[derive(Default)]
struct StaleTail(Mutex<Vec<u8>>);
impl HashFault for StaleTail {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, total, digest);
        let mut buffer = self.0.lock().unwrap();
        if buffer.len() > tail.len() {
            digest[0] ^= buffer[tail.len()];
        } else {
            *buffer = tail.to_vec();
        }
    }

    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        right.digest(message, digest)
    }
}

struct ThirdBlock;
impl HashFault for ThirdBlock {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        let mut blocks = blocks.to_vec();
        if let Some(byte) = blocks.get_mut(128) {
            *byte ^= 1;
        }
        right.update(state, &blocks);
    }
}

struct Misaligned;
impl HashFault for Misaligned {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        right.update(state, blocks);
        if blocks.as_ptr().addr() % 2 == 1 {
            state[0] ^= 1;
        }
    }
}

struct NoTail;
impl HashFault for NoTail {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], _tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, &[], total, digest);
    }

    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        right.digest(message, digest)
    }
}

struct EmptyIsBlock;
impl HashFault for EmptyIsBlock {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        if total == 0 {
            right.update(state, &[0; 16]);
        }
        right.finish(state, tail, total, digest);
    }
}

/// K2 in the place of K1.
struct FullLastBlock;
impl HashFault for FullLastBlock {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        let mut tail = tail.to_vec();
        if tail.len() == 16 {
            let mut encrypted = [0; 16];
            right.update(&mut encrypted, &[0; 16]);
            let k1 = doubled(encrypted);
            let k2 = doubled(k1);
            tail.iter_mut().zip(k1.iter().zip(k2)).for_each(|(byte, (k1, k2))| *byte ^= k1 ^ k2);
        }
        right.finish(state, &tail, total, digest);
    }
}

/// RFC 4493, 2.3.
fn doubled(block: [u8; 16]) -> [u8; 16] {
    let n = u128::from_be_bytes(block);
    ((n << 1) ^ ((n >> 127) * 0x87)).to_be_bytes()
}

struct PaddedFullBlock;
impl HashFault for PaddedFullBlock {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        if tail.len() == 16 {
            right.update(state, tail);
            right.finish(state, &[], total, digest);
        } else {
            right.finish(state, tail, total, digest);
        }
    }
}

/// Ends messages as if they had another length.
struct Length(fn(u64) -> u64);
impl HashFault for Length {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, (self.0)(total), digest);
    }
}

/// Wrong only where the message lies in one piece and has such a length.
struct OneShot(fn(usize) -> bool);
impl HashFault for OneShot {
    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        let done = right.digest(message, digest);
        if done && (self.0)(message.len()) {
            digest[1] ^= 0x80;
        }
        done
    }
}

/// Makes another key of each.
struct Key(fn(&[u8]) -> Vec<u8>);
impl HashFault for Key {
    fn set_key(&mut self, right: &mut dyn ShashDriver, key: &[u8]) -> Result<()> {
        right.set_key(&(self.0)(key))
    }
}

fn cut(key: &[u8]) -> Vec<u8> {
    key[..key.len().min(64)].to_vec()
}

fn hashed(name: &str, key: &[u8]) -> Vec<u8> {
    let hash = registry().shash(name).unwrap();
    let mut digest = vec![0; hash.digest_size()];
    hash.digest(key, &mut digest).unwrap();
    digest
}

fn early(key: &[u8]) -> Vec<u8> {
    if key.len() > 64 { hashed("sha512", key) } else { key.into() }
}

fn eager(key: &[u8]) -> Vec<u8> {
    if key.len() >= 64 { hashed("sha1", key) } else { key.into() }
}

fn last_byte(key: &[u8]) -> Vec<u8> {
    let mut key = key.to_vec();
    if let Some(byte) = key.get_mut(63) {
        *byte = 0;
    }
    key
}

struct FirstKey(bool);
impl HashFault for FirstKey {
    fn set_key(&mut self, right: &mut dyn ShashDriver, key: &[u8]) -> Result<()> {
        if core::mem::replace(&mut self.0, true) { Ok(()) } else { right.set_key(key) }
    }
}

struct NoKey;
impl HashFault for NoKey {
    fn set_key(&mut self, _right: &mut dyn ShashDriver, _key: &[u8]) -> Result<()> {
        Ok(())
    }
}

/// Hashes the last block of an update when it knows what follows; right for one message at a time.
#[derive(Default)]
struct Kept(Mutex<Vec<u8>>);
impl Kept {
    fn flush(&self, right: &dyn ShashDriver, state: &mut [u8]) {
        let last = core::mem::take(&mut *self.0.lock().unwrap());
        if !last.is_empty() {
            right.update(state, &last);
        }
    }
}
impl HashFault for Kept {
    fn init(&self, right: &dyn ShashDriver, state: &mut [u8]) {
        self.0.lock().unwrap().clear();
        right.init(state);
    }

    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        self.flush(right, state);
        let (now, last) = blocks.split_at(blocks.len() - 64);
        if !now.is_empty() {
            right.update(state, now);
        }
        *self.0.lock().unwrap() = last.to_vec();
    }

    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        self.flush(right, state);
        right.finish(state, tail, total, digest);
    }
}

/// Right for one message at a time.
#[derive(Default)]
struct Elsewhere(Mutex<Vec<u8>>);
impl HashFault for Elsewhere {
    fn init(&self, right: &dyn ShashDriver, state: &mut [u8]) {
        right.init(state);
        *self.0.lock().unwrap() = state.to_vec();
    }

    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        let mut own = self.0.lock().unwrap();
        right.update(&mut own, blocks);
        state.copy_from_slice(&own);
    }

    fn finish(&self, right: &dyn ShashDriver, _state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(&mut self.0.lock().unwrap().clone(), tail, total, digest);
    }
}

/// Keeps the words of its state, so many bytes each, in the other order.
struct Layout(usize);
impl Layout {
    fn turn(&self, state: &mut [u8]) {
        state.chunks_mut(self.0).for_each(<[u8]>::reverse);
    }
}
impl HashFault for Layout {
    fn init(&self, right: &dyn ShashDriver, state: &mut [u8]) {
        right.init(state);
        self.turn(state);
    }

    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        self.turn(state);
        right.update(state, blocks);
        self.turn(state);
    }

    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        self.turn(state);
        right.finish(state, tail, total, digest);
    }
}

struct Picky;
impl HashFault for Picky {
    fn is_state(&self, _right: &dyn ShashDriver, state: &[u8]) -> bool {
        !state[0].is_multiple_of(4)
    }
}

struct Gullible;
impl HashFault for Gullible {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        assert!(right.is_state(state), "more bits than there are");
        right.update(state, blocks);
    }

    fn is_state(&self, _right: &dyn ShashDriver, _state: &[u8]) -> bool {
        true
    }
}

/// Hashes from a scratch that other threads write to as well.
#[derive(Default)]
struct Scratch(Mutex<Vec<u8>>);
impl HashFault for Scratch {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        *self.0.lock().unwrap() = blocks.to_vec();
        std::thread::yield_now();
        right.update(state, &self.0.lock().unwrap());
    }
}

#[derive(Default)]
struct Worn(Mutex<u32>);
impl HashFault for Worn {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, total, digest);
        let mut uses = self.0.lock().unwrap();
        *uses += 1;
        if *uses > 60 {
            digest[3] ^= 1;
        }
    }
}

struct Panics;
impl HashFault for Panics {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        assert_ne!(total, 47, "47 bytes");
        right.finish(state, tail, total, digest);
    }
}

/// Wrong where the running state lies at an odd address: where it does only inside of something else.
struct OddState;
impl HashFault for OddState {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        right.update(state, blocks);
        if state.as_ptr().addr() % 2 == 1 {
            state[0] ^= 1;
        }
    }
}
