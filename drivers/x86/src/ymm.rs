//! 256-bit registers in memory.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Register in bytes.
pub(crate) const YMM: usize = 32;

/// Reads a register.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn load(src: &[u8; YMM]) -> __m256i {
    // SAFETY: 32 bytes are readable there.
    unsafe { _mm256_loadu_si256(src.as_ptr().cast()) }
}

/// Writes a register.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn store(vector: __m256i, dst: &mut [u8; YMM]) {
    // SAFETY: 32 bytes are writable there.
    unsafe { _mm256_storeu_si256(dst.as_mut_ptr().cast(), vector) }
}
