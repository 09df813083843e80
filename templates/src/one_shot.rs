//! A message in one piece through the methods of a hash that take it block by block: the fast path of drivers
//! that have no other.

use kcrypto_core::ShashDriver;
use zeroize::Zeroize;

/// Hashes a message in one piece, where `STATE` and `BLOCK` are the sizes of the state and of a block in bytes,
/// and `LAST` is the shortest tail of a message: 1 if a full last block is left for the end, else 0. Always true,
/// as [`ShashDriver::digest`] wants it.
///
/// Saves what the general path spends on virtual calls and on states of the largest size.
#[inline]
pub fn one_shot<const STATE: usize, const BLOCK: usize, const LAST: usize>(
    hash: &impl ShashDriver,
    message: &[u8],
    digest: &mut [u8],
) -> bool {
    let mut state = [0; STATE];
    hash.init(&mut state);
    let free = message.len().saturating_sub(LAST);
    let (blocks, tail) = message.split_at(free - free % BLOCK);
    if !blocks.is_empty() {
        hash.update(&mut state, blocks);
    }
    hash.finish(&mut state, tail, message.len() as u64, digest);
    state.zeroize();
    true
}
