//! `xxhash64-generic`: XXH64 (xxHash specification 0.1.1), a checksum, not for security.
//!
//! The optional key of 8 bytes is the seed, and the digest the value, both little-endian.

use alloc::boxed::Box;

use kcrypto_core::{Alg, Error, Flags, KeySizes, Result, ShashDriver};

use super::{entry, limits, one_shot, words};

pub(crate) const XXHASH64: Alg = {
    let mut limits = limits(STRIPE, 8, STRIPE, || Box::new(Xxh64 { seed: 0 }));
    limits.keys = Some(KeySizes::exactly(8));
    entry("xxhash64", "xxhash64-generic", "generic", limits).with_flags(Flags::OPTIONAL_KEY)
};

/// Bytes of a stripe, and of the four accumulators.
const STRIPE: usize = 32;

const PRIME_1: u64 = 0x9e37_79b1_85eb_ca87;
const PRIME_2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const PRIME_3: u64 = 0x1656_67b1_9e37_79f9;
const PRIME_4: u64 = 0x85eb_ca77_c2b2_ae63;
const PRIME_5: u64 = 0x27d4_eb2f_1656_67c5;

struct Xxh64 {
    seed: u64,
}

impl ShashDriver for Xxh64 {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let accepted = KeySizes::exactly(8);
        let key = key.try_into().map_err(|_| Error::BadKeyLen { len: key.len(), accepted })?;
        self.seed = u64::from_le_bytes(key);
        Ok(())
    }

    /// Step 1.
    fn init(&self, state: &mut [u8]) {
        let first = self.seed.wrapping_add(PRIME_1).wrapping_add(PRIME_2);
        let accumulators =
            [first, self.seed.wrapping_add(PRIME_2), self.seed, self.seed.wrapping_sub(PRIME_1)];
        words::put_le64(&accumulators, state);
    }

    /// Step 2.
    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        let mut accumulators: [u64; 4] = words::le64(state);
        for stripe in blocks.as_chunks::<STRIPE>().0 {
            let lanes: [u64; 4] = words::le64(stripe);
            accumulators.iter_mut().zip(lanes).for_each(|(acc, lane)| *acc = round(*acc, lane));
        }
        words::put_le64(&accumulators, state);
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        // Step 3; a message without a whole stripe starts from the seed instead.
        let mut acc = if total < STRIPE as u64 {
            self.seed.wrapping_add(PRIME_5)
        } else {
            let accumulators: [u64; 4] = words::le64(state);
            let turned = accumulators.iter().zip([1, 7, 12, 18]).map(|(acc, bits)| acc.rotate_left(bits));
            let sum = turned.fold(0u64, u64::wrapping_add);
            accumulators
                .iter()
                .fold(sum, |acc, lane| (acc ^ round(0, *lane)).wrapping_mul(PRIME_1).wrapping_add(PRIME_4))
        };
        // Step 4.
        acc = acc.wrapping_add(total);
        // Step 5: eight bytes at a time, then four, then single ones.
        let (lanes, rest) = tail.as_chunks();
        for lane in lanes {
            acc ^= round(0, u64::from_le_bytes(*lane));
            acc = acc.rotate_left(27).wrapping_mul(PRIME_1).wrapping_add(PRIME_4);
        }
        let (halves, bytes) = rest.as_chunks();
        for half in halves {
            acc ^= u64::from(u32::from_le_bytes(*half)).wrapping_mul(PRIME_1);
            acc = acc.rotate_left(23).wrapping_mul(PRIME_2).wrapping_add(PRIME_3);
        }
        for byte in bytes {
            acc ^= u64::from(*byte).wrapping_mul(PRIME_5);
            acc = acc.rotate_left(11).wrapping_mul(PRIME_1);
        }
        // Step 6.
        acc = (acc ^ acc >> 33).wrapping_mul(PRIME_2);
        acc = (acc ^ acc >> 29).wrapping_mul(PRIME_3);
        words::put_le64(&[acc ^ acc >> 32], digest);
    }

    fn digest(&self, message: &[u8], digest: &mut [u8]) -> bool {
        one_shot::<STRIPE, STRIPE, 0>(self, message, digest)
    }
}

fn round(acc: u64, lane: u64) -> u64 {
    acc.wrapping_add(lane.wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1)
}
