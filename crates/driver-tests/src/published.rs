//! The answers that the standards publish for modes of AES, from every driver and composition.
//!
//! Names are those of [`modes`](crate::modes).

use crate::modes::MODES;
use crate::skciphers::keyed;
use crate::{Drivers, of};

/// Key, IV, plaintext, ciphertext and the IV that continues the stream (the same IV if empty), in hex.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

fn check(drivers: &Drivers, mode: [&str; 3], cases: &[Case]) {
    let hex = |text: &str| hex::decode(text).expect(text);
    for name in drivers.names.iter().flat_map(|way| of(&mode, way)) {
        for &(key, iv, plain, cipher, iv_out) in cases {
            let tfm = keyed(&drivers.registry, &name, &hex(key));
            let iv_out = hex(if iv_out.is_empty() { iv } else { iv_out });
            let (mut buf, mut chained) = (hex(plain), hex(iv));
            tfm.encrypt_chained(&mut chained, &mut buf).expect(&name);
            assert_eq!((hex::encode(&buf), &chained), (cipher.into(), &iv_out), "{name} encrypts {plain}");
            let mut chained = hex(iv);
            tfm.decrypt_chained(&mut chained, &mut buf).expect(&name);
            assert_eq!((hex::encode(&buf), &chained), (plain.into(), &iv_out), "{name} decrypts {cipher}");
        }
    }
}

/// SP 800-38A, appendix F: the keys, the plaintext.
const KEYS: [&str; 3] = [
    "2b7e151628aed2a6abf7158809cf4f3c",
    "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
];
const PLAIN: &str = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51\
                     30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";

/// FIPS 197, appendix C; SP 800-38A, F.1.
pub fn ecb(drivers: &Drivers) {
    const BLOCK: &str = "00112233445566778899aabbccddeeff";
    const BYTES: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    check(
        drivers,
        MODES[0],
        &[
            (&BYTES[..32], "", BLOCK, "69c4e0d86a7b0430d8cdb78070b4c55a", ""),
            (&BYTES[..48], "", BLOCK, "dda97ca4864cdfe06eaf70a0ec0d7191", ""),
            (&BYTES[..64], "", BLOCK, "8ea2b7ca516745bfeafc49904b496089", ""),
            (
                KEYS[0],
                "",
                PLAIN,
                "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf\
                 43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4",
                "",
            ),
            (
                KEYS[1],
                "",
                PLAIN,
                "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef\
                 ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e",
                "",
            ),
            (
                KEYS[2],
                "",
                PLAIN,
                "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870\
                 b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7",
                "",
            ),
        ],
    );
}

/// SP 800-38A, F.2.
pub fn cbc(drivers: &Drivers) {
    const IV: &str = "000102030405060708090a0b0c0d0e0f";
    check(
        drivers,
        MODES[1],
        &[
            (
                KEYS[0],
                IV,
                PLAIN,
                "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2\
                 73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
                "3ff1caa1681fac09120eca307586e1a7",
            ),
            (
                KEYS[1],
                IV,
                PLAIN,
                "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a\
                 571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
                "08b0e27988598881d920a9e64f5615cd",
            ),
            (
                KEYS[2],
                IV,
                PLAIN,
                "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d\
                 39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
                "b2eb05e2c39be9fcda6c19078c6a9d1b",
            ),
        ],
    );
}

/// SP 800-38A, F.5.
pub fn ctr(drivers: &Drivers) {
    const IV: &str = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
    const AFTER: &str = "f0f1f2f3f4f5f6f7f8f9fafbfcfdff03";
    check(
        drivers,
        MODES[2],
        &[
            (
                KEYS[0],
                IV,
                PLAIN,
                "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff\
                 5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
                AFTER,
            ),
            (
                KEYS[1],
                IV,
                PLAIN,
                "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94\
                 1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
                AFTER,
            ),
            (
                KEYS[2],
                IV,
                PLAIN,
                "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5\
                 2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
                AFTER,
            ),
        ],
    );
}

/// RFC 3686, section 6, test vectors 1 to 3.
pub fn rfc3686(drivers: &Drivers) {
    check(
        drivers,
        MODES[3],
        &[
            (
                "ae6852f8121067cc4bf7a5765577f39e00000030",
                "0000000000000000",
                "53696e676c6520626c6f636b206d7367",
                "e4095d4fb7a7b3792d6175a3261311b8",
                "",
            ),
            (
                "7e24067817fae0d743d6ce1f32539163006cb6db",
                "c0543b59da48d90b",
                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                "5104a106168a72d9790d41ee8edad388eb2e1efc46da57c8fce630df9141be28",
                "",
            ),
            (
                "7691be035e5020a8ac6e618529f9a0dc00e0017b",
                "27777f3f4a1786f0",
                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223",
                "c1cf48a89f2ffdd9cf4652e9efdb72d74540a42bde6d7836d59a5ceaaef3105325b2072f",
                "",
            ),
        ],
    );
}

/// RFC 3962, appendix B.
pub fn cts(drivers: &Drivers) {
    const KEY: &str = "636869636b656e207465726979616b69";
    const IV: &str = "00000000000000000000000000000000";
    const TEXT: &str = "4920776f756c64206c696b65207468652047656e6572616c20476175277320436869636b656e2c20\
                        706c656173652c20616e6420776f6e746f6e20736f75702e";
    check(
        drivers,
        MODES[4],
        &[
            (KEY, IV, &TEXT[..34], "c6353568f2bf8cb4d8a580362da7ff7f97", "c6353568f2bf8cb4d8a580362da7ff7f"),
            (
                KEY,
                IV,
                &TEXT[..62],
                "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5",
                "fc00783e0efdb2c1d445d4c8eff7ed22",
            ),
            (
                KEY,
                IV,
                &TEXT[..64],
                "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584",
                "39312523a78662d5be7fcbcc98ebf5a8",
            ),
            (
                KEY,
                IV,
                &TEXT[..94],
                "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e\
                 39312523a78662d5be7fcbcc98ebf5",
                "b3fffd940c16a18c1b5549d2f838029e",
            ),
            (
                KEY,
                IV,
                &TEXT[..96],
                "97687268d6ecccc0c07b25e25ecfe5849dad8bbb96c4cdc03bc103e1a194bbd8\
                 39312523a78662d5be7fcbcc98ebf5a8",
                "9dad8bbb96c4cdc03bc103e1a194bbd8",
            ),
            (
                KEY,
                IV,
                &TEXT[..128],
                "97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a8\
                 4807efe836ee89a526730dbc2f7bc8409dad8bbb96c4cdc03bc103e1a194bbd8",
                "4807efe836ee89a526730dbc2f7bc840",
            ),
        ],
    );
}

/// IEEE 1619, annex B, vectors 1, 2 and 15 to 18.
pub fn xts(drivers: &Drivers) {
    const KEY: &str = "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0";
    const IV: &str = "9a785634120000000000000000000000";
    const TEXT: &str = "000102030405060708090a0b0c0d0e0f10111213";
    check(
        drivers,
        MODES[5],
        &[
            (
                "0000000000000000000000000000000000000000000000000000000000000000",
                "00000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000000",
                "917cf69ebd68b2ec9b9fe9a3eadda692cd43d2f59598ed858c02c2652fbf922e",
                "",
            ),
            (
                "1111111111111111111111111111111122222222222222222222222222222222",
                "33333333330000000000000000000000",
                "4444444444444444444444444444444444444444444444444444444444444444",
                "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0",
                "",
            ),
            (KEY, IV, &TEXT[..34], "6c1625db4671522d3d7599601de7ca09ed", ""),
            (KEY, IV, &TEXT[..36], "d069444b7a7e0cab09e24447d24deb1fedbf", ""),
            (KEY, IV, &TEXT[..38], "e5df1351c0544ba1350b3363cd8ef4beedbf9d", ""),
            (KEY, IV, TEXT, "9d84c813f719aa2c7be3f66171c7c5c2edbf9dac", ""),
        ],
    );
}
