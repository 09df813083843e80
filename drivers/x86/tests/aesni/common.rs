//! A registry of this crate's drivers, the templates, and to compare with a plain AES of another crate, and GHASH
//! and POLYVAL bit by bit.

use crate::bitwise;
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use kcrypto_core::{
    Alg, CipherAlg, CipherDriver, Dir, Error, InOut, KeySizes, Kind, Make, Registry, Result, Skcipher,
    SkcipherDriver, State,
};

/// The modes, each with a driver of this crate, the template over this crate's drivers, and the template over
/// the other AES.
pub(crate) const MODES: [[&str; 3]; 6] = [
    ["ecb-aes-aesni", "ecb(aes-aesni)", "ecb(aes-other)"],
    ["cbc-aes-aesni", "cbc(aes-aesni)", "cbc(aes-other)"],
    ["ctr-aes-aesni", "ctr(aes-aesni)", "ctr(aes-other)"],
    ["rfc3686(ctr-aes-aesni)", "rfc3686(ctr(aes-aesni))", "rfc3686(ctr(aes-other))"],
    ["cts-cbc-aes-aesni", "cts(cbc-aes-aesni)", "cts(cbc(aes-other))"],
    ["xts-aes-aesni", "xts(ecb-aes-aesni)", "xts(ecb(aes-other))"],
];

/// `None` where this CPU has no AES-NI.
pub(crate) fn registry() -> Option<Registry> {
    if let Err(why) = kcrypto_simd::x86::AesNi::require() {
        eprintln!("skipped: {why}");
        return None;
    }
    let other =
        CipherAlg { block_size: 16, keys: KeySizes::AES, make: Make::Static(|| Box::new(Other(None))) };
    let other = Alg::cipher("aes", "aes-other", other).with_priority(1);
    let algs = kcrypto_x86::ALGS.iter().cloned().chain([other, bitwise::GHASH, bitwise::POLYVAL]);
    Some(Registry::with(algs, kcrypto_templates::ALL.iter().copied()).expect("no names conflict"))
}

/// A keyed transform.
pub(crate) fn keyed(registry: &Registry, name: &str, key: &[u8]) -> Skcipher {
    let mut tfm = registry.skcipher(name).expect(name);
    tfm.set_key(key).expect(name);
    tfm
}

/// The driver behind a handle, keyed.
pub(crate) fn driver(registry: &Registry, name: &str, key: &[u8]) -> Box<dyn SkcipherDriver> {
    let tfm = registry.skcipher(name).expect(name);
    let Kind::Skcipher(limits) = &tfm.alg().kind else { unreachable!("asked for an skcipher") };
    let mut driver = limits.make.call().expect(name);
    driver.set_key(key).expect(name);
    driver
}

/// Runs a message cut at these places; returns the output and the IV after it.
pub(crate) fn in_runs(
    driver: &dyn SkcipherDriver,
    dir: Dir,
    iv: &[u8],
    message: &[u8],
    cuts: &[usize],
) -> (Vec<u8>, Vec<u8>) {
    let mut out = message.to_vec();
    let mut state = State::new();
    driver.begin(dir, iv, &mut state);
    let mut rest = InOut::from(&mut out);
    let mut done = 0;
    for cut in cuts {
        let (run, after) = rest.split_at(cut - done);
        driver.run(dir, &mut state, run, false);
        (rest, done) = (after, *cut);
    }
    driver.run(dir, &mut state, rest, true);
    let mut iv = iv.to_vec();
    driver.end(dir, &state, &mut iv);
    (out, iv)
}

/// Bytes without a pattern, the same on every run.
pub(crate) fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 32) as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

/// AES of another crate, one block at a time.
struct Other(Option<Keyed>);

enum Keyed {
    Aes128(aes::Aes128),
    Aes192(aes::Aes192),
    Aes256(aes::Aes256),
}

impl CipherDriver for Other {
    fn block_size(&self) -> usize {
        16
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let bad = |_| Error::BadKeyLen { len: key.len(), accepted: KeySizes::AES };
        self.0 = Some(match key.len() {
            16 => Keyed::Aes128(aes::Aes128::new_from_slice(key).map_err(bad)?),
            24 => Keyed::Aes192(aes::Aes192::new_from_slice(key).map_err(bad)?),
            _ => Keyed::Aes256(aes::Aes256::new_from_slice(key).map_err(bad)?),
        });
        Ok(())
    }

    fn encrypt_block(&self, block: &mut [u8]) {
        let block = block.try_into().expect("16 bytes");
        match self.0.as_ref().expect("a key") {
            Keyed::Aes128(aes) => aes.encrypt_block(block),
            Keyed::Aes192(aes) => aes.encrypt_block(block),
            Keyed::Aes256(aes) => aes.encrypt_block(block),
        }
    }

    fn decrypt_block(&self, block: &mut [u8]) {
        let block = block.try_into().expect("16 bytes");
        match self.0.as_ref().expect("a key") {
            Keyed::Aes128(aes) => aes.decrypt_block(block),
            Keyed::Aes192(aes) => aes.decrypt_block(block),
            Keyed::Aes256(aes) => aes.decrypt_block(block),
        }
    }
}
