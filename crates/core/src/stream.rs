//! A message that arrives in pieces.

use core::fmt;

#[cfg(doc)]
use crate::Error;
use crate::Result;
use crate::hold::Hold;
use crate::skcipher::{Dir, Skcipher, State};

/// One message of an [`Skcipher`], processed piece by piece; the bytes are those of one call.
///
/// Output lags behind input by less than a chunk and the mode's tail. No memory is allocated.
pub struct Stream<'t> {
    tfm: &'t Skcipher,
    dir: Dir,
    state: State,
    hold: Hold,
    total: usize,
}

impl Skcipher {
    /// Starts the encryption of a message that arrives in pieces.
    ///
    /// # Errors
    /// [`Error::NeedKey`], [`Error::BadIvLen`].
    pub fn encryptor(&self, iv: &[u8]) -> Result<Stream<'_>> {
        Stream::new(self, Dir::Encrypt, iv)
    }

    /// Starts the decryption of a message that arrives in pieces.
    ///
    /// # Errors
    /// [`Error::NeedKey`], [`Error::BadIvLen`].
    pub fn decryptor(&self, iv: &[u8]) -> Result<Stream<'_>> {
        Stream::new(self, Dir::Decrypt, iv)
    }
}

impl<'t> Stream<'t> {
    /// Starts a message.
    ///
    /// # Errors
    /// [`Error::NeedKey`], [`Error::BadIvLen`].
    pub fn new(tfm: &'t Skcipher, dir: Dir, iv: &[u8]) -> Result<Self> {
        tfm.check_start(iv.len())?;
        let mut state = State::new();
        tfm.driver().begin(dir, iv, &mut state);
        let limits = tfm.limits();
        Ok(Stream { tfm, dir, state, hold: Hold::new(limits.chunk, limits.tail), total: 0 })
    }

    /// Bytes that [`update`](Stream::update) writes for `len` more bytes of input.
    pub fn update_len(&self, len: usize) -> usize {
        self.hold.due(len)
    }

    /// Processes a piece of any length; returns the bytes written at the start of `out`.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if `out` is shorter than [`update_len`](Stream::update_len) says; nothing is
    /// consumed then.
    pub fn update(&mut self, input: &[u8], out: &mut [u8]) -> Result<usize> {
        let (driver, dir, state) = (self.tfm.driver(), self.dir, &mut self.state);
        let written = self.hold.update(input, out, |io| driver.run(dir, state, io, false))?;
        self.total = self.total.saturating_add(input.len());
        Ok(written)
    }

    /// Bytes that [`finish`](Stream::finish) writes.
    pub fn finish_len(&self) -> usize {
        self.hold.len()
    }

    /// Ends the message; returns the bytes written at the start of `out`.
    ///
    /// # Errors
    /// [`Error::BadLength`] if the mode does not take a message of the total length;
    /// [`Error::LengthMismatch`] if `out` is shorter than [`finish_len`](Stream::finish_len) says.
    pub fn finish(self, out: &mut [u8]) -> Result<usize> {
        self.finish_with(out, &mut [])
    }

    /// Ends the message and sets `iv` to the value that continues the stream.
    ///
    /// # Errors
    /// As [`finish`](Stream::finish), and [`Error::BadIvLen`].
    pub fn finish_chained(self, out: &mut [u8], iv: &mut [u8]) -> Result<usize> {
        self.tfm.check_start(iv.len())?;
        self.finish_with(out, iv)
    }

    fn finish_with(mut self, out: &mut [u8], iv: &mut [u8]) -> Result<usize> {
        self.tfm.check(self.tfm.iv_size(), self.total)?;
        let (driver, dir, state) = (self.tfm.driver(), self.dir, &mut self.state);
        let written = self.hold.finish(out, |io| driver.run(dir, state, io, true))?;
        if !iv.is_empty() {
            driver.end(dir, &self.state, iv);
        }
        Ok(written)
    }
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("dir", &self.dir).field("total", &self.total).finish_non_exhaustive()
    }
}
