//! Parts of 16-byte blocks, for registers that take bytes by index: what drivers' [`Registers`] have in common.
//!
//! Nothing outside the message is read or written, and addresses depend on lengths alone.

use kcrypto_core::engine::Registers;

/// Block size in bytes.
const BLOCK: usize = 16;

/// Registers of 16 bytes that take their bytes by index.
pub trait Shuffle: Registers {
    /// Bytes of `x` by index; an index with the top bit set makes a zero.
    fn shuffle(self, x: Self::Block, indices: Self::Block) -> Self::Block;
    /// Bitwise and.
    fn and(self, a: Self::Block, b: Self::Block) -> Self::Block;
}

/// Indices for byte shuffles: read at `n` they move a block's start to `n` bytes from the end, read at
/// `32 - n` they do the reverse; bytes without a source become zero.
static SHIFT: [u8; 3 * BLOCK] = {
    let mut table = [0x80; 3 * BLOCK];
    let mut i = 0;
    while i < BLOCK {
        table[BLOCK + i] = i as u8;
        i += 1;
    }
    table
};

/// Read at `16 - n`, a mask of all bytes from the `n`th on.
static FROM: [u8; 2 * BLOCK] = {
    let mut table = [0; 2 * BLOCK];
    let mut i = BLOCK;
    while i < 2 * BLOCK {
        table[i] = 0xff;
        i += 1;
    }
    table
};

/// A mask of all bytes of a block from the `n`th on; `n` is at most 16.
#[inline(always)]
pub fn from<R: Shuffle>(r: R, n: usize) -> R::Block {
    r.load(&FROM[BLOCK - n..])
}

/// As [`Registers::splice`].
#[inline(always)]
pub fn splice<R: Shuffle>(r: R, head: R::Block, n: usize, rest: R::Block) -> R::Block {
    r.xor(head, r.and(rest, from(r, n)))
}

/// As [`Registers::load_tail`].
#[inline(always)]
pub fn load_tail<R: Shuffle>(r: R, pair: &[u8]) -> R::Block {
    let n = pair.len() - BLOCK;
    let window = r.load(&pair[n..]);
    if n == BLOCK { window } else { r.shuffle(window, r.load(&SHIFT[2 * BLOCK - n..])) }
}

/// As [`Registers::store_tail`].
#[inline(always)]
pub fn store_tail<R: Shuffle>(r: R, block: R::Block, tail: R::Block, pair: &mut [u8]) {
    // The window of 16 bytes that ends with the tail begins in the block, which is written after it.
    let n = pair.len() - BLOCK;
    let window = if n == BLOCK { tail } else { r.shuffle(tail, r.load(&SHIFT[n..])) };
    r.store(window, &mut pair[n..]);
    r.store(block, pair);
}
