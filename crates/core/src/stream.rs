//! A message that arrives in pieces.

use core::fmt;

use zeroize::Zeroize;

use crate::alg::MAX_UNIT;
use crate::skcipher::{Dir, Skcipher, State};
use crate::{Error, InOut, Result};

/// Most bytes held back: less than one chunk, and the tail.
const HOLD: usize = 2 * MAX_UNIT;

/// One message of an [`Skcipher`], processed piece by piece; the bytes are those of one call.
///
/// Output lags behind input by less than a chunk and the mode's tail. No memory is allocated.
pub struct Stream<'t> {
    tfm: &'t Skcipher,
    dir: Dir,
    state: State,
    held: [u8; HOLD],
    held_len: usize,
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
        Ok(Stream { tfm, dir, state, held: [0; HOLD], held_len: 0, total: 0 })
    }

    /// Bytes that [`update`](Stream::update) writes for `len` more bytes of input.
    pub fn update_len(&self, len: usize) -> usize {
        let limits = self.tfm.limits();
        let free = (self.held_len + len).saturating_sub(limits.tail);
        free - free % limits.chunk
    }

    /// Processes a piece of any length; returns the bytes written at the start of `out`.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if `out` is shorter than [`update_len`](Stream::update_len) says; nothing is
    /// consumed then.
    pub fn update(&mut self, mut input: &[u8], out: &mut [u8]) -> Result<usize> {
        let due = self.update_len(input.len());
        let room = out.len();
        let mut out = out.get_mut(..due).ok_or(Error::LengthMismatch { src: due, dst: room })?;
        self.total = self.total.saturating_add(input.len());
        let limits = self.tfm.limits();
        while !out.is_empty() && self.held_len > 0 {
            // What is held goes first, filled up to a whole chunk.
            let fill = self.held_len.next_multiple_of(limits.chunk).min(out.len());
            let taken = fill.saturating_sub(self.held_len);
            let (now, later) = input.split_at(taken);
            input = later;
            self.held[self.held_len..self.held_len + taken].copy_from_slice(now);
            let have = self.held_len + taken;
            let (dst, rest) = out.split_at_mut(fill);
            out = rest;
            dst.copy_from_slice(&self.held[..fill]);
            self.tfm.driver().run(self.dir, &mut self.state, InOut::in_place(dst), false);
            self.held.copy_within(fill..have, 0);
            self.held_len = have - fill;
        }
        let (now, later) = input.split_at(out.len());
        if !now.is_empty() {
            self.tfm.driver().run(self.dir, &mut self.state, InOut::apart(now, out)?, false);
        }
        self.held[self.held_len..self.held_len + later.len()].copy_from_slice(later);
        self.held_len += later.len();
        Ok(due)
    }

    /// Bytes that [`finish`](Stream::finish) writes.
    pub fn finish_len(&self) -> usize {
        self.held_len
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
        let accepted = self.tfm.length();
        if !accepted.contains(self.total) {
            return Err(Error::BadLength { len: self.total, accepted });
        }
        let room = out.len();
        let due = self.held_len;
        let out = out.get_mut(..due).ok_or(Error::LengthMismatch { src: due, dst: room })?;
        if due > 0 {
            out.copy_from_slice(&self.held[..due]);
            self.tfm.driver().run(self.dir, &mut self.state, InOut::in_place(out), true);
        }
        if !iv.is_empty() {
            self.tfm.driver().end(self.dir, &self.state, iv);
        }
        Ok(due)
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        self.held.zeroize();
    }
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("dir", &self.dir).field("total", &self.total).finish_non_exhaustive()
    }
}
