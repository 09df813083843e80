//! Symmetric-key ciphers with a mode: the driver's side and the caller's.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::any::Any;
use core::fmt;

use zeroize::Zeroize;

use crate::alg::{Alg, MAX_STATE, MAX_UNIT, SkcipherAlg};
use crate::batch::Job;
use crate::limits::{KeySizes, Length};
use crate::{Error, InOut, Kind, Result};

/// Direction of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dir {
    /// Plaintext to ciphertext.
    Encrypt,
    /// Ciphertext to plaintext.
    Decrypt,
}

impl Dir {
    /// Both directions.
    pub const BOTH: [Dir; 2] = [Dir::Encrypt, Dir::Decrypt];
}

/// Room for what a cut message carries from run to run, wiped on drop.
///
/// It is not the IV: `rfc3686` keeps a whole counter block, `xts` its running tweak. It is zero when
/// [`begin`](SkcipherDriver::begin) gets it, and every byte of it belongs to the driver, which shares it
/// with its children by slices.
pub struct State([u8; MAX_STATE]);

impl State {
    /// All zero.
    pub fn new() -> Self {
        State([0; MAX_STATE])
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8; MAX_STATE] {
        &self.0
    }

    /// The bytes, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8; MAX_STATE] {
        &mut self.0
    }
}

impl Default for State {
    fn default() -> Self {
        State::new()
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.0.as_mut_slice().zeroize();
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("State { .. }")
    }
}

/// What the author of a mode or of a fused driver implements.
///
/// A mode is written in linear form: `begin`, any number of `run`s, `end`. A run that is not the last is a
/// multiple of the declared `chunk_size`; the last has at least `tail` bytes or is the whole message. Core
/// derives whole messages, segment lists, streaming and batches from that one form. [`crypt`] is the fast
/// path of a whole message; a driver overrides it wherever that saves anything.
///
/// Callers check key, IV and buffer lengths before; a driver must stay sound, but need not be polite, when
/// they are wrong. After [`set_key`](SkcipherDriver::set_key) the transform is shared by threads.
///
/// [`crypt`]: SkcipherDriver::crypt
pub trait SkcipherDriver: Any + Send + Sync {
    /// Expands the key.
    ///
    /// # Errors
    /// [`Error::BadKeyLen`] for a length within the declared range that the mode does not take.
    fn set_key(&mut self, key: &[u8]) -> Result<()>;

    /// Refuses keys that the mode's standard calls weak. Only asked where weak keys are forbidden.
    ///
    /// # Errors
    /// [`Error::WeakKey`].
    fn check_weak_key(&self, _key: &[u8]) -> Result<()> {
        Ok(())
    }

    /// Starts a message with an IV of the declared length.
    fn begin(&self, dir: Dir, iv: &[u8], state: &mut State);

    /// Processes one run.
    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, last: bool);

    /// Gives the IV that continues the stream, or the IV as it was where the mode does not chain.
    fn end(&self, dir: Dir, state: &State, iv_out: &mut [u8]);

    /// Processes a whole message; `iv` becomes what [`end`](SkcipherDriver::end) gives.
    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let mut state = State::new();
        self.begin(dir, iv, &mut state);
        self.run(dir, &mut state, io, true);
        self.end(dir, &state, iv);
    }

    /// Takes its own jobs (of any transform of its type) out of a batch and processes them.
    ///
    /// The first job is one of this transform's; those that are [pending](Job::is_pending) have lengths and
    /// keys that have been checked. A driver with lanes finds its own by [`Job::pending_for`]. What it leaves
    /// is done one by one; the provided body leaves all.
    fn crypt_batch(&self, _jobs: &mut [Job<'_>]) {}
}

/// A symmetric-key cipher as a caller holds it: checked lengths, typed errors, key wiped on drop.
///
/// A keyed handle is shared by threads without a lock. Nothing here allocates after the handle was made.
pub struct Skcipher {
    tfm: Box<dyn SkcipherDriver>,
    alg: Arc<Alg>,
    limits: Limits,
    /// The IV length that a request must have: without a key, one that none has.
    iv_len: usize,
    min_key: usize,
    forbid_weak_keys: bool,
}

/// More bytes than a slice can have.
const NO_KEY: usize = usize::MAX;

/// What takes no key works without (`ecb(cipher_null)`).
fn iv_len_without_key(limits: &SkcipherAlg) -> usize {
    if limits.keys.max == 0 { limits.iv_size } else { NO_KEY }
}

/// The algorithm's limits, copied next to the transform so that a request touches one cache line.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) iv_size: usize,
    pub(crate) length: Length,
    pub(crate) chunk: usize,
    pub(crate) tail: usize,
    keys: KeySizes,
    block_size: usize,
}

impl Skcipher {
    pub(crate) fn new(alg: Arc<Alg>, min_key: usize) -> Result<Self> {
        let Kind::Skcipher(limits) = &alg.kind else {
            return Err(Error::NotSupported { what: "use as an skcipher" });
        };
        if limits.state_size > MAX_STATE {
            return Err(Error::TooBig { driver: alg.driver_name.as_ref().into(), size: limits.state_size });
        }
        Ok(Skcipher {
            tfm: limits.make.call()?,
            limits: Limits {
                iv_size: limits.iv_size,
                length: limits.length,
                chunk: limits.chunk_size,
                tail: limits.tail,
                keys: limits.keys,
                block_size: limits.block_size,
            },
            iv_len: iv_len_without_key(limits),
            alg,
            min_key,
            forbid_weak_keys: false,
        })
    }

    /// The algorithm that was chosen.
    pub fn alg(&self) -> &Alg {
        &self.alg
    }

    /// IV length in bytes; 0 if the mode takes none.
    pub fn iv_size(&self) -> usize {
        self.limits.iv_size
    }

    /// Block size in bytes; 1 for stream modes.
    pub fn block_size(&self) -> usize {
        self.limits.block_size
    }

    /// Multiples of this many bytes can be continued with the IV of a chained call.
    pub fn chunk_size(&self) -> usize {
        self.limits.chunk
    }

    /// Message lengths accepted.
    pub fn length(&self) -> Length {
        self.limits.length
    }

    /// Key lengths accepted.
    pub fn key_sizes(&self) -> KeySizes {
        self.limits.keys
    }

    /// From now on refuses keys that the mode's standard calls weak, such as equal halves in XTS.
    pub fn forbid_weak_keys(&mut self) {
        self.forbid_weak_keys = true;
    }

    /// Sets the key. After an error no key is set, also if one was before.
    ///
    /// # Errors
    /// [`Error::BadKeyLen`], [`Error::WeakKey`]; [`Error::Denied`] for a key shorter than the policy's minimum.
    pub fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.iv_len = match &self.alg.kind {
            Kind::Skcipher(limits) => iv_len_without_key(limits),
            _ => NO_KEY,
        };
        self.limits.keys.check(key.len())?;
        crate::policy::check_key(self.min_key, key.len())?;
        if self.forbid_weak_keys {
            self.tfm.check_weak_key(key)?;
        }
        self.tfm.set_key(key)?;
        self.iv_len = self.limits.iv_size;
        Ok(())
    }

    /// Encrypts a whole message and leaves `iv` alone.
    ///
    /// # Errors
    /// [`Error::NeedKey`], [`Error::BadIvLen`], [`Error::BadLength`]; nothing is written then.
    #[inline]
    pub fn encrypt<'a>(&self, iv: &[u8], io: impl Into<InOut<'a>>) -> Result<()> {
        self.crypt(Dir::Encrypt, iv, io.into())
    }

    /// Decrypts a whole message and leaves `iv` alone.
    ///
    /// # Errors
    /// As [`Skcipher::encrypt`].
    #[inline]
    pub fn decrypt<'a>(&self, iv: &[u8], io: impl Into<InOut<'a>>) -> Result<()> {
        self.crypt(Dir::Decrypt, iv, io.into())
    }

    /// Processes a whole message and leaves `iv` alone.
    ///
    /// # Errors
    /// As [`Skcipher::encrypt`].
    #[inline]
    pub fn crypt(&self, dir: Dir, iv: &[u8], io: InOut<'_>) -> Result<()> {
        self.check(iv.len(), io.len())?;
        if let Ok(mut iv) = <[u8; 16]>::try_from(iv) {
            self.tfm.crypt(dir, &mut iv, io);
        } else if iv.is_empty() {
            self.tfm.crypt(dir, &mut [], io);
        } else {
            self.crypt_unusual_iv(dir, iv, io);
        }
        Ok(())
    }

    #[cold]
    fn crypt_unusual_iv(&self, dir: Dir, iv: &[u8], io: InOut<'_>) {
        let mut copy = [0; MAX_UNIT];
        copy[..iv.len()].copy_from_slice(iv);
        self.tfm.crypt(dir, &mut copy[..iv.len()], io);
    }

    /// Encrypts a whole message; `iv` becomes the value that continues the stream.
    ///
    /// For `cbc` and `cts` that is the last full ciphertext block in the message's order of encryption, for
    /// `ctr` the counter after the last block, partial or not; modes that do not chain leave it as it was.
    /// Continuing is meaningful at multiples of [`Skcipher::chunk_size`].
    ///
    /// # Errors
    /// As [`Skcipher::encrypt`]; `iv` is unchanged then.
    #[inline]
    pub fn encrypt_chained<'a>(&self, iv: &mut [u8], io: impl Into<InOut<'a>>) -> Result<()> {
        self.crypt_chained(Dir::Encrypt, iv, io.into())
    }

    /// Decrypts a whole message; `iv` becomes the value that continues the stream.
    ///
    /// # Errors
    /// As [`Skcipher::encrypt_chained`].
    #[inline]
    pub fn decrypt_chained<'a>(&self, iv: &mut [u8], io: impl Into<InOut<'a>>) -> Result<()> {
        self.crypt_chained(Dir::Decrypt, iv, io.into())
    }

    /// Processes a whole message; `iv` becomes the value that continues the stream.
    ///
    /// # Errors
    /// As [`Skcipher::encrypt_chained`].
    #[inline]
    pub fn crypt_chained(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) -> Result<()> {
        self.check(iv.len(), io.len())?;
        self.tfm.crypt(dir, iv, io);
        Ok(())
    }

    /// Refuses a request before anything is written.
    #[inline(always)]
    pub(crate) fn check(&self, iv_len: usize, len: usize) -> Result<()> {
        if iv_len != self.iv_len || !self.limits.length.contains(len) {
            return Err(self.refusal(iv_len, len));
        }
        Ok(())
    }

    /// Refuses a message whose length is not known yet.
    pub(crate) fn check_start(&self, iv_len: usize) -> Result<()> {
        if iv_len == self.iv_len { Ok(()) } else { Err(self.refusal(iv_len, 0)) }
    }

    fn keyed(&self) -> bool {
        self.iv_len != NO_KEY
    }

    #[cold]
    #[inline(never)]
    fn refusal(&self, iv_len: usize, len: usize) -> Error {
        if !self.keyed() {
            Error::NeedKey
        } else if iv_len != self.limits.iv_size {
            Error::BadIvLen { len: iv_len, want: self.limits.iv_size }
        } else {
            Error::BadLength { len, accepted: self.limits.length }
        }
    }

    pub(crate) fn driver(&self) -> &dyn SkcipherDriver {
        &*self.tfm
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }
}

impl fmt::Debug for Skcipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Skcipher")
            .field("alg", &self.alg)
            .field("keyed", &self.keyed())
            .finish_non_exhaustive()
    }
}
