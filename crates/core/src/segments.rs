//! A message in scattered memory: lists of segments, cut differently on both sides.

use zeroize::Zeroize;

use crate::alg::MAX_UNIT;
use crate::skcipher::{Dir, Skcipher, State};
use crate::{Error, InOut, Result};

/// Room for one chunk that straddles a cut, and the tail.
const BOUNCE: usize = 2 * MAX_UNIT;

/// Where the message is.
#[derive(Debug)]
pub enum Segments<'a, 'b> {
    /// Read from and written to the same segments.
    InPlace(&'a mut [&'b mut [u8]]),
    /// Read from the first list, written to the second; the totals must be equal, the cuts need not.
    Apart(&'a [&'b [u8]], &'a mut [&'b mut [u8]]),
}

impl Segments<'_, '_> {
    fn lens(&self) -> (usize, usize) {
        match self {
            Segments::InPlace(list) => {
                let len = list.iter().map(|s| s.len()).sum();
                (len, len)
            }
            Segments::Apart(src, dst) => {
                (src.iter().map(|s| s.len()).sum(), dst.iter().map(|s| s.len()).sum())
            }
        }
    }

    /// The longest run from both positions that is contiguous on both sides, at most `max` bytes.
    fn run(&mut self, src_at: &mut Place, dst_at: &mut Place, max: usize) -> Result<InOut<'_>> {
        match self {
            Segments::InPlace(list) => {
                dst_at.settle(list.iter().map(|s| s.len()));
                let run = &mut list[dst_at.segment][dst_at.offset..];
                let n = run.len().min(max);
                Ok(InOut::in_place(&mut run[..n]))
            }
            Segments::Apart(src, dst) => {
                src_at.settle(src.iter().map(|s| s.len()));
                dst_at.settle(dst.iter().map(|s| s.len()));
                let from = &src[src_at.segment][src_at.offset..];
                let to = &mut dst[dst_at.segment][dst_at.offset..];
                let n = from.len().min(to.len()).min(max);
                InOut::apart(&from[..n], &mut to[..n])
            }
        }
    }
}

/// A position in a list.
#[derive(Clone, Copy, Default)]
struct Place {
    segment: usize,
    offset: usize,
}

impl Place {
    /// Steps over ends of segments, so that at least one byte follows. Only called where one does.
    fn settle(&mut self, lens: impl Iterator<Item = usize>) {
        for len in lens.skip(self.segment) {
            if self.offset < len {
                return;
            }
            self.offset -= len;
            self.segment += 1;
        }
    }
}

impl Skcipher {
    /// Processes one whole message in scattered memory and leaves `iv` alone.
    ///
    /// Runs that are contiguous on both sides are processed where they are; only blocks that straddle a cut
    /// go through a small buffer. Empty segments are allowed. Nothing is allocated.
    ///
    /// # Errors
    /// [`Error::NeedKey`], [`Error::BadIvLen`], [`Error::BadLength`]; [`Error::LengthMismatch`] if the totals
    /// differ. Nothing is written then.
    pub fn crypt_segments(&self, dir: Dir, iv: &[u8], segments: Segments<'_, '_>) -> Result<()> {
        self.walk(dir, iv, &mut [], segments)
    }

    /// Processes one whole message in scattered memory; `iv` becomes the value that continues the stream.
    ///
    /// # Errors
    /// As [`Skcipher::crypt_segments`]; `iv` is unchanged then.
    pub fn crypt_segments_chained(&self, dir: Dir, iv: &mut [u8], segments: Segments<'_, '_>) -> Result<()> {
        let mut out = [0; MAX_UNIT];
        let out = &mut out[..iv.len().min(MAX_UNIT)];
        self.walk(dir, iv, out, segments)?;
        iv.copy_from_slice(out);
        Ok(())
    }

    fn walk(&self, dir: Dir, iv: &[u8], iv_out: &mut [u8], mut segments: Segments<'_, '_>) -> Result<()> {
        let (total, room) = segments.lens();
        self.check(iv.len(), total)?;
        if total != room {
            return Err(Error::LengthMismatch { src: total, dst: room });
        }
        let limits = self.limits();
        let driver = self.driver();
        let mut state = State::new();
        driver.begin(dir, iv, &mut state);
        let (mut src_at, mut dst_at) = (Place::default(), Place::default());
        let mut left = total;
        while left > 0 {
            let io = segments.run(&mut src_at, &mut dst_at, left)?;
            let whole = io.len() == left;
            let free = io.len().min(left.saturating_sub(limits.tail));
            let n = if whole { left } else { free - free % limits.chunk };
            let n = if n > 0 {
                driver.run(dir, &mut state, io.split_at(n).0, whole);
                n
            } else {
                // A chunk that straddles a cut, or a last run that must not be cut.
                let n = if left < limits.chunk + limits.tail { left } else { limits.chunk };
                let mut bounce = [0; BOUNCE];
                copy_out(&mut segments, src_at, dst_at, &mut bounce[..n])?;
                driver.run(dir, &mut state, InOut::in_place(&mut bounce[..n]), n == left);
                copy_in(&mut segments, src_at, dst_at, &bounce[..n])?;
                bounce[..n].zeroize();
                n
            };
            src_at.offset += n;
            dst_at.offset += n;
            left -= n;
        }
        if !iv_out.is_empty() {
            driver.end(dir, &state, iv_out);
        }
        Ok(())
    }
}

/// Gathers input bytes.
fn copy_out(segments: &mut Segments<'_, '_>, mut src: Place, mut dst: Place, to: &mut [u8]) -> Result<()> {
    let mut at = 0;
    while at < to.len() {
        let io = segments.run(&mut src, &mut dst, to.len() - at)?;
        let n = io.len();
        to[at..at + n].copy_from_slice(io.src());
        src.offset += n;
        dst.offset += n;
        at += n;
    }
    Ok(())
}

/// Scatters output bytes.
fn copy_in(segments: &mut Segments<'_, '_>, mut src: Place, mut dst: Place, from: &[u8]) -> Result<()> {
    let mut at = 0;
    while at < from.len() {
        let mut io = segments.run(&mut src, &mut dst, from.len() - at)?;
        let n = io.len();
        io.dst().copy_from_slice(&from[at..at + n]);
        src.offset += n;
        dst.offset += n;
        at += n;
    }
    Ok(())
}
