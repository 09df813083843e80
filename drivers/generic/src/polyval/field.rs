//! GF(2^128) as POLYVAL has it (RFC 8452, 3), with multiplications that take the same time for all operands.
//!
//! An element is a number whose bit i is the coefficient of x^i, modulo x^128 + x^127 + x^126 + x^121 + 1.
//!
//! A CPU without a carry-less multiplication has an integer one. It does the same work where carries cannot
//! reach a bit that matters: split each operand into four, every fourth bit in each; then a column of a
//! product sums at most 16 bits, and only the lowest bit of the sum is wanted. The key is left without its top
//! four bits, so that no sum exceeds 15 and none needs more than the four bits to the next column; those top
//! bits are added by shifts.

use zeroize::Zeroize;

/// Every fourth bit.
const HOLED: u64 = 0x1111_1111_1111_1111;
/// Every fourth bit but the last.
const SHORT: u64 = HOLED >> 4;
/// Every fourth bit of a product.
const WIDE: u128 = (HOLED as u128) << 64 | HOLED as u128;

/// What elements are multiplied by, prepared; wiped on drop.
pub(crate) struct Factor {
    low: Half,
    high: Half,
    /// Low XOR high, for Karatsuba's three multiplications in place of four.
    both: Half,
}

/// 64 coefficients: the first 60 split, each of the others as a mask.
struct Half {
    split: [u64; 4],
    top: [u64; 4],
}

impl Factor {
    /// Zero.
    pub(crate) fn none() -> Self {
        Factor::new(0)
    }

    /// Prepares an element.
    pub(crate) fn new(element: u128) -> Self {
        let (low, high) = (element as u64, (element >> 64) as u64);
        Factor { low: Half::new(low), high: Half::new(high), both: Half::new(low ^ high) }
    }

    /// This times `x`, times x^-128: the operation `dot` of RFC 8452.
    #[inline]
    pub(crate) fn times(&self, x: u128) -> u128 {
        let (x_low, x_high) = (x as u64, (x >> 64) as u64);
        let (low, high) = (self.low.times(x_low), self.high.times(x_high));
        let middle = self.both.times(x_low ^ x_high) ^ low ^ high;
        reduce(low ^ middle << 64, high ^ middle >> 64)
    }
}

impl Half {
    fn new(whole: u64) -> Self {
        Half {
            split: core::array::from_fn(|i| whole & SHORT << i),
            top: core::array::from_fn(|i| (whole >> (60 + i) & 1).wrapping_neg()),
        }
    }

    /// The carry-less product.
    #[inline]
    fn times(&self, x: u64) -> u128 {
        let mut product = 0;
        for k in 0..4 {
            let mut column = 0;
            for i in 0..4 {
                column ^= u128::from(x & HOLED << i) * u128::from(self.split[(4 + k - i) % 4]);
            }
            product |= column & WIDE << k;
        }
        for (i, mask) in self.top.iter().enumerate() {
            product ^= u128::from(x & mask) << (60 + i);
        }
        product
    }
}

impl Drop for Factor {
    fn drop(&mut self) {
        for half in [&mut self.low, &mut self.high, &mut self.both] {
            half.split.zeroize();
            half.top.zeroize();
        }
    }
}

/// Divides a product by x^128 (Montgomery): multiples of the polynomial, which ends with 1, clear its low
/// half, 64 bits at a time.
#[inline]
fn reduce(low: u128, high: u128) -> u128 {
    // x^128, x^127, x^126 and x^121 times 64 low bits, which themselves go away; divided by x^64.
    let fold = |word: u64| {
        let word = u128::from(word);
        word << 64 ^ word << 63 ^ word << 62 ^ word << 57
    };
    let folded = low >> 64 ^ fold(low as u64);
    high ^ folded >> 64 ^ fold(folded as u64)
}

/// x times an element.
pub(crate) fn times_x(element: u128) -> u128 {
    const POLYNOMIAL: u128 = 1 << 127 | 1 << 126 | 1 << 121 | 1;
    element << 1 ^ (POLYNOMIAL & (element >> 127).wrapping_neg())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit by bit.
    fn carry_less(x: u64, y: u64) -> u128 {
        (0..64).filter(|bit| x >> bit & 1 == 1).fold(0, |sum, bit| sum ^ u128::from(y) << bit)
    }

    #[test]
    fn products_are_carry_less() {
        let mut words = [0, 1, 2, 1 << 63, 0xf << 60, u64::MAX, HOLED, HOLED << 3, 0, 0, 0, 0];
        for i in 8..words.len() {
            words[i] = words[i - 1].wrapping_add(i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        for x in words {
            for y in words {
                assert_eq!(Half::new(y).times(x), carry_less(x, y), "{x:x} times {y:x}");
            }
        }
    }

    /// What division by x^128 takes away, x^128 gives back.
    #[test]
    fn powers_of_x() {
        let x_to_128 = (0..128).fold(1, |element, _| times_x(element));
        let element = 0x0123_4567_89ab_cdef_0011_2233_4455_6677;
        assert_eq!(Factor::new(x_to_128).times(element), element);
        let back = (0..128).fold(Factor::new(1).times(element), |element, _| times_x(element));
        assert_eq!(back, element);
    }
}
