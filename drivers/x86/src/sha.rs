//! `sha1-ni`, `sha224-ni` and `sha256-ni`: SHA-1 and SHA-2 (FIPS 180-4, 6.1 to 6.3) with the SHA extensions.
//!
//! Four rounds of SHA-1 take one instruction, two of SHA-256 as well, and others make the schedule four words at a
//! time. Padding and the form of states are those that all drivers of these hashes share.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use alloc::boxed::Box;

use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, Make, Result, ShashDriver};
use kcrypto_simd::x86::ShaNi;
use kcrypto_templates::merkle_damgard::{self, MerkleDamgard};
use kcrypto_templates::sha::{self, Sha1, Sha224, Sha256};

use crate::prove;

/// Block in bytes.
const BLOCK: usize = 64;

/// A driver of this file with a state of `STATE` bytes.
const fn driver<const STATE: usize>(
    name: &'static str,
    driver_name: &'static str,
    digest_size: usize,
    make: Make<dyn ShashDriver>,
) -> Alg {
    Alg::shash(name, driver_name, merkle_damgard::limits::<BLOCK, STATE>(digest_size, make))
        .with_priority(300)
        .with_cpu(ShaNi::FEATURES, ShaNi::require)
        .with_module("sha-ni")
}

/// SHA-1.
pub(crate) const SHA1: Alg = driver::<20>(
    "sha1",
    "sha1-ni",
    20,
    Make::Fallible(|| Ok(Box::new(MerkleDamgard(Sha1(extensions("sha1-ni")?))))),
);

#[linkme::distributed_slice(ALGS)]
static SHA1_LINK: Alg = SHA1;

/// SHA-224.
pub(crate) const SHA224: Alg = driver::<32>(
    "sha224",
    "sha224-ni",
    28,
    Make::Fallible(|| Ok(Box::new(MerkleDamgard(Sha224(extensions("sha224-ni")?))))),
);

#[linkme::distributed_slice(ALGS)]
static SHA224_LINK: Alg = SHA224;

/// SHA-256.
pub(crate) const SHA256: Alg = driver::<32>(
    "sha256",
    "sha256-ni",
    32,
    Make::Fallible(|| Ok(Box::new(MerkleDamgard(Sha256(extensions("sha256-ni")?))))),
);

#[linkme::distributed_slice(ALGS)]
static SHA256_LINK: Alg = SHA256;

/// The extensions, for this driver.
fn extensions(driver: &str) -> Result<Extensions> {
    prove(driver, ShaNi::new(), ShaNi::require).map(Extensions)
}

/// The extensions, by a process that may use them.
struct Extensions(ShaNi);

impl sha::Rounds for Extensions {
    fn sha1(&self, state: &mut [u8; 20], blocks: &[[u8; BLOCK]]) {
        // SAFETY: the token proves the features.
        unsafe { sha1(self.0, state, blocks) }
    }

    fn sha256(&self, state: &mut [u8; 32], blocks: &[[u8; BLOCK]]) {
        // SAFETY: the token proves the features.
        unsafe { sha256(self.0, state, blocks) }
    }
}

/// 6.2.2. Registers are named after their lanes, from the highest on.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn sha256(_: ShaNi, state: &mut [u8; 32], blocks: &[[u8; BLOCK]]) {
    let big_endian = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    // The instructions want a, b, e, f in one register and c, d, g, h in the other, from the highest lane on.
    let [first, second] = state.as_chunks_mut().0 else { unreachable!("32 bytes are twice 16") };
    let dcba = _mm_shuffle_epi8(load(first), big_endian);
    let hgfe = _mm_shuffle_epi8(load(second), big_endian);
    let cdab = _mm_shuffle_epi32::<0b10_11_00_01>(dcba);
    let efgh = _mm_shuffle_epi32::<0b00_01_10_11>(hgfe);
    let mut abef = _mm_alignr_epi8::<8>(cdab, efgh);
    let mut cdgh = _mm_blend_epi16::<0xf0>(efgh, cdab);

    for block in blocks {
        let (abef_before, cdgh_before) = (abef, cdgh);
        let mut w = quarters(block).map(|words| _mm_shuffle_epi8(words, big_endian));
        macro_rules! four_rounds {
            ($($i:literal)*) => { $(
                if $i >= 4 {
                    // Words of 16, 12, 8 and 4 rounds before; the oldest give way to the new ones.
                    let [a, b, c, d] = [w[$i % 4], w[($i + 1) % 4], w[($i + 2) % 4], w[($i + 3) % 4]];
                    let sum = _mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_alignr_epi8::<4>(d, c));
                    w[$i % 4] = _mm_sha256msg2_epu32(sum, d);
                }
                let sums = _mm_add_epi32(w[$i % 4], load(&K[$i]));
                cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sums);
                abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32::<0b00_00_11_10>(sums));
            )* };
        }
        four_rounds!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }

    let feba = _mm_shuffle_epi32::<0b00_01_10_11>(abef);
    let dchg = _mm_shuffle_epi32::<0b10_11_00_01>(cdgh);
    let dcba = _mm_blend_epi16::<0xf0>(feba, dchg);
    let hgfe = _mm_alignr_epi8::<8>(dchg, feba);
    store(_mm_shuffle_epi8(dcba, big_endian), first);
    store(_mm_shuffle_epi8(hgfe, big_endian), second);
}

/// 6.1.2. The lanes of `abcd` hold a to d from the highest to the lowest, the highest of `e` holds e.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn sha1(_: ShaNi, state: &mut [u8; 20], blocks: &[[u8; BLOCK]]) {
    let reversed = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
    let (words, last) = state.split_first_chunk_mut().expect("20 bytes are more than 16");
    let mut abcd = _mm_shuffle_epi8(load(words), reversed);
    let mut e = _mm_set_epi32(i32::from_be_bytes([last[0], last[1], last[2], last[3]]), 0, 0, 0);

    for block in blocks {
        let (abcd_before, e_before) = (abcd, e);
        let mut w = quarters(block).map(|words| _mm_shuffle_epi8(words, reversed));
        let mut next = _mm_add_epi32(e, w[0]);
        let mut before = abcd;
        abcd = _mm_sha1rnds4_epu32::<0>(abcd, next);
        macro_rules! four_rounds {
            ($($i:literal $function:literal)*) => { $(
                if $i >= 4 {
                    let [a, b, c, d] = [w[$i % 4], w[($i + 1) % 4], w[($i + 2) % 4], w[($i + 3) % 4]];
                    w[$i % 4] = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(a, b), c), d);
                }
                next = _mm_sha1nexte_epu32(before, w[$i % 4]);
                before = abcd;
                abcd = _mm_sha1rnds4_epu32::<$function>(abcd, next);
            )* };
        }
        four_rounds!(1 0 2 0 3 0 4 0 5 1 6 1 7 1 8 1 9 1 10 2 11 2 12 2 13 2 14 2 15 3 16 3 17 3 18 3 19 3);
        e = _mm_sha1nexte_epu32(before, e_before);
        abcd = _mm_add_epi32(abcd, abcd_before);
    }

    store(_mm_shuffle_epi8(abcd, reversed), words);
    last.copy_from_slice(&_mm_extract_epi32::<3>(e).to_be_bytes());
}

/// The constants of SHA-256 (4.2.2), four by four, in the byte order of this CPU.
static K: [[u8; 16]; 16] = {
    let mut bytes = [[0; 16]; 16];
    let mut i = 0;
    while i < 256 {
        bytes[i / 16][i % 16] = sha::K256[i / 4].to_le_bytes()[i % 4];
        i += 1;
    }
    bytes
};

/// Sixteen bytes at a time.
#[inline]
fn quarters(block: &[u8; BLOCK]) -> [__m128i; 4] {
    let quarters = block.as_chunks().0;
    core::array::from_fn(|i| load(&quarters[i]))
}

#[inline]
fn load(src: &[u8; 16]) -> __m128i {
    // SAFETY: 16 bytes are readable there, and Rust's x86 targets have SSE2.
    unsafe { _mm_loadu_si128(src.as_ptr().cast()) }
}

#[inline]
fn store(words: __m128i, dst: &mut [u8; 16]) {
    // SAFETY: 16 bytes are writable there, and Rust's x86 targets have SSE2.
    unsafe { _mm_storeu_si128(dst.as_mut_ptr().cast(), words) }
}
