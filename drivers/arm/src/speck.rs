//! `xts-speck64-neon`, `xts-speck128-neon`: sectors under Speck with NEON, in groups of 32, 64 and 128 bytes.

#[expect(unsafe_code, reason = "kernels")]
mod neon;

use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, SkcipherAlg};
use kcrypto_simd::aarch64::Neon;
use kcrypto_templates::speck::sectors::limits;

use neon::Kernels;

/// Blocks of 8 bytes.
pub(crate) const XTS_SPECK64: Alg = driver("xts(speck64)", "xts-speck64-neon", limits::<u32, Kernels>());

#[linkme::distributed_slice(ALGS)]
static XTS_SPECK64_LINK: Alg = XTS_SPECK64;

/// Blocks of 16 bytes.
pub(crate) const XTS_SPECK128: Alg = driver("xts(speck128)", "xts-speck128-neon", limits::<u64, Kernels>());

#[linkme::distributed_slice(ALGS)]
static XTS_SPECK128_LINK: Alg = XTS_SPECK128;

const fn driver(name: &'static str, driver_name: &'static str, limits: SkcipherAlg) -> Alg {
    Alg::skcipher(name, driver_name, limits)
        .with_priority(300)
        .with_cpu(Neon::FEATURES, Neon::require)
        .with_module("neon")
}
