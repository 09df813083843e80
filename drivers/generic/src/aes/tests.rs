//! Against FIPS 197, and against another implementation.

use std::vec::Vec;

use ::aes::cipher::{BlockCipherEncrypt, KeyInit};
use ::aes::{Aes128, Aes192, Aes256};
use kcrypto_core::{CipherDriver, Error, InOut};

use super::Aes;

fn keyed(key: &[u8]) -> Aes {
    let mut aes = Aes::new();
    aes.set_key(key).unwrap();
    aes
}

/// Bytes that look random (xorshift64).
fn random(len: usize, seed: u64) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 32) as u8
    };
    (0..len).map(next).collect()
}

fn other(key: &[u8], mut blocks: Vec<u8>) -> Vec<u8> {
    fn all(cipher: impl BlockCipherEncrypt<BlockSize = ::aes::cipher::consts::U16>, blocks: &mut [u8]) {
        for block in blocks.chunks_exact_mut(16) {
            cipher.encrypt_block(block.try_into().unwrap());
        }
    }
    match key.len() {
        16 => all(Aes128::new_from_slice(key).unwrap(), &mut blocks),
        24 => all(Aes192::new_from_slice(key).unwrap(), &mut blocks),
        _ => all(Aes256::new_from_slice(key).unwrap(), &mut blocks),
    }
    blocks
}

/// FIPS 197, appendices B and C.1 to C.3.
#[test]
fn fips_197() {
    for (key, plain, cipher) in [
        (
            "2b7e151628aed2a6abf7158809cf4f3c",
            "3243f6a8885a308d313198a2e0370734",
            "3925841d02dc09fbdc118597196a0b32",
        ),
        (
            "000102030405060708090a0b0c0d0e0f",
            "00112233445566778899aabbccddeeff",
            "69c4e0d86a7b0430d8cdb78070b4c55a",
        ),
        (
            "000102030405060708090a0b0c0d0e0f1011121314151617",
            "00112233445566778899aabbccddeeff",
            "dda97ca4864cdfe06eaf70a0ec0d7191",
        ),
        (
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            "00112233445566778899aabbccddeeff",
            "8ea2b7ca516745bfeafc49904b496089",
        ),
    ] {
        let aes = keyed(&hex::decode(key).unwrap());
        let mut block = hex::decode(plain).unwrap();
        aes.encrypt_block(&mut block);
        assert_eq!(hex::encode(&block), cipher);
        aes.decrypt_block(&mut block);
        assert_eq!(hex::encode(&block), plain);
    }
}

#[test]
fn random_keys_and_blocks_against_another_implementation() {
    for (seed, len) in (0..200).zip([16, 24, 32].into_iter().cycle()) {
        let key = random(len, seed);
        let aes = keyed(&key);
        let plain = random(16 * (1 + seed as usize % 70), seed + 1000);
        let mut blocks = plain.clone();
        aes.encrypt_blocks(InOut::in_place(&mut blocks));
        assert_eq!(blocks, other(&key, plain.clone()), "seed {seed}");
        aes.decrypt_blocks(InOut::in_place(&mut blocks));
        assert_eq!(blocks, plain, "seed {seed}");
    }
}

#[test]
fn every_run_length_equals_block_by_block() {
    for key_len in [16, 24, 32] {
        let aes = keyed(&random(key_len, 7));
        for blocks in 0..=70 {
            let plain = random(16 * blocks, blocks as u64);
            let mut cipher = plain.clone();
            cipher.chunks_exact_mut(16).for_each(|block| aes.encrypt_block(block));
            let mut single = cipher.clone();
            single.chunks_exact_mut(16).for_each(|block| aes.decrypt_block(block));
            assert_eq!(single, plain);

            let mut buffer = plain.clone();
            aes.encrypt_blocks(InOut::in_place(&mut buffer));
            assert_eq!(buffer, cipher, "{blocks} blocks in place");
            aes.decrypt_blocks(InOut::in_place(&mut buffer));
            assert_eq!(buffer, plain, "{blocks} blocks in place");

            let mut apart = random(16 * blocks, 99);
            aes.encrypt_blocks(InOut::apart(&plain, &mut apart).unwrap());
            assert_eq!(apart, cipher, "{blocks} blocks apart");
            aes.decrypt_blocks(InOut::apart(&cipher, &mut apart).unwrap());
            assert_eq!(apart, plain, "{blocks} blocks apart");
        }
    }
}

/// SP 800-38A, F.5.5 and F.2.2, over the modes that core provides.
#[test]
fn modes_of_sp_800_38a() {
    let plain = hex::decode(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51\
         30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
    )
    .unwrap();
    let key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4";
    let mut counter = hex::decode("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff").unwrap();
    let mut text = plain.clone();
    keyed(&hex::decode(key).unwrap()).ctr(&mut counter, InOut::in_place(&mut text));
    assert_eq!(
        hex::encode(&text),
        "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5\
         2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"
    );
    assert_eq!(hex::encode(counter), "f0f1f2f3f4f5f6f7f8f9fafbfcfdff03");

    let aes = keyed(&hex::decode("2b7e151628aed2a6abf7158809cf4f3c").unwrap());
    let mut iv = hex::decode("000102030405060708090a0b0c0d0e0f").unwrap();
    let mut text = hex::decode(
        "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2\
         73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
    )
    .unwrap();
    aes.cbc_decrypt(&mut iv, InOut::in_place(&mut text));
    assert_eq!(text, plain);
}

#[test]
fn refused_keys() {
    let mut aes = keyed(&[1; 16]);
    for len in (0..64).filter(|len| ![16, 24, 32].contains(len)) {
        let refused = aes.set_key(&[0; 64][..len]);
        assert!(matches!(refused, Err(Error::BadKeyLen { len: l, .. }) if l == len), "{refused:?}");
    }
    aes.set_key(&[2; 16]).unwrap();
    let (mut again, mut fresh) = ([0; 16], [0; 16]);
    aes.encrypt_block(&mut again);
    keyed(&[2; 16]).encrypt_block(&mut fresh);
    assert_eq!(again, fresh);
}

/// A shorter key after a longer one, and the other way round.
#[test]
fn a_new_key_leaves_nothing_of_the_old_one() {
    let mut aes = Aes::new();
    for (seed, len) in [32, 16, 24, 32, 24, 16].into_iter().enumerate() {
        let key = random(len, seed as u64);
        aes.set_key(&key).unwrap();
        let mut block = random(16, 5);
        aes.encrypt_block(&mut block);
        assert_eq!(block, other(&key, random(16, 5)));
    }
}
