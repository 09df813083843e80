//! The rounds, fixsliced: ShiftRows is never done, the other steps look where the bytes would be.
//!
//! After Adomnicai and Peyrin, "Fixslicing AES-like ciphers" (2020). When ShiftRows has been left out `k`
//! times, the byte of row `r` and column `c` is found in column `c + k r`. Then MixColumns combines each byte
//! with the one a row further and `k` columns on, which is the same motion for all bytes; after four rounds
//! all is back in place.

use super::key::Keys;
use super::planes::{Planes, Slice, flipped};
use super::sbox::{inv_sub, sub};

/// Encrypts every block.
pub(super) fn encrypt<const L: usize>(keys: &Keys, state: &mut Planes<L>) {
    let (first, middle, last) = keys.rounds();
    state.map(|x| add(x, first));
    for (i, key) in middle.iter().enumerate() {
        match (i + 1) % 4 {
            0 => state.map(|x| add(mix_columns::<0>(sub(x)), key)),
            1 => state.map(|x| add(mix_columns::<1>(sub(x)), key)),
            2 => state.map(|x| add(mix_columns::<2>(sub(x)), key)),
            _ => state.map(|x| add(mix_columns::<3>(sub(x)), key)),
        }
    }
    match middle.len() % 4 {
        1 => state.map(|x| add(shift_rows_twice(sub(x)), last)),
        _ => state.map(|x| add(sub(x), last)),
    }
}

/// Decrypts every block.
pub(super) fn decrypt<const L: usize>(keys: &Keys, state: &mut Planes<L>) {
    let (first, middle, last) = keys.rounds();
    match middle.len() % 4 {
        1 => state.map(|x| inv_sub(shift_rows_twice(add(x, last)))),
        _ => state.map(|x| inv_sub(add(x, last))),
    }
    for (i, key) in middle.iter().enumerate().rev() {
        match (i + 1) % 4 {
            0 => state.map(|x| inv_sub(inv_mix_columns::<0>(add(x, key)))),
            1 => state.map(|x| inv_sub(inv_mix_columns::<1>(add(x, key)))),
            2 => state.map(|x| inv_sub(inv_mix_columns::<2>(add(x, key)))),
            _ => state.map(|x| inv_sub(inv_mix_columns::<3>(add(x, key)))),
        }
    }
    state.map(|x| add(x, first));
}

#[inline(always)]
fn add(x: Slice, key: &Slice) -> Slice {
    core::array::from_fn(|i| x[i] ^ key[i])
}

/// MixColumns after `K` left out ShiftRows: 2 a + 3 b + c + d is 2 (a + b) + b + (c + d).
#[inline(always)]
fn mix_columns<const K: u32>(x: Slice) -> Slice {
    let next = x.map(|x| along::<K>(x, 1));
    let sum = add(x, &next);
    add(add(doubled(sum), &next), &sum.map(|x| along::<K>(x, 2)))
}

/// Inverse MixColumns: MixColumns of 5 a + 4 c.
#[inline(always)]
fn inv_mix_columns<const K: u32>(x: Slice) -> Slice {
    let sum = add(x, &x.map(|x| along::<K>(x, 2)));
    mix_columns::<K>(add(x, &doubled(doubled(sum))))
}

/// The bits `n` rows further, and `K` times as many columns on.
#[inline(always)]
fn along<const K: u32>(x: u64, n: u32) -> u64 {
    const FIELDS: u64 = 0x0001_0001_0001_0001;
    let x = x.rotate_right(16 * n);
    match K * n % 4 {
        0 => x,
        columns => {
            let low = FIELDS * (0xffff >> (4 * columns));
            (x >> (4 * columns) & low) | (x << (16 - 4 * columns) & !low)
        }
    }
}

/// Each byte times two in GF(2^8), modulo x^8 + x^4 + x^3 + x + 1.
#[inline(always)]
fn doubled(x: Slice) -> Slice {
    let [x0, x1, x2, x3, x4, x5, x6, x7] = x;
    [x7, x0 ^ x7, x1, x2 ^ x7, x3 ^ x7, x4, x5, x6]
}

/// Two ShiftRows at once, which change places of columns in rows 1 and 3; undoes itself.
#[inline(always)]
fn shift_rows_twice(x: Slice) -> Slice {
    x.map(|x| flipped(x, 8, 0x00ff_0000_00ff_0000))
}
