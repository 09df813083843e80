//! Sectors under Speck, beside the portable composition: every length, every cut, every offset within a group.
//!
//! A name is both the end of the drivers' names and the CPU feature that they need: `avx2` for `xts-speck64-avx2`.

use kcrypto_core::Error;

use crate::skciphers::{cuts, keyed, lengths};
use crate::{Drivers, bytes, of};

/// A driver, and what it must agree with.
const PAIRS: [[&str; 2]; 2] =
    [["xts-speck64-way", "xts(ecb(speck64-generic))"], ["xts-speck128-way", "xts(ecb(speck128-generic))"]];

/// Some groups of 256 bytes, one of 128, and some blocks.
const LENGTHS: usize = 700;

/// Calls `check` with both names, for each key length.
fn for_each_pair(drivers: &Drivers, check: impl Fn(&[String], &[u8])) {
    for pair in drivers.names.iter().flat_map(|way| PAIRS.map(|pair| of(&pair, way))) {
        let sizes = drivers.registry.skcipher(&pair[0]).expect(&pair[0]).key_sizes();
        for (seed, len) in sizes.iter().enumerate() {
            check(&pair, &bytes(len, seed as u64));
        }
    }
}

/// Every length, in place and apart.
pub fn every_length_in_place_and_apart(drivers: &Drivers) {
    for_each_pair(drivers, |pair, key| {
        let lens = (0..=LENGTHS).chain([1024, 1424, 4096, 4096 + 128]);
        lengths(&drivers.registry, pair, key, lens);
    });
}

/// Cuts put groups after any number of blocks, and carry the tweak from groups to blocks and back.
pub fn every_legal_cut(drivers: &Drivers) {
    for_each_pair(drivers, |pair, key| {
        let lens = [8, 16, 128, 136, 144, 256, 264, 384, 392, 400, 401, 511, 512, 527];
        let iv_size = keyed(&drivers.registry, &pair[0], key).iv_size();
        // The state is the tweak and the IV.
        cuts(&drivers.registry, pair, key, lens.into_iter(), 2 * iv_size);
    });
}

/// Lengths of keys and IVs that are not accepted.
pub fn bad_lengths_are_refused(drivers: &Drivers) {
    for pair in drivers.names.iter().flat_map(|way| PAIRS.map(|pair| of(&pair, way))) {
        let mut tfm = drivers.registry.skcipher(&pair[0]).expect(&pair[0]);
        let accepted: &[usize] = if tfm.iv_size() == 8 { &[24, 32] } else { &[32, 48, 64] };
        for len in 0..=80 {
            let set = tfm.set_key(&bytes(len, 3));
            if accepted.contains(&len) {
                set.expect("one of its lengths");
            } else {
                assert!(matches!(set, Err(Error::BadKeyLen { len: l, .. }) if l == len), "{len}: {set:?}");
                let refused = tfm.encrypt(&vec![0; tfm.iv_size()], &mut [0; 32]);
                assert!(matches!(refused, Err(Error::NeedKey)), "{len}: {refused:?}");
            }
        }
        tfm.set_key(&bytes(accepted[0], 4)).expect("one of its lengths");
        for len in (0..=40).filter(|len| *len != tfm.iv_size()) {
            let mut buf = bytes(64, 5);
            let refused = tfm.encrypt(&vec![0; len], &mut buf);
            assert!(matches!(refused, Err(Error::BadIvLen { .. })), "{len}: {refused:?}");
            assert_eq!(buf, bytes(64, 5), "a refused request leaves its buffer alone");
        }
    }
}

/// Names get these drivers, which refuse what is too long or weak, and the portable ones once the feature is masked.
pub fn they_are_chosen_for_the_name_and_tested(drivers: &Drivers) {
    for way in &drivers.names {
        for (name, driver, iv) in [("xts(speck64)", "xts-speck64", 8), ("xts(speck128)", "xts-speck128", 16)]
        {
            let mut tfm = drivers.registry.skcipher(name).expect(name);
            assert_eq!((&*tfm.alg().driver_name, tfm.iv_size()), (&*format!("{driver}-{way}"), iv));
            assert!(matches!(tfm.set_key(&[0; 25]), Err(Error::BadKeyLen { .. })));
            tfm.set_key(&[0; 32]).expect("weak keys are allowed");
            let refused = tfm.encrypt(&[0; 32][..24 - iv], &mut [0; 32]);
            assert!(matches!(refused, Err(Error::BadIvLen { want, .. }) if want == iv), "{refused:?}");
            tfm.forbid_weak_keys();
            assert!(matches!(tfm.set_key(&[0; 32]), Err(Error::WeakKey { .. })));
        }
        drivers.registry.mask_cpu(&[way]);
        for name in ["speck64", "speck128"] {
            let tfm = drivers.registry.skcipher(&format!("xts({name})")).expect("without the feature");
            assert_eq!(tfm.alg().driver_name, format!("xts(ecb({name}-generic))"));
        }
    }
}

/// Vectors of Linux 4.18's self-tests: the driver, key, IV, plaintext byte, and ciphertext of 32 of them.
const PUBLISHED: [(&str, &str, &str, u8, &str); 4] = [
    (
        "xts-speck64",
        "000000000000000000000000000000000000000000000000",
        "0000000000000000",
        0,
        "84af540719d47ca6e4fedfc41f34c3c280f572e7cdf0992235a72f06efdc51aa",
    ),
    (
        "xts-speck64",
        "111111111111111111111111111111112222222222222222",
        "3333333333000000",
        0x44,
        "125673cd1587a859cf84aed91c66d69fb312697e36eb52ff62ddba90b3e1ee99",
    ),
    (
        "xts-speck128",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "00000000000000000000000000000000",
        0,
        "bea0e703d7feab623b994a647477acedd8f4a6cfaeb9074251d9b61de05ebc54",
    ),
    (
        "xts-speck128",
        "1111111111111111111111111111111122222222222222222222222222222222",
        "33333333330000000000000000000000",
        0x44,
        "fb5381756f9f34ad7e01ed7bccda4e4ad484a453d588731bfdcbae0df304eee6",
    ),
];

/// Short messages; the end of one of 512 bytes; and the paper's blocks, each as a message of its own, whose first
/// tweak is known.
pub fn published(drivers: &Drivers) {
    let hex = |text: &str| hex::decode(text).expect("hex");
    for way in &drivers.names {
        for (driver, key, iv, plain, cipher) in PUBLISHED {
            let tfm = keyed(&drivers.registry, &format!("{driver}-{way}"), &hex(key));
            let mut text = [plain; 32];
            tfm.encrypt(&hex(iv), &mut text).expect("a legal message");
            assert_eq!(hex::encode(text), cipher, "{driver}-{way}");
            tfm.decrypt(&hex(iv), &mut text).expect("a legal message");
            assert_eq!(text, [plain; 32], "{driver}-{way}");
        }
        let key = hex("271828182845904523536028747135263141592653589793");
        let tfm = keyed(&drivers.registry, &format!("xts-speck64-{way}"), &key);
        let mut text: Vec<u8> = (0..=255).chain(0..=255).collect();
        tfm.encrypt(&[0; 8], &mut text).expect("a legal message");
        assert_eq!(hex::encode(&text[496..]), "37be7574cdf0756e252394bdda8db0d4");
        blocks(drivers, way);
    }
}

/// Cipher, key, plaintext and ciphertext: ePrint 2013/404, appendix C, read from right to left.
const BLOCKS: [[&str; 4]; 5] = [
    ["speck64", "0001020308090a0b10111213", "65616e7320466174", "6c947541ec52799f"],
    ["speck64", "0001020308090a0b1011121318191a1b", "2d4375747465723b", "8b024e4548a56f8c"],
    [
        "speck128",
        "000102030405060708090a0b0c0d0e0f",
        "206d616465206974206571756976616c",
        "180d575cdffe60786532787951985da6",
    ],
    [
        "speck128",
        "000102030405060708090a0b0c0d0e0f1011121314151617",
        "656e7420746f20436869656620486172",
        "86183ce05d18bcf9665513133acfe41b",
    ],
    [
        "speck128",
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "706f6f6e65722e20496e2074686f7365",
        "438f189c8db4ee4e3ef5c00504010941",
    ],
];

/// The paper's blocks in every place of a long message: XORed with the tweaks, they are enciphered as the paper says.
fn blocks(drivers: &Drivers, way: &str) {
    for [cipher, key, plain, expected] in BLOCKS {
        let key = hex::decode(key).expect("hex");
        let [plain, expected] = [plain, expected].map(|text| hex::decode(text).expect("hex"));
        let size = plain.len();
        // Both halves are the cipher's key, so that the cipher itself makes the first tweak.
        let tfm = keyed(&drivers.registry, &format!("xts-{cipher}-{way}"), &[&key[..], &key].concat());
        let tweaks = tweaks(drivers, cipher, &key, 40);
        let xored = |block: &[u8]| -> Vec<u8> {
            let pairs = tweaks.iter().flat_map(|tweak| tweak.iter().zip(block));
            pairs.map(|(tweak, byte)| tweak ^ byte).collect()
        };
        let mut text = xored(&plain);
        tfm.encrypt(&vec![0; size], &mut text).expect("a legal message");
        assert_eq!(text, xored(&expected), "{cipher} with {} bytes of key", key.len());
    }
}

/// The tweaks of some blocks under an IV of zeros, doubled one by one.
fn tweaks(drivers: &Drivers, cipher: &str, key: &[u8], blocks: usize) -> Vec<Vec<u8>> {
    let mut tfm = drivers.registry.cipher(&format!("{cipher}-generic")).expect(cipher);
    tfm.set_key(key).expect(cipher);
    let mut first = vec![0; tfm.block_size()];
    tfm.encrypt(&mut first).expect("a block");
    let double = |tweak: &Vec<u8>| {
        let polynomial = if tweak.len() == 8 { 0x1b } else { 0x87 };
        let mut carry = 0;
        let mut doubled: Vec<u8> = tweak
            .iter()
            .map(|byte| {
                let out = byte << 1 | carry;
                carry = byte >> 7;
                out
            })
            .collect();
        doubled[0] ^= carry * polynomial;
        Some(doubled)
    };
    std::iter::successors(Some(first), double).take(blocks).collect()
}
