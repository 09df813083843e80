//! Poly1305 against RFC 8439, and at the edges of its arithmetic.

use std::vec::Vec;

use super::*;

fn in_pieces(message: &[u8], cut: usize) -> Vec<u8> {
    let (mut state, mut digest) = ([0; KEY + SUM + 1], [0; BLOCK]);
    Poly1305(Scalar).init(&mut state);
    let (first, rest) = message.split_at(cut * BLOCK);
    let (second, tail) = rest.split_at(rest.len() / BLOCK * BLOCK);
    for blocks in [first, second] {
        Poly1305(Scalar).update(&mut state, blocks);
        assert!(Poly1305(Scalar).is_state(&state));
    }
    Poly1305(Scalar).finish(&mut state, tail, message.len() as u64, &mut digest);
    digest.to_vec()
}

fn check(key: &str, message: &str, tag: &str) {
    let message = [hex::decode(key).unwrap(), hex::decode(message).unwrap()].concat();
    let mut digest = [0; BLOCK];
    assert!(Poly1305(Scalar).digest(&message, &mut digest));
    assert_eq!(hex::encode(digest), tag);
    for cut in 0..=message.len() / BLOCK {
        assert_eq!(hex::encode(in_pieces(&message, cut)), tag, "cut after {cut} blocks");
    }
}

/// RFC 8439, 2.5.2.
#[test]
fn rfc_8439() {
    check(
        "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b",
        &hex::encode("Cryptographic Forum Research Group"),
        "a8061dc1305136c6c22b8baf0c0127a9",
    );
}

/// RFC 8439, appendix A.3, examples 7 to 11: sums at and around multiples of 2^130 - 5, and a sum with s that
/// exceeds 2^128.
#[test]
fn sums_around_the_modulus() {
    let r = |byte: &str| std::format!("{byte}{:0<30}{:0<32}", "", "");
    let ones = "ffffffffffffffffffffffffffffffff";
    check(&r("02"), ones, "03000000000000000000000000000000");
    let key = std::format!("02{:0<30}{ones}", "");
    check(&key, "02000000000000000000000000000000", "03000000000000000000000000000000");
    check(
        &r("01"),
        &[ones, "f0ffffffffffffffffffffffffffffff", "11000000000000000000000000000000"].concat(),
        "05000000000000000000000000000000",
    );
    check(
        &r("01"),
        &[ones, "fbfefefefefefefefefefefefefefefe", "01010101010101010101010101010101"].concat(),
        "00000000000000000000000000000000",
    );
    check(&r("02"), "fdffffffffffffffffffffffffffffff", "faffffffffffffffffffffffffffffff");
    check(
        &std::format!("0100000000000000{:0<16}{:0<32}", "04", ""),
        "e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000\
         0000000000000000000000000000000001000000000000000000000000000000",
        "14000000000000005500000000000000",
    );
}

/// Answers of Linux 6.1.192, through AF_ALG.
#[test]
fn linux() {
    check(
        "1a7725e018f40957604e425a1d58ed49d8a6e844b179a5cee1a67d3f3d7d5c10",
        "",
        "d8a6e844b179a5cee1a67d3f3d7d5c10",
    );
    check(
        "0a479dcc743bf18c44ddcab54135199dac27c5e19135e9392eee729d470f9acb",
        "f39c6d33bc0ba1f8a921e2dd9900b1ee49",
        "bcac80708c239343b76a1e08979d0fbf",
    );
    check(
        "490a4674a297a59ccad8bc3903c06d0ce478b1effac6fe0bde4f8a5b47dcf681",
        "746491bf829fb3f2770fc102b75acb4c277538f795f4e97d9863a03469c7d05c96db45111f2eac15bcd8296390e65786\
         677809ced4e1e687f191db1ec40adfae01",
        "f6cbac9bc2af8c2f67d29a4472f9c2d0",
    );
}

#[test]
fn a_message_holds_its_key() {
    for total in 0..40 {
        assert_eq!(Poly1305(Scalar).check_total(total).is_ok(), total >= 32);
        assert_eq!(Poly1305(Scalar).digest(&[1; 40][..total as usize], &mut [0; BLOCK]), total >= 32);
    }
}

#[test]
fn impossible_states() {
    let mut state = [0; KEY + SUM + 1];
    Poly1305(Scalar).update(&mut state, &[0xff; 3 * BLOCK]);
    assert!(Poly1305(Scalar).is_state(&state));
    let refused = |at: usize, byte: u8| {
        let mut bad = state;
        bad[at] = byte;
        assert!(!Poly1305(Scalar).is_state(&bad), "{byte:x} at {at}");
    };
    refused(3, 0x10); // r with a bit that the clamp takes
    refused(KEY + BLOCK, 4); // 2^130 in the accumulator
    refused(KEY + SUM, 3); // three halves of a key
    refused(KEY + SUM, 1); // s and a sum before s was seen
    let mut largest = state;
    largest[KEY..KEY + SUM].copy_from_slice(&[0xff; SUM]);
    largest[KEY + BLOCK] = 3;
    assert!(!Poly1305(Scalar).is_state(&largest), "2^130 - 1");
    largest[KEY] = 0xfa;
    assert!(Poly1305(Scalar).is_state(&largest), "2^130 - 6");
    assert!(!Poly1305(Scalar).is_state(&[]));
}
