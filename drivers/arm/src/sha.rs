//! `sha1-ce`, `sha224-ce` and `sha256-ce`: SHA-1 and SHA-2 (FIPS 180-4, 6.1 to 6.3) with the SHA extensions.
//!
//! Four rounds take one instruction in SHA-1 and two in SHA-256, and others make the schedule four words at a time.
//! Padding and the form of states are those that all drivers of these hashes share.

use alloc::boxed::Box;
use core::arch::aarch64::*;

use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, Make, Result, ShashDriver};
use kcrypto_simd::aarch64::ShaCe;
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
    module: &'static str,
    make: Make<dyn ShashDriver>,
) -> Alg {
    Alg::shash(name, driver_name, merkle_damgard::limits::<BLOCK, STATE>(digest_size, make))
        .with_priority(300)
        .with_cpu(ShaCe::FEATURES, ShaCe::require)
        .with_module(module)
}

/// SHA-1.
pub(crate) const SHA1: Alg = driver::<20>(
    "sha1",
    "sha1-ce",
    20,
    "sha1-ce",
    Make::Fallible(|| Ok(Box::new(MerkleDamgard(Sha1(extensions("sha1-ce")?))))),
);

#[linkme::distributed_slice(ALGS)]
static SHA1_LINK: Alg = SHA1;

/// SHA-224.
pub(crate) const SHA224: Alg = driver::<32>(
    "sha224",
    "sha224-ce",
    28,
    "sha2-ce",
    Make::Fallible(|| Ok(Box::new(MerkleDamgard(Sha224(extensions("sha224-ce")?))))),
);

#[linkme::distributed_slice(ALGS)]
static SHA224_LINK: Alg = SHA224;

/// SHA-256.
pub(crate) const SHA256: Alg = driver::<32>(
    "sha256",
    "sha256-ce",
    32,
    "sha2-ce",
    Make::Fallible(|| Ok(Box::new(MerkleDamgard(Sha256(extensions("sha256-ce")?))))),
);

#[linkme::distributed_slice(ALGS)]
static SHA256_LINK: Alg = SHA256;

/// The extensions, for this driver.
fn extensions(driver: &str) -> Result<Extensions> {
    prove(driver, ShaCe::new(), ShaCe::require).map(Extensions)
}

/// The extensions, by a process that may use them.
struct Extensions(ShaCe);

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

/// 6.2.2. Registers are named after their lanes.
#[target_feature(enable = "neon,sha2")]
fn sha256(token: ShaCe, state: &mut [u8; 32], blocks: &[[u8; BLOCK]]) {
    let [first, second] = state.as_chunks_mut().0 else { unreachable!("32 bytes are twice 16") };
    let (mut abcd, mut efgh) = (load(token, first), load(token, second));
    for block in blocks {
        let (abcd_before, efgh_before) = (abcd, efgh);
        let mut w = quarters(token, block);
        for (i, k) in sha::K256.as_chunks::<4>().0.iter().enumerate() {
            let sums = vaddq_u32(w[0], words(*k));
            let abcd_now = abcd;
            abcd = vsha256hq_u32(abcd, efgh, sums);
            efgh = vsha256h2q_u32(efgh, abcd_now, sums);
            // Words of 16, 12, 8 and 4 rounds before make the new ones; the last four have none after them.
            let next = if i < 12 { vsha256su1q_u32(vsha256su0q_u32(w[0], w[1]), w[2], w[3]) } else { w[0] };
            w = [w[1], w[2], w[3], next];
        }
        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }
    store(token, abcd, first);
    store(token, efgh, second);
}

/// 6.1.2.
#[target_feature(enable = "neon,sha2")]
fn sha1(token: ShaCe, state: &mut [u8; 20], blocks: &[[u8; BLOCK]]) {
    /// 4.2.1.
    const K: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];
    let (first, last) = state.split_first_chunk_mut().expect("20 bytes are more than 16");
    let mut abcd = load(token, first);
    let mut e = u32::from_be_bytes([last[0], last[1], last[2], last[3]]);
    for block in blocks {
        let (abcd_before, e_before) = (abcd, e);
        let mut w = quarters(token, block);
        for i in 0..20 {
            let sums = vaddq_u32(w[0], vdupq_n_u32(K[i / 5]));
            let e_next = vsha1h_u32(vgetq_lane_u32::<0>(abcd));
            abcd = match i / 5 {
                0 => vsha1cq_u32(abcd, e, sums),
                2 => vsha1mq_u32(abcd, e, sums),
                _ => vsha1pq_u32(abcd, e, sums),
            };
            e = e_next;
            let next = if i < 16 { vsha1su1q_u32(vsha1su0q_u32(w[0], w[1], w[2]), w[3]) } else { w[0] };
            w = [w[1], w[2], w[3], next];
        }
        abcd = vaddq_u32(abcd, abcd_before);
        e = e.wrapping_add(e_before);
    }
    store(token, abcd, first);
    last.copy_from_slice(&e.to_be_bytes());
}

/// The words of a block.
#[inline(always)]
fn quarters(token: ShaCe, block: &[u8; BLOCK]) -> [uint32x4_t; 4] {
    let quarters = block.as_chunks().0;
    [0, 1, 2, 3].map(|i| load(token, &quarters[i]))
}

#[inline(always)]
fn words(words: [u32; 4]) -> uint32x4_t {
    // SAFETY: every bit pattern is a vector, and its words are in the order of the memory.
    unsafe { core::mem::transmute::<[u32; 4], uint32x4_t>(words) }
}

/// Big-endian words.
#[inline(always)]
fn load(_: ShaCe, src: &[u8; 16]) -> uint32x4_t {
    // SAFETY: 16 bytes are readable there, and the token proves that the CPU has NEON.
    let bytes = unsafe { vld1q_u8(src.as_ptr()) };
    // SAFETY: the token proves that the CPU has NEON.
    let bytes = unsafe { vrev32q_u8(bytes) };
    // SAFETY: as above.
    unsafe { vreinterpretq_u32_u8(bytes) }
}

#[inline(always)]
fn store(_: ShaCe, words: uint32x4_t, dst: &mut [u8; 16]) {
    // SAFETY: the token proves that the CPU has NEON.
    let bytes = unsafe { vreinterpretq_u8_u32(words) };
    // SAFETY: as above.
    let bytes = unsafe { vrev32q_u8(bytes) };
    // SAFETY: 16 bytes are writable there, and the token proves that the CPU has NEON.
    unsafe { vst1q_u8(dst.as_mut_ptr(), bytes) }
}
