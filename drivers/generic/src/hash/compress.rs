//! The entry of a hash over a compression function, and the compression functions of crates.

use alloc::boxed::Box;

use digest::array::Array;
use digest::block_api::{BlockSizeUser, UpdateCore};
use digest::common::hazmat::{SerializableState, SerializedState};
use digest::consts::U64;
use kcrypto_core::{Alg, Make};
use kcrypto_templates::merkle_damgard::{MerkleDamgard, limits};
use zeroize::Zeroize;

use super::entry;

pub(super) use kcrypto_templates::merkle_damgard::{Compress, Length};

/// The entry of a hash over compression function `C`.
pub(super) const fn hash<C: Compress<BLOCK, STATE> + Default, const BLOCK: usize, const STATE: usize>(
    name: &'static str,
    driver_name: &'static str,
    module: &'static str,
    digest_size: usize,
) -> Alg {
    let limits = limits::<BLOCK, STATE>(digest_size, Make::Static(|| Box::new(MerkleDamgard(C::default()))));
    entry(name, driver_name, module, limits)
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
