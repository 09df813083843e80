//! Cutting messages into pieces, and where they lie.

use core::ops::{Deref, DerefMut, Range};

/// Cuts a buffer into pieces of these lengths, which add up to its own.
pub(crate) fn split<'a>(mut data: &'a mut [u8], lens: &[usize]) -> Vec<&'a mut [u8]> {
    let cut = |&len: &usize| {
        let (piece, rest) = core::mem::take(&mut data).split_at_mut(len);
        data = rest;
        piece
    };
    lens.iter().map(cut).collect()
}

/// The same of a buffer that is only read.
pub(crate) fn split_ref<'a>(mut data: &'a [u8], lens: &[usize]) -> Vec<&'a [u8]> {
    let cut = |&len: &usize| {
        let (piece, rest) = data.split_at(len);
        data = rest;
        piece
    };
    lens.iter().map(cut).collect()
}

/// What addresses are counted from.
const ALIGN: usize = 64;

/// Bytes that begin at a chosen distance from an aligned address.
pub(crate) struct Placed {
    memory: Vec<u8>,
    at: Range<usize>,
}

impl Placed {
    /// These bytes, `offset` bytes after a multiple of 64.
    pub(crate) fn new(bytes: &[u8], offset: usize) -> Self {
        let mut memory = vec![0; bytes.len() + 2 * ALIGN];
        let start = memory.as_ptr().align_offset(ALIGN).min(ALIGN) + offset % ALIGN;
        let at = start..start + bytes.len();
        memory[at.clone()].copy_from_slice(bytes);
        Placed { memory, at }
    }
}

impl Deref for Placed {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[self.at.clone()]
    }
}

impl DerefMut for Placed {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.at.clone()]
    }
}

/// Lengths of uneven pieces that add up to `total`, with empty ones and single bytes at the start: cuts inside
/// of blocks and of runs of blocks.
pub(crate) fn uneven(total: usize) -> Vec<usize> {
    let mut lens = Vec::new();
    let mut left = total;
    for len in [0, 1, 15, 17, 0, 64, 100, 511, 1024] {
        let len = left.min(len);
        lens.push(len);
        left -= len;
    }
    lens.extend([left / 2, left - left / 2]);
    lens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_where_they_should_be() {
        for offset in [0, 1, 15, 63] {
            let mut placed = Placed::new(&[7; 9], offset);
            assert_eq!(placed.as_ptr().addr() % ALIGN, offset);
            placed[8] = 8;
            assert_eq!(*placed, [7, 7, 7, 7, 7, 7, 7, 7, 8]);
        }
    }

    #[test]
    fn pieces_are_the_whole() {
        for total in [0, 1, 16, 33, 1000, 70_000] {
            let lens = uneven(total);
            assert_eq!(lens.iter().sum::<usize>(), total);
            let mut data: Vec<u8> = (0..total).map(|i| i as u8).collect();
            assert_eq!(split_ref(&data, &lens).concat(), data);
            let lengths: Vec<usize> = split(&mut data, &lens).iter().map(|piece| piece.len()).collect();
            assert_eq!(lengths, lens);
        }
    }
}
