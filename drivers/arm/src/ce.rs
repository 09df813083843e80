//! The instructions of the AES extension: the steps of AES, and carry-less products.
//!
//! AESE has the round key before the substitution, not after: what the key expansion calls the key of a round goes
//! into the instruction of the next one, and the last key is an XOR of its own.

use alloc::borrow::Cow;
use core::arch::aarch64::*;

use kcrypto_simd::aarch64::{AesCe, Neon};

use crate::vector::Vector;
use crate::way::{Task, Way};

/// The instructions, with the proofs that the CPU has them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ce(AesCe, Vector);

impl Ce {
    /// The carry-less product of the lower halves.
    #[inline(always)]
    pub(crate) fn low_by_low(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: the token proves that the CPU has the product.
        unsafe { pmull(a, b) }
    }

    /// The carry-less product of the upper halves.
    #[inline(always)]
    pub(crate) fn high_by_high(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: the token proves that the CPU has the product.
        unsafe { pmull2(a, b) }
    }
}

#[target_feature(enable = "neon,aes")]
fn run<T: Task>(task: T) {
    task.run();
}

impl Way for Ce {
    const CIPHER: &'static str = "aes-ce";
    const CIPHER_PRIORITY: u32 = 250;
    const PRIORITY: u32 = 300;
    const MODULE: &'static str = "aes-ce";
    const FEATURES: &'static [&'static str] = AesCe::FEATURES;
    const LANES: usize = 8;

    fn new() -> Option<Self> {
        Some(Ce(AesCe::new()?, Vector(Neon::new()?)))
    }

    fn require() -> Result<(), Cow<'static, str>> {
        AesCe::require()
    }

    #[inline(always)]
    fn enter<T: Task>(self, task: T) {
        // SAFETY: the tokens prove the features.
        unsafe { run(task) }
    }

    #[inline(always)]
    fn vector(self) -> Vector {
        self.1
    }

    #[inline(always)]
    fn sub_shift(self, x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
        // SAFETY: the token proves that the CPU has AES.
        unsafe { aese(x, key) }
    }

    #[inline(always)]
    fn mix(self, x: uint8x16_t) -> uint8x16_t {
        // SAFETY: the token proves that the CPU has AES.
        unsafe { aesmc(x) }
    }

    #[inline(always)]
    fn inv_sub_shift(self, x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
        // SAFETY: the token proves that the CPU has AES.
        unsafe { aesd(x, key) }
    }

    #[inline(always)]
    fn inv_mix(self, x: uint8x16_t) -> uint8x16_t {
        // SAFETY: the token proves that the CPU has AES.
        unsafe { aesimc(x) }
    }
}

#[target_feature(enable = "neon,aes")]
#[inline]
fn aese(x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    vaeseq_u8(x, key)
}

#[target_feature(enable = "neon,aes")]
#[inline]
fn aesmc(x: uint8x16_t) -> uint8x16_t {
    vaesmcq_u8(x)
}

#[target_feature(enable = "neon,aes")]
#[inline]
fn aesd(x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    vaesdq_u8(x, key)
}

#[target_feature(enable = "neon,aes")]
#[inline]
fn aesimc(x: uint8x16_t) -> uint8x16_t {
    vaesimcq_u8(x)
}

#[target_feature(enable = "neon,aes")]
#[inline]
fn pmull(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    let lower = |x| vgetq_lane_u64::<0>(vreinterpretq_u64_u8(x));
    vreinterpretq_u8_p128(vmull_p64(lower(a), lower(b)))
}

#[target_feature(enable = "neon,aes")]
#[inline]
fn pmull2(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    vreinterpretq_u8_p128(vmull_high_p64(vreinterpretq_p64_u8(a), vreinterpretq_p64_u8(b)))
}
