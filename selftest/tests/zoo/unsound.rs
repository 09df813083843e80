//! Drivers whose unsafe code breaks the rules of memory, as a kernel with a bad bound would. They write
//! within the allocation that the tests made, and are undefined behaviour all the same: that is the fault.
#![expect(unsafe_code, reason = "the fault under test")]

use kcrypto_core::batch::Job;
use kcrypto_core::{Dir, InOut, Result, ShashDriver, SkcipherDriver};

use crate::wrap::{Fault, HashFault, Specimen};

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
    ]
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

fn poke(at: *mut u8) {
    // SAFETY: not safe, on purpose: the byte belongs to somebody else. It is in the same allocation.
    unsafe { core::hint::black_box(at).write(0) };
}
