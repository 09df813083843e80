//! Authenticated encryption with associated data: the driver's side and the caller's.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::any::Any;
use core::fmt;

use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::alg::{AeadAlg, Alg, Kind, MAX_STATE, MAX_UNIT};
use crate::batch::Job;
use crate::limits::{AadLength, KeySizes, Length, TagSizes};
use crate::shash::MAX_DIGEST;
use crate::skcipher::{Dir, State};
use crate::{Error, InOut, Result};

/// Lengths of one message in bytes, known before it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lens {
    /// Associated data.
    pub aad: u64,
    /// Text, without the tag.
    pub text: u64,
    /// Tag.
    pub tag: usize,
}

/// What the author of an AEAD implements.
///
/// A message is written in linear form: `begin`, the associated data in runs, the text in runs, `end`. Of both,
/// a run that is not the last is a multiple of the declared `chunk_size`; the last run of the text has at least
/// `tail` bytes or is the whole text, and an empty part has no runs. Core derives whole messages, segment
/// lists, streaming and batches from that, compares tags in constant time and wipes what did not verify.
/// [`crypt`](AeadDriver::crypt) is the fast path of a whole message.
///
/// Callers check key, IV, tag and message lengths before; a driver must stay sound, but need not be polite,
/// when they are wrong. After [`set_key`](AeadDriver::set_key) the transform is shared by threads.
pub trait AeadDriver: Any + Send + Sync {
    /// Expands the key.
    ///
    /// # Errors
    /// [`Error::BadKeyLen`] for a length within the declared range that the mode does not take.
    fn set_key(&mut self, key: &[u8]) -> Result<()>;

    /// Refuses a message by the content of its IV or by its lengths, before anything is written.
    ///
    /// # Errors
    /// [`Error::BadIv`], [`Error::TooLong`].
    fn check(&self, _iv: &[u8], _lens: Lens) -> Result<()> {
        Ok(())
    }

    /// Starts a message.
    fn begin(&self, dir: Dir, iv: &[u8], lens: Lens, state: &mut State);

    /// Takes a run of associated data.
    fn aad(&self, state: &mut State, run: &[u8], last: bool);

    /// Processes a run of text.
    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, last: bool);

    /// Ends the message and writes the tag that belongs to it, in both directions: `lens.tag` bytes.
    fn end(&self, dir: Dir, state: &mut State, tag: &mut [u8]);

    /// Processes a whole message and writes the tag that belongs to it, in both directions.
    fn crypt(&self, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) {
        let lens = Lens { aad: aad.len(), text: io.len() as u64, tag: tag.len() };
        let mut state = State::new();
        self.begin(dir, iv, lens, &mut state);
        aad.runs(MAX_UNIT, |run, last| self.aad(&mut state, run, last));
        if !io.is_empty() {
            self.run(dir, &mut state, io, true);
        }
        self.end(dir, &mut state, tag);
    }

    /// Takes its own jobs (of any transform of its type) out of a batch and processes them: it writes the tag
    /// that belongs to each message, in both directions, before it [completes](Job::complete) the job.
    ///
    /// The first job is one of this transform's; those that are [pending](Job::is_pending) have been checked.
    /// A driver with lanes finds its own by [`Job::pending_for`]. What it leaves is done one by one; the
    /// provided body leaves all.
    fn crypt_batch(&self, _jobs: &mut [Job<'_, Aead>]) {}
}

/// Associated data in one or more pieces.
#[derive(Debug, Clone, Copy)]
pub struct Aad<'a> {
    pieces: &'a [&'a [u8]],
    len: u64,
}

impl<'a> Aad<'a> {
    /// The concatenation of these pieces.
    #[inline]
    pub const fn new(pieces: &'a [&'a [u8]]) -> Self {
        let (mut len, mut i) = (0, 0);
        while i < pieces.len() {
            len += pieces[i].len() as u64;
            i += 1;
        }
        Aad { pieces, len }
    }

    /// The pieces.
    #[inline]
    pub const fn pieces(&self) -> &'a [&'a [u8]] {
        self.pieces
    }

    /// Total length in bytes.
    #[inline]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Calls `take` with runs of the data: multiples of `chunk` (at most 512) bytes, and a last one of any
    /// length that is not empty. Runs that lie in one piece are not copied. No data, no call.
    pub fn runs(&self, chunk: usize, mut take: impl FnMut(&[u8], bool)) {
        if let [piece] = self.pieces {
            if !piece.is_empty() {
                take(piece, true);
            }
            return;
        }
        let mut left = self.len();
        let (mut held, mut held_len) = ([0; MAX_UNIT], 0);
        for mut piece in self.pieces.iter().copied() {
            if held_len > 0 {
                let (head, rest) = piece.split_at((chunk - held_len).min(piece.len()));
                held[held_len..held_len + head.len()].copy_from_slice(head);
                held_len += head.len();
                piece = rest;
                if held_len == chunk || held_len as u64 == left {
                    left -= held_len as u64;
                    take(&held[..held_len], left == 0);
                    held_len = 0;
                }
            }
            let whole =
                if piece.len() as u64 == left { piece.len() } else { piece.len() - piece.len() % chunk };
            let (run, rest) = piece.split_at(if held_len > 0 { 0 } else { whole });
            if !run.is_empty() {
                left -= run.len() as u64;
                take(run, left == 0);
            }
            held[held_len..held_len + rest.len()].copy_from_slice(rest);
            held_len += rest.len();
        }
        held[..held_len].zeroize();
    }
}

/// An AEAD as a caller holds it: checked lengths, typed errors, key wiped on drop.
///
/// A keyed handle is shared by threads without a lock. Nothing here allocates after the handle was made.
pub struct Aead {
    tfm: Box<dyn AeadDriver>,
    alg: Arc<Alg>,
    limits: Limits,
    tag_size: usize,
    min_key: usize,
    keyed: bool,
}

/// The algorithm's limits, next to the transform.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) chunk: usize,
    pub(crate) tail: usize,
    pub(crate) length: Length,
    iv_size: usize,
    block_size: usize,
    tags: TagSizes,
    aad: AadLength,
    keys: KeySizes,
}

impl Aead {
    pub(crate) fn new(alg: Arc<Alg>, min_key: usize) -> Result<Self> {
        let Kind::Aead(limits) = &alg.kind else {
            return Err(Error::NotSupported { what: "use as an AEAD" });
        };
        let AeadAlg { block_size, iv_size, tags, chunk_size, tail, length, aad, keys, .. } = *limits;
        if limits.state_size > MAX_STATE {
            return Err(Error::TooBig { driver: alg.driver_name.as_ref().into(), size: limits.state_size });
        }
        Ok(Aead {
            tfm: limits.make.call()?,
            limits: Limits { chunk: chunk_size, tail, length, iv_size, block_size, tags, aad, keys },
            tag_size: tags.max(),
            alg,
            min_key,
            keyed: false,
        })
    }

    /// The algorithm that was chosen.
    pub fn alg(&self) -> &Alg {
        &self.alg
    }

    /// IV length in bytes.
    pub fn iv_size(&self) -> usize {
        self.limits.iv_size
    }

    /// Block size in bytes; 1 for stream modes.
    pub fn block_size(&self) -> usize {
        self.limits.block_size
    }

    /// Key lengths accepted.
    pub fn key_sizes(&self) -> KeySizes {
        self.limits.keys
    }

    /// Tag lengths accepted.
    pub fn tag_sizes(&self) -> TagSizes {
        self.limits.tags
    }

    /// Tag length in bytes; the longest one until it is set.
    pub fn tag_size(&self) -> usize {
        self.tag_size
    }

    /// Sets the tag length of this transform; it never comes from a message.
    ///
    /// # Errors
    /// [`Error::BadTagLen`]; the old length stays then.
    pub fn set_tag_size(&mut self, len: usize) -> Result<()> {
        if !self.limits.tags.contains(len) {
            return Err(Error::BadTagLen { len, accepted: self.limits.tags });
        }
        self.tag_size = len;
        Ok(())
    }

    /// Sets the key. After an error no key is set, also if one was before.
    ///
    /// # Errors
    /// [`Error::BadKeyLen`]; [`Error::Denied`] for a key shorter than the policy's minimum.
    pub fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.keyed = false;
        self.limits.keys.check(key.len())?;
        crate::policy::check_key(self.min_key, key.len())?;
        self.tfm.set_key(key)?;
        self.keyed = true;
        Ok(())
    }

    /// Encrypts `io` and writes the tag.
    ///
    /// # Errors
    /// [`Error::NeedKey`], [`Error::BadIvLen`], [`Error::BadIv`], [`Error::BadLength`], [`Error::TooLong`],
    /// [`Error::BadAadLen`]; [`Error::BadTagLen`] if `tag` is not [`tag_size`](Aead::tag_size) bytes long.
    /// Nothing is written then.
    #[inline]
    pub fn seal<'a>(&self, iv: &[u8], aad: &[u8], io: impl Into<InOut<'a>>, tag: &mut [u8]) -> Result<()> {
        self.seal_with(iv, &Aad::new(&[aad]), io.into(), tag)
    }

    /// Encrypts `io` under associated data in pieces and writes the tag.
    ///
    /// # Errors
    /// As [`Aead::seal`].
    pub fn seal_with(&self, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) -> Result<()> {
        self.check(iv, self.lens(aad.len(), io.len()), tag.len())?;
        self.tfm.crypt(Dir::Encrypt, iv, aad, io, tag);
        Ok(())
    }

    /// Decrypts `io` if the tag is right.
    ///
    /// # Errors
    /// As [`Aead::seal`]; [`Error::BadTag`] if anything was changed, and then the output is all zero.
    #[inline]
    pub fn open<'a>(&self, iv: &[u8], aad: &[u8], io: impl Into<InOut<'a>>, tag: &[u8]) -> Result<()> {
        self.open_with(iv, &Aad::new(&[aad]), io.into(), tag)
    }

    /// Decrypts `io` under associated data in pieces if the tag is right.
    ///
    /// # Errors
    /// As [`Aead::open`].
    pub fn open_with(&self, iv: &[u8], aad: &Aad<'_>, mut io: InOut<'_>, tag: &[u8]) -> Result<()> {
        self.check(iv, self.lens(aad.len(), io.len()), tag.len())?;
        let mut expected = [0; MAX_DIGEST];
        let expected = &mut expected[..tag.len()];
        self.tfm.crypt(Dir::Decrypt, iv, aad, io.reborrow(), expected);
        if verified(expected, tag) {
            return Ok(());
        }
        io.dst().zeroize();
        Err(Error::BadTag)
    }

    /// Encrypts the start of `buf` and appends the tag: `buf` has room for it after the text.
    ///
    /// # Errors
    /// As [`Aead::seal`]; [`Error::BadLength`] if `buf` is shorter than the tag.
    pub fn seal_appended(&self, iv: &[u8], aad: &[u8], buf: &mut [u8]) -> Result<()> {
        let (text, tag) = self.split(buf)?;
        self.seal(iv, aad, text, tag)
    }

    /// Decrypts `buf`, which ends with the tag; returns the text.
    ///
    /// # Errors
    /// As [`Aead::open`]; [`Error::BadLength`] if `buf` is shorter than the tag.
    pub fn open_appended<'b>(&self, iv: &[u8], aad: &[u8], buf: &'b mut [u8]) -> Result<&'b mut [u8]> {
        let (text, tag) = self.split(buf)?;
        self.open(iv, aad, &mut *text, tag)?;
        Ok(text)
    }

    fn split<'b>(&self, buf: &'b mut [u8]) -> Result<(&'b mut [u8], &'b mut [u8])> {
        let len = buf.len();
        match len.checked_sub(self.tag_size) {
            Some(text) => Ok(buf.split_at_mut(text)),
            None => Err(Error::BadLength { len, accepted: Length::at_least(self.tag_size) }),
        }
    }

    pub(crate) fn lens(&self, aad: u64, text: usize) -> Lens {
        Lens { aad, text: text as u64, tag: self.tag_size }
    }

    /// Refuses a message before anything is written.
    pub(crate) fn check(&self, iv: &[u8], lens: Lens, tag_len: usize) -> Result<()> {
        let limits = &self.limits;
        if !self.keyed {
            return Err(Error::NeedKey);
        }
        if iv.len() != limits.iv_size {
            return Err(Error::BadIvLen { len: iv.len(), want: limits.iv_size });
        }
        if tag_len != self.tag_size {
            return Err(Error::BadTagLen { len: tag_len, accepted: TagSizes::of(&[self.tag_size]) });
        }
        if !limits.aad.contains(lens.aad) {
            return Err(Error::BadAadLen { len: lens.aad, accepted: limits.aad });
        }
        if !limits.length.contains_u64(lens.text) {
            let len = usize::try_from(lens.text).unwrap_or(usize::MAX);
            return Err(Error::BadLength { len, accepted: limits.length });
        }
        self.tfm.check(iv, lens)
    }

    pub(crate) fn driver(&self) -> &dyn AeadDriver {
        &*self.tfm
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }
}

/// Compares tags in constant time and wipes the expected one.
pub(crate) fn verified(expected: &mut [u8], tag: &[u8]) -> bool {
    let equal = bool::from((*expected).ct_eq(tag));
    expected.zeroize();
    equal
}

impl fmt::Debug for Aead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Aead")
            .field("alg", &self.alg)
            .field("tag_size", &self.tag_size)
            .field("keyed", &self.keyed)
            .finish_non_exhaustive()
    }
}
