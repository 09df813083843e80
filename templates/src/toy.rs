//! Ciphers without any strength, for what the tests of templates need: every block size.

use alloc::boxed::Box;
use alloc::vec::Vec;
use std::vec;

use kcrypto_core::{Alg, CipherAlg, CipherDriver, Error, InOut, KeySizes, Make, Registry, Result, Skcipher};

/// A registry of the templates over `toyN` with blocks of N bytes and keys of 4 or 6 bytes.
pub(crate) fn registry() -> Registry {
    let algs = [
        toy::<1>("toy1"),
        toy::<2>("toy2"),
        toy::<4>("toy4"),
        toy::<8>("toy8"),
        toy::<12>("toy12"),
        toy::<16>("toy16"),
    ];
    Registry::with(algs, crate::ALL.iter().copied()).expect("no names conflict")
}

fn toy<const SIZE: usize>(name: &'static str) -> Alg {
    let driver_name = Box::leak(alloc::format!("{name}-plain").into_boxed_str());
    let make: Make<dyn CipherDriver> = Make::Static(|| Box::new(Toy::<SIZE> { key: 0 }));
    let keys = KeySizes { min: 4, max: 6, step: 2 };
    Alg::cipher(name, driver_name, CipherAlg { block_size: SIZE, keys, make }).with_priority(100)
}

/// The error of a name that must not resolve.
pub(crate) fn refusal(name: &str) -> Error {
    registry().skcipher(name).err().unwrap_or_else(|| panic!("{name} must be refused"))
}

/// A transform under a fixed key of its shortest length.
pub(crate) fn keyed(registry: &Registry, name: &str) -> Skcipher {
    let mut tfm = registry.skcipher(name).expect(name);
    let key: Vec<u8> = (1..=tfm.key_sizes().min as u8).collect();
    tfm.set_key(&key).expect(name);
    tfm
}

/// Bytes that differ from each other.
pub(crate) fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 37 + i / 7) as u8).collect()
}

/// The output and the IV after it, in place and apart alike.
pub(crate) fn crypt(tfm: &Skcipher, dir: kcrypto_core::Dir, iv: &[u8], message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut out, mut iv_out) = (message.to_vec(), iv.to_vec());
    tfm.crypt_chained(dir, &mut iv_out, InOut::in_place(&mut out)).expect("a legal request");
    let (mut apart, mut iv_apart) = (vec![0; message.len()], iv.to_vec());
    let io = InOut::apart(message, &mut apart).expect("the same length");
    tfm.crypt_chained(dir, &mut iv_apart, io).expect("a legal request");
    assert_eq!((&out, &iv_out), (&apart, &iv_apart), "in place and apart, {} bytes", message.len());
    (out, iv_out)
}

struct Toy<const SIZE: usize> {
    key: u8,
}

impl<const SIZE: usize> CipherDriver for Toy<SIZE> {
    fn block_size(&self) -> usize {
        SIZE
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.key = key.iter().fold(1, |sum, byte| sum ^ byte.rotate_left(3));
        Ok(())
    }

    fn check_weak_key(&self, key: &[u8]) -> Result<()> {
        if key.iter().all(|&byte| byte == 0) {
            return Err(Error::WeakKey { why: "all zeros" });
        }
        Ok(())
    }

    fn encrypt_block(&self, block: &mut [u8]) {
        for i in 0..2 * SIZE {
            let before = block[(i + SIZE - 1) % SIZE];
            let byte = &mut block[i % SIZE];
            *byte =
                if SIZE == 1 { byte.wrapping_add(self.key) } else { byte.wrapping_add(before ^ self.key) };
        }
    }

    fn decrypt_block(&self, block: &mut [u8]) {
        for i in (0..2 * SIZE).rev() {
            let before = block[(i + SIZE - 1) % SIZE];
            let byte = &mut block[i % SIZE];
            *byte =
                if SIZE == 1 { byte.wrapping_sub(self.key) } else { byte.wrapping_sub(before ^ self.key) };
        }
    }
}
