//! GHASH and POLYVAL of a run of blocks.

use kcrypto_core::engine::read_part;

use crate::clmul::{Field, Powers};
use crate::xmm::BLOCK;

/// Hashes `data` and zeros up to a whole block.
pub(super) fn update<const REVERSED: bool>(powers: &Powers, hash: &mut [u8; BLOCK], data: &[u8]) {
    if let Some(field) = powers.field() {
        // SAFETY: the field's token proves the features.
        unsafe { run::<REVERSED>(field, powers, hash, data) };
    }
}

#[target_feature(enable = "pclmulqdq,sse2,ssse3")]
fn run<const REVERSED: bool>(f: Field, powers: &Powers, hash: &mut [u8; BLOCK], data: &[u8]) {
    let order = |block| if REVERSED { f.reverse(block) } else { block };
    let mut sum = powers.begin(f, order(f.load(hash)), data.len().div_ceil(BLOCK) as u64);
    let (blocks, tail) = data.as_chunks();
    for block in blocks {
        sum = powers.hash(f, sum, order(f.load(block)));
    }
    if !tail.is_empty() {
        sum = powers.hash(f, sum, order(f.number(read_part(tail))));
    }
    f.store(order(sum.end(f)), hash);
}
