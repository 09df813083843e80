//! How to test drivers of one's own: the example of docs/self-tests.md.

use kcrypto_core::{Alg, Error, Flags, KeySizes, Make, Registry, Result, ShashAlg, ShashDriver};
use kcrypto_selftest::check_driver;
use rstest::rstest;

/// A CRC with reflected bits, bit by bit: polynomial, register at the start, and what is added at the end.
struct Crc<const POLY: u32, const ENDS: u32>(u32);

impl<const POLY: u32, const ENDS: u32> ShashDriver for Crc<POLY, ENDS> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let bad = |_| Error::BadKeyLen { len: key.len(), accepted: KeySizes::exactly(4) };
        self.0 = u32::from_le_bytes(key.try_into().map_err(bad)?);
        Ok(())
    }

    fn init(&self, state: &mut [u8]) {
        state.copy_from_slice(&self.0.to_le_bytes());
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        let mut crc = state.iter().rev().fold(0, |crc, &byte| crc << 8 | u32::from(byte));
        for &byte in blocks {
            crc ^= u32::from(byte);
            (0..8).for_each(|_| crc = (crc >> 1) ^ ((crc & 1) * POLY));
        }
        state.copy_from_slice(&crc.to_le_bytes());
    }

    fn finish(&self, state: &mut [u8], _tail: &[u8], _total: u64, digest: &mut [u8]) {
        digest.copy_from_slice(state);
        digest.iter_mut().zip(ENDS.to_le_bytes()).for_each(|(digest, end)| *digest ^= end);
    }
}

fn crc<const POLY: u32, const ENDS: u32>(name: &'static str, driver: &'static str) -> Alg {
    let make = Make::shash(|| Ok(Crc::<POLY, ENDS>(ENDS)));
    let limits = ShashAlg {
        block_size: 1,
        digest_size: 4,
        state_size: 4,
        keys: Some(KeySizes::exactly(4)),
        keeps_full_block: false,
        make,
    };
    Alg::shash(name, driver, limits).with_flags(Flags::OPTIONAL_KEY)
}

#[rstest]
#[case(crc::<0xedb8_8320, 0>("crc32", "crc32-mine"), None)]
#[case(crc::<0x82f6_3b78, { !0 }>("crc32c", "crc32c-mine"), None)]
#[case(crc::<0xedb8_8320, { !0 }>("crc32", "crc32-of-zip"), Some("crc32-of-zip test failed (wrong result)"))]
fn drivers_of_mine(#[case] alg: Alg, #[case] fails: Option<&str>) {
    let registry = Registry::with(kcrypto_generic::ALGS.iter().cloned(), []).unwrap();
    let report = check_driver(&registry, &alg);
    match fails {
        None => assert!(report.passed(), "{}", report.failure.unwrap_or_default()),
        Some(text) => assert!(report.failure.unwrap().contains(text)),
    }
}
