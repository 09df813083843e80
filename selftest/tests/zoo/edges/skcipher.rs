//! Symmetric-key ciphers.

use std::sync::Mutex;
use std::thread::{self, ThreadId};

use kcrypto_core::batch::Job;
use kcrypto_core::{Cipher, Dir, InOut, Result, SkcipherDriver, State};

use crate::registry;
use crate::wrap::{Fault, Specimen, Wrapped};

const WRONG: &str = "wrong result";
const WRONG_IV: &str = "wrong output IV";

pub(crate) fn specimens() -> Vec<Specimen> {
    let wrong = Specimen::skcipher;
    vec![
        // Counters.
        wrong("ctr(aes)", "wrap at 2^32 in a run of eight blocks", WRONG, || {
            Box::new(At(|call| (call.len >= 128).then_some(call.wraps(32)?)))
        }),
        wrong("ctr(aes)", "wrap at 2^64 in a run of four blocks", WRONG, || {
            Box::new(At(|call| (call.len >= 64).then_some(call.wraps(64)?)))
        }),
        wrong("ctr(aes)", "IV of ones", WRONG, || {
            Box::new(At(|call| (call.iv.iter().all(|&byte| byte == 0xff) && call.len > 16).then_some(16)))
        }),
        wrong("chacha20", "wrap of the block counter", WRONG, || {
            Box::new(At(|call| (call.iv[..4] == [0xff; 4] && call.len > 64).then_some(64)))
        }),
        wrong("xchacha20", "last byte of the long nonce", WRONG, || Box::new(CutNonce)),
        wrong("xts(aes)", "tweak that carries out of both halves", WRONG, || Box::new(Sectors::both())),
        wrong("xts(aes)", "tweak that carries from the lower half alone", WRONG, || {
            Box::new(Sectors::lower())
        }),
        // Lengths.
        wrong("cts(cbc(aes))", "17 bytes", WRONG, || Box::new(At(|call| (call.len == 17).then_some(16)))),
        wrong("cts(cbc(aes))", "opening 31 bytes", WRONG, || {
            Box::new(At(|call| (call.len == 31 && call.dir == Dir::Decrypt).then_some(3)))
        }),
        wrong("ctr(aes)", "decryption that ends one byte before its block", WRONG, || {
            Box::new(At(|call| (call.len % 16 == 15 && call.dir == Dir::Decrypt).then(|| call.len - 1)))
        }),
        // Where it shows first depends on where buffers happen to lie.
        wrong("cbc(aes)", "a message across a page", "alg: skcipher: ", || {
            Box::new(At(|call| (call.address / 4096 != (call.address + call.len) / 4096).then_some(0)))
        }),
        // What was before.
        wrong("ecb(aes)", "the third key is the second", WRONG, || Box::new(ThirdKey::default())),
        wrong("cbc(aes)", "IV after decryption in place", WRONG_IV, || Box::new(DecryptedIv)),
        wrong("xts(aes)", "encryption right after decryption", WRONG, || Box::new(Turned::default())),
        wrong("ctr(aes)", "a stream that was given up spoils the next", WRONG, || {
            Box::new(GivenUp::default())
        }),
        wrong("cbc(aes)", "pieces of three blocks", WRONG, || Box::new(ThreeBlocks)),
        wrong("ctr(aes)", "batch ends at an empty job", "cfg=\"batch of ", || Box::new(EmptyJob)),
    ]
}

pub(crate) fn late_specimens() -> Vec<Specimen> {
    let wrong = Specimen::skcipher;
    vec![
        wrong("cbc(aes)", "lengths from 4097 to 8192", WRONG, || {
            Box::new(At(|call| (4097..=8192).contains(&call.len).then_some(4096)))
        }),
        wrong("ctr(aes)", "in a second thread", "4 threads", || Box::new(OneThread::default())),
    ]
}

/// What is known of a call.
struct Call<'a> {
    dir: Dir,
    iv: &'a [u8],
    len: usize,
    address: usize,
}

impl Call<'_> {
    /// Where the text of the first block begins for which the low bits of the counter have wrapped.
    fn wraps(&self, bits: u32) -> Option<usize> {
        let counter = u128::from_be_bytes(self.iv.try_into().ok()?);
        let left = (1u128 << bits) - counter % (1 << bits);
        let at = usize::try_from(left).ok()?.checked_mul(16)?;
        (at < self.len).then_some(at)
    }
}

/// Changes a bit of the result at the place that the function gives.
struct At(fn(&Call<'_>) -> Option<usize>);
impl Fault for At {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        let before = iv.to_vec();
        let call = Call { dir, iv: &before, len: io.len(), address: io.src().as_ptr().addr() };
        right.crypt(dir, iv, io.reborrow());
        if let Some(at) = (self.0)(&call) {
            io.dst()[at] ^= 4;
        }
    }
}

struct CutNonce;
impl Fault for CutNonce {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        // The nonce of 24 bytes, then the position in the stream.
        iv[23] = 0;
        right.crypt(dir, iv, io);
    }
}

/// The mode over single blocks, with a step of its own from tweak to tweak; whole blocks only.
struct Sectors {
    next: fn(u128) -> u128,
    keys: Option<[Cipher; 2]>,
}

impl Sectors {
    fn both() -> Self {
        Sectors {
            next: |tweak| if tweak >> 127 & tweak >> 63 & 1 == 1 { tweak << 1 } else { double(tweak) },
            keys: None,
        }
    }

    fn lower() -> Self {
        let next = |tweak: u128| match (tweak >> 127, tweak >> 63 & 1) {
            (0, 1) => double(tweak) & !(1 << 64),
            _ => double(tweak),
        };
        Sectors { next, keys: None }
    }
}

/// Times x in GF(2^128).
fn double(tweak: u128) -> u128 {
    (tweak << 1) ^ ((tweak >> 127) * 0x87)
}

impl Fault for Sectors {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        right.set_key(key)?;
        let cipher = |key: &[u8]| -> Result<Cipher> {
            let mut cipher = registry().cipher("aes")?;
            cipher.set_key(key)?;
            Ok(cipher)
        };
        let (data, tweak) = key.split_at(key.len() / 2);
        self.keys = Some([cipher(data)?, cipher(tweak)?]);
        Ok(())
    }

    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        let Some([data, tweak_cipher]) = &self.keys else { return };
        if !io.len().is_multiple_of(16) {
            return right.crypt(dir, iv, io);
        }
        let mut first: [u8; 16] = (&*iv).try_into().expect("16 bytes");
        tweak_cipher.encrypt(&mut first).expect("a keyed cipher");
        let mut tweak = u128::from_le_bytes(first);
        io.copy();
        for block in io.dst().as_chunks_mut::<16>().0 {
            let mut sum = (u128::from_le_bytes(*block) ^ tweak).to_le_bytes();
            let done = if dir == Dir::Encrypt { data.encrypt(&mut sum) } else { data.decrypt(&mut sum) };
            done.expect("a keyed cipher");
            *block = (u128::from_le_bytes(sum) ^ tweak).to_le_bytes();
            tweak = (self.next)(tweak);
        }
    }
}

/// Keeps the key before where a third one is set.
#[derive(Default)]
struct ThirdKey {
    before: Vec<u8>,
    count: usize,
}
impl Fault for ThirdKey {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        self.count += 1;
        if self.count == 3 {
            return right.set_key(&self.before);
        }
        self.before = key.to_vec();
        right.set_key(key)
    }
}

struct DecryptedIv;
impl Fault for DecryptedIv {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        let in_place = core::ptr::eq(io.src().as_ptr(), io.dst().as_ptr());
        right.crypt(dir, iv, io);
        if in_place && dir == Dir::Decrypt {
            iv[15] ^= 1;
        }
    }
}

/// A schedule that was left as decryption needs it.
#[derive(Default)]
struct Turned(Mutex<bool>);
impl Fault for Turned {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        let turned = core::mem::replace(&mut *self.0.lock().unwrap(), dir == Dir::Decrypt);
        if turned && dir == Dir::Encrypt {
            io.dst()[0] ^= 1;
        }
    }
}

/// Minds whether the stream before this one came to its end.
#[derive(Default)]
struct GivenUp(Mutex<bool>);
impl Fault for GivenUp {
    fn begin(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &[u8], state: &mut State) {
        let spoilt = core::mem::replace(&mut *self.0.lock().unwrap(), true);
        let mut iv = iv.to_vec();
        iv[0] ^= u8::from(spoilt);
        right.begin(dir, &iv, state);
    }

    fn end(&self, right: &dyn SkcipherDriver, dir: Dir, state: &State, iv_out: &mut [u8]) {
        *self.0.lock().unwrap() = false;
        right.end(dir, state, iv_out);
    }
}

struct ThreeBlocks;
impl Fault for ThreeBlocks {
    fn run(&self, right: &dyn SkcipherDriver, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        right.run(dir, state, io.reborrow(), last);
        if io.len() == 48 && !last {
            io.dst()[47] ^= 1;
        }
    }
}

/// Takes an empty job for the end of the list.
struct EmptyJob;
impl Fault for EmptyJob {
    fn crypt_batch(&self, jobs: &mut [Job<'_>]) {
        let mut ended = false;
        for job in jobs {
            let Some(driver) = job.pending_for::<Wrapped>() else { continue };
            let (dir, iv, io) = job.parts();
            ended |= io.is_empty();
            if !ended {
                driver.inner.crypt(dir, iv, io);
            }
            job.complete();
        }
    }
}

/// Belongs to the first thread that uses it.
#[derive(Default)]
struct OneThread(Mutex<Option<ThreadId>>);
impl Fault for OneThread {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        let me = thread::current().id();
        if *self.0.lock().unwrap().get_or_insert(me) != me && !io.is_empty() {
            io.dst()[0] ^= 1;
        }
    }
}
