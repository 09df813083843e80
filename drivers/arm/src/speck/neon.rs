//! Groups of blocks in 128-bit registers.
//!
//! Two registers hold 32 bytes of a message: in one are the words y of its blocks, in the other the words x. The
//! drivers of this crate are for little-endian CPUs alone, which load bytes as Speck's words.

use core::arch::aarch64::*;

use kcrypto_core::{Dir, InOut, Result};
use kcrypto_simd::aarch64::Neon;
use kcrypto_templates::speck::sectors::{self, Vector};
use kcrypto_templates::speck::{RoundKeys, Words};

use crate::prove;

/// Bytes of a message that two registers hold.
const PAIR: usize = 32;

/// The kernels, by a process that may use NEON.
#[derive(Clone, Copy)]
pub(super) struct Kernels(Neon);

impl Kernels {
    fn new(driver: &'static str) -> Result<Self> {
        prove(driver, Neon::new(), Neon::require).map(Kernels)
    }
}

impl sectors::Kernel<u32> for Kernels {
    type Vector = Words32;

    fn prove() -> Result<Self> {
        Kernels::new("xts-speck64-neon")
    }

    fn groups(self, keys: &RoundKeys<u32>, dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
        enter::<Words32>(self.0, keys, dir, tweak, io);
    }
}

impl sectors::Kernel<u64> for Kernels {
    type Vector = Words64;

    fn prove() -> Result<Self> {
        Kernels::new("xts-speck128-neon")
    }

    fn groups(self, keys: &RoundKeys<u64>, dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
        enter::<Words64>(self.0, keys, dir, tweak, io);
    }
}

fn enter<V: Vector<Token = Neon>>(
    token: Neon,
    keys: &RoundKeys<V::Word>,
    dir: Dir,
    tweak: &mut [u8],
    io: InOut<'_>,
) {
    match dir {
        // SAFETY: the token proves that the CPU has NEON.
        Dir::Encrypt => unsafe { groups::<V, true>(token, keys, tweak, io) },
        // SAFETY: as above.
        Dir::Decrypt => unsafe { groups::<V, false>(token, keys, tweak, io) },
    }
}

#[target_feature(enable = "neon")]
fn groups<V: Vector<Token = Neon>, const ENCRYPT: bool>(
    token: Neon,
    keys: &RoundKeys<V::Word>,
    tweak: &mut [u8],
    io: InOut<'_>,
) {
    sectors::groups::<V, ENCRYPT>(token, keys, tweak, io);
}

/// Makes functions of registers, which exist only where NEON may be used, safe methods.
macro_rules! methods {
    ($($name:ident($($arg:ident),*) = $function:expr;)+) => {
        $(#[inline(always)]
        fn $name(self, $($arg: Self),*) -> Self {
            // SAFETY: the registers exist only where the CPU has NEON.
            Self(unsafe { $function(self.0, $($arg.0),*) })
        })+
    };
}

/// Four words of 32 bits, which exist only where NEON may be used.
#[derive(Clone, Copy)]
pub(super) struct Words32(uint32x4_t);

impl Words for Words32 {
    type Word = u32;

    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        // SAFETY: the register proves that the CPU has NEON.
        Words32(unsafe { vdupq_n_u32(word) })
    }

    methods! {
        plus(other) = vaddq_u32;
        minus(other) = vsubq_u32;
        xor(other) = veorq_u32;
        left3() = left3_32;
        left8() = left8_32;
        right3() = right3_32;
        right8() = right8_32;
    }
}

impl Vector for Words32 {
    type Token = Neon;
    /// Of blocks 0 and 1, and 2 and 3.
    type Tweaks = [Words64; 2];

    const PAIR: usize = PAIR;

    #[inline(always)]
    fn tweaks(token: Neon, &[a, b, c, d]: &[u128; 4]) -> [Words64; 2] {
        [Words64::new(token, a as u64, b as u64), Words64::new(token, c as u64, d as u64)]
    }

    #[inline(always)]
    fn next(tweaks: [Words64; 2]) -> [Words64; 2] {
        tweaks.map(Words64::times_16)
    }

    #[inline(always)]
    fn running([first, _]: [Words64; 2]) -> u128 {
        first.first().into()
    }

    #[inline(always)]
    fn load(token: Neon, src: &[u8], tweaks: [Words64; 2]) -> (Self, Self) {
        let [a, b] = Words64::load(token, src);
        // SAFETY: the token proves that the CPU has NEON.
        let (y, x) = unsafe { apart_32(a.xor(tweaks[0]).0, b.xor(tweaks[1]).0) };
        (Words32(x), Words32(y))
    }

    #[inline(always)]
    fn store(x: Self, y: Self, tweaks: [Words64; 2], dst: &mut [u8]) {
        // SAFETY: the registers prove that the CPU has NEON.
        let (a, b) = unsafe { together_32(y.0, x.0) };
        Words64::store([Words64(a).xor(tweaks[0]), Words64(b).xor(tweaks[1])], dst);
    }
}

/// Two words of 64 bits, which exist only where NEON may be used.
#[derive(Clone, Copy)]
pub(super) struct Words64(uint64x2_t);

impl Words64 {
    methods! {
        times_16() = times_16;
        even(other) = vtrn1q_u64;
        odd(other) = vtrn2q_u64;
    }

    /// From the lower word on.
    #[inline(always)]
    fn new(_: Neon, a: u64, b: u64) -> Self {
        // SAFETY: the token proves that the CPU has NEON.
        Words64(unsafe { words(a, b) })
    }

    /// The first word.
    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: the register proves that the CPU has NEON.
        unsafe { vgetq_lane_u64::<0>(self.0) }
    }

    /// Both halves of a pair's bytes.
    #[inline(always)]
    fn load(_: Neon, src: &[u8]) -> [Self; 2] {
        let src: &[u8; PAIR] = src.first_chunk().expect("a pair");
        // SAFETY: 32 bytes are readable there, and the token proves that the CPU has NEON.
        let halves = unsafe { vld1q_u8_x2(src.as_ptr()) };
        // SAFETY: the token proves that the CPU has NEON.
        [halves.0, halves.1].map(|half| Words64(unsafe { vreinterpretq_u64_u8(half) }))
    }

    /// Writes them.
    #[inline(always)]
    fn store(halves: [Self; 2], dst: &mut [u8]) {
        let dst: &mut [u8; PAIR] = dst.first_chunk_mut().expect("a pair");
        // SAFETY: the registers prove that the CPU has NEON.
        let [a, b] = halves.map(|half| unsafe { vreinterpretq_u8_u64(half.0) });
        // SAFETY: 32 bytes are writable there, and the registers prove that the CPU has NEON.
        unsafe { vst1q_u8_x2(dst.as_mut_ptr(), uint8x16x2_t(a, b)) }
    }
}

impl Words for Words64 {
    type Word = u64;

    #[inline(always)]
    fn splat(self, word: u64) -> Self {
        // SAFETY: the register proves that the CPU has NEON.
        Words64(unsafe { vdupq_n_u64(word) })
    }

    methods! {
        plus(other) = vaddq_u64;
        minus(other) = vsubq_u64;
        xor(other) = veorq_u64;
        left3() = left3_64;
        left8() = left8_64;
        right3() = right3_64;
        right8() = right8_64;
    }
}

impl Vector for Words64 {
    type Token = Neon;
    /// The lower halves of the tweaks of blocks 0 and 1, and the upper halves.
    type Tweaks = [Words64; 2];

    const PAIR: usize = PAIR;

    #[inline(always)]
    fn tweaks(token: Neon, &[a, b, _, _]: &[u128; 4]) -> [Words64; 2] {
        [Words64::new(token, a as u64, b as u64), Words64::new(token, (a >> 64) as u64, (b >> 64) as u64)]
    }

    #[inline(always)]
    fn next([lower, upper]: [Words64; 2]) -> [Words64; 2] {
        // SAFETY: the registers prove that the CPU has NEON.
        unsafe { times_4(lower.0, upper.0) }.map(Words64)
    }

    #[inline(always)]
    fn running([lower, upper]: [Words64; 2]) -> u128 {
        u128::from(lower.first()) | u128::from(upper.first()) << 64
    }

    #[inline(always)]
    fn load(token: Neon, src: &[u8], [lower, upper]: [Words64; 2]) -> (Self, Self) {
        let [a, b] = Words64::load(token, src);
        (a.odd(b).xor(upper), a.even(b).xor(lower))
    }

    #[inline(always)]
    fn store(x: Self, y: Self, [lower, upper]: [Words64; 2], dst: &mut [u8]) {
        let (y, x) = (y.xor(lower), x.xor(upper));
        Words64::store([y.even(x), y.odd(x)], dst);
    }
}

/// Two words, the lower one first.
#[target_feature(enable = "neon")]
#[inline]
fn words(a: u64, b: u64) -> uint64x2_t {
    vcombine_u64(vcreate_u64(a), vcreate_u64(b))
}

/// Bytes by index, the indices in two words.
#[target_feature(enable = "neon")]
#[inline]
fn shuffle(x: uint8x16_t, a: u64, b: u64) -> uint8x16_t {
    vqtbl1q_u8(x, vreinterpretq_u8_u64(words(a, b)))
}

#[target_feature(enable = "neon")]
#[inline]
fn left3_32(x: uint32x4_t) -> uint32x4_t {
    vsriq_n_u32::<29>(vshlq_n_u32::<3>(x), x)
}

#[target_feature(enable = "neon")]
#[inline]
fn right3_32(x: uint32x4_t) -> uint32x4_t {
    vsliq_n_u32::<29>(vshrq_n_u32::<3>(x), x)
}

#[target_feature(enable = "neon")]
#[inline]
fn left8_32(x: uint32x4_t) -> uint32x4_t {
    let x = vreinterpretq_u8_u32(x);
    vreinterpretq_u32_u8(shuffle(x, 0x0605_0407_0201_0003, 0x0e0d_0c0f_0a09_080b))
}

#[target_feature(enable = "neon")]
#[inline]
fn right8_32(x: uint32x4_t) -> uint32x4_t {
    let x = vreinterpretq_u8_u32(x);
    vreinterpretq_u32_u8(shuffle(x, 0x0407_0605_0003_0201, 0x0c0f_0e0d_080b_0a09))
}

#[target_feature(enable = "neon")]
#[inline]
fn left3_64(x: uint64x2_t) -> uint64x2_t {
    vsriq_n_u64::<61>(vshlq_n_u64::<3>(x), x)
}

#[target_feature(enable = "neon")]
#[inline]
fn right3_64(x: uint64x2_t) -> uint64x2_t {
    vsliq_n_u64::<61>(vshrq_n_u64::<3>(x), x)
}

#[target_feature(enable = "neon")]
#[inline]
fn left8_64(x: uint64x2_t) -> uint64x2_t {
    let x = vreinterpretq_u8_u64(x);
    vreinterpretq_u64_u8(shuffle(x, 0x0605_0403_0201_0007, 0x0e0d_0c0b_0a09_080f))
}

#[target_feature(enable = "neon")]
#[inline]
fn right8_64(x: uint64x2_t) -> uint64x2_t {
    let x = vreinterpretq_u8_u64(x);
    vreinterpretq_u64_u8(shuffle(x, 0x0007_0605_0403_0201, 0x080f_0e0d_0c0b_0a09))
}

/// Of four blocks, the words y and the words x.
#[target_feature(enable = "neon")]
#[inline]
fn apart_32(a: uint64x2_t, b: uint64x2_t) -> (uint32x4_t, uint32x4_t) {
    let (a, b) = (vreinterpretq_u32_u64(a), vreinterpretq_u32_u64(b));
    (vuzp1q_u32(a, b), vuzp2q_u32(a, b))
}

/// The reverse.
#[target_feature(enable = "neon")]
#[inline]
fn together_32(y: uint32x4_t, x: uint32x4_t) -> (uint64x2_t, uint64x2_t) {
    (vreinterpretq_u64_u32(vzip1q_u32(y, x)), vreinterpretq_u64_u32(vzip2q_u32(y, x)))
}

/// Times x^4 in GF(2^64): the four bits that come out on top are an index of what they reduce to.
#[target_feature(enable = "neon")]
#[inline]
fn times_16(tweaks: uint64x2_t) -> uint64x2_t {
    let products = vreinterpretq_u8_u64(words(0x415a_776c_2d36_1b00, 0x9982_afb4_f5ee_c3d8));
    let out = vreinterpretq_u8_u64(vshrq_n_u64::<60>(tweaks));
    let reduced = vqtbl1q_u8(products, out);
    veorq_u64(vshlq_n_u64::<4>(tweaks), vreinterpretq_u64_u8(reduced))
}

/// Times x^2 in GF(2^128): of 0x87, the lower three powers are looked up, the fourth is a shift.
#[target_feature(enable = "neon")]
#[inline]
fn times_4(lower: uint64x2_t, upper: uint64x2_t) -> [uint64x2_t; 2] {
    let out = vshrq_n_u64::<62>(upper);
    let times_7 = vreinterpretq_u8_u64(words(0x090e_0700, 0));
    let reduced = vreinterpretq_u64_u8(vqtbl1q_u8(times_7, vreinterpretq_u8_u64(out)));
    let reduced = veorq_u64(reduced, vshlq_n_u64::<7>(out));
    [veorq_u64(vshlq_n_u64::<2>(lower), reduced), vsliq_n_u64::<2>(vshrq_n_u64::<62>(lower), upper)]
}
