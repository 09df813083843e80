//! A message in scattered memory: lists of segments, cut differently on both sides.

use zeroize::Zeroize;

use crate::aead::{Aad, Aead, Lens, verified};
use crate::alg::MAX_UNIT;
use crate::shash::MAX_DIGEST;
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
    /// Length of the message in bytes.
    fn total(&self) -> Result<usize> {
        match self {
            Segments::InPlace(list) => Ok(list.iter().map(|s| s.len()).sum()),
            Segments::Apart(src, dst) => {
                let (src, dst) = (src.iter().map(|s| s.len()).sum(), dst.iter().map(|s| s.len()).sum());
                if src == dst { Ok(src) } else { Err(Error::LengthMismatch { src, dst }) }
            }
        }
    }

    /// Calls `run` with the whole message, run by run, as a mode with this chunk and tail takes it.
    fn walk(&mut self, chunk: usize, tail: usize, mut run: impl FnMut(InOut<'_>, bool)) -> Result<()> {
        let (mut src_at, mut dst_at) = (Place::default(), Place::default());
        let mut left = self.total()?;
        while left > 0 {
            let io = self.run(&mut src_at, &mut dst_at, left)?;
            let whole = io.len() == left;
            let free = io.len().min(left.saturating_sub(tail));
            let n = if whole { left } else { free - free % chunk };
            let n = if n > 0 {
                run(io.split_at(n).0, whole);
                n
            } else {
                // A chunk that straddles a cut, or a last run that must not be cut.
                let n = if left < chunk + tail { left } else { chunk };
                let mut bounce = [0; BOUNCE];
                copy_out(self, src_at, dst_at, &mut bounce[..n])?;
                run(InOut::in_place(&mut bounce[..n]), n == left);
                copy_in(self, src_at, dst_at, &bounce[..n])?;
                bounce[..n].zeroize();
                n
            };
            src_at.offset += n;
            dst_at.offset += n;
            left -= n;
        }
        Ok(())
    }

    /// Makes the destination zero.
    fn wipe(&mut self) {
        let (Segments::InPlace(list) | Segments::Apart(_, list)) = self;
        list.iter_mut().for_each(|segment| segment.zeroize());
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
        let total = segments.total()?;
        self.check(iv.len(), total)?;
        let driver = self.driver();
        let mut state = State::new();
        driver.begin(dir, iv, &mut state);
        let limits = self.limits();
        segments.walk(limits.chunk, limits.tail, |io, last| driver.run(dir, &mut state, io, last))?;
        if !iv_out.is_empty() {
            driver.end(dir, &state, iv_out);
        }
        Ok(())
    }
}

impl Aead {
    /// Encrypts one whole message in scattered memory and writes the tag.
    ///
    /// # Errors
    /// As [`Aead::seal`]; [`Error::LengthMismatch`] if the totals differ. Nothing is written then.
    pub fn seal_segments(
        &self,
        iv: &[u8],
        aad: &Aad<'_>,
        mut segments: Segments<'_, '_>,
        tag: &mut [u8],
    ) -> Result<()> {
        self.walk(Dir::Encrypt, iv, aad, &mut segments, tag)
    }

    /// Decrypts one whole message in scattered memory if the tag is right.
    ///
    /// # Errors
    /// As [`Aead::open`]; [`Error::LengthMismatch`] if the totals differ. After [`Error::BadTag`] every
    /// destination segment is zero.
    pub fn open_segments(
        &self,
        iv: &[u8],
        aad: &Aad<'_>,
        mut segments: Segments<'_, '_>,
        tag: &[u8],
    ) -> Result<()> {
        let mut expected = [0; MAX_DIGEST];
        let expected = expected
            .get_mut(..tag.len())
            .ok_or(Error::BadTagLen { len: tag.len(), accepted: self.tag_sizes() })?;
        self.walk(Dir::Decrypt, iv, aad, &mut segments, expected)?;
        if verified(expected, tag) {
            return Ok(());
        }
        segments.wipe();
        Err(Error::BadTag)
    }

    fn walk(
        &self,
        dir: Dir,
        iv: &[u8],
        aad: &Aad<'_>,
        segments: &mut Segments<'_, '_>,
        tag: &mut [u8],
    ) -> Result<()> {
        let lens = Lens { aad: aad.len(), text: segments.total()? as u64, tag: self.tag_size() };
        self.check(iv, lens, tag.len())?;
        let driver = self.driver();
        let limits = self.limits();
        let mut state = State::new();
        driver.begin(dir, iv, lens, &mut state);
        aad.runs(limits.chunk, |run, last| driver.aad(&mut state, run, last));
        segments.walk(limits.chunk, limits.tail, |io, last| driver.run(dir, &mut state, io, last))?;
        driver.end(dir, &mut state, tag);
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
