//! The field of GHASH and POLYVAL with PCLMULQDQ.
//!
//! Elements are those of POLYVAL (RFC 8452, 3): bit i of a register is the coefficient of x^i, modulo
//! x^128 + x^127 + x^126 + x^121 + 1, and a product is divided by x^128, which is what reducing it from below does.
//! GHASH is the same on blocks whose bytes are reversed, under a key times x (RFC 8452, appendix A).
//!
//! Products are sums of 256 bits that are reduced once for up to [`POWERS`] blocks: of those, the first is multiplied
//! by the highest power of the key and the last by the key. A product takes three multiplications (Karatsuba).

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::fmt;

use kcrypto_simd::x86::Clmul;
use zeroize::Zeroize;

use crate::xmm::{BLOCK, intrinsics};

/// Blocks for one reduction.
pub(crate) const POWERS: usize = 12;

/// Arithmetic in the field, by a process that may use PCLMULQDQ.
#[derive(Clone, Copy)]
pub(crate) struct Field(pub(crate) Clmul);

/// A sum of products that are not reduced: Karatsuba's three parts.
#[derive(Clone, Copy)]
pub(crate) struct Product {
    low: __m128i,
    middle: __m128i,
    high: __m128i,
}

/// A power of a key.
#[derive(Clone, Copy)]
pub(crate) struct Power {
    whole: __m128i,
    /// The XOR of its halves, in the lower half.
    halves: __m128i,
}

/// The first powers of a key, in order. Wiped on drop and before each new key.
pub(crate) struct Powers {
    powers: [Power; POWERS],
    field: Option<Field>,
}

/// A hash in progress: the product of blocks since the last reduction.
#[derive(Clone, Copy)]
pub(crate) struct Sum {
    product: Product,
    /// What is added to the next block.
    next: __m128i,
    /// Blocks until the next reduction.
    left: usize,
}

impl Field {
    intrinsics! {
        /// Bitwise exclusive or.
        xor(a, b) = _mm_xor_si128;
        /// The product of the lower halves.
        low_by_low(a, b) = _mm_clmulepi64_si128::<0x00>;
        /// The product of the upper halves.
        high_by_high(a, b) = _mm_clmulepi64_si128::<0x11>;
        /// The halves, exchanged.
        swap(x) = _mm_shuffle_epi32::<0b01_00_11_10>;
        /// The lower half, in the place of the upper.
        lower_up(x) = _mm_slli_si128::<8>;
        /// The upper half, in the place of the lower.
        upper_down(x) = _mm_srli_si128::<8>;
        /// Bytes of `x` by index.
        shuffle(x, indices) = _mm_shuffle_epi8;
    }

    /// A register of two 64-bit halves.
    #[inline(always)]
    fn halves(self, upper: u64, lower: u64) -> __m128i {
        // SAFETY: the token proves that the CPU has SSE2.
        unsafe { _mm_set_epi64x(upper as i64, lower as i64) }
    }

    /// The element that is this number.
    #[inline(always)]
    pub(crate) fn number(self, value: u128) -> __m128i {
        self.halves((value >> 64) as u64, value as u64)
    }

    /// Loads a block as it is.
    #[inline(always)]
    pub(crate) fn load(self, block: &[u8; BLOCK]) -> __m128i {
        // SAFETY: 16 bytes are readable there, and the token proves that the CPU has SSE2.
        unsafe { _mm_loadu_si128(block.as_ptr().cast()) }
    }

    /// Stores a block as it is.
    #[inline(always)]
    pub(crate) fn store(self, element: __m128i, block: &mut [u8; BLOCK]) {
        // SAFETY: 16 bytes are writable there, and the token proves that the CPU has SSE2.
        unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), element) }
    }

    /// The bytes of a block in reverse.
    #[inline(always)]
    pub(crate) fn reverse(self, block: __m128i) -> __m128i {
        self.shuffle(block, self.halves(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f))
    }

    /// No product.
    #[inline(always)]
    pub(crate) fn nothing(self) -> Product {
        let zero = self.halves(0, 0);
        Product { low: zero, middle: zero, high: zero }
    }

    /// Adds the product of an element and a power of the key.
    #[inline(always)]
    pub(crate) fn add(self, sum: Product, element: __m128i, power: &Power) -> Product {
        let halves = self.xor(element, self.swap(element));
        Product {
            low: self.xor(sum.low, self.low_by_low(element, power.whole)),
            middle: self.xor(sum.middle, self.low_by_low(halves, power.halves)),
            high: self.xor(sum.high, self.high_by_high(element, power.whole)),
        }
    }

    /// The element that a sum of products amounts to.
    #[inline(always)]
    pub(crate) fn reduce(self, sum: Product) -> __m128i {
        let middle = self.xor(sum.middle, self.xor(sum.low, sum.high));
        let low = self.xor(sum.low, self.lower_up(middle));
        let high = self.xor(sum.high, self.upper_down(middle));
        // Adds such multiples of the modulus that first the lowest 64 bits and then the next become zero.
        let modulus = self.halves(0, 0xc200_0000_0000_0000);
        let low = self.xor(self.swap(low), self.low_by_low(low, modulus));
        let low = self.xor(self.swap(low), self.low_by_low(low, modulus));
        self.xor(high, low)
    }

    /// An element as a power of the key.
    #[inline(always)]
    fn power(self, element: __m128i) -> Power {
        Power { whole: element, halves: self.xor(element, self.swap(element)) }
    }
}

impl Powers {
    /// No key.
    pub(crate) fn new() -> Self {
        // SAFETY: every bit pattern is a vector.
        let zero = unsafe { core::mem::zeroed() };
        Powers { powers: [Power { whole: zero, halves: zero }; POWERS], field: None }
    }

    /// Takes the key of POLYVAL, as a number.
    pub(crate) fn set(&mut self, token: Clmul, key: u128) {
        // SAFETY: the token proves the features.
        unsafe { self.expand(Field(token), key) };
    }

    /// Takes the key of GHASH, as a big-endian number.
    pub(crate) fn set_ghash(&mut self, token: Clmul, key: u128) {
        // Times x: what leaves at the top comes back as the lower terms of the modulus.
        let carry = (key >> 127).wrapping_neg();
        self.set(token, key << 1 ^ carry & (0xc2 << 120 | 1));
    }

    #[target_feature(enable = "pclmulqdq,sse2,ssse3")]
    fn expand(&mut self, f: Field, key: u128) {
        self.powers[0] = f.power(f.number(key));
        for i in 1..POWERS {
            // The i+1st power is a product of two that are there, as equal as can be.
            let (a, b) = (&self.powers[i / 2], &self.powers[(i - 1) / 2]);
            self.powers[i] = f.power(f.reduce(f.add(f.nothing(), a.whole, b)));
        }
        self.field = Some(f);
    }

    /// The arithmetic, if there is a key.
    #[inline(always)]
    pub(crate) fn field(&self) -> Option<Field> {
        self.field
    }

    /// The powers for the last `N` blocks before a reduction, that of the last one first, with `after` blocks
    /// between those and the reduction.
    #[inline(always)]
    pub(crate) fn window<const N: usize>(&self, after: usize) -> &[Power; N] {
        self.powers[after..].first_chunk().expect("no more blocks than powers")
    }

    /// Begins to hash `blocks` blocks after a hash of others. The first reduction comes so early that all later
    /// ones are of [`POWERS`] blocks.
    #[inline(always)]
    pub(crate) fn begin(&self, f: Field, hash: __m128i, blocks: u64) -> Sum {
        let left = if blocks <= POWERS as u64 { blocks } else { (blocks - 1) % POWERS as u64 + 1 };
        Sum { product: f.nothing(), next: hash, left: left as usize }
    }

    /// Hashes a block, after a reduction if one is due.
    #[inline(always)]
    pub(crate) fn hash(&self, f: Field, mut sum: Sum, block: __m128i) -> Sum {
        if sum.left == 0 {
            sum = Sum { product: f.nothing(), next: f.reduce(sum.product), left: POWERS };
        }
        sum.left -= 1;
        sum.add(f, block, &self.powers[sum.left])
    }

    pub(crate) fn wipe(&mut self) {
        self.field = None;
        for power in &mut self.powers {
            power.whole.zeroize();
            power.halves.zeroize();
        }
    }
}

impl Sum {
    /// Hashes a block by the power that belongs to it.
    #[inline(always)]
    pub(crate) fn add(self, f: Field, block: __m128i, power: &Power) -> Sum {
        let product = f.add(self.product, f.xor(block, self.next), power);
        Sum { product, next: f.number(0), left: self.left }
    }

    /// The hash of all blocks.
    #[inline(always)]
    pub(crate) fn end(self, f: Field) -> __m128i {
        f.xor(f.reduce(self.product), self.next)
    }
}

impl Drop for Powers {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl fmt::Debug for Powers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Powers { .. }")
    }
}

#[cfg(test)]
mod tests {
    use core::mem::MaybeUninit;

    use super::*;

    #[test]
    fn nothing_is_left_after_drop() {
        let mut place = MaybeUninit::new(Powers::new());
        let Some(token) = Clmul::new() else { return };
        // SAFETY: it was just initialised.
        let powers = unsafe { place.assume_init_mut() };
        powers.set_ghash(token, 0x5a << 100 | 0xa5);
        // SAFETY: it is initialised, and not used as powers after this.
        unsafe { place.assume_init_drop() };
        for i in 0..size_of::<[Power; POWERS]>() {
            let byte = place.as_ptr().cast::<u8>().wrapping_add(core::mem::offset_of!(Powers, powers) + i);
            // SAFETY: the place is still there, and its vectors were last written by the drop.
            assert_eq!(unsafe { byte.read() }, 0, "a power of the key survives the drop");
        }
    }
}
