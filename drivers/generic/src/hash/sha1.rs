//! `sha1-generic`: SHA-1 (FIPS 180-4, 6.1), for protocols that still name it.

use core::array;

use kcrypto_core::Alg;
use kcrypto_templates::sha;

use super::compress::{Compress, Length, hash};
use super::words::{self, unrolled};

pub(crate) const SHA1: Alg = hash::<Sha1, _, _>("sha1", "sha1-generic", "generic", 20);

#[derive(Default)]
struct Sha1;

impl Compress<64, 20> for Sha1 {
    const INIT: [u8; 20] = sha::H1;
    const LENGTH: Length = Length::Big(8);

    fn compress(&self, state: &mut [u8; 20], blocks: &[[u8; 64]]) {
        let mut hash = words::be32(state);
        blocks.iter().for_each(|block| rounds(&mut hash, block));
        words::put_be32(&hash, state);
    }
}

/// Section 6.1.2.
fn rounds(hash: &mut [u32; 5], block: &[u8; 64]) {
    let mut w: [u32; 16] = words::be32(block);
    let mut working = *hash;
    twenty::<0>(&mut working, &mut w, 0x5a82_7999, |b, c, d| d ^ (b & (c ^ d)));
    twenty::<20>(&mut working, &mut w, 0x6ed9_eba1, |b, c, d| b ^ c ^ d);
    twenty::<40>(&mut working, &mut w, 0x8f1b_bcdc, |b, c, d| (b & c) | (d & (b | c)));
    twenty::<60>(&mut working, &mut w, 0xca62_c1d6, |b, c, d| b ^ c ^ d);
    *hash = array::from_fn(|i| hash[i].wrapping_add(working[i]));
}

/// Twenty rounds from round `FROM` with one function and one constant (4.1.1, 4.2.1). The schedule's words
/// replace those of sixteen rounds before.
#[inline(always)]
fn twenty<const FROM: usize>(
    working: &mut [u32; 5],
    w: &mut [u32; 16],
    constant: u32,
    function: impl Fn(u32, u32, u32) -> u32,
) {
    let [mut a, mut b, mut c, mut d, mut e] = *working;
    unrolled!(n in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
        let t = FROM + n;
        let i = t % 16;
        if t >= 16 {
            w[i] = (w[(i + 13) % 16] ^ w[(i + 8) % 16] ^ w[(i + 2) % 16] ^ w[i]).rotate_left(1);
        }
        let sum = e.wrapping_add(constant).wrapping_add(w[i]).wrapping_add(function(b, c, d));
        (a, b, c, d, e) = (sum.wrapping_add(a.rotate_left(5)), a, b.rotate_left(30), c, d);
    });
    *working = [a, b, c, d, e];
}
