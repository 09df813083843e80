//! What a mode needs from a block cipher when both are compiled together.
//!
//! A mode is written once, over an [`Engine`]. It is compiled over [`Blocks`](crate::chain::Blocks) for
//! ciphers that are chosen at run time, and again inside the `#[target_feature]` function of a fused
//! driver, where blocks live in vector registers. For the second use every method of an engine, and
//! every function of a mode, is `#[inline(always)]`.

use zeroize::Zeroize;

use crate::chain::Blocks;
use crate::cipher::CipherDriver;
use crate::{Dir, InOut};

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
    /// A 16-byte block, ready to be doubled.
    fn doubling(self, block: Self::Block) -> Self::Doubling;
    /// Times x in GF(2^128), little-endian (IEEE 1619, 5.2); at most 16 times after another.
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
    /// Encrypts, and goes on to the XOR of that with `next`: an engine folds `next` into its last round.
    fn link(self, x: Self::Link, next: Block<Self>) -> (Block<Self>, Self::Link);
    /// Encrypts the last block of a chain.
    fn last(self, x: Self::Link) -> Block<Self>;

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
    /// Runs a mode with an engine for each key; all keys have the same length.
    ///
    /// The provided body is for portable ciphers; one with vector registers has an engine of its own.
    fn enter<const N: usize, M: Mode<N>>(keys: [&Self; N], dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        M::run(keys.map(Blocks::new), dir, iv, io);
    }
}

/// A mode under `N` keys of one cipher.
///
/// Its operands are plain arguments, which a fused driver hands on in registers.
pub trait Mode<const N: usize> {
    /// Processes a message, or a run of it.
    fn run<E: Engine>(engines: [E; N], dir: Dir, iv: &mut [u8], io: InOut<'_>);
}
