//! `poly1305-neon`: Poly1305 (RFC 8439, 2.5), four blocks side by side on 128-bit vectors.
//!
//! Each lane sums every fourth block, multiplying by r^4 after each, and by its own power of r after its last one.
//! Numbers are in five parts of 26 bits, one vector each, so that sums of products fit in 64 bits. Short messages,
//! for which the powers would cost more than they save, and what is left after whole groups go the scalar way.

use core::arch::aarch64::*;

use alloc::boxed::Box;

use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, Make, Result};
use kcrypto_simd::aarch64::Neon;
use kcrypto_templates::poly1305::{Accumulator, Blocks, Multiplier, Poly1305, limits};
use zeroize::Zeroize;

use crate::prove;

/// Block in bytes.
const BLOCK: usize = 16;
/// Blocks side by side.
const LANES: usize = 4;
/// The fewest blocks that go side by side.
const LEAST: usize = 16;

/// The authenticator.
pub(crate) const POLY1305: Alg = Alg::shash(
    "poly1305",
    "poly1305-neon",
    limits(Make::Fallible(|| Ok(Box::new(Poly1305(Vectors::new()?))))),
)
.with_priority(200)
.with_cpu(Neon::FEATURES, Neon::require)
.with_module("poly1305-neon");

#[linkme::distributed_slice(ALGS)]
static POLY1305_LINK: Alg = POLY1305;

/// Sums in 128-bit vectors, by a process that may use NEON.
struct Vectors(Neon);

impl Vectors {
    fn new() -> Result<Self> {
        prove("poly1305-neon", Neon::new(), Neon::require).map(Vectors)
    }
}

impl Blocks for Vectors {
    fn add(&self, sum: &mut Accumulator, r: &Multiplier, blocks: &[[u8; BLOCK]]) {
        if blocks.len() < LEAST {
            return sum.add_blocks(r, blocks);
        }
        let (groups, rest) = blocks.as_chunks();
        let mut powers = r.powers();
        // SAFETY: the token proves the feature.
        *sum = unsafe { add_groups(self.0, *sum, &powers, groups) };
        powers.as_flattened_mut().zeroize();
        sum.add_blocks(r, rest);
    }
}

/// Numbers in five parts of 26 bits, one in each lane.
type Numbers = [uint32x4_t; 5];

/// A number in each lane to multiply by: its parts, and five times those but the first.
struct Factors {
    parts: Numbers,
    fives: [uint32x4_t; 4],
}

impl Drop for Factors {
    fn drop(&mut self) {
        self.parts.zeroize();
        self.fives.zeroize();
    }
}

/// Adds groups of four blocks, given the first four powers of r.
#[target_feature(enable = "neon")]
fn add_groups(
    _: Neon,
    sum: Accumulator,
    powers: &[[u64; 5]; LANES],
    groups: &[[[u8; BLOCK]; LANES]],
) -> Accumulator {
    let [r1, r2, r3, r4] = powers;
    let mut total = sum.limbs().map(|limb| words(&[limb as u32, 0, 0, 0]));
    let (fourth, last) = (factors([r4, r4, r4, r4]), factors([r4, r3, r2, r1]));
    for (i, group) in groups.iter().enumerate() {
        let by = if i + 1 < groups.len() { &fourth } else { &last };
        total = multiply(add(total, numbers(group)), by);
    }
    // Each of the four is less than 2^27.
    Accumulator::from_limbs(total.map(|parts| vaddvq_u32(parts).into()))
}

/// The numbers of these parts, from the lowest lane on.
#[target_feature(enable = "neon")]
#[inline]
fn factors([a, b, c, d]: [&[u64; 5]; LANES]) -> Factors {
    let part = |i: usize| words(&[a[i] as u32, b[i] as u32, c[i] as u32, d[i] as u32]);
    let parts = [part(0), part(1), part(2), part(3), part(4)];
    let five = |part| vaddq_u32(part, vshlq_n_u32::<2>(part));
    Factors { parts, fives: [five(parts[1]), five(parts[2]), five(parts[3]), five(parts[4])] }
}

/// Four blocks as numbers, each followed by a 1.
#[target_feature(enable = "neon")]
#[inline]
fn numbers(group: &[[u8; BLOCK]; LANES]) -> Numbers {
    // SAFETY: 64 bytes are readable there, and words may be at any address.
    let uint32x4x4_t(a, b, c, d) = unsafe { vld4q_u32(group.as_ptr().cast()) };
    let mask = vdupq_n_u32((1 << 26) - 1);
    [
        vandq_u32(a, mask),
        vandq_u32(vsliq_n_u32::<6>(vshrq_n_u32::<26>(a), b), mask),
        vandq_u32(vsliq_n_u32::<12>(vshrq_n_u32::<20>(b), c), mask),
        vandq_u32(vsliq_n_u32::<18>(vshrq_n_u32::<14>(c), d), mask),
        vorrq_u32(vshrq_n_u32::<8>(d), vdupq_n_u32(1 << 24)),
    ]
}

#[target_feature(enable = "neon")]
#[inline]
fn add(mut a: Numbers, b: Numbers) -> Numbers {
    for (a, b) in a.iter_mut().zip(b) {
        *a = vaddq_u32(*a, b);
    }
    a
}

/// Products, reduced but for a bit or so in each part.
///
/// With parts of less than 2^28 here and 2^27 there, five products, four of them times five, stay below 2^60.
#[target_feature(enable = "neon")]
#[inline]
fn multiply(x: Numbers, by: &Factors) -> Numbers {
    let Factors { parts, fives } = by;
    let zero = vdupq_n_u64(0);
    let (mut lower, mut upper) = ([zero; 5], [zero; 5]);
    for (i, (lower, upper)) in lower.iter_mut().zip(&mut upper).enumerate() {
        for (j, x) in x.into_iter().enumerate() {
            // What would stand at 2^130 and above counts five times below.
            let factor = if j <= i { parts[i - j] } else { fives[4 + i - j] };
            *lower = vmlal_u32(*lower, vget_low_u32(x), vget_low_u32(factor));
            *upper = vmlal_high_u32(*upper, x, factor);
        }
    }
    let (lower, upper) = (carry(lower), carry(upper));
    let mut product = x;
    for (i, part) in product.iter_mut().enumerate() {
        *part = vuzp1q_u32(vreinterpretq_u32_u64(lower[i]), vreinterpretq_u32_u64(upper[i]));
    }
    product
}

/// Brings each part below 2^26, the second and the last but for a small excess.
#[target_feature(enable = "neon")]
#[inline]
fn carry([mut a, mut b, mut c, mut d, mut e]: [uint64x2_t; 5]) -> [uint64x2_t; 5] {
    let mask = vdupq_n_u64((1 << 26) - 1);
    // Two chains that do not wait for each other: a b c d, and d e a b.
    b = vsraq_n_u64::<26>(b, a);
    e = vsraq_n_u64::<26>(e, d);
    (a, d) = (vandq_u64(a, mask), vandq_u64(d, mask));
    c = vsraq_n_u64::<26>(c, b);
    let excess = vshrq_n_u64::<26>(e);
    a = vaddq_u64(a, vaddq_u64(excess, vshlq_n_u64::<2>(excess)));
    (b, e) = (vandq_u64(b, mask), vandq_u64(e, mask));
    d = vsraq_n_u64::<26>(d, c);
    b = vsraq_n_u64::<26>(b, a);
    (c, a) = (vandq_u64(c, mask), vandq_u64(a, mask));
    e = vsraq_n_u64::<26>(e, d);
    d = vandq_u64(d, mask);
    [a, b, c, d, e]
}

/// A vector of these words.
#[target_feature(enable = "neon")]
#[inline]
fn words(words: &[u32; 4]) -> uint32x4_t {
    // SAFETY: four words are readable there.
    unsafe { vld1q_u32(words.as_ptr()) }
}
