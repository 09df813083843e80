//! Four 32-bit words in a register, in the order of the CPU.

use core::arch::aarch64::*;

use crate::vector::{Vector, intrinsics};

impl Vector {
    intrinsics! {
        /// Sums of words.
        add32(a, b) = add32;
        /// Words rotated to the left by 16 bits.
        rotate16(x) = rotate16;
        /// Words rotated to the left by 12 bits.
        rotate12(x) = rotate::<12, 20>;
        /// Words rotated to the left by 8 bits.
        rotate8(x) = rotate8;
        /// Words rotated to the left by 7 bits.
        rotate7(x) = rotate::<7, 25>;
        /// The second word first, and the first one last.
        turn1(x) = turn::<4>;
        /// The third word first, then the fourth, the first and the second.
        turn2(x) = turn::<8>;
        /// The last word first.
        turn3(x) = turn::<12>;
    }

    /// A register of these words.
    #[inline(always)]
    pub(crate) fn words(self, words: [u32; 4]) -> uint8x16_t {
        // SAFETY: every bit pattern is a vector, and its bytes are in the order of the memory.
        unsafe { core::mem::transmute::<[u32; 4], uint8x16_t>(words) }
    }

    /// A register of equal words.
    #[inline(always)]
    pub(crate) fn equal_words(self, word: u32) -> uint8x16_t {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { equal_words(word) }
    }

    /// Of four registers, one with the first words, and one each with the second, third and fourth.
    #[inline(always)]
    pub(crate) fn transpose(self, rows: [uint8x16_t; 4]) -> [uint8x16_t; 4] {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { transpose(rows) }
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn add32(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)))
}

#[target_feature(enable = "neon")]
#[inline]
fn rotate16(x: uint8x16_t) -> uint8x16_t {
    vreinterpretq_u8_u16(vrev32q_u16(vreinterpretq_u16_u8(x)))
}

#[target_feature(enable = "neon")]
#[inline]
fn rotate8(x: uint8x16_t) -> uint8x16_t {
    vqtbl1q_u8(x, vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(ROTATE8[0]), vcreate_u64(ROTATE8[1]))))
}

/// Indices of bytes, the last of each word first.
const ROTATE8: [u64; 2] = [0x0605_0407_0201_0003, 0x0e0d_0c0f_0a09_080b];

/// By `LEFT` bits, which is 32 less `RIGHT`.
#[target_feature(enable = "neon")]
#[inline]
fn rotate<const LEFT: i32, const RIGHT: i32>(x: uint8x16_t) -> uint8x16_t {
    let x = vreinterpretq_u32_u8(x);
    vreinterpretq_u8_u32(vsriq_n_u32::<RIGHT>(vshlq_n_u32::<LEFT>(x), x))
}

/// By as many bytes.
#[target_feature(enable = "neon")]
#[inline]
fn turn<const BYTES: i32>(x: uint8x16_t) -> uint8x16_t {
    vextq_u8::<BYTES>(x, x)
}

#[target_feature(enable = "neon")]
#[inline]
fn equal_words(word: u32) -> uint8x16_t {
    vreinterpretq_u8_u32(vdupq_n_u32(word))
}

#[target_feature(enable = "neon")]
#[inline]
fn transpose([a, b, c, d]: [uint8x16_t; 4]) -> [uint8x16_t; 4] {
    let (even_ab, odd_ab) = transpose_pair(a, b);
    let (even_cd, odd_cd) = transpose_pair(c, d);
    [
        vreinterpretq_u8_u64(vtrn1q_u64(even_ab, even_cd)),
        vreinterpretq_u8_u64(vtrn1q_u64(odd_ab, odd_cd)),
        vreinterpretq_u8_u64(vtrn2q_u64(even_ab, even_cd)),
        vreinterpretq_u8_u64(vtrn2q_u64(odd_ab, odd_cd)),
    ]
}

/// The words of both at even places, and those at odd ones.
#[target_feature(enable = "neon")]
#[inline]
fn transpose_pair(a: uint8x16_t, b: uint8x16_t) -> (uint64x2_t, uint64x2_t) {
    let (a, b) = (vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b));
    (vreinterpretq_u64_u32(vtrn1q_u32(a, b)), vreinterpretq_u64_u32(vtrn2q_u32(a, b)))
}
