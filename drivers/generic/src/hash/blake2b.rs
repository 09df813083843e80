//! `blake2b-160-generic` to `blake2b-512-generic`: BLAKE2b (RFC 7693), without key or with one of 1 to 64 bytes.

use alloc::boxed::Box;
use core::array;

use kcrypto_core::{Alg, Flags, KeySizes, Result, ShashAlg, ShashDriver};
use zeroize::Zeroize;

use super::words::{self, unrolled};
use super::{entry, limits, one_shot};

pub(crate) const BLAKE2B_160: Alg = blake2b::<20>("blake2b-160", "blake2b-160-generic");
pub(crate) const BLAKE2B_256: Alg = blake2b::<32>("blake2b-256", "blake2b-256-generic");
pub(crate) const BLAKE2B_384: Alg = blake2b::<48>("blake2b-384", "blake2b-384-generic");
pub(crate) const BLAKE2B_512: Alg = blake2b::<64>("blake2b-512", "blake2b-512-generic");

const BLOCK: usize = 128;
/// Bytes of the eight words.
const WORDS: usize = 64;
/// The eight words and the count of bytes taken.
const STATE: usize = WORDS + 8;
const KEYS: KeySizes = KeySizes { min: 1, max: 64, step: 1 };

const fn blake2b<const DIGEST: usize>(name: &'static str, driver_name: &'static str) -> Alg {
    let mut limits: ShashAlg = limits(BLOCK, DIGEST, STATE, || Box::new(Blake2b::<DIGEST>::new()));
    limits.keys = Some(KEYS);
    limits.keeps_full_block = true;
    entry(name, driver_name, "generic", limits).with_flags(Flags::OPTIONAL_KEY)
}

/// BLAKE2b with a digest of `DIGEST` bytes.
struct Blake2b<const DIGEST: usize> {
    /// The state of an empty message. A key is the first block.
    start: [u8; STATE],
    /// The digest of an empty message under a key: then the key's block is also the last.
    empty: Option<[u8; DIGEST]>,
}

impl<const DIGEST: usize> Blake2b<DIGEST> {
    fn new() -> Self {
        let mut start = [0; STATE];
        words::put_le64(&parameters(DIGEST, 0), &mut start);
        Blake2b { start, empty: None }
    }
}

impl<const DIGEST: usize> ShashDriver for Blake2b<DIGEST> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        KEYS.check(key.len())?;
        let mut block = [0; BLOCK];
        block[..key.len()].copy_from_slice(key);
        let fresh = parameters(DIGEST, key.len());
        let (mut last, mut first) = (fresh, fresh);
        compress(&mut last, &block, BLOCK as u64, true);
        let mut empty = [0; WORDS];
        words::put_le64(&last, &mut empty);
        self.empty.insert([0; DIGEST]).copy_from_slice(&empty[..DIGEST]);
        compress(&mut first, &block, BLOCK as u64, false);
        words::put_le64(&first, &mut self.start);
        self.start[WORDS..].copy_from_slice(&(BLOCK as u64).to_le_bytes());
        block.zeroize();
        first.zeroize();
        last.zeroize();
        empty.zeroize();
        Ok(())
    }

    fn init(&self, state: &mut [u8]) {
        state.copy_from_slice(&self.start);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        let (mut hash, mut count) = load(state);
        for block in blocks.as_chunks().0 {
            count = count.wrapping_add(BLOCK as u64);
            compress(&mut hash, block, count, false);
        }
        words::put_le64(&hash, state);
        state[WORDS..].copy_from_slice(&count.to_le_bytes());
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        if let Some(empty) = self.empty.filter(|_| total == 0) {
            return digest.copy_from_slice(&empty);
        }
        let (mut hash, count) = load(state);
        let mut block = [0; BLOCK];
        block[..tail.len()].copy_from_slice(tail);
        compress(&mut hash, &block, count.wrapping_add(tail.len() as u64), true);
        words::put_le64(&hash, state);
        digest.copy_from_slice(&state[..DIGEST]);
        block.zeroize();
    }

    /// The count is of whole blocks.
    fn is_state(&self, state: &[u8]) -> bool {
        load(state).1.is_multiple_of(BLOCK as u64)
    }

    fn digest(&self, message: &[u8], digest: &mut [u8]) -> bool {
        one_shot::<STATE, BLOCK, 1>(self, message, digest)
    }
}

impl<const DIGEST: usize> Drop for Blake2b<DIGEST> {
    fn drop(&mut self) {
        self.start.zeroize();
        self.empty.zeroize();
    }
}

fn load(state: &[u8]) -> ([u64; 8], u64) {
    let [count] = words::le64(&state[WORDS..]);
    (words::le64(state), count)
}

/// The state before the first block (2.5, 3.3).
fn parameters(digest_size: usize, key_size: usize) -> [u64; 8] {
    let mut hash = IV;
    hash[0] ^= 0x0101_0000 ^ (key_size as u64) << 8 ^ digest_size as u64;
    hash
}

/// The function F (3.2); `count` is the number of bytes taken with this block.
fn compress(hash: &mut [u64; 8], block: &[u8; BLOCK], count: u64, last: bool) {
    let m: [u64; 16] = words::le64(block);
    let mut v: [u64; 16] = array::from_fn(|i| if i < 8 { hash[i] } else { IV[i - 8] });
    v[12] ^= count;
    if last {
        v[14] = !v[14];
    }
    unrolled!(round in 0 1 2 3 4 5 6 7 8 9 10 11 => {
        let s = &SIGMA[round % 10];
        // Columns, then diagonals.
        mix(&mut v, [0, 4, 8, 12], m[s[0]], m[s[1]]);
        mix(&mut v, [1, 5, 9, 13], m[s[2]], m[s[3]]);
        mix(&mut v, [2, 6, 10, 14], m[s[4]], m[s[5]]);
        mix(&mut v, [3, 7, 11, 15], m[s[6]], m[s[7]]);
        mix(&mut v, [0, 5, 10, 15], m[s[8]], m[s[9]]);
        mix(&mut v, [1, 6, 11, 12], m[s[10]], m[s[11]]);
        mix(&mut v, [2, 7, 8, 13], m[s[12]], m[s[13]]);
        mix(&mut v, [3, 4, 9, 14], m[s[14]], m[s[15]]);
    });
    *hash = array::from_fn(|i| hash[i] ^ v[i] ^ v[i + 8]);
}

/// The function G (3.1).
#[inline(always)]
fn mix(v: &mut [u64; 16], [a, b, c, d]: [usize; 4], x: u64, y: u64) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(32);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(24);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(63);
}

/// 2.6.
const IV: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

/// 2.7.
const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
