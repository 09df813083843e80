//! Source and destination of one operation: in place, or apart.

use crate::{Error, Result};

/// The buffers of a request. Both sides always have the same length; partial overlap cannot be expressed.
///
/// ```
/// use kcrypto_core::InOut;
/// let mut buf = [0u8; 32];
/// let io = InOut::from(&mut buf[..]);
/// let (head, tail) = io.split_at(16);
/// assert_eq!((head.len(), tail.len()), (16, 16));
/// assert!(InOut::apart(&[0; 8], &mut [0; 9]).is_err());
/// ```
#[derive(Debug)]
pub struct InOut<'a> {
    /// `None` in place.
    src: Option<&'a [u8]>,
    dst: &'a mut [u8],
}

/// What [`InOut::map_blocks`] does with a block. A method can be inlined into a function with vector
/// instructions, where a closure would be compiled without them.
pub trait MapBlock<const N: usize> {
    /// The output for one block of input.
    fn map(&mut self, block: &[u8; N]) -> [u8; N];
}

impl<'a> InOut<'a> {
    /// Reads from and writes to the same buffer.
    #[inline(always)]
    pub fn in_place(buf: &'a mut [u8]) -> Self {
        InOut { src: None, dst: buf }
    }

    /// Reads from `src`, writes to `dst`.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] unless both have the same length.
    #[inline(always)]
    pub fn apart(src: &'a [u8], dst: &'a mut [u8]) -> Result<Self> {
        if src.len() != dst.len() {
            return Err(Error::LengthMismatch { src: src.len(), dst: dst.len() });
        }
        Ok(InOut { src: Some(src), dst })
    }

    /// Length in bytes, of each side.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.dst.len()
    }

    /// Whether there is nothing to process.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The input. In place, it is what has not been overwritten yet.
    #[inline(always)]
    pub fn src(&self) -> &[u8] {
        match self.src {
            // Both have the same length; cutting tells the compiler, which then checks bounds once for both.
            Some(src) => &src[..self.dst.len()],
            None => self.dst,
        }
    }

    /// The output.
    #[inline(always)]
    pub fn dst(&mut self) -> &mut [u8] {
        self.dst
    }

    /// The same buffers for a shorter time.
    #[inline(always)]
    pub fn reborrow(&mut self) -> InOut<'_> {
        InOut { src: self.src, dst: self.dst }
    }

    /// Splits both sides at `mid` bytes.
    ///
    /// # Panics
    /// If `mid` is greater than the length, as slices do.
    #[inline(always)]
    pub fn split_at(self, mid: usize) -> (InOut<'a>, InOut<'a>) {
        let (head, tail) = self.dst.split_at_mut(mid);
        let (from_head, from_tail) = self.src.map(|src| src.split_at(mid)).unzip();
        (InOut { src: from_head, dst: head }, InOut { src: from_tail, dst: tail })
    }

    /// Replaces every whole block by what `map` makes of it; returns what is left after them.
    #[inline(always)]
    pub fn map_blocks<const N: usize>(self, map: &mut impl MapBlock<N>) -> InOut<'a> {
        let (blocks, dst) = self.dst.as_chunks_mut();
        match self.src.map(|src| src.as_chunks()) {
            Some((from, src)) => {
                for (block, from) in blocks.iter_mut().zip(from) {
                    *block = map.map(from);
                }
                InOut { src: Some(src), dst }
            }
            None => {
                for block in blocks {
                    *block = map.map(block);
                }
                InOut { src: None, dst }
            }
        }
    }

    /// Copies the input to the output; does nothing in place.
    #[inline]
    pub fn copy(&mut self) {
        if let Some(src) = self.src {
            self.dst.copy_from_slice(src);
        }
    }
}

impl<'a> From<&'a mut [u8]> for InOut<'a> {
    #[inline(always)]
    fn from(buf: &'a mut [u8]) -> Self {
        InOut::in_place(buf)
    }
}

impl<'a, const N: usize> From<&'a mut [u8; N]> for InOut<'a> {
    #[inline(always)]
    fn from(buf: &'a mut [u8; N]) -> Self {
        InOut::in_place(buf)
    }
}

impl<'a> From<&'a mut alloc::vec::Vec<u8>> for InOut<'a> {
    #[inline(always)]
    fn from(buf: &'a mut alloc::vec::Vec<u8>) -> Self {
        InOut::in_place(buf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sums(u8);

    impl MapBlock<4> for Sums {
        fn map(&mut self, block: &[u8; 4]) -> [u8; 4] {
            self.0 += 1;
            block.map(|byte| byte + self.0)
        }
    }

    #[test]
    fn whole_blocks_are_mapped_in_order_and_the_rest_is_left() {
        let source = [0, 0, 0, 0, 10, 10, 10, 10, 20, 20];
        let expected = [1, 1, 1, 1, 12, 12, 12, 12];
        let mut buf = source;
        let rest = InOut::in_place(&mut buf).map_blocks(&mut Sums(0));
        assert_eq!(rest.src(), [20, 20]);
        assert_eq!(buf[..8], expected);
        let mut out = [0; 10];
        let mut rest = InOut::apart(&source, &mut out).unwrap().map_blocks(&mut Sums(0));
        assert_eq!(rest.src(), [20, 20]);
        rest.dst().fill(7);
        assert_eq!((&out[..8], &out[8..]), (&expected[..], &[7, 7][..]));
    }
}
