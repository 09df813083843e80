//! The field of GHASH (SP 800-38D, 6.3) with the carry-less products of the AES extension.
//!
//! It is computed as that of POLYVAL (RFC 8452, appendix A): blocks with their bytes in reverse, under the key times x.
//! There bit i of a register is the coefficient of x^i, modulo x^128 + x^127 + x^126 + x^121 + 1, and a product is
//! divided by x^128, which is what reducing it from below does. Up to [`POWERS`] blocks are multiplied by powers of the
//! key, with three products each (Karatsuba), and their sum is reduced once.

use core::arch::aarch64::uint8x16_t;

use kcrypto_core::engine::Registers;
use zeroize::Zeroize;

use crate::ce::Ce;
use crate::key::zero;
use crate::vector::{BLOCK, Vector};
use crate::way::{Task, Way};

/// The most blocks for one reduction.
pub(crate) const POWERS: usize = 9;

/// The first powers of a key, in order. Wiped on drop and before each new key.
pub(crate) struct Powers {
    powers: [uint8x16_t; POWERS],
    /// The XOR of the halves of each.
    folded: [uint8x16_t; POWERS],
    ce: Option<Ce>,
}

impl Powers {
    /// No key.
    pub(crate) fn new() -> Self {
        Powers { powers: zero(), folded: zero(), ce: None }
    }

    /// Takes a key of GHASH, by a process that may use the instructions.
    pub(crate) fn set(&mut self, ce: Ce, key: &[u8; BLOCK]) {
        let key = u128::from_be_bytes(*key);
        // Times x: what leaves at the top comes back as the lower terms of the modulus.
        let carry = (key >> 127).wrapping_neg();
        let key = key << 1 ^ carry & (0xc2 << 120 | 1);
        ce.enter(Expand { ce, key, powers: &mut self.powers, folded: &mut self.folded });
        self.ce = Some(ce);
    }

    /// GHASH of more data, and zeros up to a whole block. Without a key it leaves the hash alone.
    pub(crate) fn hash(&self, hash: &mut [u8; BLOCK], data: &[u8]) {
        if let Some(ce) = self.ce {
            ce.enter(Hash { ce, powers: self, hash, data });
        }
    }

    pub(crate) fn wipe(&mut self) {
        self.ce = None;
        self.powers.zeroize();
        self.folded.zeroize();
    }
}

impl Drop for Powers {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// Makes the powers.
struct Expand<'a> {
    ce: Ce,
    key: u128,
    powers: &'a mut [uint8x16_t; POWERS],
    folded: &'a mut [uint8x16_t; POWERS],
}

impl Task for Expand<'_> {
    #[inline(always)]
    fn run(self) {
        let Expand { ce, key, powers, folded } = self;
        let key = ce.vector().number(key);
        let mut power = key;
        for (place, folded) in powers.iter_mut().zip(folded) {
            *place = power;
            *folded = fold(ce.vector(), power);
            power = Product::of(ce, power, key, fold(ce.vector(), key)).reduced(ce);
        }
    }
}

/// Hashes data.
struct Hash<'a> {
    ce: Ce,
    powers: &'a Powers,
    hash: &'a mut [u8; BLOCK],
    data: &'a [u8],
}

impl Task for Hash<'_> {
    #[inline(always)]
    fn run(self) {
        let Hash { ce, powers, hash, data } = self;
        let v = ce.vector();
        let mut sum = Sum::after(ce, reverse(v, v.load(hash)));
        let (groups, rest) = data.as_chunks::<{ 8 * BLOCK }>();
        for group in groups {
            for (i, block) in group.as_chunks::<BLOCK>().0.iter().enumerate() {
                sum = sum.add(ce, powers, reverse(v, v.load(block)), 7 - i);
            }
            sum = Sum::after(ce, sum.end(ce));
        }
        let mut left = rest.len().div_ceil(BLOCK);
        let (blocks, tail) = rest.as_chunks::<BLOCK>();
        for block in blocks {
            left -= 1;
            sum = sum.add(ce, powers, reverse(v, v.load(block)), left);
        }
        if !tail.is_empty() {
            sum = sum.add(ce, powers, reverse(v, v.load_part(tail, 0)), 0);
        }
        v.store(reverse(v, sum.end(ce)), hash);
    }
}

/// The bytes of a block in reverse: as the field has it, or back again.
#[inline(always)]
pub(crate) fn reverse(v: Vector, block: uint8x16_t) -> uint8x16_t {
    v.swap_halves(v.reverse_halves(block))
}

/// The XOR of the halves, in both.
#[inline(always)]
fn fold(v: Vector, element: uint8x16_t) -> uint8x16_t {
    v.xor(element, v.swap_halves(element))
}

/// Blocks being hashed: at most [`POWERS`] after a hash of others.
#[derive(Clone, Copy)]
pub(crate) struct Sum {
    product: Product,
    /// What is added to the next block.
    next: uint8x16_t,
}

impl Sum {
    /// No block yet after this hash.
    #[inline(always)]
    pub(crate) fn after(ce: Ce, hash: uint8x16_t) -> Self {
        let zero = ce.vector().number(0);
        Sum { product: Product { low: zero, middle: zero, high: zero }, next: hash }
    }

    /// Adds a block, with `left` blocks to come before the end.
    #[inline(always)]
    pub(crate) fn add(self, ce: Ce, powers: &Powers, block: uint8x16_t, left: usize) -> Self {
        let v = ce.vector();
        let product = Product::of(ce, v.xor(block, self.next), powers.powers[left], powers.folded[left]);
        Sum { product: self.product.plus(v, product), next: v.number(0) }
    }

    /// The hash of all.
    #[inline(always)]
    pub(crate) fn end(self, ce: Ce) -> uint8x16_t {
        ce.vector().xor(self.product.reduced(ce), self.next)
    }
}

/// A sum of products that are not reduced: Karatsuba's three parts.
#[derive(Clone, Copy)]
struct Product {
    low: uint8x16_t,
    middle: uint8x16_t,
    high: uint8x16_t,
}

impl Product {
    /// Of an element and a power.
    #[inline(always)]
    fn of(ce: Ce, element: uint8x16_t, power: uint8x16_t, folded: uint8x16_t) -> Self {
        Product {
            low: ce.low_by_low(element, power),
            middle: ce.low_by_low(fold(ce.vector(), element), folded),
            high: ce.high_by_high(element, power),
        }
    }

    #[inline(always)]
    fn plus(self, v: Vector, other: Product) -> Self {
        Product {
            low: v.xor(self.low, other.low),
            middle: v.xor(self.middle, other.middle),
            high: v.xor(self.high, other.high),
        }
    }

    /// What is congruent to it, divided by x^128: each of the two steps clears the lowest 64 bits.
    #[inline(always)]
    fn reduced(self, ce: Ce) -> uint8x16_t {
        let v = ce.vector();
        let middle = v.swap_halves(v.xor(self.middle, v.xor(self.low, self.high)));
        let low = v.xor(self.low, v.and(middle, v.halves(u64::MAX, 0)));
        let high = v.xor(self.high, v.and(middle, v.halves(0, u64::MAX)));
        let modulus = v.halves(0, 0xc200_0000_0000_0000);
        let once = v.xor(v.swap_halves(low), ce.low_by_low(low, modulus));
        let twice = v.xor(v.swap_halves(once), ce.low_by_low(once, modulus));
        v.xor(high, twice)
    }
}

#[cfg(test)]
#[expect(unsafe_code, reason = "reading what a drop has left")]
mod tests;
