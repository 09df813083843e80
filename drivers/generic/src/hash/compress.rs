//! The Merkle–Damgård construction: a compression function over each block, then padding with the length.
//!
//! ```text
//!   last blocks:  tail ‖ 80 ‖ 00 .. 00 ‖ length of the message in bits
//!   digest:       the first bytes of the state
//! ```

use alloc::boxed::Box;
use core::any::Any;
use core::marker::PhantomData;

use digest::array::Array;
use digest::block_api::{BlockSizeUser, UpdateCore};
use digest::common::hazmat::{SerializableState, SerializedState};
use digest::consts::U64;
use kcrypto_core::{Alg, ShashDriver};
use zeroize::Zeroize;

use super::{entry, limits, one_shot};

/// A compression function over blocks of `BLOCK` bytes and a state of `STATE` bytes.
pub(super) trait Compress<const BLOCK: usize, const STATE: usize>: Any + Send + Sync {
    /// The state of an empty message.
    const INIT: [u8; STATE];
    /// How the length ends the message.
    const LENGTH: Length;

    /// Takes whole blocks.
    fn compress(state: &mut [u8; STATE], blocks: &[[u8; BLOCK]]);
}

/// The length field at the end of the last block.
#[derive(Clone, Copy)]
pub(super) enum Length {
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

/// The entry of a hash over compression function `C`.
pub(super) const fn hash<C: Compress<BLOCK, STATE>, const BLOCK: usize, const STATE: usize>(
    name: &'static str,
    driver_name: &'static str,
    module: &'static str,
    digest_size: usize,
) -> Alg {
    let make = || Box::new(Hash::<C, BLOCK, STATE>(PhantomData)) as Box<dyn ShashDriver>;
    entry(name, driver_name, module, limits(BLOCK, digest_size, STATE, make))
}

/// A hash over compression function `C`.
struct Hash<C, const BLOCK: usize, const STATE: usize>(PhantomData<C>);

impl<C: Compress<BLOCK, STATE>, const BLOCK: usize, const STATE: usize> ShashDriver
    for Hash<C, BLOCK, STATE>
{
    fn init(&self, state: &mut [u8]) {
        state.copy_from_slice(&C::INIT);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        if let Some(state) = state.first_chunk_mut() {
            C::compress(state, blocks.as_chunks().0);
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

/// Runs the compression function of a crate that shows it only behind its exported state, which is the state
/// here, followed by a count of blocks or by nothing.
#[inline]
pub(super) fn through<C: UpdateCore + SerializableState + BlockSizeUser<BlockSize = U64>>(
    state: &mut [u8],
    blocks: &[[u8; 64]],
) {
    let mut exported = SerializedState::<C>::default();
    exported[..state.len()].copy_from_slice(state);
    if let Ok(mut core) = C::deserialize(&exported) {
        core.update_blocks(Array::cast_slice_from_core(blocks));
        exported = core.serialize();
        state.copy_from_slice(&exported[..state.len()]);
    }
    exported.as_mut_slice().zeroize();
}
