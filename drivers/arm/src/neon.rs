//! AES on the vectors that every 64-bit Arm CPU has, in constant time.
//!
//! The substitution looks up each byte in a table of 256 bytes that is in sixteen registers: a lookup among 64
//! bytes for each quarter of the table, of which one finds the byte. No address depends on a secret. The other
//! steps are a permutation of bytes, and multiplications by x in GF(2^8).

use alloc::borrow::Cow;
use core::arch::aarch64::*;

use kcrypto_core::engine::Registers;
use kcrypto_simd::aarch64::Neon;

use crate::vector::Vector;
use crate::way::{self, Task, Way};

/// Table lookups and arithmetic.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lookup(Vector);

impl Way for Lookup {
    const CIPHER: &'static str = "aes-neon";
    const CIPHER_PRIORITY: u32 = 200;
    const PRIORITY: u32 = 200;
    const MODULE: &'static str = "aes-neon";
    const FEATURES: &'static [&'static str] = Neon::FEATURES;
    const LANES: usize = 4;

    fn new() -> Option<Self> {
        Some(Lookup(Vector(Neon::new()?)))
    }

    fn require() -> Result<(), Cow<'static, str>> {
        Neon::require()
    }

    #[inline(always)]
    fn enter<T: Task>(self, task: T) {
        self.0.enter(task);
    }

    #[inline(always)]
    fn vector(self) -> Vector {
        self.0
    }

    // The lookups take so many instructions that the rounds are functions of their own, for all modes and keys: to call
    // one is nothing beside it.

    #[inline(always)]
    fn encrypt<const N: usize>(
        self,
        mut x: [uint8x16_t; N],
        first: [uint8x16_t; N],
        keys: &[uint8x16_t],
    ) -> [uint8x16_t; N] {
        self.0.enter(Encrypt { way: self, x: &mut x, first, keys });
        x
    }

    #[inline(always)]
    fn encrypt_each<const N: usize>(
        self,
        mut x: [uint8x16_t; N],
        keys: [&[uint8x16_t]; N],
    ) -> [uint8x16_t; N] {
        self.0.enter(EncryptEach { way: self, x: &mut x, keys });
        x
    }

    #[inline(always)]
    fn decrypt<const N: usize>(self, mut x: [uint8x16_t; N], keys: &[uint8x16_t]) -> [uint8x16_t; N] {
        self.0.enter(Decrypt { way: self, x: &mut x, keys });
        x
    }

    #[inline(always)]
    fn sub_shift(self, x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
        let shifted = self.0.shuffle(self.0.xor(x, key), self.0.load(&SHIFT_ROWS));
        self.substitute(&SBOX, shifted)
    }

    #[inline(always)]
    fn mix(self, x: uint8x16_t) -> uint8x16_t {
        // With the next byte of its column b, and the two after that c and d, a byte a becomes
        // 2 (a + b) + b + (c + d).
        let v = self.0;
        let next = v.shuffle(x, v.load(&NEXT_ROW));
        let sums = v.xor(x, next);
        v.xor(v.xor(self.times_x(sums), next), v.shuffle(sums, v.load(&ROW_AFTER_NEXT)))
    }

    #[inline(always)]
    fn inv_sub_shift(self, x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
        let shifted = self.0.shuffle(self.0.xor(x, key), self.0.load(&INV_SHIFT_ROWS));
        self.substitute(&INV_SBOX, shifted)
    }

    #[inline(always)]
    fn inv_mix(self, x: uint8x16_t) -> uint8x16_t {
        // The inverse is MixColumns of the columns times 4 x^2 + 5: each byte plus 4 times the sum of it and the
        // second after it.
        let v = self.0;
        let sums = v.xor(x, v.shuffle(x, v.load(&ROW_AFTER_NEXT)));
        self.mix(v.xor(x, self.times_x(self.times_x(sums))))
    }
}

/// Rounds of the cipher.
struct Encrypt<'a, const N: usize> {
    way: Lookup,
    x: &'a mut [uint8x16_t; N],
    first: [uint8x16_t; N],
    keys: &'a [uint8x16_t],
}

impl<const N: usize> Task for Encrypt<'_, N> {
    #[inline(always)]
    fn run(self) {
        *self.x = way::encrypt(self.way, *self.x, self.first, self.keys);
    }
}

/// Rounds of the cipher, under a key for each block.
struct EncryptEach<'a, const N: usize> {
    way: Lookup,
    x: &'a mut [uint8x16_t; N],
    keys: [&'a [uint8x16_t]; N],
}

impl<const N: usize> Task for EncryptEach<'_, N> {
    #[inline(always)]
    fn run(self) {
        *self.x = way::encrypt_each(self.way, *self.x, self.keys);
    }
}

/// Rounds of the inverse cipher.
struct Decrypt<'a, const N: usize> {
    way: Lookup,
    x: &'a mut [uint8x16_t; N],
    keys: &'a [uint8x16_t],
}

impl<const N: usize> Task for Decrypt<'_, N> {
    #[inline(always)]
    fn run(self) {
        *self.x = way::decrypt(self.way, *self.x, self.keys);
    }
}

impl Lookup {
    /// SubBytes with this table.
    #[inline(always)]
    fn substitute(self, table: &[u8; 256], x: uint8x16_t) -> uint8x16_t {
        let v = self.0;
        let quarter = v.bytes(64);
        let mut index = x;
        let mut out = v.look_up(v.quarter(table, 0), index);
        for n in 1..4 {
            index = v.sub8(index, quarter);
            out = v.look_up_more(out, v.quarter(table, n), index);
        }
        out
    }

    /// Each byte times x in GF(2^8) (FIPS 197, 4.2.1).
    #[inline(always)]
    fn times_x(self, x: uint8x16_t) -> uint8x16_t {
        let v = self.0;
        v.xor(v.add8(x, x), v.and(v.signs8(x), v.bytes(0x1b)))
    }
}

/// A permutation of the bytes of a block, whose columns have four bytes each: byte `i` of the result is this many
/// bytes after it, by the row that it is in.
const fn rows(after: [u8; 4]) -> [u8; 16] {
    let mut indices = [0; 16];
    let mut i = 0;
    while i < 16 {
        indices[i] = (i as u8 + after[i % 4]) % 16;
        i += 1;
    }
    indices
}

static SHIFT_ROWS: [u8; 16] = rows([0, 4, 8, 12]);
static INV_SHIFT_ROWS: [u8; 16] = rows([0, 12, 8, 4]);
/// The next byte of each column, around its end.
static NEXT_ROW: [u8; 16] = rows([1, 1, 1, 13]);
static ROW_AFTER_NEXT: [u8; 16] = rows([2, 2, 14, 14]);

/// The substitution (FIPS 197, 5.1.1): the inverse in GF(2^8), then an affine map of its bits.
static SBOX: [u8; 256] = {
    let mut table = [0x63; 256];
    // 3 generates all elements but zero; 0xf6 is its inverse.
    let (mut element, mut inverse) = (1, 1);
    loop {
        let bits = inverse;
        table[element as usize] ^= bits
            ^ u8::rotate_left(bits, 1)
            ^ u8::rotate_left(bits, 2)
            ^ u8::rotate_left(bits, 3)
            ^ u8::rotate_left(bits, 4);
        element = times(element, 0x03);
        inverse = times(inverse, 0xf6);
        if element == 1 {
            break table;
        }
    }
};

/// What undoes it.
static INV_SBOX: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        table[SBOX[i] as usize] = i as u8;
        i += 1;
    }
    table
};

/// A product in GF(2^8), of constants.
const fn times(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a = a << 1 ^ if a & 0x80 == 0 { 0 } else { 0x1b };
        b >>= 1;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 197, figures 7 and 14.
    #[test]
    fn the_tables_are_those_of_the_standard() {
        assert_eq!((SBOX[0x00], SBOX[0x53], SBOX[0xca], SBOX[0xff]), (0x63, 0xed, 0x74, 0x16));
        assert_eq!((INV_SBOX[0x00], INV_SBOX[0x63], INV_SBOX[0xff]), (0x52, 0x00, 0x7d));
        assert!((0..=255).all(|byte| INV_SBOX[usize::from(SBOX[usize::from(byte)])] == byte));
    }
}
