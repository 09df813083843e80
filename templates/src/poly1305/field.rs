//! Numbers modulo 2^130 - 5, in words of 64 bits.

use zeroize::Zeroize;

/// What the clamp leaves of r (RFC 8439, 2.5).
const CLAMP: u128 = 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;

/// r without the bits that must be zero.
pub(super) fn clamp(r: &[u8; 16]) -> [u8; 16] {
    (u128::from_le_bytes(*r) & CLAMP).to_le_bytes()
}

/// Whether these bytes are an r without the bits that must be zero.
pub(super) fn is_clamped(r: &[u8]) -> bool {
    r.try_into().is_ok_and(|r| clamp(&r) == r)
}

/// A clamped r, prepared; wiped on drop.
pub struct Multiplier {
    low: u64,
    high: u64,
    /// `high` times 2^128 modulo 2^130 - 5, divided by 2^64: high / 4 is whole, for its last two bits are
    /// clamped, and 4 times 2^128 is 5.
    folded: u64,
}

impl Multiplier {
    pub(super) fn new(r: &[u8; 16]) -> Self {
        let r = u128::from_le_bytes(*r);
        let (low, high) = (r as u64, (r >> 64) as u64);
        Multiplier { low, high, folded: high + (high >> 2) }
    }

    /// The powers r, r^2, r^3 and r^4, each as [`Accumulator::limbs`].
    pub fn powers(&self) -> [[u64; 5]; 4] {
        let mut power = Accumulator { low: u128::from(self.high) << 64 | u128::from(self.low), high: 0 };
        let mut powers = [power.limbs(); 4];
        for limbs in &mut powers[1..] {
            power.multiply(self);
            *limbs = power.limbs();
        }
        power.wipe();
        powers
    }
}

impl Drop for Multiplier {
    fn drop(&mut self) {
        self.low.zeroize();
        self.high.zeroize();
        self.folded.zeroize();
    }
}

/// The sum so far, less than 2^130 + 2^64 between blocks.
#[derive(Clone, Copy)]
pub struct Accumulator {
    low: u128,
    high: u64,
}

impl Accumulator {
    /// Reads 17 bytes, little-endian.
    pub(super) fn read(bytes: &[u8; 17]) -> Self {
        let [low @ .., high] = *bytes;
        Accumulator { low: u128::from_le_bytes(low), high: high.into() }
    }

    /// Writes 17 bytes, little-endian, completely reduced.
    pub(super) fn write(mut self) -> [u8; 17] {
        self.reduce();
        let mut bytes = [0; 17];
        bytes[..16].copy_from_slice(&self.low.to_le_bytes());
        bytes[16] = self.high as u8;
        self.wipe();
        bytes
    }

    /// The sum in five parts of 26 bits each, the lowest first. The last one may have a bit more.
    #[inline]
    pub fn limbs(&self) -> [u64; 5] {
        const MASK: u64 = (1 << 26) - 1;
        let limb = |at: u32| (self.low >> at) as u64 & MASK;
        [limb(0), limb(26), limb(52), limb(78), (self.low >> 104) as u64 | self.high << 24]
    }

    /// The number of these parts, each of less than 2^32.
    #[inline]
    pub fn from_limbs(limbs: [u64; 5]) -> Self {
        let [a, b, c, d, e] = limbs.map(u128::from);
        let mut sum = Accumulator { low: a + (b << 26) + (c << 52), high: 0 };
        sum.add(d << 78, 0);
        sum.add(e << 104, (e >> 24) as u64);
        let excess = u128::from(sum.high >> 2) * 5;
        sum.high &= 3;
        sum.add(excess, 0);
        sum
    }

    /// Adds whole blocks, each followed by a 1, and multiplies after each.
    #[inline]
    pub fn add_blocks(&mut self, r: &Multiplier, blocks: &[[u8; 16]]) {
        let mut sum = *self;
        for block in blocks {
            sum.add(u128::from_le_bytes(*block), 1);
            sum.multiply(r);
        }
        *self = sum;
    }

    /// Adds less than a block, followed by a 1 and zeros, and multiplies; nothing if there is nothing.
    pub(super) fn add_tail(&mut self, r: &Multiplier, tail: &[u8]) {
        if tail.is_empty() {
            return;
        }
        let mut block = [0; 16];
        block[..tail.len()].copy_from_slice(tail);
        block[tail.len()] = 1;
        self.add(u128::from_le_bytes(block), 0);
        self.multiply(r);
        block.zeroize();
    }

    /// The tag under the second half of the key.
    pub(super) fn tag(mut self, s: &[u8; 16]) -> [u8; 16] {
        self.reduce();
        let tag = self.low.wrapping_add(u128::from_le_bytes(*s));
        self.wipe();
        tag.to_le_bytes()
    }

    #[inline]
    fn add(&mut self, low: u128, high: u64) {
        let (sum, carry) = self.low.overflowing_add(low);
        self.low = sum;
        self.high += high + u64::from(carry);
    }

    /// Multiplies by r and reduces, not completely.
    ///
    /// With the accumulator less than 2^130 + 2^128 + 2^64 and r less than 2^124, no sum overflows.
    #[inline]
    fn multiply(&mut self, r: &Multiplier) {
        let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let (h0, h1, h2) = (self.low as u64, (self.low >> 64) as u64, self.high);
        // 1. Columns of the product, those from 2^128 on folded down.
        let c0 = wide(h0, r.low) + wide(h1, r.folded);
        let c1 = wide(h0, r.high) + wide(h1, r.low) + wide(h2, r.folded) + (c0 >> 64);
        let c2 = h2 * r.low + (c1 >> 64) as u64;
        // 2. What exceeds 2^130, times 5.
        let excess = u128::from(c2 >> 2) * 5;
        let low = c1 << 64 | u128::from(c0 as u64);
        *self = Accumulator { low, high: c2 & 3 };
        self.add(excess, 0);
    }

    /// Reduces completely: subtracts 2^130 - 5 if that does not go below zero.
    fn reduce(&mut self) {
        let (low, carry) = self.low.overflowing_add(5);
        let high = self.high + u64::from(carry);
        let subtract = u128::from(high >> 2 != 0).wrapping_neg();
        self.low ^= (self.low ^ low) & subtract;
        self.high ^= (self.high ^ high & 3) & subtract as u64;
    }

    fn wipe(&mut self) {
        self.low.zeroize();
        self.high.zeroize();
    }
}
