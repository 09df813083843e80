//! Blocks in 128-bit registers, with the intrinsics that work on them.

use core::arch::aarch64::*;

use kcrypto_core::engine::Registers;
use kcrypto_simd::aarch64::Neon;
use kcrypto_templates::tails::{self, Shuffle};

use crate::way::Task;

/// Block size in bytes.
pub(crate) const BLOCK: usize = 16;

/// Arithmetic on 16-byte blocks, by a process that may use vectors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vector(pub(crate) Neon);

/// A block being doubled, with the top bits of its halves to come.
///
/// A top word loses its bits one by one, and what comes up from below is on top after 64 doublings at the
/// earliest: until then the carries need not wait for the doublings before.
#[derive(Clone, Copy)]
pub(crate) struct Doubling {
    block: uint8x16_t,
    /// The upper half at the place of the lower half, and the other way round.
    tops: uint8x16_t,
}

/// Makes intrinsics of registers safe methods.
macro_rules! intrinsics {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),+) = $intrinsic:expr;)+) => {
        $($(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name(self, $($arg: uint8x16_t),+) -> uint8x16_t {
            // SAFETY: the token proves that the CPU has the feature.
            unsafe { $intrinsic($($arg),+) }
        })+
    };
}

pub(crate) use intrinsics;

/// The same on 64-bit halves.
macro_rules! halves {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),+) = $intrinsic:expr;)+) => {
        $($(#[$doc])*
        #[inline(always)]
        fn $name(self, $($arg: uint8x16_t),+) -> uint8x16_t {
            // SAFETY: the token proves that the CPU has the feature.
            $(let $arg = unsafe { vreinterpretq_u64_u8($arg) };)+
            // SAFETY: as above.
            let out = unsafe { $intrinsic($($arg),+) };
            // SAFETY: as above.
            unsafe { vreinterpretq_u8_u64(out) }
        })+
    };
}

#[target_feature(enable = "neon")]
#[inline(never)]
fn run<T: Task>(task: T) {
    task.run();
}

impl Vector {
    /// Runs a task in one function that has the feature.
    #[inline(always)]
    pub(crate) fn enter<T: Task>(self, task: T) {
        // SAFETY: the token proves the feature.
        unsafe { run(task) }
    }

    intrinsics! {
        /// Bitwise exclusive or.
        eor(a, b) = veorq_u8;
        /// Bitwise and.
        and(a, b) = vandq_u8;
        /// Bitwise and of `a` with what is not in `b`.
        clear(a, b) = vbicq_u8;
        /// Sums of bytes.
        add8(a, b) = vaddq_u8;
        /// Differences of bytes.
        sub8(a, b) = vsubq_u8;
        /// Bytes of `x` by index; an index of 16 or more makes a zero.
        shuffle(x, indices) = vqtbl1q_u8;
        /// The bytes of each half in reverse.
        reverse_halves(x) = vrev64q_u8;
        /// The bytes of each 32-bit word in reverse.
        reverse_words(x) = vrev32q_u8;
        /// The halves in the other order.
        swap_halves(x) = swap_halves;
        /// The sign of each byte, in all its bits.
        signs8(x) = signs8;
    }

    halves! {
        /// Sums of 64-bit halves.
        add64(a, b) = vaddq_u64;
        /// The sign of each half, in all its bits.
        signs64(x) = signs64;
    }

    /// A register of two 64-bit halves.
    #[inline(always)]
    pub(crate) fn halves(self, upper: u64, lower: u64) -> uint8x16_t {
        // SAFETY: every bit pattern is a vector, and its bytes are in the order of the memory.
        unsafe { core::mem::transmute::<[u64; 2], uint8x16_t>([lower, upper]) }
    }

    /// A register of equal bytes.
    #[inline(always)]
    pub(crate) fn bytes(self, byte: u8) -> uint8x16_t {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { vdupq_n_u8(byte) }
    }

    /// The first `n` bytes of a block, and zeros after them.
    #[inline(always)]
    pub(crate) fn first(self, block: uint8x16_t, n: usize) -> uint8x16_t {
        self.clear(block, tails::from(self, n))
    }

    /// The table of 64 bytes at the `n`th quarter of 256.
    #[inline(always)]
    pub(crate) fn quarter(self, table: &[u8; 256], n: usize) -> uint8x16x4_t {
        let quarter: &[u8; 64] = &table.as_chunks().0[n];
        // SAFETY: 64 bytes are readable there, and the token proves that the CPU has the feature.
        unsafe { vld1q_u8_x4(quarter.as_ptr()) }
    }

    /// Bytes of a table by index; an index of 64 or more makes a zero.
    #[inline(always)]
    pub(crate) fn look_up(self, table: uint8x16x4_t, indices: uint8x16_t) -> uint8x16_t {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { vqtbl4q_u8(table, indices) }
    }

    /// As [`look_up`](Self::look_up), but an index of 64 or more leaves the byte of `x`.
    #[inline(always)]
    pub(crate) fn look_up_more(self, x: uint8x16_t, table: uint8x16x4_t, indices: uint8x16_t) -> uint8x16_t {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { vqtbx4q_u8(x, table, indices) }
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn swap_halves(x: uint8x16_t) -> uint8x16_t {
    vextq_u8::<8>(x, x)
}

#[target_feature(enable = "neon")]
#[inline]
fn signs8(x: uint8x16_t) -> uint8x16_t {
    vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(x)))
}

#[target_feature(enable = "neon")]
#[inline]
fn signs64(x: uint64x2_t) -> uint64x2_t {
    vreinterpretq_u64_s64(vshrq_n_s64::<63>(vreinterpretq_s64_u64(x)))
}

impl Registers for Vector {
    type Block = uint8x16_t;
    type Counter = uint8x16_t;
    type Doubling = Doubling;

    #[inline(always)]
    fn block_size(self) -> usize {
        BLOCK
    }

    #[inline(always)]
    fn load(self, src: &[u8]) -> uint8x16_t {
        let src: &[u8; BLOCK] = src.first_chunk().expect("a block has 16 bytes");
        // SAFETY: 16 bytes are readable there, and the token proves that the CPU has the feature.
        unsafe { vld1q_u8(src.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, block: uint8x16_t, dst: &mut [u8]) {
        let dst: &mut [u8; BLOCK] = dst.first_chunk_mut().expect("a block has 16 bytes");
        // SAFETY: 16 bytes are writable there, and the token proves that the CPU has the feature.
        unsafe { vst1q_u8(dst.as_mut_ptr(), block) }
    }

    #[inline(always)]
    fn number(self, value: u128) -> uint8x16_t {
        self.halves((value >> 64) as u64, value as u64)
    }

    #[inline(always)]
    fn xor(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        self.eor(a, b)
    }

    #[inline(always)]
    fn splice(self, head: uint8x16_t, n: usize, rest: uint8x16_t) -> uint8x16_t {
        tails::splice(self, head, n, rest)
    }

    #[inline(always)]
    fn load_tail(self, pair: &[u8]) -> uint8x16_t {
        tails::load_tail(self, pair)
    }

    #[inline(always)]
    fn store_tail(self, block: uint8x16_t, tail: uint8x16_t, pair: &mut [u8]) {
        tails::store_tail(self, block, tail, pair);
    }

    /// The upper half comes first, as in the block, but each in the order of the CPU.
    #[inline(always)]
    fn counter(self, value: u128) -> uint8x16_t {
        self.halves(value as u64, (value >> 64) as u64)
    }

    #[inline(always)]
    fn counter_block(self, counter: uint8x16_t, n: usize) -> uint8x16_t {
        self.reverse_halves(self.add64(counter, self.halves(n as u64, 0)))
    }

    #[inline(always)]
    fn doubling(self, block: uint8x16_t) -> Doubling {
        Doubling { block, tops: self.swap_halves(block) }
    }

    #[inline(always)]
    fn double(self, Doubling { block, tops }: Doubling) -> Doubling {
        // Each half's top bit goes to the other half: as a carry to the upper, as 0x87 to the lower.
        let carries = self.and(self.signs64(tops), self.halves(1, 0x87));
        let block = self.eor(self.add64(block, block), carries);
        Doubling { block, tops: self.add64(tops, tops) }
    }

    #[inline(always)]
    fn doubled(self, block: Doubling) -> uint8x16_t {
        block.block
    }
}

impl Shuffle for Vector {
    #[inline(always)]
    fn shuffle(self, x: uint8x16_t, indices: uint8x16_t) -> uint8x16_t {
        Vector::shuffle(self, x, indices)
    }

    #[inline(always)]
    fn and(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        Vector::and(self, a, b)
    }
}
