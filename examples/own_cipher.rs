//! A cipher of your own under a new name, registered at run time: `simon128`.
//!
//! SIMON with 128-bit blocks (Beaulieu et al., "The SIMON and SPECK Families of Lightweight Block Ciphers", 2013),
//! tested by the paper's vectors before its first use.
//! `xts(simon128)` and `cts(cbc(simon128))` work with no further line.
#![forbid(unsafe_code)]

use std::sync::Arc;

use kcrypto::selftest::Mode;
use kcrypto::{Alg, CipherAlg, CipherDriver, Defaults, KeySizes, Make, Registry, Report, SelfTest, Subject};

const SIMON128: Alg = Alg::cipher(
    "simon128",
    "simon128-example",
    CipherAlg { block_size: 16, keys: KeySizes::AES, make: Make::Static(|| Box::new(Simon128::default())) },
)
.with_priority(100);

/// Round keys.
#[derive(Default, zeroize::ZeroizeOnDrop)]
struct Simon128(Vec<u64>);

/// For keys of 2, 3 and 4 words: z2, z3 and z4 of the paper, the first bit lowest, and the number of rounds.
const SCHEDULES: [(u64, usize); 3] =
    [(0x3369_f885_192c_0ef5, 68), (0x3c2c_e512_07a6_35db, 69), (0x3dc9_4c3a_046d_678b, 72)];

impl CipherDriver for Simon128 {
    fn block_size(&self) -> usize {
        16
    }

    fn set_key(&mut self, key: &[u8]) -> kcrypto::Result<()> {
        let (words, _) = key.as_chunks::<8>();
        let m = words.len();
        let (z, rounds) = SCHEDULES[m - 2];
        *self = Simon128(Vec::with_capacity(rounds));
        self.0.extend(words.iter().map(|&word| u64::from_le_bytes(word)));
        for i in m..rounds {
            let t = self.0[i - 1].rotate_right(3) ^ if m == 4 { self.0[i - 3] } else { 0 };
            self.0.push(!self.0[i - m] ^ t ^ t.rotate_right(1) ^ (z >> ((i - m) % 62) & 1) ^ 3);
        }
        Ok(())
    }

    fn encrypt_block(&self, block: &mut [u8]) {
        let (x, y) = self.0.iter().fold(load(block), |(x, y), key| (y ^ mix(x) ^ key, x));
        block.copy_from_slice([y, x].map(u64::to_le_bytes).as_flattened());
    }

    fn decrypt_block(&self, block: &mut [u8]) {
        let (x, y) = self.0.iter().rev().fold(load(block), |(x, y), key| (y, x ^ mix(y) ^ key));
        block.copy_from_slice([y, x].map(u64::to_le_bytes).as_flattened());
    }
}

fn mix(x: u64) -> u64 {
    (x.rotate_left(1) & x.rotate_left(8)) ^ x.rotate_left(2)
}

fn load(block: &[u8]) -> (u64, u64) {
    let word = |at| u64::from_le_bytes(block[at..at + 8].try_into().expect("eight bytes"));
    (word(8), word(0))
}

/// The paper's appendix B: bytes of key (00 01 02 and so on), plaintext, ciphertext as a number.
type Vector = (u8, &'static [u8; 16], u128);
const VECTORS: [Vector; 3] = [
    (16, b" travellers desc", 0x4968_1b1e_1e54_fe3f_65aa_832a_f84e_0bbc),
    (24, b"ribe when there ", 0xc4ac_61ef_fcdc_0d4f_6c9c_8d6e_2597_b85b),
    (32, b"is a simoom in t", 0x8d2b_5579_afc8_a3a0_3bf7_2a87_efe7_b868),
];

/// The self-tests of kcrypto, and the paper's answers.
struct WithVectors;

impl SelfTest for WithVectors {
    fn test(&self, subject: &Subject<'_>) -> Report {
        let mut report = Mode::default().test(subject);
        if subject.alg().name == "simon128" && report.passed() {
            report.checks += VECTORS.len() as u64;
            let wrong = VECTORS.iter().find(|vector| !answers(subject, vector).unwrap_or(false));
            report.failure = wrong.map(|vector| format!("wrong answer to {vector:x?}"));
        }
        report
    }
}

fn answers(subject: &Subject<'_>, &(key_len, plain, cipher): &Vector) -> kcrypto::Result<bool> {
    let (mut tfm, mut block) = (subject.cipher()?, *plain);
    tfm.set_key(&(0..key_len).collect::<Vec<u8>>())?;
    tfm.encrypt(&mut block)?;
    let encrypted = u128::from_le_bytes(block);
    tfm.decrypt(&mut block)?;
    Ok(encrypted == cipher && block == *plain)
}

/// Registers the cipher, uses it in two modes, and takes it away again.
pub fn main() -> kcrypto::Result<()> {
    let registry = Registry::with_defaults();
    registry.set_self_test(Arc::new(WithVectors));
    let guard = registry.register(SIMON128)?;
    println!("cts(cbc(simon128)) is {}", registry.skcipher("cts(cbc(simon128))")?.alg().driver_name);
    let mut tfm = registry.skcipher("xts(simon128)")?;
    println!("xts(simon128) is {}", tfm.alg().driver_name);
    assert_eq!(tfm.alg().driver_name, "xts(ecb(simon128-example))");
    let listed = registry.list().into_iter().find(|info| info.alg.name == "simon128").expect("it is listed");
    println!("{} {}: {:?}", listed.alg.driver_name, listed.test.as_str(), listed.test.report());
    assert_eq!(listed.test.as_str(), "passed");

    guard.unregister();
    assert!(!registry.has("xts(simon128)"));
    tfm.set_key(&[[1; 32], [2; 32]].concat())?;
    let mut data = *b"seventeen bytes..";
    tfm.encrypt(&[0; 16], &mut data)?;
    println!("unregistered, the transform still encrypts: {}", hex::encode(data));
    tfm.decrypt(&[0; 16], &mut data)?;
    assert_eq!(data, *b"seventeen bytes..");
    Ok(())
}
