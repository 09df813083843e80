//! A toy cipher, composed and fused: portable code of fused drivers over a cipher of any block size.

use kcrypto_core::engine::Fused;
use kcrypto_core::{Alg, CipherAlg, CipherDriver, KeySizes, Make, Result};

/// A cipher of `N` bytes in which each byte depends on the key and on the byte before. It only encrypts.
pub(crate) struct Toy<const N: usize>([u8; N]);

impl<const N: usize> Toy<N> {
    pub(crate) fn new() -> Self {
        Toy([0; N])
    }

    /// A driver of it; keys are as long as a block.
    pub(crate) fn alg(name: &'static str, driver_name: &'static str) -> Alg {
        let limits = CipherAlg {
            block_size: N,
            keys: KeySizes::exactly(N),
            make: Make::Static(|| Box::new(Self::new())),
        };
        Alg::cipher(name, driver_name, limits)
    }
}

impl<const N: usize> Fused for Toy<N> {}

impl<const N: usize> CipherDriver for Toy<N> {
    fn block_size(&self) -> usize {
        N
    }
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.copy_from_slice(key);
        Ok(())
    }
    fn encrypt_block(&self, block: &mut [u8]) {
        for round in 1..=2 {
            let mut before = block[N - 1];
            for (byte, key) in block.iter_mut().zip(self.0) {
                *byte = byte.wrapping_mul(5).wrapping_add(before ^ key).rotate_left(round);
                before = *byte;
            }
        }
    }
    fn decrypt_block(&self, _: &mut [u8]) {
        unreachable!("MACs and CCM only encrypt")
    }
}
