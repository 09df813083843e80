//! The Merkle–Damgård construction: a compression function over each block, then padding with the length.
//!
//! ```text
//!   last blocks:  tail ‖ 80 ‖ 00 .. 00 ‖ length of the message in bits
//!   digest:       the first bytes of the state
//! ```
//!
//! What drivers of such hashes share. A driver brings the compression function; the state between blocks is in
//! bytes, so that every driver of a hash continues what another began.

use core::any::Any;

use kcrypto_core::{Make, ShashAlg, ShashDriver};
use zeroize::Zeroize;

use crate::one_shot::one_shot;

/// A compression function over blocks of `BLOCK` bytes and a state of `STATE` bytes.
pub trait Compress<const BLOCK: usize, const STATE: usize>: Any + Send + Sync {
    /// The state of an empty message.
    const INIT: [u8; STATE];
    /// How the length ends the message.
    const LENGTH: Length;

    /// Takes whole blocks.
    fn compress(&self, state: &mut [u8; STATE], blocks: &[[u8; BLOCK]]);
}

/// The length field at the end of the last block.
#[derive(Debug, Clone, Copy)]
pub enum Length {
    /// 8 bytes, little-endian.
    Little,
    /// This many bytes, big-endian.
    Big(usize),
}

impl Length {
    const fn size(self) -> usize {
        match self {
            Length::Little => 8,
            Length::Big(size) => size,
        }
    }

    /// Writes the length in bits of a message of `total` bytes to the end of the padding.
    #[inline(always)]
    fn write(self, total: u64, padding: &mut [u8]) {
        let bits = u128::from(total) << 3;
        let (_, field) = padding.split_at_mut(padding.len() - self.size().min(16));
        match self {
            Length::Little => field.copy_from_slice(&bits.to_le_bytes()[..8]),
            Length::Big(_) => field.copy_from_slice(&bits.to_be_bytes()[16 - field.len()..]),
        }
    }
}

/// Limits of such a hash without key: block, digest and state in bytes, and its constructor.
pub const fn limits<const BLOCK: usize, const STATE: usize>(
    digest_size: usize,
    make: Make<dyn ShashDriver>,
) -> ShashAlg {
    ShashAlg { block_size: BLOCK, digest_size, state_size: STATE, keys: None, keeps_full_block: false, make }
}

/// A hash over a compression function.
#[derive(Debug)]
pub struct MerkleDamgard<C, const BLOCK: usize, const STATE: usize>(pub C);

impl<C: Compress<BLOCK, STATE>, const BLOCK: usize, const STATE: usize> ShashDriver
    for MerkleDamgard<C, BLOCK, STATE>
{
    fn init(&self, state: &mut [u8]) {
        state.copy_from_slice(&C::INIT);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        if let Some(state) = state.first_chunk_mut() {
            self.0.compress(state, blocks.as_chunks().0);
        }
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        let mut last = [[0; BLOCK]; 2];
        let count = if tail.len() + 1 + C::LENGTH.size() <= BLOCK { 1 } else { 2 };
        let padding = last[..count].as_flattened_mut();
        padding[..tail.len()].copy_from_slice(tail);
        padding[tail.len()] = 0x80;
        C::LENGTH.write(total, padding);
        self.update(state, padding);
        digest.copy_from_slice(&state[..digest.len()]);
        last.as_flattened_mut().zeroize();
    }

    fn digest(&self, message: &[u8], digest: &mut [u8]) -> bool {
        one_shot::<STATE, BLOCK, 0>(self, message, digest)
    }
}
