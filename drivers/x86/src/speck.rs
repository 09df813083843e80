//! `xts-speck64-avx2`, `xts-speck128-avx2`: sectors under Speck with AVX2, in groups of 64, 128 and 256 bytes.

#[expect(unsafe_code, reason = "kernels")]
mod avx2;

use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, SkcipherAlg};
use kcrypto_simd::x86::Avx2;
use kcrypto_templates::speck::sectors::limits;

use avx2::Kernels;

/// Blocks of 8 bytes.
pub(crate) const XTS_SPECK64: Alg = driver("xts(speck64)", "xts-speck64-avx2", limits::<u32, Kernels>());

#[linkme::distributed_slice(ALGS)]
static XTS_SPECK64_LINK: Alg = XTS_SPECK64;

/// Blocks of 16 bytes.
pub(crate) const XTS_SPECK128: Alg = driver("xts(speck128)", "xts-speck128-avx2", limits::<u64, Kernels>());

#[linkme::distributed_slice(ALGS)]
static XTS_SPECK128_LINK: Alg = XTS_SPECK128;

const fn driver(name: &'static str, driver_name: &'static str, limits: SkcipherAlg) -> Alg {
    Alg::skcipher(name, driver_name, limits)
        .with_priority(300)
        .with_cpu(Avx2::FEATURES, Avx2::require)
        .with_module("avx2")
}
