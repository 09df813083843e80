//! AEADs and hashes that are right for one message at a time, and wrong for many.

use kcrypto_core::batch::Job;
use kcrypto_core::{Aad, Aead, Dir, Shash};

use crate::wrap::{AeadFault, HashFault, Specimen, WrappedAead, WrappedHash};

const WRONG: &str = "wrong result";

pub(crate) fn specimens() -> Vec<Specimen> {
    let (aead, shash) = (Specimen::aead, Specimen::shash);
    vec![
        aead("ccm(aes)", "batch with the key of its first job", "cfg=\"batch of ", || Box::new(FirstKey)),
        aead(
            "gcm(aes)",
            "batch opens what is like its neighbour",
            "decryption unexpectedly succeeded",
            || Box::new(Alike),
        ),
        aead("gcm(aes)", "batch tags in the order of their ends", "cfg=\"batch of ", || Box::new(TagsTurned)),
        aead("ccm(aes)", "long texts of a batch under one key", "cfg=\"batch of ", || Box::new(LongTexts)),
        aead("gcm(aes)", "batch with the first piece of AAD", "cfg=\"batch of ", || Box::new(FirstPiece)),
        shash("cmac(aes)", "batch with the key of its first job", WRONG, || Box::new(FirstHashKey)),
        shash("cmac(aes)", "a lane used again in a batch", WRONG, || Box::new(UsedAgain)),
        shash("sha256", "lanes as long as the shortest message", WRONG, || Box::new(Shortest)),
        shash("hmac(sha256)", "batch digests in the order of their ends", WRONG, || Box::new(DigestsTurned)),
    ]
}

/// The jobs of this type.
fn own<'j, 'a>(
    jobs: &'j mut [Job<'a, Aead>],
) -> impl Iterator<Item = (&'j mut Job<'a, Aead>, &'a WrappedAead)> {
    jobs.iter_mut().filter_map(|job| job.pending_for().map(|driver| (job, driver)))
}

/// The same of hashes.
fn own_hashes<'j, 'a>(
    jobs: &'j mut [Job<'a, Shash>],
) -> impl Iterator<Item = (&'j mut Job<'a, Shash>, &'a WrappedHash)> {
    jobs.iter_mut().filter_map(|job| job.pending_for().map(|driver| (job, driver)))
}

/// Mixes up its lanes: one key for all.
struct FirstKey;
impl AeadFault for FirstKey {
    fn crypt_batch(&self, jobs: &mut [Job<'_, Aead>]) {
        let mut first = None;
        for (job, driver) in own(jobs) {
            let (dir, iv, aad, io, tag) = job.parts();
            first.get_or_insert(driver).inner.crypt(dir, iv, aad, io, tag);
            job.complete();
        }
    }
}

/// Mixes up its lanes where it uses them: for long texts.
struct LongTexts;
impl AeadFault for LongTexts {
    fn crypt_batch(&self, jobs: &mut [Job<'_, Aead>]) {
        let mut first = None;
        for (job, driver) in own(jobs) {
            let (dir, iv, aad, io, tag) = job.parts();
            let driver = if io.len() > 320 { *first.get_or_insert(driver) } else { driver };
            driver.inner.crypt(dir, iv, aad, io, tag);
            job.complete();
        }
    }
}

/// A message that was opened, with the tag that belongs to it.
struct Done<'a> {
    driver: &'a WrappedAead,
    iv: Vec<u8>,
    text: Vec<u8>,
    tag: Vec<u8>,
}

impl Done<'_> {
    fn is_like(&self, driver: &WrappedAead, iv: &[u8], len: usize, tag_len: usize) -> bool {
        core::ptr::eq(self.driver, driver)
            && self.iv == iv
            && (self.text.len(), self.tag.len()) == (len, tag_len)
    }
}

/// Takes a message for the one before it if key, IV and length are the same, and so opens a forgery.
struct Alike;
impl AeadFault for Alike {
    fn crypt_batch(&self, jobs: &mut [Job<'_, Aead>]) {
        let mut before: Option<Done> = None;
        for (job, driver) in own(jobs) {
            let (dir, iv, aad, mut io, tag) = job.parts();
            match &before {
                Some(done) if dir == Dir::Decrypt && done.is_like(driver, iv, io.len(), tag.len()) => {
                    io.dst().copy_from_slice(&done.text);
                    tag.copy_from_slice(&done.tag);
                }
                _ => {
                    driver.inner.crypt(dir, iv, aad, io.reborrow(), tag);
                    let text = if dir == Dir::Decrypt { io.dst().to_vec() } else { Vec::new() };
                    before = Some(Done { driver, iv: iv.to_vec(), text, tag: tag.to_vec() });
                }
            }
            job.complete();
        }
    }
}

/// Writes its tags into the jobs in the wrong order.
struct TagsTurned;
impl AeadFault for TagsTurned {
    fn crypt_batch(&self, jobs: &mut [Job<'_, Aead>]) {
        let mut tags = Vec::new();
        for (job, driver) in own(jobs) {
            let (dir, iv, aad, io, tag) = job.parts();
            driver.inner.crypt(dir, iv, aad, io, tag);
            tags.push(tag.to_vec());
        }
        tags.rotate_left(1);
        for ((job, _), turned) in own(jobs).zip(tags) {
            let (.., tag) = job.parts();
            let len = tag.len().min(turned.len());
            tag[..len].copy_from_slice(&turned[..len]);
            job.complete();
        }
    }
}

/// Reads one piece of the associated data.
struct FirstPiece;
impl AeadFault for FirstPiece {
    fn crypt_batch(&self, jobs: &mut [Job<'_, Aead>]) {
        for (job, driver) in own(jobs) {
            let (dir, iv, aad, io, tag) = job.parts();
            let first = Aad::new(&aad.pieces()[..1]);
            driver.inner.crypt(dir, iv, &first, io, tag);
            job.complete();
        }
    }
}

/// Mixes up its lanes: one key for all.
struct FirstHashKey;
impl HashFault for FirstHashKey {
    fn digest_batch(&self, jobs: &mut [Job<'_, Shash>]) {
        let mut first = None;
        for (job, driver) in own_hashes(jobs) {
            let (message, digest) = job.parts();
            whole(first.get_or_insert(driver), message, digest);
            job.complete();
        }
    }
}

/// Has eight lanes for long messages, and leaves the key of the one before in that which is used again.
struct UsedAgain;
impl HashFault for UsedAgain {
    fn digest_batch(&self, jobs: &mut [Job<'_, Shash>]) {
        let mut lanes = Vec::new();
        for (job, driver) in own_hashes(jobs) {
            let (message, digest) = job.parts();
            if message.len() > 128 {
                lanes.push(driver);
            }
            whole(if lanes.len() > 8 { lanes[0] } else { driver }, message, digest);
            job.complete();
        }
    }
}

/// Leaves out what is longer than the shortest message of the batch.
struct Shortest;
impl HashFault for Shortest {
    fn digest_batch(&self, jobs: &mut [Job<'_, Shash>]) {
        let shortest = own_hashes(jobs).map(|(job, _)| job.parts().0.len()).min().unwrap_or(0);
        for (job, driver) in own_hashes(jobs) {
            let (message, digest) = job.parts();
            whole(driver, &message[..shortest], digest);
            job.complete();
        }
    }
}

/// Writes its digests into the jobs in the wrong order.
struct DigestsTurned;
impl HashFault for DigestsTurned {
    fn digest_batch(&self, jobs: &mut [Job<'_, Shash>]) {
        let mut digests = Vec::new();
        for (job, driver) in own_hashes(jobs) {
            let (message, digest) = job.parts();
            whole(driver, message, digest);
            digests.push(digest.to_vec());
        }
        digests.rotate_left(1);
        for ((job, _), turned) in own_hashes(jobs).zip(digests) {
            job.parts().1.copy_from_slice(&turned);
            job.complete();
        }
    }
}

/// The digest of one message, by the one call of what is wrapped.
fn whole(driver: &WrappedHash, message: &[u8], digest: &mut [u8]) {
    assert!(driver.inner.digest(message, digest), "it has a fast path");
}
