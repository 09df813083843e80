//! Drivers whose unsafe code breaks the rules of memory, as a kernel with a bad bound would. They write
//! within the allocation that the tests made, and are undefined behaviour all the same: that is the fault.
#![expect(unsafe_code, reason = "the fault under test")]

#[cfg(unix)]
use kcrypto_core::CipherDriver;
use kcrypto_core::batch::Job;
use kcrypto_core::{AeadDriver, Dir, InOut, Lens, Result, ShashDriver, SkcipherDriver, State};

use crate::wrap::{AeadFault, Fault, HashFault, Specimen};
#[cfg(unix)]
use crate::wrap::{CipherFault, Right};

pub(crate) fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::skcipher("ctr(aes)", "writes past the end", "overran dst buffer", || Box::new(WritesPast)),
        Specimen::skcipher("cbc(aes)", "writes before the start", "overran dst buffer", || {
            Box::new(WritesBefore)
        }),
        Specimen::skcipher("cts(cbc(aes))", "writes to the source", "corrupted src buffer", || {
            Box::new(WritesSource)
        }),
        Specimen::skcipher("xts(aes)", "writes past the IV", "overran IV buffer", || Box::new(WritesPastIv)),
        Specimen::skcipher("xts(aes)", "writes to the key", "corrupted key buffer", || Box::new(WritesKey)),
        Specimen::skcipher("ecb(aes)", "batch writes past the end", "overran dst buffer", || {
            Box::new(BatchWritesPast)
        }),
        Specimen::shash("sha256", "writes past the digest", "overran result buffer", || {
            Box::new(WritesPastDigest)
        }),
        Specimen::shash("cmac(aes)", "writes to the message", "corrupted src buffer", || {
            Box::new(WritesMessage)
        }),
        Specimen::aead("gcm(aes)", "writes past the text", "overran dst buffer", || Box::new(WritesPastText)),
        Specimen::aead("ccm(aes)", "writes past the tag", "overran tag buffer", || Box::new(WritesPastTag)),
        Specimen::aead("rfc4106(gcm(aes))", "writes to the AAD", "corrupted aad buffer", || {
            Box::new(WritesAad)
        }),
        Specimen::aead("ccm(aes)", "counts in the caller's IV", "corrupted IV buffer", || Box::new(WritesIv)),
    ]
}

/// What leaves no trace, and shows only where the memory itself objects.
#[cfg(unix)]
pub(crate) fn traceless_specimens() -> Vec<Specimen> {
    const OUTSIDE: &str = "read or write outside its buffer on test vector \"contract: len=";
    vec![
        Specimen::skcipher("ctr(aes)", "writes past the end and puts it back", OUTSIDE, || {
            Box::new(Restores(|io| io.dst().as_mut_ptr_range().end))
        }),
        Specimen::skcipher("cbc(aes)", "writes before the start and puts it back", OUTSIDE, || {
            Box::new(Restores(|io| io.dst().as_mut_ptr().wrapping_sub(1)))
        }),
        Specimen::skcipher("xts(aes)", "writes to its source and puts it back", OUTSIDE, || {
            Box::new(Restores(|io| io.src().as_ptr().cast_mut()))
        }),
        Specimen::cipher("aes", "reads past the last block", OUTSIDE, || Box::new(ReadsPast)),
        Specimen::shash("sha256", "reads past the message", OUTSIDE, || Box::new(ReadsPast)),
        Specimen::aead("gcm(aes)", "reads past the associated data", OUTSIDE, || Box::new(ReadsPast)),
    ]
}

/// Writes a byte back where this points to.
#[cfg(unix)]
struct Restores(fn(&mut InOut<'_>) -> *mut u8);
#[cfg(unix)]
impl Fault for Restores {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        if !io.is_empty() {
            let at = (self.0)(&mut io);
            let byte = peek(at);
            // SAFETY: not safe, on purpose: the byte is not the driver's to write.
            unsafe { core::hint::black_box(at).write_volatile(byte) };
        }
    }
}

#[cfg(unix)]
struct ReadsPast;
#[cfg(unix)]
impl CipherFault for ReadsPast {
    fn blocks(&self, right: &dyn CipherDriver, dir: Dir, mut io: InOut<'_>) {
        Right.blocks(right, dir, io.reborrow());
        peek_behind(io.src());
    }
}
#[cfg(unix)]
impl HashFault for ReadsPast {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        right.update(state, blocks);
        peek_behind(blocks);
    }
}
#[cfg(unix)]
impl AeadFault for ReadsPast {
    fn aad(&self, right: &dyn AeadDriver, state: &mut State, run: &[u8], last: bool) {
        right.aad(state, run, last);
        peek_behind(run);
    }
}

#[cfg(unix)]
fn peek_behind(bytes: &[u8]) {
    // Nothing lies nowhere.
    if !bytes.is_empty() {
        peek(bytes.as_ptr_range().end);
    }
}

#[cfg(unix)]
fn peek(at: *const u8) -> u8 {
    // SAFETY: not safe, on purpose: the byte belongs to somebody else.
    unsafe { core::hint::black_box(at).read_volatile() }
}

struct WritesPast;
impl Fault for WritesPast {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        if !io.len().is_multiple_of(16) {
            poke(io.dst().as_mut_ptr_range().end);
        }
    }
}

struct WritesBefore;
impl Fault for WritesBefore {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        poke(io.dst().as_mut_ptr().wrapping_sub(1));
    }
}

struct WritesSource;
impl Fault for WritesSource {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        let src = io.src().as_ptr();
        if !core::ptr::eq(src, io.dst().as_ptr()) {
            poke(src.cast_mut());
        }
    }
}

struct WritesPastIv;
impl Fault for WritesPastIv {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        right.crypt(dir, iv, io);
        poke(iv.as_mut_ptr_range().end);
    }
}

struct WritesKey;
impl Fault for WritesKey {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        right.set_key(key)?;
        poke(key.as_ptr().cast_mut());
        Ok(())
    }
}

struct BatchWritesPast;
impl Fault for BatchWritesPast {
    fn crypt_batch(&self, jobs: &mut [Job<'_>]) {
        for job in jobs {
            if job.is_pending() {
                let (_, _, mut io) = job.parts();
                poke(io.dst().as_mut_ptr_range().end);
            }
        }
    }
}

struct WritesPastDigest;
impl HashFault for WritesPastDigest {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, total, digest);
        poke(digest.as_mut_ptr_range().end);
    }
}

struct WritesMessage;
impl HashFault for WritesMessage {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        right.update(state, blocks);
        poke(blocks.as_ptr().cast_mut());
    }
}

struct WritesPastText;
impl AeadFault for WritesPastText {
    fn run(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        right.run(dir, state, io.reborrow(), last);
        if !io.len().is_multiple_of(16) {
            poke(io.dst().as_mut_ptr_range().end);
        }
    }
}

struct WritesPastTag;
impl AeadFault for WritesPastTag {
    fn end(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, tag: &mut [u8]) {
        right.end(dir, state, tag);
        if dir == Dir::Encrypt && tag.len() < 16 {
            poke(tag.as_mut_ptr_range().end);
        }
    }
}

struct WritesAad;
impl AeadFault for WritesAad {
    fn aad(&self, right: &dyn AeadDriver, state: &mut State, run: &[u8], last: bool) {
        right.aad(state, run, last);
        poke(run.as_ptr().cast_mut());
    }
}

struct WritesIv;
impl AeadFault for WritesIv {
    fn begin(&self, right: &dyn AeadDriver, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        right.begin(dir, iv, lens, state);
        poke(iv.as_ptr().cast_mut());
    }
}

fn poke(at: *mut u8) {
    // SAFETY: not safe, on purpose: the byte belongs to somebody else. It is in the same allocation.
    unsafe { core::hint::black_box(at).write(0) };
}
