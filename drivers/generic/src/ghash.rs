//! `ghash-generic`: the hash of GCM (SP 800-38D, 6.4).
//!
//! It is POLYVAL read backwards: the bytes of every block, and of the digest, in reverse, under a key times x
//! (RFC 8452, appendix A). The running state is the hash of the blocks so far, 16 bytes, as the digest; a last
//! partial block is padded with zeros.

use alloc::boxed::Box;

use kcrypto_core::{Alg, Make, Result, ShashAlg, ShashDriver};

use crate::polyval::field::{Factor, times_x};
use crate::polyval::{LIMITS, SIZE, block_of, padded};

/// The hash.
pub(crate) const GHASH: Alg = Alg::shash(
    "ghash",
    "ghash-generic",
    ShashAlg { make: Make::Static(|| Box::new(Ghash::none())), ..LIMITS },
)
.with_priority(100)
.with_module("generic");

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static GHASH_LINK: Alg = GHASH;

/// GHASH under a key.
pub(crate) struct Ghash(Factor);

impl Ghash {
    pub(crate) fn none() -> Self {
        Ghash(Factor::none())
    }
}

impl ShashDriver for Ghash {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0 = Factor::new(times_x(u128::from_be_bytes(block_of(key)?)));
        Ok(())
    }

    fn init(&self, state: &mut [u8]) {
        state.fill(0);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        let Ok(state) = <&mut [u8; SIZE]>::try_from(state) else { return };
        let mut hash = u128::from_be_bytes(*state);
        for &block in blocks.as_chunks().0 {
            hash = self.0.times(hash ^ u128::from_be_bytes(block));
        }
        *state = hash.to_be_bytes();
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], _total: u64, digest: &mut [u8]) {
        if !tail.is_empty() {
            self.update(state, &padded(tail));
        }
        digest.copy_from_slice(state);
    }
}
