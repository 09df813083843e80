//! POLYVAL and GHASH against RFC 8452.

use std::vec::Vec;

use kcrypto_core::ShashDriver;

use super::*;
use crate::ghash::Ghash;

fn digest(mut hash: impl ShashDriver, key: &str, message: &str) -> Vec<u8> {
    let message = hex::decode(message).unwrap();
    hash.set_key(&hex::decode(key).unwrap()).unwrap();
    let (mut state, mut digest) = ([0; SIZE], [0; SIZE]);
    hash.init(&mut state);
    let (blocks, tail) = message.split_at(message.len() / SIZE * SIZE);
    hash.update(&mut state, blocks);
    hash.finish(&mut state, tail, message.len() as u64, &mut digest);
    digest.to_vec()
}

fn polyval(key: &str, message: &str) -> Vec<u8> {
    digest(Polyval(Factor::none()), key, message)
}

/// RFC 8452, appendix A, for both hashes; appendix C.1, the POLYVAL of its second example.
#[test]
fn rfc_8452() {
    let (key, message) = (
        "25629347589242761d31f826ba4b757b",
        "4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362",
    );
    assert_eq!(hex::encode(polyval(key, message)), "f7a3b47b846119fae5b7866cf5e5b77e");
    assert_eq!(hex::encode(digest(Ghash::none(), key, message)), "bd9b3997046731fb96251b91f9c99d7a");
    assert_eq!(
        hex::encode(polyval(
            "d9b360279694941ac5dbc6987ada7377",
            "0100000000000000000000000000000000000000000000004000000000000000"
        )),
        "eb93b7740962c5e49d2a90a7dc5cec74"
    );
}

/// Answers of Linux 6.1.192, through AF_ALG; with a partial last block.
#[test]
fn linux() {
    assert_eq!(
        hex::encode(digest(
            Ghash::none(),
            "a5b365cf2cf28a8ce7d1535dcc28b22f",
            "2b22861db20c47d8e59e3648b5fa21f8c38f12a834ee48870893a627ad751a0330"
        )),
        "22005883d0154eaaea9736ca478cbf5e"
    );
    assert_eq!(
        hex::encode(polyval(
            "db4c1780e66a7df9ec2af0ddf6ed412b",
            "c2fa3fef2542e954bc86315c4b645bff499811f6821bc1ff9a0790deddfc89615f"
        )),
        "06a2d6e5297b333f1c3c34d769e06675"
    );
    assert_eq!(
        hex::encode(polyval(
            "db4c1780e66a7df9ec2af0ddf6ed412b",
            "79febf37ec9cac308d2e72c057edaa1ba2b5b8bacfc46c4828f12f65fda55fd0ea9ba48f3fd8b7d3236e47aae06cabce\
             3a895fcc99d0f3323a02bce21c03e0"
        )),
        "3ce86175a2ea5ece34d27c7c96a0d93a"
    );
}

#[test]
fn a_partial_block_is_padded_with_zeros() {
    let (key, short, long) =
        ("25629347589242761d31f826ba4b757b", "4f4f95", "4f4f9500000000000000000000000000");
    assert_eq!(polyval(key, short), polyval(key, long));
    assert_eq!(digest(Ghash::none(), key, short), digest(Ghash::none(), key, long));
    assert_eq!(polyval(key, ""), [0; SIZE]);
}

#[test]
fn refused_keys() {
    for len in (0..40).filter(|&len| len != SIZE) {
        assert!(Polyval(Factor::none()).set_key(&[0; 40][..len]).is_err());
        assert!(Ghash::none().set_key(&[0; 40][..len]).is_err());
    }
}
