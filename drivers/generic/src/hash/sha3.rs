//! `sha3-224-generic` to `sha3-512-generic`: SHA-3 (FIPS 202), the sponge over Keccak-f\[1600\].

use alloc::boxed::Box;
use core::array;

use kcrypto_core::{Alg, ShashDriver};

use super::{entry, limits, one_shot, words};

pub(crate) const SHA3_224: Alg = sha3::<144>("sha3-224", "sha3-224-generic");
pub(crate) const SHA3_256: Alg = sha3::<136>("sha3-256", "sha3-256-generic");
pub(crate) const SHA3_384: Alg = sha3::<104>("sha3-384", "sha3-384-generic");
pub(crate) const SHA3_512: Alg = sha3::<72>("sha3-512", "sha3-512-generic");

/// Bytes of the permutation's state.
const STATE: usize = 200;

/// The capacity, twice the digest, is what the rate leaves of the state (6.1).
const fn sha3<const RATE: usize>(name: &'static str, driver_name: &'static str) -> Alg {
    let make = || Box::new(Sha3::<RATE>) as Box<dyn ShashDriver>;
    entry(name, driver_name, "generic", limits(RATE, (STATE - RATE) / 2, STATE, make))
}

/// SHA-3 whose blocks have `RATE` bytes.
struct Sha3<const RATE: usize>;

impl<const RATE: usize> ShashDriver for Sha3<RATE> {
    fn init(&self, state: &mut [u8]) {
        state.fill(0);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        let mut lanes = words::le64(state);
        for block in blocks.as_chunks::<RATE>().0 {
            let block = block.as_chunks().0.iter();
            lanes.iter_mut().zip(block).for_each(|(lane, bytes)| *lane ^= u64::from_le_bytes(*bytes));
            keccak(&mut lanes);
        }
        words::put_le64(&lanes, state);
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], _total: u64, digest: &mut [u8]) {
        // The suffix 01 and the padding 10*1 (6.1, 5.1).
        state.iter_mut().zip(tail).for_each(|(state, byte)| *state ^= byte);
        state[tail.len()] ^= 0x06;
        state[RATE - 1] ^= 0x80;
        let mut lanes = words::le64(state);
        keccak(&mut lanes);
        words::put_le64(&lanes, state);
        digest.copy_from_slice(&state[..digest.len()]);
    }

    fn digest(&self, message: &[u8], digest: &mut [u8]) -> bool {
        one_shot::<STATE, RATE, 0>(self, message, digest)
    }
}

/// Keccak-f\[1600\] (3.2, 3.3).
fn keccak(a: &mut [u64; 25]) {
    for constant in ROUND_CONSTANTS {
        let column: [u64; 5] = array::from_fn(|x| a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
        let theta: [u64; 5] = array::from_fn(|x| column[(x + 4) % 5] ^ column[(x + 1) % 5].rotate_left(1));
        let mut b = [0; 25];
        for x in 0..5 {
            for y in 0..5 {
                // ρ, then π: lane (x, y) goes to (y, 2x + 3y).
                b[y + 5 * ((2 * x + 3 * y) % 5)] =
                    (a[x + 5 * y] ^ theta[x]).rotate_left(ROTATIONS[x + 5 * y]);
            }
        }
        for y in 0..5 {
            for x in 0..5 {
                a[x + 5 * y] = b[x + 5 * y] ^ (!b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y]);
            }
        }
        a[0] ^= constant;
    }
}

/// The offsets of ρ (3.2.2): triangular numbers along the walk from (1, 0) by (x, y) → (y, 2x + 3y).
const ROTATIONS: [u32; 25] = {
    let mut offsets = [0; 25];
    let (mut x, mut y, mut t) = (1, 0, 0);
    while t < 24 {
        offsets[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    offsets
};

/// The constants of ι (3.2.5), from the shift register x^8 + x^6 + x^5 + x^4 + 1.
const ROUND_CONSTANTS: [u64; 24] = {
    let mut constants = [0; 24];
    let (mut register, mut round) = (1u8, 0);
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            constants[round] |= ((register & 1) as u64) << ((1 << j) - 1);
            register = register << 1 ^ if register >> 7 == 1 { 0x71 } else { 0 };
            j += 1;
        }
        round += 1;
    }
    constants
};
