//! `aes-generic`: AES in bit planes, several blocks at a time, 128, 192 and 256-bit keys (FIPS 197).
//!
//! No memory address and no branch depends on keys or data; only the key length and the number of blocks
//! show. Up to four blocks cost as much as one, and long runs go 32 blocks at a time.

mod key;
mod planes;
mod rounds;
mod sbox;

use alloc::boxed::Box;

use kcrypto_core::{Alg, CipherAlg, CipherDriver, InOut, KeySizes, Make, Result};

use key::Keys;
use planes::Planes;

/// The cipher.
pub(crate) const AES: Alg = Alg::cipher(
    "aes",
    "aes-generic",
    CipherAlg { block_size: 16, keys: KeySizes::AES, make: Make::Static(|| Box::new(Aes::new())) },
)
.with_priority(100)
.with_module("generic");

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static AES_LINK: Alg = AES;

/// AES under a key. Without a key it computes something else than AES.
struct Aes(Keys);

impl Aes {
    fn new() -> Self {
        Aes(Keys::none())
    }
}

impl CipherDriver for Aes {
    fn block_size(&self) -> usize {
        16
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0 = Keys::none();
        KeySizes::AES.check(key.len())?;
        self.0.expand(key);
        Ok(())
    }

    fn encrypt_block(&self, block: &mut [u8]) {
        self.encrypt_blocks(InOut::in_place(block));
    }

    fn decrypt_block(&self, block: &mut [u8]) {
        self.decrypt_blocks(InOut::in_place(block));
    }

    fn encrypt_blocks(&self, io: InOut<'_>) {
        let io = groups::<8>(io, 24, |state| rounds::encrypt(&self.0, state));
        let io = groups::<4>(io, 12, |state| rounds::encrypt(&self.0, state));
        groups::<1>(io, 0, |state| rounds::encrypt(&self.0, state));
    }

    fn decrypt_blocks(&self, io: InOut<'_>) {
        let io = groups::<8>(io, 24, |state| rounds::decrypt(&self.0, state));
        let io = groups::<4>(io, 12, |state| rounds::decrypt(&self.0, state));
        groups::<1>(io, 0, |state| rounds::decrypt(&self.0, state));
    }
}

/// Applies the cipher to groups of up to `4 L` blocks while more than `least` are left; returns the rest.
///
/// With SSE2, groups of 4, 16 and 32 blocks cost about 1, 3 and 6 times as much as a single block, which is
/// where the callers' limits come from.
#[inline]
fn groups<const L: usize>(mut io: InOut<'_>, least: usize, cipher: impl Fn(&mut Planes<L>)) -> InOut<'_> {
    if io.len() <= 16 * least {
        return io;
    }
    let mut state = Planes::new();
    while io.len() > 16 * least {
        let len = io.len().min(16 * Planes::<L>::BLOCKS);
        let (mut now, rest) = io.split_at(len);
        state.load(now.src().as_chunks().0);
        cipher(&mut state);
        state.store(now.dst().as_chunks_mut().0);
        io = rest;
    }
    io
}

#[cfg(test)]
mod tests;
