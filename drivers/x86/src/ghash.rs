//! `ghash-clmulni` and `polyval-clmulni`: the hashes of GCM (SP 800-38D, 6.4) and of AES-GCM-SIV and HCTR2
//! (RFC 8452, 3) with PCLMULQDQ.
//!
//! Twelve blocks are multiplied by powers of the key and reduced together. The running state is the hash of the
//! blocks so far, 16 bytes, as the digest; a last partial block is padded with zeros.

#[expect(unsafe_code, reason = "kernels")]
mod clmul;

use alloc::boxed::Box;

use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, Error, KeySizes, Make, Result, ShashAlg, ShashDriver};
use kcrypto_simd::x86::Clmul;

use crate::clmul::Powers;
use crate::xmm::BLOCK;

/// GHASH of more data, and zeros up to a whole block. Without a key it leaves the hash alone.
pub(crate) fn update(powers: &Powers, hash: &mut [u8; BLOCK], data: &[u8]) {
    clmul::update::<true>(powers, hash, data);
}

/// What the drivers here have in common.
const fn driver(name: &'static str, driver_name: &'static str, make: Make<dyn ShashDriver>) -> Alg {
    let limits = ShashAlg {
        block_size: BLOCK,
        digest_size: BLOCK,
        state_size: BLOCK,
        keys: Some(KeySizes::exactly(BLOCK)),
        keeps_full_block: false,
        make,
    };
    Alg::shash(name, driver_name, limits)
        .with_priority(400)
        .with_cpu(Clmul::FEATURES, Clmul::require)
        .with_module("clmulni")
}

/// The hash of GCM.
pub(crate) const GHASH: Alg =
    driver("ghash", "ghash-clmulni", Make::Static(|| Box::new(Hash::<true>(Powers::new()))));

#[linkme::distributed_slice(ALGS)]
static GHASH_LINK: Alg = GHASH;

/// The hash of AES-GCM-SIV and HCTR2.
pub(crate) const POLYVAL: Alg =
    driver("polyval", "polyval-clmulni", Make::Static(|| Box::new(Hash::<false>(Powers::new()))));

#[linkme::distributed_slice(ALGS)]
static POLYVAL_LINK: Alg = POLYVAL;

/// GHASH, whose blocks are reversed, or POLYVAL. Without a key it leaves its state alone.
struct Hash<const REVERSED: bool>(Powers);

impl<const REVERSED: bool> ShashDriver for Hash<REVERSED> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.wipe();
        let Ok(key) = <[u8; BLOCK]>::try_from(key) else {
            return Err(Error::BadKeyLen { len: key.len(), accepted: KeySizes::exactly(BLOCK) });
        };
        let Some(token) = Clmul::new() else {
            let driver = if REVERSED { GHASH } else { POLYVAL }.driver_name;
            let reason = Clmul::require().err().unwrap_or_default().into();
            return Err(Error::Unavailable { driver: driver.as_ref().into(), reason });
        };
        if REVERSED {
            self.0.set_ghash(token, u128::from_be_bytes(key));
        } else {
            self.0.set(token, u128::from_le_bytes(key));
        }
        Ok(())
    }

    fn init(&self, state: &mut [u8]) {
        state.fill(0);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        if let Ok(state) = state.try_into() {
            clmul::update::<REVERSED>(&self.0, state, blocks);
        }
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], _total: u64, digest: &mut [u8]) {
        if let (false, Ok(state)) = (tail.is_empty(), (&mut *state).try_into()) {
            clmul::update::<REVERSED>(&self.0, state, tail);
        }
        digest.copy_from_slice(state);
    }
}
