//! What a streaming mode holds back: less than a chunk, and the tail.

use zeroize::Zeroize;

use crate::alg::MAX_UNIT;
use crate::{Error, InOut, Result};

/// Most bytes held back.
const HOLD: usize = 2 * MAX_UNIT;

/// Makes runs as a mode takes them out of pieces of any length.
pub(crate) struct Hold {
    bytes: [u8; HOLD],
    len: usize,
    chunk: usize,
    tail: usize,
}

impl Hold {
    /// For a mode with this chunk and tail, at most 512 bytes each.
    pub(crate) fn new(chunk: usize, tail: usize) -> Self {
        Hold { bytes: [0; HOLD], len: 0, chunk, tail }
    }

    /// Bytes held.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes that [`update`](Hold::update) writes for `len` more bytes.
    pub(crate) fn due(&self, len: usize) -> usize {
        let free = self.len.saturating_add(len).saturating_sub(self.tail);
        free - free % self.chunk
    }

    /// Takes a piece; calls `run` with what is due, none of it last. Returns the bytes written to `out`.
    pub(crate) fn update(
        &mut self,
        mut input: &[u8],
        out: &mut [u8],
        mut run: impl FnMut(InOut<'_>),
    ) -> Result<usize> {
        let due = self.due(input.len());
        let room = out.len();
        let mut out = out.get_mut(..due).ok_or(Error::LengthMismatch { src: due, dst: room })?;
        while !out.is_empty() && self.len > 0 {
            // What is held goes first, filled up to a whole chunk.
            let fill = self.len.next_multiple_of(self.chunk).min(out.len());
            let taken = fill.saturating_sub(self.len);
            let (now, later) = input.split_at(taken);
            input = later;
            self.bytes[self.len..self.len + taken].copy_from_slice(now);
            let have = self.len + taken;
            let (dst, rest) = out.split_at_mut(fill);
            out = rest;
            dst.copy_from_slice(&self.bytes[..fill]);
            run(InOut::in_place(dst));
            self.bytes.copy_within(fill..have, 0);
            self.len = have - fill;
        }
        let (now, later) = input.split_at(out.len());
        if !now.is_empty() {
            run(InOut::apart(now, out)?);
        }
        self.bytes[self.len..self.len + later.len()].copy_from_slice(later);
        self.len += later.len();
        Ok(due)
    }

    /// Calls `run` with what is left, if anything is; returns the bytes written to `out`.
    pub(crate) fn finish(&self, out: &mut [u8], run: impl FnOnce(InOut<'_>)) -> Result<usize> {
        let room = out.len();
        let out = out.get_mut(..self.len).ok_or(Error::LengthMismatch { src: self.len, dst: room })?;
        if self.len > 0 {
            out.copy_from_slice(&self.bytes[..self.len]);
            run(InOut::in_place(out));
        }
        Ok(self.len)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.bytes.zeroize();
    }
}
