//! Groups of blocks in 256-bit registers.
//!
//! Two registers hold 64 bytes of a message: in one are the words y of its blocks, in the other the words x. The
//! loads are of bytes, and x86 has them little-endian, as Speck does.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use kcrypto_core::{Dir, InOut, Result};
use kcrypto_simd::x86::Avx2;
use kcrypto_templates::speck::sectors::{self, Vector};
use kcrypto_templates::speck::{RoundKeys, Words};
use zeroize::Zeroize;

use crate::prove;

/// Bytes of a message that two registers hold.
const PAIR: usize = 64;

/// The kernels, by a process that may use AVX2.
#[derive(Clone, Copy)]
pub(super) struct Kernels(Avx2);

impl sectors::Kernel<u32> for Kernels {
    type Vector = Ymm32;

    fn prove() -> Result<Self> {
        prove("xts-speck64-avx2", Avx2::new(), Avx2::require).map(Kernels)
    }

    fn groups(self, keys: &RoundKeys<u32>, dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
        enter::<Ymm32>(self.0, keys, dir, tweak, io);
    }
}

impl sectors::Kernel<u64> for Kernels {
    type Vector = Ymm64;

    fn prove() -> Result<Self> {
        prove("xts-speck128-avx2", Avx2::new(), Avx2::require).map(Kernels)
    }

    fn groups(self, keys: &RoundKeys<u64>, dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
        enter::<Ymm64>(self.0, keys, dir, tweak, io);
    }
}

fn enter<V: Vector<Token = Avx2>>(
    token: Avx2,
    keys: &RoundKeys<V::Word>,
    dir: Dir,
    tweak: &mut [u8],
    io: InOut<'_>,
) {
    match dir {
        // SAFETY: the token proves that the CPU has AVX2.
        Dir::Encrypt => unsafe { groups::<V, true>(token, keys, tweak, io) },
        // SAFETY: as above.
        Dir::Decrypt => unsafe { groups::<V, false>(token, keys, tweak, io) },
    }
}

#[target_feature(enable = "avx2")]
fn groups<V: Vector<Token = Avx2>, const ENCRYPT: bool>(
    token: Avx2,
    keys: &RoundKeys<V::Word>,
    tweak: &mut [u8],
    io: InOut<'_>,
) {
    sectors::groups::<V, ENCRYPT>(token, keys, tweak, io);
}

/// 256 bits, which exist only where AVX2 may be used.
#[derive(Clone, Copy)]
pub(super) struct Ymm(__m256i);

/// Makes intrinsics of registers safe methods.
macro_rules! intrinsics {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) = $intrinsic:expr;)+) => {
        $($(#[$doc])*
        #[inline(always)]
        fn $name(self, $($arg: Ymm),*) -> Ymm {
            // SAFETY: the registers exist only where the CPU has AVX2.
            Ymm(unsafe { $intrinsic(self.0, $($arg.0),*) })
        })+
    };
}

impl Ymm {
    intrinsics! {
        /// Bitwise exclusive or.
        xor(other) = _mm256_xor_si256;
        /// Bitwise or.
        or(other) = _mm256_or_si256;
        /// Sums of 32-bit words.
        add32(other) = _mm256_add_epi32;
        /// Differences of 32-bit words.
        sub32(other) = _mm256_sub_epi32;
        /// Sums of 64-bit words.
        add64(other) = _mm256_add_epi64;
        /// Differences of 64-bit words.
        sub64(other) = _mm256_sub_epi64;
        /// Bytes by index, within each half.
        shuffle(indices) = _mm256_shuffle_epi8;
        /// Lower 64-bit words of both, for each half.
        lower64(other) = _mm256_unpacklo_epi64;
        /// Upper 64-bit words of both, for each half.
        upper64(other) = _mm256_unpackhi_epi64;
        /// Lower two 32-bit words of both in turns, for each half.
        lower32(other) = _mm256_unpacklo_epi32;
        /// Upper two 32-bit words of both in turns, for each half.
        upper32(other) = _mm256_unpackhi_epi32;
    }

    /// 64-bit words, the lowest first.
    #[inline(always)]
    fn new(_: Avx2, [a, b, c, d]: [u64; 4]) -> Ymm {
        // SAFETY: the token proves that the CPU has AVX2.
        Ymm(unsafe { _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64) })
    }

    /// The same 64-bit words in both halves.
    #[inline(always)]
    fn halves(self, a: u64, b: u64) -> Ymm {
        // SAFETY: the register proves that the CPU has AVX2.
        Ymm(unsafe { _mm256_set_epi64x(b as i64, a as i64, b as i64, a as i64) })
    }

    /// Both halves of 32 bytes each.
    #[inline(always)]
    fn load(_: Avx2, src: &[u8]) -> [Ymm; 2] {
        let load = |at: usize| -> Ymm {
            let src: &[u8; 32] = src[at..].first_chunk().expect("32 bytes");
            // SAFETY: 32 bytes are readable there, and the token proves that the CPU has AVX2.
            Ymm(unsafe { _mm256_loadu_si256(src.as_ptr().cast()) })
        };
        [load(0), load(32)]
    }

    /// Writes 32 bytes.
    #[inline(always)]
    fn store(self, dst: &mut [u8]) {
        let dst: &mut [u8; 32] = dst.first_chunk_mut().expect("32 bytes");
        // SAFETY: 32 bytes are writable there, and the register proves that the CPU has AVX2.
        unsafe { _mm256_storeu_si256(dst.as_mut_ptr().cast(), self.0) }
    }

    /// The lowest 64-bit word.
    #[inline(always)]
    fn lowest(self) -> u64 {
        let mut bytes = [0; 32];
        self.store(&mut bytes);
        let lowest = u64::from_le_bytes(*bytes.first_chunk().expect("8 bytes"));
        bytes.as_mut_slice().zeroize();
        lowest
    }

    /// 64-bit words shifted towards the upper bits.
    #[inline(always)]
    fn shl64<const N: i32>(self) -> Ymm {
        // SAFETY: the register proves that the CPU has AVX2.
        Ymm(unsafe { _mm256_slli_epi64::<N>(self.0) })
    }

    /// 64-bit words shifted towards the lower bits.
    #[inline(always)]
    fn shr64<const N: i32>(self) -> Ymm {
        // SAFETY: the register proves that the CPU has AVX2.
        Ymm(unsafe { _mm256_srli_epi64::<N>(self.0) })
    }

    /// 32-bit words shifted towards the upper bits.
    #[inline(always)]
    fn shl32<const N: i32>(self) -> Ymm {
        // SAFETY: the register proves that the CPU has AVX2.
        Ymm(unsafe { _mm256_slli_epi32::<N>(self.0) })
    }

    /// 32-bit words shifted towards the lower bits.
    #[inline(always)]
    fn shr32<const N: i32>(self) -> Ymm {
        // SAFETY: the register proves that the CPU has AVX2.
        Ymm(unsafe { _mm256_srli_epi32::<N>(self.0) })
    }

    /// For each half, two 32-bit words of `self` and then two of `other`, by number.
    #[inline(always)]
    fn words<const NUMBERS: i32>(self, other: Ymm) -> Ymm {
        // SAFETY: the register proves that the CPU has AVX2.
        let a = unsafe { _mm256_castsi256_ps(self.0) };
        // SAFETY: as above.
        let b = unsafe { _mm256_castsi256_ps(other.0) };
        // SAFETY: as above.
        let words = unsafe { _mm256_shuffle_ps::<NUMBERS>(a, b) };
        // SAFETY: as above.
        Ymm(unsafe { _mm256_castps_si256(words) })
    }
}

/// Eight words of 32 bits.
#[derive(Clone, Copy)]
pub(super) struct Ymm32(Ymm);

impl Words for Ymm32 {
    type Word = u32;

    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        // SAFETY: the register proves that the CPU has AVX2.
        Ymm32(Ymm(unsafe { _mm256_set1_epi32(word as i32) }))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Ymm32(self.0.add32(other.0))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Ymm32(self.0.sub32(other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Ymm32(self.0.xor(other.0))
    }

    #[inline(always)]
    fn left3(self) -> Self {
        Ymm32(self.0.shl32::<3>().or(self.0.shr32::<29>()))
    }

    #[inline(always)]
    fn left8(self) -> Self {
        Ymm32(self.0.shuffle(self.0.halves(0x0605_0407_0201_0003, 0x0e0d_0c0f_0a09_080b)))
    }

    #[inline(always)]
    fn right3(self) -> Self {
        Ymm32(self.0.shr32::<3>().or(self.0.shl32::<29>()))
    }

    #[inline(always)]
    fn right8(self) -> Self {
        Ymm32(self.0.shuffle(self.0.halves(0x0407_0605_0003_0201, 0x0c0f_0e0d_080b_0a09)))
    }
}

impl Vector for Ymm32 {
    type Token = Avx2;
    /// Of blocks 0 to 3, and 4 to 7.
    type Tweaks = [Ymm; 2];

    const PAIR: usize = PAIR;

    #[inline(always)]
    fn tweaks(token: Avx2, first: &[u128; 4]) -> [Ymm; 2] {
        let first = Ymm::new(token, first.map(|tweak| tweak as u64));
        [first, times_16(first)]
    }

    #[inline(always)]
    fn next([_, last]: [Ymm; 2]) -> [Ymm; 2] {
        let first = times_16(last);
        [first, times_16(first)]
    }

    #[inline(always)]
    fn running([first, _]: [Ymm; 2]) -> u128 {
        first.lowest().into()
    }

    #[inline(always)]
    fn load(token: Avx2, src: &[u8], tweaks: [Ymm; 2]) -> (Self, Self) {
        let [a, b] = Ymm::load(token, src);
        let (a, b) = (a.xor(tweaks[0]), b.xor(tweaks[1]));
        (Ymm32(a.words::<0b11_01_11_01>(b)), Ymm32(a.words::<0b10_00_10_00>(b)))
    }

    #[inline(always)]
    fn store(x: Self, y: Self, tweaks: [Ymm; 2], dst: &mut [u8]) {
        let (a, b) = dst.split_at_mut(32);
        y.0.lower32(x.0).xor(tweaks[0]).store(a);
        y.0.upper32(x.0).xor(tweaks[1]).store(b);
    }
}

/// Times x^4 in GF(2^64): the four bits that come out on top are an index of what they reduce to.
#[inline(always)]
fn times_16(tweaks: Ymm) -> Ymm {
    let reduced = tweaks.halves(0x415a_776c_2d36_1b00, 0x9982_afb4_f5ee_c3d8);
    tweaks.shl64::<4>().xor(reduced.shuffle(tweaks.shr64::<60>()))
}

/// Four words of 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Ymm64(Ymm);

impl Words for Ymm64 {
    type Word = u64;

    #[inline(always)]
    fn splat(self, word: u64) -> Self {
        // SAFETY: the register proves that the CPU has AVX2.
        Ymm64(Ymm(unsafe { _mm256_set1_epi64x(word as i64) }))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Ymm64(self.0.add64(other.0))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Ymm64(self.0.sub64(other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Ymm64(self.0.xor(other.0))
    }

    #[inline(always)]
    fn left3(self) -> Self {
        Ymm64(self.0.shl64::<3>().or(self.0.shr64::<61>()))
    }

    #[inline(always)]
    fn left8(self) -> Self {
        Ymm64(self.0.shuffle(self.0.halves(0x0605_0403_0201_0007, 0x0e0d_0c0b_0a09_080f)))
    }

    #[inline(always)]
    fn right3(self) -> Self {
        Ymm64(self.0.shr64::<3>().or(self.0.shl64::<61>()))
    }

    #[inline(always)]
    fn right8(self) -> Self {
        Ymm64(self.0.shuffle(self.0.halves(0x0007_0605_0403_0201, 0x080f_0e0d_0c0b_0a09)))
    }
}

impl Vector for Ymm64 {
    type Token = Avx2;
    /// The lower halves of the tweaks of blocks 0, 2, 1 and 3, and the upper halves.
    type Tweaks = [Ymm; 2];

    const PAIR: usize = PAIR;

    #[inline(always)]
    fn tweaks(token: Avx2, &[a, b, c, d]: &[u128; 4]) -> [Ymm; 2] {
        let ordered = [a, c, b, d];
        [
            Ymm::new(token, ordered.map(|tweak| tweak as u64)),
            Ymm::new(token, ordered.map(|tweak| (tweak >> 64) as u64)),
        ]
    }

    /// Times x^4 in GF(2^128): of 0x87, the lower three powers are looked up, the fourth is a shift.
    #[inline(always)]
    fn next([lower, upper]: [Ymm; 2]) -> [Ymm; 2] {
        let out = upper.shr64::<60>();
        let times_7 = out.halves(0x1512_1b1c_090e_0700, 0x2d2a_2324_3136_3f38);
        let reduced = times_7.shuffle(out).xor(out.shl64::<7>());
        [lower.shl64::<4>().xor(reduced), upper.shl64::<4>().xor(lower.shr64::<60>())]
    }

    #[inline(always)]
    fn running([lower, upper]: [Ymm; 2]) -> u128 {
        u128::from(lower.lowest()) | u128::from(upper.lowest()) << 64
    }

    #[inline(always)]
    fn load(token: Avx2, src: &[u8], tweaks: [Ymm; 2]) -> (Self, Self) {
        let [a, b] = Ymm::load(token, src);
        (Ymm64(a.upper64(b).xor(tweaks[1])), Ymm64(a.lower64(b).xor(tweaks[0])))
    }

    #[inline(always)]
    fn store(x: Self, y: Self, tweaks: [Ymm; 2], dst: &mut [u8]) {
        let (a, b) = dst.split_at_mut(32);
        let (y, x) = (y.0.xor(tweaks[0]), x.0.xor(tweaks[1]));
        y.lower64(x).store(a);
        y.upper64(x).store(b);
    }
}
