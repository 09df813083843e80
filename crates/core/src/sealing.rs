//! AEAD messages that arrive in pieces.

use core::fmt;

use zeroize::Zeroize;

use crate::aead::{Aead, Lens, verified};
use crate::alg::MAX_UNIT;
use crate::hold::Hold;
use crate::shash::MAX_DIGEST;
use crate::skcipher::{Dir, State};
use crate::{Error, Result};

/// A message being sealed piece by piece; the bytes are those of one call.
///
/// Its lengths are told at the start, for CCM authenticates them first. All associated data comes before any
/// text.
pub struct Sealer<'t>(Message<'t>);

/// A message being opened piece by piece.
///
/// What it hands out before [`finish`](Opener::finish) has succeeded is not authentic: it comes as
/// [`Unverified`].
pub struct Opener<'t>(Message<'t>);

/// Plaintext that has not been authenticated. It is wiped when this is dropped, unless it is kept.
pub struct Unverified<'o>(&'o mut [u8]);

struct Message<'t> {
    tfm: &'t Aead,
    dir: Dir,
    lens: Lens,
    state: State,
    aad: Hold,
    aad_seen: u64,
    text: Hold,
    text_seen: u64,
}

impl Aead {
    /// Starts to seal a message of these lengths in bytes.
    ///
    /// # Errors
    /// As [`Aead::seal`].
    pub fn sealer(&self, iv: &[u8], aad_len: u64, text_len: u64) -> Result<Sealer<'_>> {
        Message::start(self, Dir::Encrypt, iv, aad_len, text_len).map(Sealer)
    }

    /// Starts to open a message of these lengths in bytes, the tag not counted.
    ///
    /// # Errors
    /// As [`Aead::seal`].
    pub fn opener(&self, iv: &[u8], aad_len: u64, text_len: u64) -> Result<Opener<'_>> {
        Message::start(self, Dir::Decrypt, iv, aad_len, text_len).map(Opener)
    }
}

impl<'t> Message<'t> {
    fn start(tfm: &'t Aead, dir: Dir, iv: &[u8], aad_len: u64, text_len: u64) -> Result<Self> {
        let lens = Lens { aad: aad_len, text: text_len, tag: tfm.tag_size() };
        tfm.check(iv, lens, lens.tag)?;
        let mut state = State::new();
        tfm.driver().begin(dir, iv, lens, &mut state);
        let limits = tfm.limits();
        Ok(Message {
            tfm,
            dir,
            lens,
            state,
            // Associated data has no tail of its own, but its last run must not be empty.
            aad: Hold::new(limits.chunk, 1),
            aad_seen: 0,
            text: Hold::new(limits.chunk, limits.tail.max(1)),
            text_seen: 0,
        })
    }

    fn aad(&mut self, mut piece: &[u8]) -> Result<()> {
        let seen = self.aad_seen.saturating_add(piece.len() as u64);
        if seen > self.lens.aad || (self.text_seen > 0 && !piece.is_empty()) {
            return Err(Error::BadAadLen {
                len: seen,
                accepted: crate::AadLength::Either(self.lens.aad, self.lens.aad),
            });
        }
        self.aad_seen = seen;
        let complete = seen == self.lens.aad && !piece.is_empty();
        let (driver, state) = (self.tfm.driver(), &mut self.state);
        let mut scratch = [0; MAX_UNIT];
        while !piece.is_empty() {
            let (now, later) = piece.split_at(piece.len().min(MAX_UNIT - self.aad.len().min(MAX_UNIT - 1)));
            self.aad.update(now, &mut scratch, |io| driver.aad(state, io.src(), false))?;
            piece = later;
        }
        if complete {
            self.aad.finish(&mut scratch, |io| driver.aad(state, io.src(), true))?;
        }
        scratch.zeroize();
        Ok(())
    }

    fn update(&mut self, input: &[u8], out: &mut [u8]) -> Result<usize> {
        let seen = self.text_seen.saturating_add(input.len() as u64);
        if seen > self.lens.text {
            return Err(Error::TooLong { len: seen, max: self.lens.text });
        }
        self.aad_complete()?;
        let (driver, dir, state) = (self.tfm.driver(), self.dir, &mut self.state);
        let written = self.text.update(input, out, |io| driver.run(dir, state, io, false))?;
        self.text_seen = seen;
        Ok(written)
    }

    fn finish(&mut self, out: &mut [u8], tag: &mut [u8]) -> Result<usize> {
        if tag.len() != self.lens.tag {
            return Err(Error::BadTagLen { len: tag.len(), accepted: crate::TagSizes::of(&[self.lens.tag]) });
        }
        self.aad_complete()?;
        if self.text_seen != self.lens.text {
            return Err(Error::LengthMismatch { src: self.lens.text as usize, dst: self.text_seen as usize });
        }
        let (driver, dir, state) = (self.tfm.driver(), self.dir, &mut self.state);
        let written = self.text.finish(out, |io| driver.run(dir, state, io, true))?;
        driver.end(dir, &mut self.state, tag);
        Ok(written)
    }

    fn aad_complete(&self) -> Result<()> {
        let (len, all) = (self.aad_seen, self.lens.aad);
        if len == all {
            Ok(())
        } else {
            Err(Error::BadAadLen { len, accepted: crate::AadLength::Either(all, all) })
        }
    }
}

impl Sealer<'_> {
    /// Takes a piece of the associated data.
    ///
    /// # Errors
    /// [`Error::BadAadLen`] if it is more than was announced, or comes after text.
    pub fn aad(&mut self, piece: &[u8]) -> Result<()> {
        self.0.aad(piece)
    }

    /// Bytes that [`update`](Sealer::update) writes for `len` more bytes of text.
    pub fn update_len(&self, len: usize) -> usize {
        self.0.text.due(len)
    }

    /// Takes a piece of the text; returns the bytes of ciphertext written at the start of `out`.
    ///
    /// # Errors
    /// [`Error::BadAadLen`] if associated data is missing; [`Error::TooLong`] if the text is more than was
    /// announced; [`Error::LengthMismatch`] if `out` is too short. Nothing is consumed then.
    pub fn update(&mut self, text: &[u8], out: &mut [u8]) -> Result<usize> {
        self.0.update(text, out)
    }

    /// Bytes of ciphertext that [`finish`](Sealer::finish) writes.
    pub fn finish_len(&self) -> usize {
        self.0.text.len()
    }

    /// Writes the rest of the ciphertext to the start of `out`, and the tag.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the text is less than was announced or `out` is too short;
    /// [`Error::BadAadLen`], [`Error::BadTagLen`].
    pub fn finish(mut self, out: &mut [u8], tag: &mut [u8]) -> Result<usize> {
        self.0.finish(out, tag)
    }
}

impl Opener<'_> {
    /// Takes a piece of the associated data.
    ///
    /// # Errors
    /// As [`Sealer::aad`].
    pub fn aad(&mut self, piece: &[u8]) -> Result<()> {
        self.0.aad(piece)
    }

    /// Bytes that [`update`](Opener::update) writes for `len` more bytes of text.
    pub fn update_len(&self, len: usize) -> usize {
        self.0.text.due(len)
    }

    /// Takes a piece of the ciphertext; hands out plaintext that is not authentic yet.
    ///
    /// # Errors
    /// As [`Sealer::update`].
    pub fn update<'o>(&mut self, text: &[u8], out: &'o mut [u8]) -> Result<Unverified<'o>> {
        let written = self.0.update(text, out)?;
        Ok(Unverified(&mut out[..written]))
    }

    /// Bytes of plaintext that [`finish`](Opener::finish) writes.
    pub fn finish_len(&self) -> usize {
        self.0.text.len()
    }

    /// Writes the rest of the plaintext to the start of `out` if the tag is right for the whole message.
    ///
    /// # Errors
    /// As [`Sealer::finish`]; [`Error::BadTag`] if anything was changed: then nothing is left in `out`, and
    /// everything that was handed out before is not authentic.
    pub fn finish(mut self, out: &mut [u8], tag: &[u8]) -> Result<usize> {
        let mut expected = [0; MAX_DIGEST];
        let accepted = crate::TagSizes::of(&[self.0.lens.tag]);
        let expected = expected.get_mut(..tag.len()).ok_or(Error::BadTagLen { len: tag.len(), accepted })?;
        let written = self.0.finish(out, expected)?;
        if verified(expected, tag) {
            return Ok(written);
        }
        out[..written].zeroize();
        Err(Error::BadTag)
    }
}

impl<'o> Unverified<'o> {
    /// The bytes, of which nobody knows yet whether they are what was sealed.
    pub fn as_unverified_bytes(&self) -> &[u8] {
        self.0
    }

    /// Leaves the bytes in the caller's buffer, who answers for them from now on.
    pub fn keep_unverified(mut self) -> &'o mut [u8] {
        core::mem::take(&mut self.0)
    }
}

impl Drop for Unverified<'_> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Unverified<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unverified").field("len", &self.0.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("alg", self.tfm.alg())
            .field("lens", &self.lens)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Sealer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sealer").field(&self.0).finish()
    }
}

impl fmt::Debug for Opener<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Opener").field(&self.0).finish()
    }
}
