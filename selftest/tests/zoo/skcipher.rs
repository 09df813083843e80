//! Wrong symmetric-key ciphers.

use core::any::Any;
use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::Mutex;

use kcrypto_core::batch::Job;
use kcrypto_core::{Dir, Error, InOut, KeySizes, Length, Result, SkcipherDriver, State};

use crate::wrap::{Fault, Right, Specimen, Wrapped, skcipher};

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

struct NoKey(fn(usize) -> Error);
impl Fault for NoKey {
    fn set_key(&mut self, _right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        Err((self.0)(key.len()))
    }
}

/// Where a message is.
struct Place {
    in_place: bool,
    address: usize,
}

/// Changes a bit of the result at the place that the function gives.
struct Flip(fn(len: usize, Dir, Place) -> Option<usize>);
impl Fault for Flip {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        let src = io.src().as_ptr();
        let place = Place { in_place: core::ptr::eq(src, io.dst().as_ptr()), address: src.addr() };
        right.crypt(dir, iv, io.reborrow());
        if let Some(at) = (self.0)(io.len(), dir, place) {
            io.dst()[at] ^= 4;
        }
    }
}

struct Cs1;
impl Fault for Cs1 {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        if dir == Dir::Encrypt {
            right.crypt(dir, iv, io.reborrow());
            if io.len() > 16 && io.len().is_multiple_of(16) {
                let at = io.len() - 32;
                io.dst()[at..].rotate_left(16);
            }
        } else {
            let mut message = io.src().to_vec();
            if message.len() > 16 && message.len().is_multiple_of(16) {
                let at = message.len() - 32;
                message[at..].rotate_left(16);
            }
            right.crypt(dir, iv, InOut::in_place(&mut message));
            io.dst().copy_from_slice(&message);
        }
    }
}

struct OneBlock;
impl Fault for OneBlock {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        if io.len() == 16 {
            io.dst().reverse();
        }
    }
}

/// The counter carries within its last bytes only.
struct Carry(usize);
impl Fault for Carry {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let high = iv[..16 - self.0].to_vec();
        let mut rest = io;
        while !rest.is_empty() {
            let (now, later) = {
                let n = rest.len().min(16);
                rest.split_at(n)
            };
            right.crypt(dir, iv, now);
            iv[..16 - self.0].copy_from_slice(&high);
            rest = later;
        }
    }
}

struct Nonce;
impl Fault for Nonce {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        let mut key = key.to_vec();
        let at = key.len() - 4;
        key[at..].reverse();
        right.set_key(&key)
    }
}

struct LostIv;
impl Fault for LostIv {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        right.crypt(dir, &mut iv.to_vec(), io);
    }
}

struct LateIv;
impl Fault for LateIv {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        if dir == Dir::Decrypt && io.len() >= 16 {
            iv.copy_from_slice(&io.src()[io.len() - 16..]);
        }
    }
}

struct PartialBlock;
impl Fault for PartialBlock {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let whole = io.len() - io.len() % 16;
        let (head, tail) = io.split_at(whole);
        right.crypt(dir, iv, head);
        right.crypt(dir, &mut iv.to_vec(), tail);
    }
}

struct EmptyMessage;
impl Fault for EmptyMessage {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        match io.is_empty() {
            true => right.crypt(dir, iv, InOut::in_place(&mut [0])),
            false => right.crypt(dir, iv, io),
        }
    }
}

struct Tweak;
impl Fault for Tweak {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        right.crypt(dir, iv, io);
        iv[0] ^= 0x87;
    }
}

struct LastBlockIv;
impl Fault for LastBlockIv {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        let last = io.len() - 16;
        let before = io.src()[last..].to_vec();
        right.crypt(dir, iv, io.reborrow());
        match dir {
            Dir::Encrypt => iv.copy_from_slice(&io.dst()[last..]),
            Dir::Decrypt => iv.copy_from_slice(&before),
        }
    }
}

struct Key192;
impl Fault for Key192 {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        let mut key = key.to_vec();
        if key.len() == 24 {
            key[0] ^= 0x80;
        }
        right.set_key(&key)
    }
}

/// Decrypts with the first key for ever: what it did before the new key is replayed.
#[derive(Default)]
struct Stale {
    first: Option<Vec<u8>>,
    other: Mutex<Vec<u8>>,
}
impl Fault for Stale {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        right.set_key(key)?;
        if self.first.get_or_insert_with(|| key.to_vec()) != key {
            *self.other.lock().unwrap() = key.to_vec();
        }
        Ok(())
    }

    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        if dir == Dir::Decrypt && !self.other.lock().unwrap().is_empty() {
            io.dst()[0] ^= 1;
        }
    }
}

struct KeyError;
impl Fault for KeyError {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        if KeySizes::AES.contains(key.len()) { right.set_key(key) } else { Err(Error::NeedKey) }
    }
}

struct Weak;
impl Fault for Weak {
    fn check_weak_key(&self, _right: &dyn SkcipherDriver, _key: &[u8]) -> Result<()> {
        Ok(())
    }
}

struct ShortKeys;
impl Fault for ShortKeys {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        if key.len() == 32 {
            return Err(Error::BadKeyLen { len: 32, accepted: KeySizes { max: 24, ..KeySizes::AES } });
        }
        right.set_key(key)
    }
}

struct NewTweak;
impl Fault for NewTweak {
    fn run(&self, right: &dyn SkcipherDriver, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        let mut copy = State::new();
        copy.bytes_mut().copy_from_slice(state.bytes());
        right.run(dir, &mut copy, io, last);
    }
}

struct AlwaysLast;
impl Fault for AlwaysLast {
    fn run(&self, right: &dyn SkcipherDriver, dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        right.run(dir, state, io, true);
    }
}

struct PiecesIv;
impl Fault for PiecesIv {
    fn end(&self, right: &dyn SkcipherDriver, dir: Dir, state: &State, iv_out: &mut [u8]) {
        right.end(dir, state, iv_out);
        iv_out[0] ^= 1;
    }
}

struct LongRun;
impl Fault for LongRun {
    fn run(&self, right: &dyn SkcipherDriver, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        right.run(dir, state, io.reborrow(), last);
        if io.len() > 16 && !last {
            io.dst()[16] ^= 1;
        }
    }
}

#[derive(Default)]
struct Kept(Mutex<State>);
impl Fault for Kept {
    fn begin(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &[u8], _state: &mut State) {
        right.begin(dir, iv, &mut self.0.lock().unwrap());
    }

    fn run(&self, right: &dyn SkcipherDriver, dir: Dir, _state: &mut State, io: InOut<'_>, last: bool) {
        right.run(dir, &mut self.0.lock().unwrap(), io, last);
    }

    fn end(&self, right: &dyn SkcipherDriver, dir: Dir, _state: &State, iv_out: &mut [u8]) {
        right.end(dir, &self.0.lock().unwrap(), iv_out);
    }
}

struct Worn(AtomicU32);
impl Fault for Worn {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        if self.0.fetch_add(1, Ordering::Relaxed) > 100 && !io.is_empty() {
            io.dst()[0] ^= 1;
        }
    }
}

/// The jobs of this type.
fn own<'j, 'a>(jobs: &'j mut [Job<'a>]) -> impl Iterator<Item = (&'j mut Job<'a>, &'a Wrapped)> {
    jobs.iter_mut().filter(|job| job.is_pending()).filter_map(|job| {
        let any: &dyn Any = job.driver();
        any.downcast_ref::<Wrapped>().map(|driver| (job, driver))
    })
}

struct FirstOfBatch;
impl Fault for FirstOfBatch {
    fn crypt_batch(&self, jobs: &mut [Job<'_>]) {
        let mut first = None;
        for (job, driver) in own(jobs) {
            let (dir, iv, io) = job.parts();
            first.get_or_insert(driver).inner.crypt(dir, iv, io);
            job.complete();
        }
    }
}

struct IvOfBatch;
impl Fault for IvOfBatch {
    fn crypt_batch(&self, jobs: &mut [Job<'_>]) {
        let mut first: Option<Vec<u8>> = None;
        for (job, driver) in own(jobs) {
            let (dir, iv, io) = job.parts();
            iv.copy_from_slice(first.get_or_insert_with(|| iv.to_vec()));
            driver.inner.crypt(dir, iv, io);
            job.complete();
        }
    }
}

struct LostBatchIv;
impl Fault for LostBatchIv {
    fn crypt_batch(&self, jobs: &mut [Job<'_>]) {
        for (job, driver) in own(jobs) {
            let (dir, iv, io) = job.parts();
            driver.inner.crypt(dir, &mut iv.to_vec(), io);
            job.complete();
        }
    }
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

/// Wrong for one block with an IV of zeros, and for a counter zero, with a text of zeros: what others derive keys
/// with.
struct ZeroIv(Dir);
impl Fault for ZeroIv {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        let zero = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0);
        let text = dir == Dir::Decrypt || zero(io.src());
        let hit = dir == self.0 && io.len() == 16 && zero(iv) && text;
        right.crypt(dir, iv, io.reborrow());
        if hit {
            io.dst()[5] ^= 1;
        }
    }
}
