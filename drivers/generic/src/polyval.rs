//! `polyval-generic`: the hash of AES-GCM-SIV and HCTR2 (RFC 8452, 3).
//!
//! Constant time wherever the CPU multiplies 64-bit integers in constant time. The running state is the hash
//! of the blocks so far, 16 bytes, little-endian as the digest; a last partial block is padded with zeros.

pub(crate) mod field;

use alloc::boxed::Box;

use kcrypto_core::{Alg, Error, KeySizes, Make, Result, ShashAlg, ShashDriver};

use field::Factor;

/// Key, block, state and digest in bytes, of this hash and of GHASH.
pub(crate) const SIZE: usize = 16;

/// Limits of this hash and of GHASH.
pub(crate) const LIMITS: ShashAlg = ShashAlg {
    block_size: SIZE,
    digest_size: SIZE,
    state_size: SIZE,
    keys: Some(KeySizes::exactly(SIZE)),
    keeps_full_block: false,
    make: Make::Static(|| Box::new(Polyval(Factor::none()))),
};

/// The hash.
pub(crate) const POLYVAL: Alg =
    Alg::shash("polyval", "polyval-generic", LIMITS).with_priority(100).with_module("generic");

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static POLYVAL_LINK: Alg = POLYVAL;

/// POLYVAL under a key.
struct Polyval(Factor);

impl ShashDriver for Polyval {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0 = Factor::new(u128::from_le_bytes(block_of(key)?));
        Ok(())
    }

    fn init(&self, state: &mut [u8]) {
        state.fill(0);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        let Ok(state) = <&mut [u8; SIZE]>::try_from(state) else { return };
        let mut hash = u128::from_le_bytes(*state);
        for &block in blocks.as_chunks().0 {
            hash = self.0.times(hash ^ u128::from_le_bytes(block));
        }
        *state = hash.to_le_bytes();
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], _total: u64, digest: &mut [u8]) {
        if !tail.is_empty() {
            self.update(state, &padded(tail));
        }
        digest.copy_from_slice(state);
    }
}

/// A key as a block.
pub(crate) fn block_of(key: &[u8]) -> Result<[u8; SIZE]> {
    key.try_into().map_err(|_| Error::BadKeyLen { len: key.len(), accepted: KeySizes::exactly(SIZE) })
}

/// Less than a block, padded with zeros.
pub(crate) fn padded(tail: &[u8]) -> [u8; SIZE] {
    let mut block = [0; SIZE];
    block[..tail.len()].copy_from_slice(tail);
    block
}

#[cfg(test)]
mod tests;
