//! Blocks in 128-bit registers, with the intrinsics that work on them.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use kcrypto_core::engine::Registers;
use kcrypto_simd::x86::AesNi;
use kcrypto_templates::tails::{self, Shuffle};

/// Block size in bytes.
pub(crate) const BLOCK: usize = 16;

/// Arithmetic on 16-byte blocks, by a process that may use AES-NI.
#[derive(Clone, Copy)]
pub(crate) struct Xmm(pub(crate) AesNi);

/// A block being doubled, with the top words of its halves as they were.
///
/// A top word loses its bits one by one, and what comes up from below them is on top after 32 doublings at the
/// earliest: until then the carries need not wait for the doublings before.
#[derive(Clone, Copy)]
pub(crate) struct Doubling {
    block: __m128i,
    /// The upper half's top word at the place of the lower half, and the other way round.
    tops: __m128i,
}

/// Makes intrinsics of registers safe methods of a type that holds the token for them.
macro_rules! intrinsics {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),+) = $intrinsic:expr;)+) => {
        $($(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name(self, $($arg: __m128i),+) -> __m128i {
            // SAFETY: the token proves that the CPU has the features.
            unsafe { $intrinsic($($arg),+) }
        })+
    };
}
pub(crate) use intrinsics;

impl Xmm {
    intrinsics! {
        /// A round of encryption.
        aesenc(x, key) = _mm_aesenc_si128;
        /// The last round of encryption.
        aesenclast(x, key) = _mm_aesenclast_si128;
        /// A round of decryption.
        aesdec(x, key) = _mm_aesdec_si128;
        /// The last round of decryption.
        aesdeclast(x, key) = _mm_aesdeclast_si128;
        /// Bitwise exclusive or.
        pxor(a, b) = _mm_xor_si128;
        /// Bitwise and.
        and(a, b) = _mm_and_si128;
        /// Bitwise and of `b` and what is not in `a`.
        and_not(a, b) = _mm_andnot_si128;
        /// Sums of 32-bit words.
        add32(a, b) = _mm_add_epi32;
        /// Sums of 64-bit halves.
        add64(a, b) = _mm_add_epi64;
        /// Bytes of `x` by index; a negative index makes a zero.
        shuffle(x, indices) = _mm_shuffle_epi8;
        /// Words 3, 0, 1 and 0 of `x`, from the lowest on.
        words_3010(x) = _mm_shuffle_epi32::<0b00_01_00_11>;
        /// The sign of each 32-bit word, in all its bits.
        signs(x) = _mm_srai_epi32::<31>;
    }

    /// The first `n` bytes of a block, the others zero.
    #[inline(always)]
    pub(crate) fn first(self, block: __m128i, n: usize) -> __m128i {
        self.and_not(tails::from(self, n), block)
    }

    /// A register of two 64-bit halves.
    #[inline(always)]
    fn halves(self, upper: u64, lower: u64) -> __m128i {
        // SAFETY: the token proves that the CPU has SSE2.
        unsafe { _mm_set_epi64x(upper as i64, lower as i64) }
    }
}

impl Registers for Xmm {
    type Block = __m128i;
    type Counter = __m128i;
    type Doubling = Doubling;

    #[inline(always)]
    fn block_size(self) -> usize {
        BLOCK
    }

    #[inline(always)]
    fn load(self, src: &[u8]) -> __m128i {
        let src: &[u8; BLOCK] = src.first_chunk().expect("a block has 16 bytes");
        // SAFETY: 16 bytes are readable there, and the token proves that the CPU has SSE2.
        unsafe { _mm_loadu_si128(src.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, block: __m128i, dst: &mut [u8]) {
        let dst: &mut [u8; BLOCK] = dst.first_chunk_mut().expect("a block has 16 bytes");
        // SAFETY: 16 bytes are writable there, and the token proves that the CPU has SSE2.
        unsafe { _mm_storeu_si128(dst.as_mut_ptr().cast(), block) }
    }

    #[inline(always)]
    fn number(self, value: u128) -> __m128i {
        self.halves((value >> 64) as u64, value as u64)
    }

    #[inline(always)]
    fn xor(self, a: __m128i, b: __m128i) -> __m128i {
        self.pxor(a, b)
    }

    #[inline(always)]
    fn splice(self, head: __m128i, n: usize, rest: __m128i) -> __m128i {
        tails::splice(self, head, n, rest)
    }

    #[inline(always)]
    fn load_tail(self, pair: &[u8]) -> __m128i {
        tails::load_tail(self, pair)
    }

    #[inline(always)]
    fn store_tail(self, block: __m128i, tail: __m128i, pair: &mut [u8]) {
        tails::store_tail(self, block, tail, pair);
    }

    #[inline(always)]
    fn counter(self, value: u128) -> __m128i {
        self.number(value)
    }

    #[inline(always)]
    fn counter_block(self, counter: __m128i, n: usize) -> __m128i {
        let reverse = self.halves(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
        self.shuffle(self.add64(counter, self.halves(0, n as u64)), reverse)
    }

    #[inline(always)]
    fn doubling(self, block: __m128i) -> Doubling {
        Doubling { block, tops: self.words_3010(block) }
    }

    #[inline(always)]
    fn double(self, Doubling { block, tops }: Doubling) -> Doubling {
        // Each half's top bit goes to the other half: as a carry to the upper, as 0x87 to the lower.
        let carries = self.and(self.signs(tops), self.halves(1, 0x87));
        let block = self.xor(self.add64(block, block), carries);
        Doubling { block, tops: self.add32(tops, tops) }
    }

    #[inline(always)]
    fn doubled(self, block: Doubling) -> __m128i {
        block.block
    }
}

impl Shuffle for Xmm {
    #[inline(always)]
    fn shuffle(self, x: __m128i, indices: __m128i) -> __m128i {
        Xmm::shuffle(self, x, indices)
    }

    #[inline(always)]
    fn and(self, a: __m128i, b: __m128i) -> __m128i {
        Xmm::and(self, a, b)
    }
}
