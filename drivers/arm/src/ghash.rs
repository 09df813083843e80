//! `ghash-ce`: the hash of GCM (SP 800-38D, 6.4) with the carry-less products of the AES extension.
//!
//! The running state is the hash of the blocks so far, 16 bytes, as the digest; a last partial block is padded with
//! zeros.

use alloc::boxed::Box;

use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, Error, KeySizes, Make, Result, ShashAlg, ShashDriver};
use kcrypto_simd::aarch64::AesCe;

use crate::ce::Ce;
use crate::field::Powers;
use crate::prove;
use crate::vector::BLOCK;
use crate::way::Way;

/// The hash.
pub(crate) const GHASH: Alg = Alg::shash(
    "ghash",
    "ghash-ce",
    ShashAlg {
        block_size: BLOCK,
        digest_size: BLOCK,
        state_size: BLOCK,
        keys: Some(KeySizes::exactly(BLOCK)),
        keeps_full_block: false,
        make: Make::Static(|| Box::new(Ghash(Powers::new()))),
    },
)
.with_priority(300)
.with_cpu(AesCe::FEATURES, AesCe::require)
.with_module("ghash-ce");

#[linkme::distributed_slice(ALGS)]
static GHASH_LINK: Alg = GHASH;

/// GHASH under a key. Without a key it leaves its state alone.
struct Ghash(Powers);

impl ShashDriver for Ghash {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.wipe();
        let Ok(key) = key.try_into() else {
            return Err(Error::BadKeyLen { len: key.len(), accepted: KeySizes::exactly(BLOCK) });
        };
        self.0.set(prove("ghash-ce", Ce::new(), AesCe::require)?, key);
        Ok(())
    }

    fn init(&self, state: &mut [u8]) {
        state.fill(0);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        if let Ok(state) = state.try_into() {
            self.0.hash(state, blocks);
        }
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], _total: u64, digest: &mut [u8]) {
        self.update(state, tail);
        digest.copy_from_slice(state);
    }
}
