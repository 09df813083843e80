//! `speck64-generic`, `speck128-generic`: Speck with blocks of 8 and 16 bytes (IACR ePrint 2013/404).

use alloc::boxed::Box;

use kcrypto_core::{Alg, CipherAlg, CipherDriver, InOut, Make, Result};

use kcrypto_templates::speck::{RoundKeys, Word};

/// Blocks of 8 bytes, keys of 12 and 16.
pub(crate) const SPECK64: Alg = driver("speck64", "speck64-generic", limits::<u32>());

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static SPECK64_LINK: Alg = SPECK64;

/// Blocks of 16 bytes, keys of 16, 24 and 32.
pub(crate) const SPECK128: Alg = driver("speck128", "speck128-generic", limits::<u64>());

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static SPECK128_LINK: Alg = SPECK128;

const fn driver(name: &'static str, driver_name: &'static str, limits: CipherAlg) -> Alg {
    Alg::cipher(name, driver_name, limits).with_priority(100).with_module("generic")
}

const fn limits<W: Word>() -> CipherAlg {
    CipherAlg {
        block_size: 2 * size_of::<W>(),
        keys: W::KEYS,
        make: Make::Static(|| Box::new(Speck::<W>::new())),
    }
}

/// The cipher of these words under a key. Without a key it leaves blocks as they are.
struct Speck<W: Word>(RoundKeys<W>);

/// Blocks side by side in long runs, enough for the compiler to fill vectors.
const GROUP: usize = 16;

impl<W: Word> Speck<W> {
    fn new() -> Self {
        Speck(RoundKeys::none())
    }

    /// Takes blocks side by side through `cipher` while there are `N` of them; returns the rest.
    #[inline]
    fn groups<'a, const N: usize>(
        &self,
        mut io: InOut<'a>,
        cipher: impl Fn(&RoundKeys<W>, &mut [W; N], &mut [W; N]),
    ) -> InOut<'a> {
        let size = size_of::<W>();
        while io.len() >= 2 * size * N {
            let (mut now, rest) = io.split_at(2 * size * N);
            let (mut x, mut y) = ([W::default(); N], [W::default(); N]);
            for (i, block) in now.src().chunks_exact(2 * size).enumerate() {
                (y[i], x[i]) = (W::load(&block[..size]), W::load(&block[size..]));
            }
            cipher(&self.0, &mut x, &mut y);
            for (i, block) in now.dst().chunks_exact_mut(2 * size).enumerate() {
                y[i].store(&mut block[..size]);
                x[i].store(&mut block[size..]);
            }
            io = rest;
        }
        io
    }
}

impl<W: Word> CipherDriver for Speck<W> {
    fn block_size(&self) -> usize {
        2 * size_of::<W>()
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0 = RoundKeys::none();
        self.0.expand(key)
    }

    fn encrypt_block(&self, block: &mut [u8]) {
        self.0.encrypt_block(block);
    }

    fn decrypt_block(&self, block: &mut [u8]) {
        self.0.decrypt_block(block);
    }

    fn encrypt_blocks(&self, io: InOut<'_>) {
        let io = self.groups::<GROUP>(io, RoundKeys::encrypt);
        self.groups::<1>(self.groups::<4>(io, RoundKeys::encrypt), RoundKeys::encrypt);
    }

    fn decrypt_blocks(&self, io: InOut<'_>) {
        let io = self.groups::<GROUP>(io, RoundKeys::decrypt);
        self.groups::<1>(self.groups::<4>(io, RoundKeys::decrypt), RoundKeys::decrypt);
    }
}

#[cfg(test)]
mod tests;
