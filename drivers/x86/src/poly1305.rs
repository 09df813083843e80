//! `poly1305-avx2`: Poly1305 (RFC 8439, 2.5), four blocks side by side on 256-bit vectors.
//!
//! Each lane sums every fourth block, multiplying by r^4 after each, and by its own power of r after its last one.
//! Numbers are in five parts of 26 bits, one vector each, so that sums of products fit in 64 bits. Short messages,
//! for which the powers would cost more than they save, and what is left after whole groups go the scalar way.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use alloc::boxed::Box;

use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, Make, Result};
use kcrypto_simd::x86::Avx2;
use kcrypto_templates::poly1305::{Accumulator, Blocks, Multiplier, Poly1305, limits};
use zeroize::Zeroize;

use crate::prove;
use crate::ymm::load;

/// Block in bytes.
const BLOCK: usize = 16;
/// Blocks side by side.
const LANES: usize = 4;
/// The fewest blocks that go side by side.
const LEAST: usize = 16;

/// The authenticator.
pub(crate) const POLY1305: Alg = Alg::shash(
    "poly1305",
    "poly1305-avx2",
    limits(Make::Fallible(|| Ok(Box::new(Poly1305(Vectors::new()?))))),
)
.with_priority(300)
.with_cpu(Avx2::FEATURES, Avx2::require)
.with_module("avx2");

#[linkme::distributed_slice(ALGS)]
static POLY1305_LINK: Alg = POLY1305;

/// Sums in 256-bit vectors, by a process that may use AVX2.
struct Vectors(Avx2);

impl Vectors {
    fn new() -> Result<Self> {
        prove("poly1305-avx2", Avx2::new(), Avx2::require).map(Vectors)
    }
}

impl Blocks for Vectors {
    fn add(&self, sum: &mut Accumulator, r: &Multiplier, blocks: &[[u8; BLOCK]]) {
        if blocks.len() < LEAST {
            return sum.add_blocks(r, blocks);
        }
        let (groups, rest) = blocks.as_chunks();
        let mut powers = r.powers();
        // SAFETY: the token proves the features.
        *sum = unsafe { add_groups(self.0, *sum, &powers, groups) };
        powers.as_flattened_mut().zeroize();
        sum.add_blocks(r, rest);
    }
}

/// Numbers in five parts of 26 bits, one in each lane.
type Numbers = [__m256i; 5];

/// A number in each lane to multiply by: its parts, and five times those but the first.
struct Factors {
    parts: [__m256i; 5],
    fives: [__m256i; 4],
}

impl Drop for Factors {
    fn drop(&mut self) {
        self.parts.zeroize();
        self.fives.zeroize();
    }
}

/// Adds groups of four blocks, given the first four powers of r.
#[target_feature(enable = "avx2")]
fn add_groups(
    _: Avx2,
    sum: Accumulator,
    powers: &[[u64; 5]; LANES],
    groups: &[[[u8; BLOCK]; LANES]],
) -> Accumulator {
    let [r1, r2, r3, r4] = powers;
    let mut total = [_mm256_setzero_si256(); 5];
    for (total, limb) in total.iter_mut().zip(sum.limbs()) {
        *total = _mm256_set_epi64x(0, 0, 0, limb as i64);
    }
    let Some((last, groups)) = groups.split_last() else { return sum };
    let fourth = factors([r4, r4, r4, r4]);
    for group in groups {
        total = multiply(add(total, numbers(group)), &fourth);
    }
    // The lanes hold blocks 0, 2, 1 and 3 of each group.
    total = multiply(add(total, numbers(last)), &factors([r4, r2, r3, r1]));

    let mut limbs = [0; 5];
    for (limb, total) in limbs.iter_mut().zip(total) {
        let pairs = _mm_add_epi64(_mm256_castsi256_si128(total), _mm256_extracti128_si256::<1>(total));
        // Each of the four is less than 2^27.
        *limb = (_mm_cvtsi128_si32(pairs) as u32 + _mm_extract_epi32::<2>(pairs) as u32).into();
    }
    Accumulator::from_limbs(limbs)
}

/// The numbers of these parts, from the lowest lane on.
#[target_feature(enable = "avx2")]
#[inline]
fn factors([a, b, c, d]: [&[u64; 5]; LANES]) -> Factors {
    let mut parts = [_mm256_setzero_si256(); 5];
    for (i, part) in parts.iter_mut().enumerate() {
        *part = _mm256_set_epi64x(d[i] as i64, c[i] as i64, b[i] as i64, a[i] as i64);
    }
    let mut fives = [_mm256_setzero_si256(); 4];
    for (five, part) in fives.iter_mut().zip(&parts[1..]) {
        *five = _mm256_add_epi64(*part, _mm256_slli_epi64::<2>(*part));
    }
    Factors { parts, fives }
}

/// Four blocks as numbers, each followed by a 1.
#[target_feature(enable = "avx2")]
#[inline]
fn numbers(group: &[[u8; BLOCK]; LANES]) -> Numbers {
    let halves: &[[u8; 32]] = group.as_flattened().as_chunks().0;
    let (first, second) = (load(&halves[0]), load(&halves[1]));
    let (lower, upper) = (_mm256_unpacklo_epi64(first, second), _mm256_unpackhi_epi64(first, second));
    let mask = _mm256_set1_epi64x((1 << 26) - 1);
    let middle = _mm256_or_si256(_mm256_srli_epi64::<52>(lower), _mm256_slli_epi64::<12>(upper));
    [
        _mm256_and_si256(lower, mask),
        _mm256_and_si256(_mm256_srli_epi64::<26>(lower), mask),
        _mm256_and_si256(middle, mask),
        _mm256_and_si256(_mm256_srli_epi64::<14>(upper), mask),
        _mm256_or_si256(_mm256_srli_epi64::<40>(upper), _mm256_set1_epi64x(1 << 24)),
    ]
}

#[target_feature(enable = "avx2")]
#[inline]
fn add(mut a: Numbers, b: Numbers) -> Numbers {
    for (a, b) in a.iter_mut().zip(b) {
        *a = _mm256_add_epi64(*a, b);
    }
    a
}

/// Products, reduced but for a bit or so in each part.
///
/// With parts of less than 2^28 here and 2^27 there, five products, four of them times five, stay below 2^60.
#[target_feature(enable = "avx2")]
#[inline]
fn multiply(x: Numbers, by: &Factors) -> Numbers {
    let Factors { parts, fives } = by;
    let mut product = [_mm256_setzero_si256(); 5];
    for (i, column) in product.iter_mut().enumerate() {
        for (j, x) in x.iter().enumerate() {
            // What would stand at 2^130 and above counts five times below.
            let factor = if j <= i { parts[i - j] } else { fives[4 + i - j] };
            *column = _mm256_add_epi64(*column, _mm256_mul_epu32(*x, factor));
        }
    }
    carry(product)
}

/// Brings each part below 2^26, the second and the last but for a small excess.
#[target_feature(enable = "avx2")]
#[inline]
fn carry([mut a, mut b, mut c, mut d, mut e]: Numbers) -> Numbers {
    let mask = _mm256_set1_epi64x((1 << 26) - 1);
    // Two chains that do not wait for each other: a b c d, and d e a b.
    b = _mm256_add_epi64(b, _mm256_srli_epi64::<26>(a));
    e = _mm256_add_epi64(e, _mm256_srli_epi64::<26>(d));
    (a, d) = (_mm256_and_si256(a, mask), _mm256_and_si256(d, mask));
    c = _mm256_add_epi64(c, _mm256_srli_epi64::<26>(b));
    let excess = _mm256_srli_epi64::<26>(e);
    a = _mm256_add_epi64(a, _mm256_add_epi64(excess, _mm256_slli_epi64::<2>(excess)));
    (b, e) = (_mm256_and_si256(b, mask), _mm256_and_si256(e, mask));
    d = _mm256_add_epi64(d, _mm256_srli_epi64::<26>(c));
    b = _mm256_add_epi64(b, _mm256_srli_epi64::<26>(a));
    (c, a) = (_mm256_and_si256(c, mask), _mm256_and_si256(a, mask));
    e = _mm256_add_epi64(e, _mm256_srli_epi64::<26>(d));
    d = _mm256_and_si256(d, mask);
    [a, b, c, d, e]
}
