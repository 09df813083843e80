//! Synchronous hashes and MACs: the driver's side and the caller's.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::any::Any;
use core::fmt;

use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::alg::{Alg, Kind, ShashAlg};
use crate::batch::Job;
use crate::hashing::Hashing;
use crate::limits::KeySizes;
use crate::want::Flags;
use crate::{Error, Result};

/// Most bytes of running state that a hash may have, the partial block not counted.
pub const MAX_HASH_STATE: usize = 416;
/// Largest block of a hash in bytes.
pub const MAX_HASH_BLOCK: usize = 160;
/// Longest digest in bytes.
pub const MAX_DIGEST: usize = 64;

/// What the author of a hash or MAC implements.
///
/// A driver takes whole blocks; core keeps the partial one. The running state is plain bytes in a layout that
/// every driver of the algorithm shares on every machine, so that a state exported from one is imported by
/// another. Callers check key and buffer lengths before; a driver must stay sound, but need not be polite,
/// when they are wrong. After [`set_key`](ShashDriver::set_key) the transform is shared by threads.
pub trait ShashDriver: Any + Send + Sync {
    /// Expands the key. Hashes that take none keep the provided body.
    ///
    /// # Errors
    /// [`Error::BadKeyLen`] for a length within the declared range that the hash does not take.
    fn set_key(&mut self, _key: &[u8]) -> Result<()> {
        Err(Error::NotSupported { what: "a key" })
    }

    /// Sets the state of an empty message. `state` has the declared `state_size` and is zero.
    fn init(&self, state: &mut [u8]);

    /// Takes whole blocks, at least one.
    fn update(&self, state: &mut [u8], blocks: &[u8]);

    /// Ends a message of `total` bytes whose last `tail.len()` bytes were not given to `update`; writes the
    /// whole digest. The tail is shorter than a block; where the algorithm keeps its last full block, it is 1
    /// to `block_size` bytes long unless the message is empty.
    fn finish(&self, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]);

    /// Refuses to end a message of `total` bytes, before its digest is written: one that is too short to hold
    /// the one-time key with which messages of poly1305 begin.
    ///
    /// # Errors
    /// [`Error::NeedKey`].
    fn check_total(&self, _total: u64) -> Result<()> {
        Ok(())
    }

    /// Whether these bytes can be a running state of this algorithm; asked before an import.
    fn is_state(&self, _state: &[u8]) -> bool {
        true
    }

    /// Hashes a message that lies in one piece: the fast path. Returns whether it did; the provided body
    /// leaves it to the methods above. Nobody asks [`check_total`](ShashDriver::check_total) before.
    fn digest(&self, _message: &[u8], _digest: &mut [u8]) -> bool {
        false
    }

    /// Takes its own jobs (of any transform of its type) out of a batch and processes them.
    ///
    /// The first job is one of this transform's; those that are [pending](Job::is_pending) have been checked,
    /// by [`check_total`](ShashDriver::check_total) as well. A driver with lanes finds its own by
    /// [`Job::pending_for`]. What it leaves is done one by one; the provided body leaves all.
    fn digest_batch(&self, _jobs: &mut [Job<'_, Shash>]) {}
}

/// A hash or MAC as a caller holds it: checked lengths, typed errors, key wiped on drop.
///
/// A keyed handle is shared by threads without a lock. Nothing here allocates after the handle was made.
pub struct Shash {
    tfm: Box<dyn ShashDriver>,
    alg: Arc<Alg>,
    limits: Limits,
    min_key: usize,
    ready: bool,
}

/// The algorithm's limits, next to the transform.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) block_size: usize,
    pub(crate) digest_size: usize,
    pub(crate) state_size: usize,
    pub(crate) keeps_full_block: bool,
    keys: Option<KeySizes>,
    needs_key: bool,
}

impl Shash {
    pub(crate) fn new(alg: Arc<Alg>, min_key: usize) -> Result<Self> {
        let Kind::Shash(ShashAlg { block_size, digest_size, state_size, keys, keeps_full_block, make }) =
            &alg.kind
        else {
            return Err(Error::NotSupported { what: "use as a hash" });
        };
        let needs_key = keys.is_some() && !alg.flags.contains(Flags::OPTIONAL_KEY);
        Ok(Shash {
            tfm: make.call()?,
            limits: Limits {
                block_size: *block_size,
                digest_size: *digest_size,
                state_size: *state_size,
                keeps_full_block: *keeps_full_block,
                keys: *keys,
                needs_key,
            },
            alg,
            min_key,
            ready: !needs_key,
        })
    }

    /// The algorithm that was chosen.
    pub fn alg(&self) -> &Alg {
        &self.alg
    }

    /// Block size in bytes.
    pub fn block_size(&self) -> usize {
        self.limits.block_size
    }

    /// Length of the digest in bytes.
    pub fn digest_size(&self) -> usize {
        self.limits.digest_size
    }

    /// Key lengths accepted; `None` if the hash takes no key.
    pub fn key_sizes(&self) -> Option<KeySizes> {
        self.limits.keys
    }

    /// Whether a digest needs a key first.
    pub fn needs_key(&self) -> bool {
        self.limits.needs_key
    }

    /// Sets the key. After an error no key is set, also if one was before, unless the key is optional.
    ///
    /// # Errors
    /// [`Error::BadKeyLen`]; [`Error::NotSupported`] (ENOSYS) for an unkeyed hash; [`Error::Denied`] for a key
    /// shorter than the policy's minimum.
    pub fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let keys = self.limits.keys.ok_or(Error::NotSupported { what: "a key" })?;
        self.ready = !self.limits.needs_key;
        keys.check(key.len())?;
        crate::policy::check_key(self.min_key, key.len())?;
        self.tfm.set_key(key)?;
        self.ready = true;
        Ok(())
    }

    /// The digest of a message in one piece, into exactly [`digest_size`](Shash::digest_size) bytes.
    ///
    /// # Errors
    /// [`Error::NeedKey`], also for a message that does not hold the key it should begin with (poly1305);
    /// [`Error::LengthMismatch`] for a digest buffer of another length.
    #[inline]
    pub fn digest(&self, message: &[u8], digest: &mut [u8]) -> Result<()> {
        self.check(digest.len())?;
        if self.tfm.digest(message, digest) {
            return Ok(());
        }
        self.tfm.check_total(message.len() as u64)?;
        // Clearing a state of the largest size costs more than hashing a short message.
        match self.limits.state_size {
            ..=64 => self.one_shot(&mut [0; 64], message, digest),
            _ => self.one_shot(&mut [0; MAX_HASH_STATE], message, digest),
        }
        Ok(())
    }

    /// Hashes a message in one piece, in the front of these zeros, which are wiped.
    fn one_shot(&self, state: &mut [u8], message: &[u8], digest: &mut [u8]) {
        let Limits { block_size, state_size, keeps_full_block, .. } = self.limits;
        let state = &mut state[..state_size];
        self.tfm.init(state);
        let free = message.len().saturating_sub(usize::from(keeps_full_block));
        let (blocks, tail) = message.split_at(free - free % block_size);
        if !blocks.is_empty() {
            self.tfm.update(state, blocks);
        }
        self.tfm.finish(state, tail, message.len() as u64, digest);
        state.zeroize();
    }

    /// The digest of a message in scattered memory; nothing is copied but partial blocks at the cuts.
    ///
    /// # Errors
    /// As [`Shash::digest`].
    pub fn digest_segments(&self, message: &[&[u8]], digest: &mut [u8]) -> Result<()> {
        self.check(digest.len())?;
        let mut hashing = self.hasher()?;
        message.iter().for_each(|segment| hashing.update(segment));
        hashing.finalize(digest)
    }

    /// Compares a tag, the digest or its first bytes, in constant time.
    ///
    /// # Errors
    /// [`Error::NeedKey`]; [`Error::BadTag`] if it differs; [`Error::BadTagLen`] if it is empty or longer than
    /// the digest.
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<()> {
        if tag.is_empty() || tag.len() > self.limits.digest_size {
            return Err(Error::BadTagLen {
                len: tag.len(),
                accepted: crate::TagSizes::up_to(self.limits.digest_size),
            });
        }
        let mut digest = [0; MAX_DIGEST];
        let digest = &mut digest[..self.limits.digest_size];
        self.digest(message, digest)?;
        let equal = bool::from(digest[..tag.len()].ct_eq(tag));
        digest.zeroize();
        if equal { Ok(()) } else { Err(Error::BadTag) }
    }

    /// Starts a message that arrives in pieces.
    ///
    /// # Errors
    /// [`Error::NeedKey`].
    pub fn hasher(&self) -> Result<Hashing<'_>> {
        self.check(self.limits.digest_size)?;
        Ok(Hashing::start(self))
    }

    #[inline]
    pub(crate) fn check(&self, digest_len: usize) -> Result<()> {
        if !self.ready {
            return Err(Error::NeedKey);
        }
        if digest_len != self.limits.digest_size {
            return Err(Error::LengthMismatch { src: self.limits.digest_size, dst: digest_len });
        }
        Ok(())
    }

    pub(crate) fn driver(&self) -> &dyn ShashDriver {
        &*self.tfm
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }
}

impl fmt::Debug for Shash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shash").field("alg", &self.alg).field("ready", &self.ready).finish_non_exhaustive()
    }
}
