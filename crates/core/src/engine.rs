//! What a mode needs from a block cipher when both are compiled together.
//!
//! A mode is written once, over an [`Engine`]. It is compiled over [`Blocks`] for
//! ciphers that are chosen at run time, and again inside the `#[target_feature]` function of a fused
//! driver, where blocks live in vector registers. For the second use every method of an engine, and
//! every function of a mode, is `#[inline(always)]`.

use zeroize::Zeroize;

use crate::chain::Blocks;
use crate::cipher::CipherDriver;
use crate::{Aad, Dir, InOut};

/// Arithmetic on blocks, without a key.
pub trait Registers: Copy {
    /// One block.
    type Block: Copy + Zeroize;
    /// A big-endian counter, ready to be made into blocks.
    type Counter: Copy;
    /// A block being doubled.
    type Doubling: Copy;

    /// Block size in bytes.
    fn block_size(self) -> usize;
    /// Loads one block of exactly `block_size` bytes.
    fn load(self, src: &[u8]) -> Self::Block;
    /// Stores one block to exactly `block_size` bytes.
    fn store(self, block: Self::Block, dst: &mut [u8]);
    /// The block whose bytes are those of `value`, least significant first.
    fn number(self, value: u128) -> Self::Block;
    /// Loads fewer bytes than a block has, followed by `mark`, padded with zeros.
    #[inline(always)]
    fn load_part(self, part: &[u8], mark: u8) -> Self::Block {
        self.number(read_part(part) | u128::from(mark) << (8 * part.len()))
    }
    /// Stores the first bytes of a block, as many as `part` has: at most 16.
    #[inline(always)]
    fn store_part(self, block: Self::Block, part: &mut [u8]) {
        let mut whole = [0; 16];
        self.store(block, &mut whole[..self.block_size()]);
        write_part(u128::from_le_bytes(whole), part);
    }
    /// XOR of two blocks.
    fn xor(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// The first `n` bytes of `head`, whose other bytes are zero, followed by the last bytes of `rest`.
    fn splice(self, head: Self::Block, n: usize, rest: Self::Block) -> Self::Block;
    /// Of a whole block with 1 to `block_size` bytes after it, loads those bytes, padded with zeros.
    fn load_tail(self, pair: &[u8]) -> Self::Block;
    /// Stores a whole block, and as many bytes of `tail` after it as `pair` has room for.
    fn store_tail(self, block: Self::Block, tail: Self::Block, pair: &mut [u8]);
    /// Prepares a counter; the block size decides how much of it is kept.
    fn counter(self, value: u128) -> Self::Counter;
    /// The block of `counter + n`, where that does not carry out of the counter's low 64 bits.
    fn counter_block(self, counter: Self::Counter, n: usize) -> Self::Block;
    /// A block of 16 or 8 bytes, ready to be doubled.
    fn doubling(self, block: Self::Block) -> Self::Doubling;
    /// Times x in GF(2^128), little-endian (IEEE 1619, 5.2); at most 16 times after another. A block of 8 bytes is in
    /// GF(2^64), whose polynomial is x^64 + x^4 + x^3 + x + 1.
    fn double(self, block: Self::Doubling) -> Self::Doubling;
    /// The block that it has become.
    fn doubled(self, block: Self::Doubling) -> Self::Block;
}

/// A block of an engine.
pub type Block<E> = <<E as Engine>::Registers as Registers>::Block;

/// A keyed block cipher with its registers.
pub trait Engine: Copy {
    /// Its arithmetic.
    type Registers: Registers;
    /// A block of a chain between two ciphers: input of the next one, whitened or not.
    type Link: Copy;

    /// Its arithmetic.
    fn registers(self) -> Self::Registers;
    /// Encrypts one block.
    fn encrypt(self, block: Block<Self>) -> Block<Self>;
    /// Decrypts one block.
    fn decrypt(self, block: Block<Self>) -> Block<Self>;

    /// Encrypts a chain of at least one block after `iv`. Writes all ciphertext blocks but the last, and returns
    /// that one's link.
    fn chain(self, iv: Block<Self>, io: InOut<'_>) -> Self::Link;
    /// Starts a chain: the link of the XOR of both.
    fn start(self, chain: Block<Self>, block: Block<Self>) -> Self::Link;
    /// The XOR that a link stands for.
    fn pending(self, x: Self::Link) -> Block<Self>;
    /// Encrypts, and goes on to the XOR of that with `next`: an engine folds `next` into its last round.
    fn link(self, x: Self::Link, next: Block<Self>) -> (Block<Self>, Self::Link);
    /// As [`link`](Engine::link), and encrypts `beside`, which has nothing to do with the chain, in its shadow: an
    /// engine takes both through each round together.
    #[inline(always)]
    fn link_beside(self, x: Self::Link, next: Block<Self>, beside: Block<Self>) -> (Self::Link, Block<Self>) {
        (self.link(x, next).1, self.encrypt(beside))
    }
    /// Encrypts the last block of a chain.
    fn last(self, x: Self::Link) -> Block<Self>;

    /// Encrypts a block under each key: an engine takes all of them through each round together.
    #[inline(always)]
    fn encrypt_each<const N: usize>(engines: [Self; N], mut blocks: [Block<Self>; N]) -> [Block<Self>; N] {
        for (engine, block) in engines.into_iter().zip(&mut blocks) {
            *block = engine.encrypt(*block);
        }
        blocks
    }

    /// Encrypts independent blocks, as many side by side as the engine likes.
    fn encrypt_lanes<L: Lanes<Self::Registers>>(self, lanes: &mut L, io: InOut<'_>);
    /// Decrypts independent blocks, as many side by side as the engine likes.
    fn decrypt_lanes<L: Lanes<Self::Registers>>(self, lanes: &mut L, io: InOut<'_>);
}

/// What a mode does around the cipher where its blocks do not wait for each other.
///
/// For a group of blocks the engine calls `before` for each, the cipher on all results, `after` for each,
/// then writes the group and calls `advance`.
pub trait Lanes<R: Registers> {
    /// Whether the last block may be a partial one. It is padded with zeros in `src`, and the surplus of the
    /// result is dropped.
    const PARTIAL: bool = false;
    /// What a block keeps until its cipher is done.
    type Keep: Copy + Zeroize;

    /// The cipher's input for the `lane`th block of a group.
    fn before(&mut self, r: R, lane: usize, src: &[u8]) -> (R::Block, Self::Keep);
    /// The mode's output for a block.
    fn after(&mut self, r: R, keep: Self::Keep, src: &[u8], out: R::Block) -> R::Block;
    /// A group of `blocks` blocks is finished.
    fn advance(&mut self, r: R, blocks: usize);
}

/// A keyed cipher that compiles modes into itself.
pub trait Fused: CipherDriver + Sized {
    /// How many chains, each under a key of its own, it takes side by side at most: 1 if that would be no faster than
    /// one after the other.
    const LANES: usize = 1;

    /// Runs a mode with an engine for each key; all keys have the same length.
    ///
    /// The provided body is for portable ciphers; one with vector registers has an engine of its own.
    fn enter<const N: usize, M: Mode<N>>(keys: [&Self; N], dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        M::run(keys.map(Blocks::new), dir, iv, io);
    }

    /// Runs a MAC, with an engine as [`enter`](Fused::enter) has it.
    fn enter_mac<M: Mac>(&self, masks: &Masks, message: &[u8], out: &mut [u8]) {
        M::run(Blocks::new(self), masks, message, out);
    }

    /// Runs an authenticated mode, with an engine as [`enter`](Fused::enter) has it.
    fn enter_seal<S: Seal>(&self, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) {
        S::run(Blocks::new(self), dir, iv, aad, io, tag);
    }

    /// Does work under several keys, with engines as [`enter`](Fused::enter) has them.
    fn enter_work<const N: usize>(keys: [&Self; N], work: impl Work<N>) {
        work.run(keys.map(Blocks::new));
    }

    /// Whether both keys have the same length.
    fn goes_with(&self, _other: &Self) -> bool {
        true
    }
}

/// Work under `N` keys of one cipher, with its operands.
pub trait Work<const N: usize> {
    /// Does it.
    fn run<E: Engine>(self, engines: [E; N]);
}

/// A mode under `N` keys of one cipher.
///
/// Its operands are plain arguments, which a fused driver hands on in registers.
pub trait Mode<const N: usize> {
    /// Processes a message, or a run of it.
    fn run<E: Engine>(engines: [E; N], dir: Dir, iv: &mut [u8], io: InOut<'_>);
}

/// Two blocks that a MAC makes of its key, each at the start of its place.
pub type Masks = [[u8; 16]; 2];

/// A mode that reads a message and keeps one block of it.
pub trait Mac {
    /// Processes a message, or whole blocks of it; `out` is one block.
    fn run<E: Engine>(e: E, masks: &Masks, message: &[u8], out: &mut [u8]);
}

/// A mode that encrypts a message and authenticates it.
pub trait Seal {
    /// Processes a whole message and writes the tag that belongs to it.
    fn run<E: Engine>(e: E, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]);
}

/// A number of at most 16 bytes, least significant first. Loads overlap where their lengths do not add up.
#[inline(always)]
pub fn read_part(bytes: &[u8]) -> u128 {
    let len = bytes.len();
    let word = |chunk: Option<&[u8; 8]>| chunk.map_or(0, |chunk| u64::from_le_bytes(*chunk));
    let half = |chunk: Option<&[u8; 4]>| chunk.map_or(0, |chunk| u32::from_le_bytes(*chunk));
    match len {
        8.. => {
            let (first, last) = (word(bytes.first_chunk()), word(bytes.last_chunk()));
            u128::from(first) | u128::from(last) << (8 * (len - 8))
        }
        4.. => {
            let (first, last) = (half(bytes.first_chunk()), half(bytes.last_chunk()));
            (u64::from(first) | u64::from(last) << (8 * (len - 4))).into()
        }
        1.. => {
            let place = |at: usize| u32::from(bytes[at]) << (8 * at);
            (place(0) | place(len / 2) | place(len - 1)).into()
        }
        0 => 0,
    }
}

/// The reverse of [`read_part`]: the first bytes of a number, as many as `bytes` has room for.
#[inline(always)]
fn write_part(number: u128, bytes: &mut [u8]) {
    let len = bytes.len();
    match len {
        8.. => {
            let last = (number >> (8 * (len - 8))) as u64;
            bytes.first_chunk_mut::<8>().into_iter().for_each(|chunk| *chunk = (number as u64).to_le_bytes());
            bytes.last_chunk_mut::<8>().into_iter().for_each(|chunk| *chunk = last.to_le_bytes());
        }
        4.. => {
            let last = (number >> (8 * (len - 4))) as u32;
            bytes.first_chunk_mut::<4>().into_iter().for_each(|chunk| *chunk = (number as u32).to_le_bytes());
            bytes.last_chunk_mut::<4>().into_iter().for_each(|chunk| *chunk = last.to_le_bytes());
        }
        _ => bytes.iter_mut().enumerate().for_each(|(i, byte)| *byte = (number >> (8 * i)) as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_every_length() {
        let bytes: [u8; 16] = core::array::from_fn(|i| 15 * i as u8 + 9);
        for len in 0..=16 {
            let mut expected = [0; 16];
            expected[..len].copy_from_slice(&bytes[..len]);
            assert_eq!(read_part(&bytes[..len]), u128::from_le_bytes(expected));
            let mut out = [0; 16];
            write_part(u128::from_le_bytes(bytes), &mut out[..len]);
            assert_eq!(out, expected);
        }
    }
}
