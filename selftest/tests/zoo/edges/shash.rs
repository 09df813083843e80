//! Hashes and MACs.

use std::sync::Mutex;

use kcrypto_core::batch::Job;
use kcrypto_core::{Result, Shash, ShashDriver};

use crate::registry;
use crate::wrap::{HashFault, Specimen, WrappedHash};

const WRONG: &str = "wrong result";

pub(crate) fn specimens() -> Vec<Specimen> {
    let wrong = Specimen::shash;
    vec![
        // Lengths.
        wrong("sha1", "length in bits kept in 32 bits", WRONG, || {
            Box::new(Length(|total| total % (1 << 29)))
        }),
        wrong("sha512", "length in bytes kept in 32 of 128 bits", WRONG, || {
            Box::new(Length(|total| total % (1 << 32)))
        }),
        wrong("md5", "length in bytes kept in 32 bits", WRONG, || {
            Box::new(Length(|total| total % (1 << 32)))
        }),
        wrong("sm3", "tail that leaves room for the length and no more", WRONG, || Box::new(Tail(55))),
        wrong("ghash", "eighth block of eight", WRONG, || Box::new(Run(128))),
        wrong("cmac(aes)", "80 bytes in pieces", WRONG, || Box::new(Pieces(80))),
        wrong("cmac(aes)", "64 bytes in pieces", WRONG, || Box::new(Pieces(64))),
        wrong("sha256", "128 bytes in pieces", WRONG, || Box::new(Pieces(128))),
        // Only inside of what is built over it.
        wrong("ghash", "lengths of an empty text", "contract: inside gcm_base(", || Box::new(EmptyText)),
        // Keys.
        wrong("hmac(sha256)", "a key one byte longer than a block is cut", WRONG, || {
            Box::new(Key(cut_by_one))
        }),
        wrong("hmac(sha512)", "a key of a whole block is hashed", WRONG, || Box::new(Key(eager))),
        wrong("cmac(aes)", "the third key is the second", WRONG, || Box::new(ThirdKey::default())),
        // States.
        wrong("sha256", "refuses the state of an empty message", "digest failed", || Box::new(NotYet)),
        wrong(
            "sha384",
            "a message that was given up spoils the next",
            WRONG,
            || Box::new(GivenUp::default()),
        ),
        // Batches.
        wrong("sha256", "batch ends at an empty message", "cfg=\"batch of ", || Box::new(EmptyJob)),
    ]
}

pub(crate) fn late_specimens() -> Vec<Specimen> {
    vec![Specimen::shash("sha256", "one call of 4097 to 8192 bytes", WRONG, || Box::new(LongCall))]
}

/// Ends messages as if they had another length.
struct Length(fn(u64) -> u64);
impl HashFault for Length {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, (self.0)(total), digest);
    }

    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        right.digest(message, digest)
    }
}

/// Wrong for a tail of so many bytes.
struct Tail(usize);
impl HashFault for Tail {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, total, digest);
        digest[0] ^= u8::from(tail.len() == self.0);
    }

    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        right.digest(message, digest)
    }
}

/// Wrong for runs of so many bytes.
struct Run(usize);
impl HashFault for Run {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        right.update(state, blocks);
        state[0] ^= u8::from(blocks.len() == self.0);
    }

    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        right.digest(message, digest)
    }
}

/// Wrong for a message of so many bytes that does not come in one call.
struct Pieces(u64);
impl HashFault for Pieces {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, total, digest);
        digest[0] ^= u8::from(total == self.0);
    }

    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        right.digest(message, digest)
    }
}

/// Takes a block that ends with zeros, and begins with a few, for padding.
struct EmptyText;
impl HashFault for EmptyText {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        right.update(state, blocks);
        let zero = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0);
        state[0] ^= u8::from(blocks.len() == 16 && zero(&blocks[8..]) && zero(&blocks[..6]) && !zero(blocks));
    }

    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        right.digest(message, digest)
    }
}

/// Makes another key of each.
struct Key(fn(&[u8]) -> Vec<u8>);
impl HashFault for Key {
    fn set_key(&mut self, right: &mut dyn ShashDriver, key: &[u8]) -> Result<()> {
        right.set_key(&(self.0)(key))
    }
}

fn cut_by_one(key: &[u8]) -> Vec<u8> {
    if key.len() == 65 { key[..64].into() } else { key.into() }
}

fn eager(key: &[u8]) -> Vec<u8> {
    if key.len() != 128 {
        return key.into();
    }
    let hash = registry().shash("sha512").unwrap();
    let mut digest = vec![0; hash.digest_size()];
    hash.digest(key, &mut digest).unwrap();
    digest
}

/// Keeps the key before where a third one is set.
#[derive(Default)]
struct ThirdKey {
    before: Vec<u8>,
    count: usize,
}
impl HashFault for ThirdKey {
    fn set_key(&mut self, right: &mut dyn ShashDriver, key: &[u8]) -> Result<()> {
        self.count += 1;
        if self.count == 3 {
            return right.set_key(&self.before);
        }
        self.before = key.to_vec();
        right.set_key(key)
    }
}

struct NotYet;
impl HashFault for NotYet {
    fn is_state(&self, right: &dyn ShashDriver, state: &[u8]) -> bool {
        let mut first = vec![0; state.len()];
        right.init(&mut first);
        right.is_state(state) && state != first
    }
}

/// Minds whether the message before this one came to its end.
#[derive(Default)]
struct GivenUp(Mutex<bool>);
impl HashFault for GivenUp {
    fn init(&self, right: &dyn ShashDriver, state: &mut [u8]) {
        right.init(state);
        state[0] ^= u8::from(core::mem::replace(&mut *self.0.lock().unwrap(), true));
    }

    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        *self.0.lock().unwrap() = false;
        right.finish(state, tail, total, digest);
    }
}

/// Takes an empty message for the end of the list.
struct EmptyJob;
impl HashFault for EmptyJob {
    fn digest_batch(&self, jobs: &mut [Job<'_, Shash>]) {
        let mut ended = false;
        for job in jobs {
            let Some(driver) = job.pending_for::<WrappedHash>() else { continue };
            let (message, digest) = job.parts();
            ended |= message.is_empty();
            let right = driver.inner.digest(message, digest);
            assert!(right, "it has a fast path");
            digest[0] ^= u8::from(ended && !message.is_empty());
            job.complete();
        }
    }
}

struct LongCall;
impl HashFault for LongCall {
    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        let done = right.digest(message, digest);
        digest[0] ^= u8::from(done && (4097..=8192).contains(&message.len()));
        done
    }
}
