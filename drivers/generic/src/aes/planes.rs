//! Blocks as bit planes: plane `i` holds bit `i` of every byte.
//!
//! A word of a plane covers four blocks. The bit of row `r` and column `c` of block `b` is number
//! `16 r + 4 c + b`, so that moving up a row is a rotation of the word by 16, and moving along a row is a
//! rotation of its 16-bit fields by 4. A plane of `L` words covers `4 L` blocks; every loop over the words
//! is one that a compiler turns into vector code.

use core::array::from_fn;

use zeroize::Zeroize;

/// A block as callers see it.
pub(super) type Block = [u8; 16];
/// One word of each plane, bit 0 first.
pub(super) type Slice = [u64; 8];

/// Up to `4 L` blocks; wiped on drop.
pub(super) struct Planes<const L: usize>([[u64; L]; 8]);

impl<const L: usize> Planes<L> {
    /// Blocks that fit.
    pub(super) const BLOCKS: usize = 4 * L;

    pub(super) fn new() -> Self {
        Planes([[0; L]; 8])
    }

    /// Takes in blocks. If there are fewer than fit, the others are whatever they are.
    #[inline(always)]
    pub(super) fn load(&mut self, blocks: &[Block]) {
        if let [block] = blocks {
            let (halves, _) = block.as_chunks();
            let [low, high] = [0, 1].map(|half| u64::from_le_bytes(halves[half]));
            // Most of what follows is known to be zero, and no instructions are spent on it.
            let planes = transposed(gathered([low, 0, 0, 0, high, 0, 0, 0]));
            self.0.iter_mut().zip(planes).for_each(|(plane, bits)| plane[0] = bits);
            return;
        }
        for (i, block) in blocks.iter().enumerate().take(Self::BLOCKS) {
            let (halves, _) = block.as_chunks();
            self.0[i % 4][i / 4] = u64::from_le_bytes(halves[0]);
            self.0[4 + i % 4][i / 4] = u64::from_le_bytes(halves[1]);
        }
        self.map(|halves| transposed(gathered(halves)));
    }

    /// Gives out as many blocks as there is room for. What stays is no longer in planes.
    #[inline(always)]
    pub(super) fn store(&mut self, blocks: &mut [Block]) {
        if let [block] = blocks {
            let halves = scattered(transposed(from_fn(|plane| self.0[plane][0])));
            let (parts, _) = block.as_chunks_mut();
            (parts[0], parts[1]) = (halves[0].to_le_bytes(), halves[4].to_le_bytes());
            return;
        }
        self.map(|planes| scattered(transposed(planes)));
        for (i, block) in blocks.iter_mut().enumerate().take(Self::BLOCKS) {
            let (halves, _) = block.as_chunks_mut();
            halves[0] = self.0[i % 4][i / 4].to_le_bytes();
            halves[1] = self.0[4 + i % 4][i / 4].to_le_bytes();
        }
    }

    /// Replaces each slice by a function of it.
    #[inline(always)]
    pub(super) fn map(&mut self, f: impl Fn(Slice) -> Slice) {
        for word in 0..L {
            let slice = f(from_fn(|plane| self.0[plane][word]));
            self.0.iter_mut().zip(slice).for_each(|(plane, bits)| plane[word] = bits);
        }
    }
}

impl<const L: usize> Drop for Planes<L> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Four equal blocks in planes.
pub(super) fn broadcast(block: &Block) -> Slice {
    let mut planes = Planes::<1>::new();
    planes.load(core::slice::from_ref(block));
    from_fn(|plane| planes.0[plane][0] * 0b1111)
}

/// Brings two columns of one block together in each word, row by row: from the halves of block `b` in words
/// `b` and `4 + b`, to columns 0 and 2 in word `b`, 1 and 3 in word `4 + b`.
#[inline(always)]
fn gathered(x: Slice) -> Slice {
    exchanged::<4>(x, 32, 0x0000_0000_ffff_ffff)
        .map(|w| flipped(flipped(w, 16, 0x0000_0000_ffff_0000), 8, 0x0000_ff00_0000_ff00))
}

/// Undoes [`gathered`].
#[inline(always)]
fn scattered(x: Slice) -> Slice {
    let x = x.map(|w| flipped(flipped(w, 8, 0x0000_ff00_0000_ff00), 16, 0x0000_0000_ffff_0000));
    exchanged::<4>(x, 32, 0x0000_0000_ffff_ffff)
}

/// Swaps the number of the word with the number of the bit in its byte, for every byte; undoes itself.
#[inline(always)]
fn transposed(x: Slice) -> Slice {
    let x = exchanged::<1>(x, 1, 0x5555_5555_5555_5555);
    let x = exchanged::<2>(x, 2, 0x3333_3333_3333_3333);
    exchanged::<4>(x, 4, 0x0f0f_0f0f_0f0f_0f0f)
}

/// In pairs of words that are `STEP` apart, exchanges the bits of the first that lie `n` above the mask with
/// the bits of the second under the mask.
#[inline(always)]
fn exchanged<const STEP: usize>(x: Slice, n: u32, mask: u64) -> Slice {
    from_fn(|i| {
        let (low, high) = (i & !STEP, i | STEP);
        let t = (x[low] >> n ^ x[high]) & mask;
        if i == low { x[i] ^ t << n } else { x[i] ^ t }
    })
}

/// Exchanges the bits under the mask with those `n` above.
#[inline(always)]
pub(super) fn flipped(x: u64, n: u32, mask: u64) -> u64 {
    let t = (x >> n ^ x) & mask;
    x ^ t ^ t << n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_where_the_documentation_says() {
        let blocks: [Block; 8] = from_fn(|b| from_fn(|i| (37 * b + 11 * i) as u8));
        let mut planes = Planes::<2>::new();
        planes.load(&blocks);
        for (b, block) in blocks.iter().enumerate() {
            for (i, byte) in block.iter().enumerate() {
                let (column, row) = (i / 4, i % 4);
                let bit =
                    |plane: usize| (planes.0[plane][b / 4] >> (16 * row + 4 * column + b % 4) & 1) as u8;
                assert_eq!((0..8).map(|plane| bit(plane) << plane).sum::<u8>(), *byte, "block {b}, byte {i}");
            }
        }
        let mut back = [[0; 16]; 8];
        planes.store(&mut back);
        assert_eq!(back, blocks);
    }

    #[test]
    fn broadcast_is_four_equal_blocks() {
        let block = from_fn(|i| (29 * i) as u8);
        let mut planes = Planes::<1>::new();
        planes.load(&[block; 4]);
        assert_eq!(broadcast(&block), planes.0.map(|[word]| word));
    }
}
