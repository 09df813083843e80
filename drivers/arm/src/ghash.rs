//! `ghash-ce`: the hash of GCM (SP 800-38D, 6.4) with the carry-less products of the AES extension.
//!
//! It is computed as POLYVAL (RFC 8452, appendix A): blocks with their bytes in reverse, under the key times x. There
//! bit i of a register is the coefficient of x^i, modulo x^128 + x^127 + x^126 + x^121 + 1, and a product is divided
//! by x^128, which is what reducing it from below does. Up to eight blocks are multiplied by powers of the key, with
//! three products each (Karatsuba), and their sum is reduced once.
//!
//! The running state is the hash of the blocks so far, 16 bytes, as the digest; a last partial block is padded with
//! zeros.

use alloc::boxed::Box;
use core::arch::aarch64::*;

use kcrypto_core::engine::Registers;
use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, Error, KeySizes, Make, Result, ShashAlg, ShashDriver};
use kcrypto_simd::aarch64::{AesCe, Neon};
use zeroize::Zeroize;

use crate::vector::{BLOCK, Vector};

/// Blocks for one reduction.
const POWERS: usize = 8;

/// The hash.
pub(crate) const GHASH: Alg = Alg::shash(
    "ghash",
    "ghash-ce",
    ShashAlg {
        block_size: BLOCK,
        digest_size: BLOCK,
        state_size: BLOCK,
        keys: Some(KeySizes::exactly(BLOCK)),
        keeps_full_block: false,
        make: Make::Static(|| Box::new(Ghash { powers: [0; POWERS], proof: None })),
    },
)
.with_priority(200)
.with_cpu(AesCe::FEATURES, AesCe::require)
.with_module("ghash-ce");

#[linkme::distributed_slice(ALGS)]
static GHASH_LINK: Alg = GHASH;

/// GHASH under a key. Without a key it leaves its state alone.
struct Ghash {
    /// The first powers of the key, in order. Wiped on drop and before each new key.
    powers: [u128; POWERS],
    proof: Option<(AesCe, Vector)>,
}

impl Ghash {
    fn wipe(&mut self) {
        self.proof = None;
        self.powers.zeroize();
    }
}

impl Drop for Ghash {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl ShashDriver for Ghash {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.wipe();
        let Ok(key) = <[u8; BLOCK]>::try_from(key) else {
            return Err(Error::BadKeyLen { len: key.len(), accepted: KeySizes::exactly(BLOCK) });
        };
        let (Some(token), Some(neon)) = (AesCe::new(), Neon::new()) else {
            let reason = AesCe::require().err().unwrap_or_default().into();
            return Err(Error::Unavailable { driver: "ghash-ce".into(), reason });
        };
        let vector = Vector(neon);
        // SAFETY: the tokens prove the features.
        unsafe { powers(vector, times_x(u128::from_be_bytes(key)), &mut self.powers) };
        self.proof = Some((token, vector));
        Ok(())
    }

    fn init(&self, state: &mut [u8]) {
        state.fill(0);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        if let (Some((_, vector)), Some(state)) = (self.proof, state.first_chunk_mut()) {
            // SAFETY: the tokens prove the features.
            unsafe { hash(vector, &self.powers, state, blocks.as_chunks().0) };
        }
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], _total: u64, digest: &mut [u8]) {
        if !tail.is_empty() {
            let mut block = [0; BLOCK];
            block[..tail.len()].copy_from_slice(tail);
            self.update(state, &block);
            block.as_mut_slice().zeroize();
        }
        digest.copy_from_slice(state);
    }
}

/// An element times x.
fn times_x(element: u128) -> u128 {
    let carry = (element >> 127).wrapping_neg();
    element << 1 ^ carry & (1 << 127 | 1 << 126 | 1 << 121 | 1)
}

#[target_feature(enable = "neon,aes")]
fn powers(v: Vector, key: u128, powers: &mut [u128; POWERS]) {
    let key = v.number(key);
    let mut power = key;
    for place in powers {
        let mut bytes = [0; BLOCK];
        v.store(power, &mut bytes);
        *place = u128::from_le_bytes(bytes);
        bytes.as_mut_slice().zeroize();
        power = product(v, power, key).reduced(v);
    }
}

/// Hashes whole blocks.
#[target_feature(enable = "neon,aes")]
fn hash(v: Vector, powers: &[u128; POWERS], state: &mut [u8; BLOCK], blocks: &[[u8; BLOCK]]) {
    let mut hash = reverse(v, v.load(state));
    for group in blocks.chunks(POWERS) {
        let mut sum = Product { low: v.number(0), middle: v.number(0), high: v.number(0) };
        // The first block is multiplied by the highest power, the last one by the key.
        for (block, power) in group.iter().zip(powers[..group.len()].iter().rev()) {
            let element = v.xor(reverse(v, v.load(block)), hash);
            sum = sum.add(v, product(v, element, v.number(*power)));
            hash = v.number(0);
        }
        hash = sum.reduced(v);
    }
    v.store(reverse(v, hash), state);
}

/// The bytes of a block in reverse.
#[inline(always)]
fn reverse(v: Vector, block: uint8x16_t) -> uint8x16_t {
    v.swap_halves(v.reverse_halves(block))
}

/// A sum of products that are not reduced: Karatsuba's three parts.
#[derive(Clone, Copy)]
struct Product {
    low: uint8x16_t,
    middle: uint8x16_t,
    high: uint8x16_t,
}

impl Product {
    #[inline(always)]
    fn add(self, v: Vector, other: Product) -> Product {
        Product {
            low: v.xor(self.low, other.low),
            middle: v.xor(self.middle, other.middle),
            high: v.xor(self.high, other.high),
        }
    }

    /// What is congruent to it, divided by x^128: each of the two steps clears the lowest 64 bits.
    #[target_feature(enable = "neon,aes")]
    #[inline]
    fn reduced(self, v: Vector) -> uint8x16_t {
        let middle = v.swap_halves(v.xor(self.middle, v.xor(self.low, self.high)));
        let low = v.xor(self.low, v.and(middle, v.halves(u64::MAX, 0)));
        let high = v.xor(self.high, v.and(middle, v.halves(0, u64::MAX)));
        let modulus = v.halves(0, 0xc200_0000_0000_0000);
        let once = v.xor(v.swap_halves(low), low_by_low(low, modulus));
        let twice = v.xor(v.swap_halves(once), low_by_low(once, modulus));
        v.xor(high, twice)
    }
}

#[target_feature(enable = "neon,aes")]
#[inline]
fn product(v: Vector, a: uint8x16_t, b: uint8x16_t) -> Product {
    let sum = |x| v.xor(x, v.swap_halves(x));
    let high = vmull_high_p64(vreinterpretq_p64_u8(a), vreinterpretq_p64_u8(b));
    Product { low: low_by_low(a, b), middle: low_by_low(sum(a), sum(b)), high: vreinterpretq_u8_p128(high) }
}

/// The product of the lower halves.
#[target_feature(enable = "neon,aes")]
#[inline]
fn low_by_low(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    let lower = |x| vgetq_lane_u64::<0>(vreinterpretq_u64_u8(x));
    vreinterpretq_u8_p128(vmull_p64(lower(a), lower(b)))
}
