//! Against the vectors of the paper and of Linux, by themselves and under every mode that takes the cipher.

use std::string::String;
use std::vec;
use std::vec::Vec;

use kcrypto_core::{Alg, CipherDriver, Dir, Error, InOut, Registry, Skcipher};
use rstest::rstest;

use super::{SPECK64, SPECK128, Speck, Word};

fn hex(text: &str) -> Vec<u8> {
    hex::decode(text).unwrap()
}

fn counted(len: usize) -> Vec<u8> {
    (0..len).map(|i| i as u8).collect()
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

fn keyed<W: Word>(key: &[u8]) -> Speck<W> {
    let mut speck = Speck::new();
    speck.set_key(key).unwrap();
    speck
}

fn registry() -> Registry {
    Registry::with([SPECK64, SPECK128], kcrypto_templates::ALL.iter().copied()).unwrap()
}

fn skcipher(name: &str, key: &[u8]) -> Skcipher {
    let mut tfm = registry().skcipher(name).unwrap();
    tfm.set_key(key).unwrap();
    tfm
}

/// ePrint 2013/404, appendix C, read from right to left. The keys are bytes in steps of one, by words.
#[rstest]
#[case::speck64_96("0001020308090a0b10111213", "65616e7320466174", "6c947541ec52799f")]
#[case::speck64_128("0001020308090a0b1011121318191a1b", "2d4375747465723b", "8b024e4548a56f8c")]
fn vectors_of_64_bits(#[case] key: &str, #[case] plain: &str, #[case] cipher: &str) {
    published::<u32>(&hex(key), plain, cipher);
}

#[rstest]
#[case::speck128_128(16, "206d616465206974206571756976616c", "180d575cdffe60786532787951985da6")]
#[case::speck128_192(24, "656e7420746f20436869656620486172", "86183ce05d18bcf9665513133acfe41b")]
#[case::speck128_256(32, "706f6f6e65722e20496e2074686f7365", "438f189c8db4ee4e3ef5c00504010941")]
fn vectors_of_128_bits(#[case] key: usize, #[case] plain: &str, #[case] cipher: &str) {
    published::<u64>(&counted(key), plain, cipher);
}

fn published<W: Word>(key: &[u8], plain: &str, cipher: &str) {
    let speck = keyed::<W>(key);
    let mut block = hex(plain);
    speck.encrypt_block(&mut block);
    assert_eq!(hex::encode(&block), cipher);
    speck.decrypt_block(&mut block);
    assert_eq!(hex::encode(&block), plain);
}

/// Linux 4.17, after IEEE 1619-2007, annex B.
#[rstest]
#[case::first_of_128(
    "xts(speck128)",
    "00".repeat(32),
    "00000000000000000000000000000000",
    "00".repeat(32),
    "bea0e703d7feab623b994a647477acedd8f4a6cfaeb9074251d9b61de05ebc54"
)]
#[case::second_of_128(
    "xts(speck128)",
    "11".repeat(16) + &"22".repeat(16),
    "33333333330000000000000000000000",
    "44".repeat(32),
    "fb5381756f9f34ad7e01ed7bccda4e4ad484a453d588731bfdcbae0df304eee6"
)]
#[case::first_of_64(
    "xts(speck64)",
    "00".repeat(24),
    "0000000000000000",
    "00".repeat(32),
    "84af540719d47ca6e4fedfc41f34c3c280f572e7cdf0992235a72f06efdc51aa"
)]
#[case::second_of_64(
    "xts(speck64)",
    "11".repeat(16) + &"22".repeat(8),
    "3333333333000000",
    "44".repeat(32),
    "125673cd1587a859cf84aed91c66d69fb312697e36eb52ff62ddba90b3e1ee99"
)]
fn sectors(
    #[case] name: &str,
    #[case] key: String,
    #[case] iv: &str,
    #[case] plain: String,
    #[case] cipher: &str,
) {
    let tfm = skcipher(name, &hex(&key));
    let mut message = hex(&plain);
    tfm.encrypt(&hex(iv), &mut message).unwrap();
    assert_eq!(hex::encode(&message), cipher);
    tfm.decrypt(&hex(iv), &mut message).unwrap();
    assert_eq!(hex::encode(&message), plain);
}

/// 64 tweaks, of which every second one or so has its top bit set.
#[test]
fn a_long_sector_of_64_bits() {
    let tfm = skcipher("xts(speck64)", &hex("271828182845904523536028747135263141592653589793"));
    let mut message = counted(512);
    tfm.encrypt(&[0; 8], &mut message).unwrap();
    assert_eq!(hex::encode(&message[496..]), "37be7574cdf0756e252394bdda8db0d4");
    tfm.decrypt(&[0; 8], &mut message).unwrap();
    assert_eq!(message, counted(512));
}

/// The mode written out over single blocks, with bits instead of words for the tweak.
#[rstest]
#[case(&SPECK64, "xts(speck64)", &[0, 1, 3, 4])]
#[case(&SPECK128, "xts(speck128)", &[0, 1, 2, 7])]
fn the_tweak_bit_by_bit(#[case] alg: &Alg, #[case] name: &str, #[case] polynomial: &[usize]) {
    let cipher = |key: &[u8]| {
        let mut cipher = registry().cipher(&alg.name).unwrap();
        cipher.set_key(key).unwrap();
        cipher
    };
    let key = random(skcipher_key(name), 1);
    let (data, tweak) = key.split_at(key.len() / 2);
    let (data, tweak) = (cipher(data), cipher(tweak));
    let size = data.block_size();
    let iv = random(size, 2);
    let plain = random(40 * size, 3);

    let mut first = iv.clone();
    tweak.encrypt(&mut first).unwrap();
    let mut bits: Vec<bool> = first.iter().flat_map(|byte| (0..8).map(move |i| byte >> i & 1 == 1)).collect();
    let mut expected = plain.clone();
    let mut reduced = 0;
    for block in expected.chunks_exact_mut(size) {
        let mask: Vec<u8> = bits.chunks(8).map(|byte| (0..8).map(|i| u8::from(byte[i]) << i).sum()).collect();
        block.iter_mut().zip(&mask).for_each(|(byte, mask)| *byte ^= mask);
        data.encrypt(&mut *block).unwrap();
        block.iter_mut().zip(&mask).for_each(|(byte, mask)| *byte ^= mask);
        bits.rotate_right(1);
        if bits[0] {
            reduced += 1;
            polynomial[1..].iter().for_each(|&power| bits[power] ^= true);
        }
    }
    assert!((10..=30).contains(&reduced), "{reduced} tweaks of 40 had their top bit set");

    let mut message = plain.clone();
    let tfm = skcipher(name, &key);
    tfm.encrypt(&iv, &mut message).unwrap();
    assert_eq!(message, expected);
    tfm.decrypt(&iv, &mut message).unwrap();
    assert_eq!(message, plain);
}

fn skcipher_key(name: &str) -> usize {
    registry().skcipher(name).unwrap().key_sizes().max
}

#[test]
fn every_run_length_equals_block_by_block() {
    run_lengths::<u32>(&[12, 16]);
    run_lengths::<u64>(&[16, 24, 32]);
}

fn run_lengths<W: Word>(keys: &[usize]) {
    let size = 2 * size_of::<W>();
    for &key_len in keys {
        let speck = keyed::<W>(&random(key_len, 7));
        for blocks in 0..=70 {
            let plain = random(size * blocks, blocks as u64);
            let mut cipher = plain.clone();
            cipher.chunks_exact_mut(size).for_each(|block| speck.encrypt_block(block));
            let mut single = cipher.clone();
            single.chunks_exact_mut(size).for_each(|block| speck.decrypt_block(block));
            assert_eq!(single, plain);

            let mut buffer = plain.clone();
            speck.encrypt_blocks(InOut::in_place(&mut buffer));
            assert_eq!(buffer, cipher, "{blocks} blocks in place");
            speck.decrypt_blocks(InOut::in_place(&mut buffer));
            assert_eq!(buffer, plain, "{blocks} blocks in place");

            let mut apart = random(size * blocks, 99);
            speck.encrypt_blocks(InOut::apart(&plain, &mut apart).unwrap());
            assert_eq!(apart, cipher, "{blocks} blocks apart");
            speck.decrypt_blocks(InOut::apart(&cipher, &mut apart).unwrap());
            assert_eq!(apart, plain, "{blocks} blocks apart");
        }
    }
}

#[test]
fn refused_keys() {
    refuses::<u32>(&[12, 16]);
    refuses::<u64>(&[16, 24, 32]);
}

fn refuses<W: Word>(accepted: &[usize]) {
    let mut speck = keyed::<W>(&[1; 16]);
    for len in (0..70).filter(|len| !accepted.contains(len)) {
        let refused = speck.set_key(&[0; 70][..len]);
        assert!(matches!(refused, Err(Error::BadKeyLen { len: l, .. }) if l == len), "{refused:?}");
    }
    let mut reused = random(2 * size_of::<W>(), 4);
    let mut fresh = reused.clone();
    for &len in accepted.iter().chain(accepted.iter().rev()) {
        let key = random(len, len as u64);
        speck.set_key(&key).unwrap();
        speck.encrypt_block(&mut reused);
        keyed::<W>(&key).encrypt_block(&mut fresh);
        assert_eq!(reused, fresh, "a key of {len} bytes after others");
    }
}

#[test]
fn sectors_of_64_bits_have_their_own_limits() {
    let tfm = skcipher("xts(speck64)", &[1; 24]);
    assert!(tfm.key_sizes().iter().eq([24, 32]));
    assert_eq!((tfm.iv_size(), tfm.block_size()), (8, 8));
    for len in [0, 1, 7, 9, 15, 17, 511] {
        let refused = tfm.encrypt(&[0; 8], &mut vec![0; len]);
        assert!(matches!(refused, Err(Error::BadLength { .. })), "{len}");
    }
    let refused = tfm.encrypt(&[0; 16], &mut [0; 16]).unwrap_err();
    assert!(matches!(refused, Error::BadIvLen { len: 16, want: 8 }), "{refused:?}");
    assert!(std::format!("{refused}").contains('8'), "{refused}");

    let mut tfm = registry().skcipher("xts(speck64)").unwrap();
    for len in (0..=40).filter(|len| ![24, 32].contains(len)) {
        assert!(matches!(tfm.set_key(&[1; 40][..len]), Err(Error::BadKeyLen { .. })), "{len}");
    }
    tfm.forbid_weak_keys();
    assert!(matches!(tfm.set_key(&[1; 24]), Err(Error::WeakKey { .. })));
}

/// Another cipher with blocks of 8 bytes.
#[test]
fn no_other_cipher_of_64_bits_makes_sectors() {
    let renamed = Alg { name: "des".into(), driver_name: "des-plain".into(), ..SPECK64 };
    let registry = Registry::with([renamed, SPECK128], kcrypto_templates::ALL.iter().copied()).unwrap();
    for name in ["xts(des)", "xts(ecb(des))", "xts(cbc(speck128))"] {
        assert!(matches!(registry.skcipher(name), Err(Error::BadChild { .. })), "{name}");
    }
    assert!(registry.skcipher("xts(ecb(speck128-generic))").is_ok());
}

/// Every length that steals, there and back, and that the first blocks are those of the whole message.
#[test]
fn sectors_of_128_bits_steal() {
    let tfm = skcipher("xts(speck128)", &random(64, 1));
    let plain = random(100, 2);
    let mut whole = plain[..96].to_vec();
    tfm.encrypt(&[3; 16], &mut whole).unwrap();
    for len in 16..100 {
        let mut message = plain[..len].to_vec();
        tfm.encrypt(&[3; 16], &mut message).unwrap();
        let same = if len % 16 == 0 { len } else { len - len % 16 - 16 };
        assert_eq!(message[..same], whole[..same], "{len}");
        assert!(same == len || message[same..] != plain[same..len], "{len}");
        tfm.decrypt(&[3; 16], &mut message).unwrap();
        assert_eq!(message, plain[..len], "{len}");
    }
}

#[rstest]
#[case("cts(cbc(speck128))", 16)]
#[case("ctr(speck128)", 16)]
#[case("ctr(speck64)", 8)]
#[case("cts(cbc(speck64))", 8)]
fn other_modes_there_and_back(#[case] name: &str, #[case] iv: usize) {
    let tfm = skcipher(name, &random(16, 1));
    assert_eq!(tfm.iv_size(), iv);
    for len in iv..200 {
        let plain = random(len, len as u64);
        let mut message = plain.clone();
        for dir in Dir::BOTH {
            assert_eq!(message == plain, dir == Dir::Encrypt, "{name} {len}");
            tfm.crypt(dir, &random(iv, 5), InOut::in_place(&mut message)).unwrap();
        }
        assert_eq!(message, plain, "{name} {len}");
    }
}

/// SP 800-38B by hand over single blocks: a whole last block and a partial one.
#[rstest]
#[case("speck64", 0x1b)]
#[case("speck128", 0x87)]
fn macs(#[case] name: &str, #[case] polynomial: u8) {
    let key = random(16, 1);
    let mut cipher = registry().cipher(name).unwrap();
    cipher.set_key(&key).unwrap();
    let size = cipher.block_size();
    let double = |block: &[u8]| -> Vec<u8> {
        let mut out: Vec<u8> =
            (0..size).map(|i| block[i] << 1 | block.get(i + 1).map_or(0, |next| next >> 7)).collect();
        out[size - 1] ^= if block[0] >> 7 == 1 { polynomial } else { 0 };
        out
    };
    let mut zero = vec![0; size];
    cipher.encrypt(&mut zero).unwrap();
    let (k1, k2) = (double(&zero), double(&double(&zero)));

    let mut mac = registry().shash(&std::format!("cmac({name})")).unwrap();
    mac.set_key(&key).unwrap();
    assert_eq!(mac.digest_size(), size);
    for len in 0..=3 * size {
        let message = random(len, 2);
        let mut padded = message.clone();
        let mask = if len > 0 && len % size == 0 {
            &k1
        } else {
            padded.push(0x80);
            padded.resize(padded.len().next_multiple_of(size), 0);
            &k2
        };
        let at = padded.len() - size;
        padded[at..].iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
        let mut chain = vec![0; size];
        for block in padded.chunks_exact(size) {
            chain.iter_mut().zip(block).for_each(|(byte, block)| *byte ^= block);
            cipher.encrypt(&mut chain).unwrap();
        }
        let mut digest = vec![0; size];
        mac.digest(&message, &mut digest).unwrap();
        assert_eq!(digest, chain, "{name} {len}");
    }
}
