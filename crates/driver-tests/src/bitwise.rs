//! GHASH and POLYVAL bit by bit, as the standards define them.

use kcrypto_core::{Alg, Error, KeySizes, Make, Result, ShashAlg, ShashDriver};

/// SP 800-38D, 6.4.
pub(crate) const GHASH: Alg = alg("ghash", "ghash-other", Make::Static(|| Box::new(Ghash(None))));

/// RFC 8452, 3.
pub(crate) const POLYVAL: Alg =
    alg("polyval", "polyval-other", Make::Static(|| Box::new(Polyval(Ghash(None)))));

const fn alg(name: &'static str, driver_name: &'static str, make: Make<dyn ShashDriver>) -> Alg {
    let keys = Some(KeySizes::exactly(16));
    let limits =
        ShashAlg { block_size: 16, digest_size: 16, state_size: 16, keys, keeps_full_block: false, make };
    Alg::shash(name, driver_name, limits).with_priority(1)
}

/// Times x: the bit that is shifted out comes back as the lower terms of the modulus (SP 800-38D, 6.3).
fn times_x(v: u128) -> u128 {
    v >> 1 ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 }
}

fn times(x: u128, y: u128) -> u128 {
    let step =
        |(z, v): (u128, u128), i: u32| (if (x >> (127 - i)) & 1 == 1_u128 { z ^ v } else { z }, times_x(v));
    (0..128).fold((0, y), step).0
}

fn block(bytes: &[u8]) -> Result<[u8; 16]> {
    bytes.try_into().map_err(|_| Error::BadKeyLen { len: bytes.len(), accepted: KeySizes::exactly(16) })
}

struct Ghash(Option<u128>);

impl ShashDriver for Ghash {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0 = Some(u128::from_be_bytes(block(key)?));
        Ok(())
    }

    fn init(&self, state: &mut [u8]) {
        state.fill(0);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        let key = self.0.expect("a key");
        let mut hash = u128::from_be_bytes(block(state).expect("a state"));
        for block in blocks.as_chunks().0 {
            hash = times(hash ^ u128::from_be_bytes(*block), key);
        }
        state.copy_from_slice(&hash.to_be_bytes());
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], _total: u64, digest: &mut [u8]) {
        if !tail.is_empty() {
            let mut block = [0; 16];
            block[..tail.len()].copy_from_slice(tail);
            self.update(state, &block);
        }
        digest.copy_from_slice(state);
    }
}

/// GHASH backwards (RFC 8452, appendix A).
struct Polyval(Ghash);

fn reversed(blocks: &[u8]) -> Vec<u8> {
    blocks.as_chunks::<16>().0.iter().flat_map(|block| block.iter().rev().copied()).collect()
}

impl ShashDriver for Polyval {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.0 = Some(times_x(u128::from_le_bytes(block(key)?)));
        Ok(())
    }

    fn init(&self, state: &mut [u8]) {
        state.fill(0);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        state.reverse();
        self.0.update(state, &reversed(blocks));
        state.reverse();
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], _total: u64, digest: &mut [u8]) {
        if !tail.is_empty() {
            let mut block = [0; 16];
            block[..tail.len()].copy_from_slice(tail);
            self.update(state, &block);
        }
        digest.copy_from_slice(state);
    }
}
