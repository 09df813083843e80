//! The S-box and its inverse as circuits of AND and XOR gates: no table, no branch.
//!
//! After Boyar and Peralta, "A new combinational logic minimization technique with applications to
//! cryptology" (2010), and "A depth-16 circuit for the AES S-box" (2011): a linear layer, the inversion in
//! GF(2^8) as arithmetic in GF(2^4), and another linear layer. Both directions share the middle; the layers
//! of the inverse are those of the S-box with the affine map moved from the end to the beginning, and they and
//! the last layer of the S-box were found by that paper's search for short linear programs.
//!
//! Neither direction has the constant 0x63 of the affine map: it passes through ShiftRows and
//! MixColumns unchanged, so the round keys take it.

use super::planes::Slice;

/// The constant that the circuits leave out.
pub(super) const AFFINE: u8 = 0x63;

/// SubBytes without the constant: the result is `S(x) ^ 0x63`.
#[inline(always)]
pub(super) fn sub(x: Slice) -> Slice {
    outputs(products(signals(x)))
}

/// Inverse SubBytes without the constant: the result is the `x` for which `S(x) ^ 0x63` is the argument.
#[inline(always)]
pub(super) fn inv_sub(x: Slice) -> Slice {
    inv_outputs(products(inv_signals(x)))
}

/// SubWord of FIPS 197, on four bytes in any order.
pub(super) fn sub_word(word: u32) -> u32 {
    const BYTES: u32 = 0x0101_0101;
    let planes = sub(core::array::from_fn(|i| u64::from(word >> i & BYTES)));
    let ones = planes.iter().enumerate().map(|(i, &plane)| (plane as u32) << i);
    ones.fold(BYTES * u32::from(AFFINE), |word, ones| word ^ ones)
}

/// First layer of the S-box, 23 gates: what the inversion multiplies.
#[inline(always)]
fn signals(x: Slice) -> [u64; 22] {
    let y0 = x[0];
    let y14 = x[4] ^ x[2];
    let y13 = x[7] ^ x[1];
    let y9 = x[7] ^ x[4];
    let y8 = x[7] ^ x[2];
    let t0 = x[6] ^ x[5];
    let y1 = t0 ^ x[0];
    let y4 = y1 ^ x[4];
    let y12 = y13 ^ y14;
    let y2 = y1 ^ x[7];
    let y5 = y1 ^ x[1];
    let y3 = y5 ^ y8;
    let t1 = x[3] ^ y12;
    let y15 = t1 ^ x[2];
    let y20 = t1 ^ x[6];
    let y6 = y15 ^ x[0];
    let y10 = y15 ^ t0;
    let y11 = y20 ^ y9;
    let y7 = x[0] ^ y11;
    let y17 = y10 ^ y11;
    let y19 = y10 ^ y8;
    let y16 = t0 ^ y11;
    let y21 = y13 ^ y16;
    let y18 = x[7] ^ y16;
    [y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21]
}

/// First layer of the inverse, 23 gates.
#[inline(always)]
fn inv_signals(x: Slice) -> [u64; 22] {
    let y3 = x[4] ^ x[7];
    let y5 = x[4] ^ x[6];
    let y6 = x[6] ^ y3;
    let y8 = x[4] ^ y6;
    let y9 = x[3] ^ x[4];
    let y1 = x[0] ^ y9;
    let y10 = y6 ^ y1;
    let y13 = x[1] ^ y1;
    let y2 = y5 ^ y13;
    let y4 = y9 ^ y2;
    let y7 = x[5] ^ y4;
    let y12 = y3 ^ y4;
    let y14 = x[3] ^ y6;
    let y16 = y1 ^ y7;
    let y18 = x[5] ^ y9;
    let y19 = x[0] ^ x[3];
    let y21 = x[1] ^ y7;
    let t0 = x[2] ^ x[7];
    let y0 = x[5] ^ t0;
    let y11 = y4 ^ t0;
    let y15 = y6 ^ y0;
    let y17 = y10 ^ y11;
    let y20 = y9 ^ y11;
    [y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21]
}

/// The inversion, 62 gates: each result is a product with a part of the inverse.
#[inline(always)]
fn products(y: [u64; 22]) -> [u64; 18] {
    let [y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21] =
        y;
    // The norm to GF(2^4).
    let t2 = y12 & y15;
    let t3 = y3 & y6;
    let t4 = t3 ^ t2;
    let t5 = y4 & y0;
    let t6 = t5 ^ t2;
    let t7 = y13 & y16;
    let t8 = y5 & y1;
    let t9 = t8 ^ t7;
    let t10 = y2 & y7;
    let t11 = t10 ^ t7;
    let t12 = y9 & y11;
    let t13 = y14 & y17;
    let t14 = t13 ^ t12;
    let t15 = y8 & y10;
    let t16 = t15 ^ t12;
    let t17 = t4 ^ t14;
    let t18 = t6 ^ t16;
    let t19 = t9 ^ t14;
    let t20 = t11 ^ t16;
    let t21 = t17 ^ y20;
    let t22 = t18 ^ y19;
    let t23 = t19 ^ y21;
    let t24 = t20 ^ y18;
    // Its inverse there.
    let t25 = t21 ^ t22;
    let t26 = t21 & t23;
    let t27 = t24 ^ t26;
    let t28 = t25 & t27;
    let t29 = t28 ^ t22;
    let t30 = t23 ^ t24;
    let t31 = t22 ^ t26;
    let t32 = t31 & t30;
    let t33 = t32 ^ t24;
    let t34 = t23 ^ t33;
    let t35 = t27 ^ t33;
    let t36 = t24 & t35;
    let t37 = t36 ^ t34;
    let t38 = t27 ^ t36;
    let t39 = t29 & t38;
    let t40 = t25 ^ t39;
    // Times the conjugate.
    let t41 = t40 ^ t37;
    let t42 = t29 ^ t33;
    let t43 = t29 ^ t40;
    let t44 = t33 ^ t37;
    let t45 = t42 ^ t41;
    let z0 = t44 & y15;
    let z1 = t37 & y6;
    let z2 = t33 & y0;
    let z3 = t43 & y16;
    let z4 = t40 & y1;
    let z5 = t29 & y7;
    let z6 = t42 & y11;
    let z7 = t45 & y17;
    let z8 = t41 & y10;
    let z9 = t44 & y12;
    let z10 = t37 & y3;
    let z11 = t33 & y4;
    let z12 = t43 & y13;
    let z13 = t40 & y5;
    let z14 = t29 & y2;
    let z15 = t42 & y9;
    let z16 = t45 & y14;
    let z17 = t41 & y8;
    [z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13, z14, z15, z16, z17]
}

/// Last layer of the S-box, 29 gates.
#[inline(always)]
fn outputs(z: [u64; 18]) -> Slice {
    let t0 = z[15] ^ z[16];
    let t1 = z[10] ^ t0;
    let t2 = z[9] ^ t1;
    let t3 = z[4] ^ t2;
    let t4 = z[3] ^ t3;
    let t5 = z[8] ^ z[12];
    let t6 = z[0] ^ z[2];
    let t7 = z[6] ^ z[7];
    let s7 = t4 ^ t7;
    let t8 = z[0] ^ z[1];
    let s4 = t4 ^ t8;
    let t9 = z[3] ^ z[5];
    let t10 = t6 ^ t9;
    let s3 = s4 ^ t10;
    let t11 = z[13] ^ t0;
    let t12 = z[6] ^ t6;
    let t13 = z[14] ^ t5;
    let t14 = t12 ^ t13;
    let t15 = t2 ^ s7;
    let s6 = s4 ^ t15;
    let t16 = t14 ^ t15;
    let t17 = t10 ^ t11;
    let s0 = z[12] ^ t17;
    let t18 = z[15] ^ t14;
    let s5 = z[17] ^ t18;
    let t19 = t1 ^ t16;
    let s2 = z[11] ^ t19;
    let t20 = t16 ^ t17;
    let s1 = z[14] ^ t20;
    [s0, s1, s2, s3, s4, s5, s6, s7]
}

/// Last layer of the inverse, 30 gates.
#[inline(always)]
fn inv_outputs(z: [u64; 18]) -> Slice {
    let t0 = z[6] ^ z[15];
    let t1 = z[12] ^ t0;
    let t2 = z[13] ^ t1;
    let t3 = z[16] ^ t2;
    let t4 = z[8] ^ t3;
    let t5 = z[3] ^ t4;
    let s7 = z[5] ^ t5;
    let t6 = z[4] ^ t5;
    let t7 = z[1] ^ t6;
    let t8 = z[2] ^ z[10];
    let t9 = z[0] ^ t4;
    let s4 = z[2] ^ t9;
    let t10 = z[7] ^ t6;
    let s1 = z[8] ^ t10;
    let t11 = s7 ^ t9;
    let s2 = t7 ^ t11;
    let t12 = z[11] ^ z[17];
    let t13 = z[14] ^ t8;
    let t14 = t7 ^ t13;
    let t15 = z[15] ^ t12;
    let s0 = z[9] ^ t15;
    let t16 = z[11] ^ z[13];
    let s5 = t14 ^ t16;
    let t17 = z[6] ^ t3;
    let t18 = s0 ^ t17;
    let s6 = s5 ^ t18;
    let t19 = t8 ^ s1;
    let t20 = z[16] ^ t19;
    let t21 = t11 ^ t20;
    let s3 = t12 ^ t21;
    [s0, s1, s2, s3, s4, s5, s6, s7]
}

#[cfg(test)]
mod tests {
    use core::array::from_fn;

    use super::*;

    /// GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, 4.2).
    fn product(a: u8, b: u8) -> u8 {
        let doubled = |a: u8| (a << 1) ^ if a & 0x80 != 0 { 0x1b } else { 0 };
        (0..8).fold((0, a), |(sum, a), i| (if b >> i & 1 == 1 { sum ^ a } else { sum }, doubled(a))).0
    }

    /// The S-box by its definition (FIPS 197, 5.1.1): the inverse in the field, then the affine map.
    fn defined(x: u8) -> u8 {
        let inverse = (0..=255).find(|&y| product(x, y) == 1).unwrap_or(0);
        (0..5).fold(AFFINE, |sum, n| sum ^ inverse.rotate_left(n))
    }

    /// Runs a circuit on every byte, 64 at a time.
    fn table(circuit: impl Fn(Slice) -> Slice) -> [u8; 256] {
        let mut table = [0; 256];
        for (group, out) in table.chunks_exact_mut(64).enumerate() {
            let bit = |byte: usize, i: usize| (byte >> i & 1) as u64;
            let planes = from_fn(|i| (0..64).map(|at| bit(64 * group + at, i) << at).sum());
            let planes = circuit(planes);
            for (at, byte) in out.iter_mut().enumerate() {
                *byte = (0..8).map(|i| ((planes[i] >> at & 1) as u8) << i).sum();
            }
        }
        table
    }

    #[test]
    fn every_byte_as_defined() {
        let (forward, inverse) = (table(sub), table(inv_sub));
        for x in 0..=255u8 {
            let y = forward[usize::from(x)];
            assert_eq!(y ^ AFFINE, defined(x), "S({x:#04x})");
            assert_eq!(inverse[usize::from(y)], x, "inverse of {y:#04x}");
        }
        assert_eq!([0x00, 0x53, 0xff].map(defined), [0x63, 0xed, 0x16]);
    }

    #[test]
    fn words() {
        for word in [0, 0x0001_0203, 0x53ca_b7ff, u32::MAX] {
            assert_eq!(sub_word(word), u32::from_le_bytes(word.to_le_bytes().map(defined)));
        }
    }
}
