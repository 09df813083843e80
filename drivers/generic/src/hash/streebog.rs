//! `streebog256-generic` and `streebog512-generic`: Streebog (GOST R 34.11-2012, RFC 6986).

use alloc::boxed::Box;

use digest::Output;
use digest::block_api::{Buffer, VariableOutputCore};
use digest::common::hazmat::SerializableState;
use kcrypto_core::{Alg, ShashDriver};
use streebog::block_api::StreebogVarCore;
use zeroize::Zeroize;

use super::compress::through;
use super::{entry, limits, one_shot};

pub(crate) const STREEBOG256: Alg = streebog::<32>("streebog256", "streebog256-generic");
pub(crate) const STREEBOG512: Alg = streebog::<64>("streebog512", "streebog512-generic");

const BLOCK: usize = 64;
/// h, N and Σ.
const STATE: usize = 3 * BLOCK;

const fn streebog<const DIGEST: usize>(name: &'static str, driver_name: &'static str) -> Alg {
    let make = || Box::new(Streebog::<DIGEST>) as Box<dyn ShashDriver>;
    entry(name, driver_name, "streebog", limits(BLOCK, DIGEST, STATE, make)).variable_time()
}

/// Streebog with a digest of `DIGEST` bytes.
struct Streebog<const DIGEST: usize>;

impl<const DIGEST: usize> ShashDriver for Streebog<DIGEST> {
    fn init(&self, state: &mut [u8]) {
        state.fill(0);
        // The shorter digest has an initial value of its own (RFC 6986, 5.1).
        state[..BLOCK].fill((DIGEST < BLOCK).into());
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        through::<StreebogVarCore>(state, blocks.as_chunks().0);
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], _total: u64, digest: &mut [u8]) {
        let Some(state) = state.first_chunk::<STATE>() else { return };
        let Ok(mut core) = StreebogVarCore::deserialize(state.into()) else { return };
        let mut buffer = Buffer::<StreebogVarCore>::new(tail);
        let mut hash = Output::<StreebogVarCore>::default();
        core.finalize_variable_core(&mut buffer, &mut hash);
        digest.copy_from_slice(&hash[BLOCK - DIGEST..]);
        hash.as_mut_slice().zeroize();
    }

    /// N counts the bits of whole blocks, of fewer than 2^64 bytes.
    fn is_state(&self, state: &[u8]) -> bool {
        let bits = &state[BLOCK..2 * BLOCK];
        bits[0] == 0 && bits[1] & 1 == 0 && bits[9..].iter().all(|&byte| byte == 0)
    }

    fn digest(&self, message: &[u8], digest: &mut [u8]) -> bool {
        one_shot::<STATE, BLOCK, 0>(self, message, digest)
    }
}
