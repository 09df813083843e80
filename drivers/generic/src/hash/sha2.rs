//! `sha224-generic` to `sha512-generic`: SHA-2 (FIPS 180-4, 6.2 to 6.5).

use core::array;

use kcrypto_core::Alg;
use kcrypto_templates::sha::{self, K256, K512};

use super::compress::{Compress, Length, hash};
use super::words::{self, unrolled};

pub(crate) const SHA224: Alg = hash::<Sha224, _, _>("sha224", "sha224-generic", "generic", 28);
pub(crate) const SHA256: Alg = hash::<Sha256, _, _>("sha256", "sha256-generic", "generic", 32);
pub(crate) const SHA384: Alg = hash::<Sha384, _, _>("sha384", "sha384-generic", "generic", 48);
pub(crate) const SHA512: Alg = hash::<Sha512, _, _>("sha512", "sha512-generic", "generic", 64);

#[derive(Default)]
struct Sha224;
#[derive(Default)]
struct Sha256;
#[derive(Default)]
struct Sha384;
#[derive(Default)]
struct Sha512;

impl Compress<64, 32> for Sha224 {
    const INIT: [u8; 32] = sha::H224;
    const LENGTH: Length = Length::Big(8);

    fn compress(&self, state: &mut [u8; 32], blocks: &[[u8; 64]]) {
        compress256(state, blocks);
    }
}

impl Compress<64, 32> for Sha256 {
    const INIT: [u8; 32] = sha::H256;
    const LENGTH: Length = Length::Big(8);

    fn compress(&self, state: &mut [u8; 32], blocks: &[[u8; 64]]) {
        compress256(state, blocks);
    }
}

impl Compress<128, 64> for Sha384 {
    const INIT: [u8; 64] = sha::H384;
    const LENGTH: Length = Length::Big(16);

    fn compress(&self, state: &mut [u8; 64], blocks: &[[u8; 128]]) {
        compress512(state, blocks);
    }
}

impl Compress<128, 64> for Sha512 {
    const INIT: [u8; 64] = sha::H512;
    const LENGTH: Length = Length::Big(16);

    fn compress(&self, state: &mut [u8; 64], blocks: &[[u8; 128]]) {
        compress512(state, blocks);
    }
}

fn compress256(state: &mut [u8; 32], blocks: &[[u8; 64]]) {
    let mut hash = words::be32(state);
    blocks.iter().for_each(|block| rounds256(&mut hash, words::be32(block)));
    words::put_be32(&hash, state);
}

fn compress512(state: &mut [u8; 64], blocks: &[[u8; 128]]) {
    let mut hash = words::be64(state);
    blocks.iter().for_each(|block| rounds512(&mut hash, words::be64(block)));
    words::put_be64(&hash, state);
}

/// The rounds of one block (6.2.2, 6.4.2), 16 words of the schedule at a time; Σ0, Σ1, σ0 and σ1 rotate by
/// these amounts, the last one of each σ being a shift (4.1.2, 4.1.3).
macro_rules! rounds {
    ($name:ident, $word:ident, $k:ident, [$($big0:literal)*] [$($big1:literal)*]
     [$a0:literal $b0:literal $c0:literal] [$a1:literal $b1:literal $c1:literal]) => {
        fn $name(hash: &mut [$word; 8], mut w: [$word; 16]) {
            let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *hash;
            for (sixteen, k) in $k.as_chunks::<16>().0.iter().enumerate() {
                unrolled!(t in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
                    if sixteen > 0 {
                        let (x, y) = (w[(t + 1) % 16], w[(t + 14) % 16]);
                        let s0 = x.rotate_right($a0) ^ x.rotate_right($b0) ^ x >> $c0;
                        let s1 = y.rotate_right($a1) ^ y.rotate_right($b1) ^ y >> $c1;
                        w[t] = w[t].wrapping_add(s0).wrapping_add(w[(t + 9) % 16]).wrapping_add(s1);
                    }
                    let s0 = 0 $(^ a.rotate_right($big0))*;
                    let s1 = 0 $(^ e.rotate_right($big1))*;
                    let choice = g ^ (e & (f ^ g));
                    let majority = (a & b) | (c & (a | b));
                    let t1 = h.wrapping_add(k[t]).wrapping_add(w[t]).wrapping_add(choice).wrapping_add(s1);
                    let t2 = s0.wrapping_add(majority);
                    (a, b, c, d, e, f, g, h) = (t1.wrapping_add(t2), a, b, c, d.wrapping_add(t1), e, f, g);
                });
            }
            let working = [a, b, c, d, e, f, g, h];
            *hash = array::from_fn(|i| hash[i].wrapping_add(working[i]));
        }
    };
}

rounds!(rounds256, u32, K256, [2 13 22] [6 11 25] [7 18 3] [17 19 10]);
rounds!(rounds512, u64, K512, [28 34 39] [14 18 41] [1 8 7] [19 61 6]);
