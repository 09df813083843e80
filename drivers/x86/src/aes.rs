//! `aes-aesni`: AES with AES-NI, 128, 192 and 256-bit keys (FIPS 197).
//!
//! Every bulk method is one function with all blocks in registers, so that a template over this cipher is as
//! fast as a fused driver.

use alloc::boxed::Box;
use core::mem::discriminant;

use kcrypto_core::chain::{Cbc, CbcMac, Ctr, Ecb};
use kcrypto_core::engine::{Fused, Mac, Masks, Mode, Seal, Work};
use kcrypto_core::{Aad, Alg, CipherAlg, CipherDriver, Dir, InOut, KeySizes, Make, Result};
use kcrypto_simd::x86::AesNi;

use crate::aesni;
use crate::key::Schedule;

/// The cipher.
pub(crate) const AES: Alg = Alg::cipher(
    "aes",
    "aes-aesni",
    CipherAlg { block_size: 16, keys: KeySizes::AES, make: Make::Static(|| Box::new(AesAesni::new())) },
)
.with_priority(300)
.with_cpu(AesNi::FEATURES, AesNi::require)
.with_mac_chain()
.with_module("aesni");

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static AES_LINK: Alg = AES;

/// AES under a key. Without a key it leaves its buffers alone.
#[derive(Debug)]
pub(crate) struct AesAesni(Schedule);

impl AesAesni {
    /// Without key.
    pub(crate) fn new() -> Self {
        AesAesni(Schedule::new())
    }
}

impl Fused for AesAesni {
    const LANES: usize = 8;

    #[inline(always)]
    fn enter<const N: usize, M: Mode<N>>(keys: [&Self; N], dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        aesni::enter::<N, M>(keys.map(|key| &key.0), dir, iv, io);
    }

    #[inline(always)]
    fn enter_mac<M: Mac>(&self, masks: &Masks, message: &[u8], out: &mut [u8]) {
        aesni::enter_mac::<M>(&self.0, masks, message, out);
    }

    #[inline(always)]
    fn enter_seal<S: Seal>(&self, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) {
        aesni::enter_seal::<S>(&self.0, dir, iv, aad, io, tag);
    }

    #[inline(always)]
    fn enter_work<const N: usize>(keys: [&Self; N], work: impl Work<N>) {
        aesni::enter_work(keys.map(|key| &key.0), work);
    }

    fn goes_with(&self, other: &Self) -> bool {
        discriminant(&self.0.rounds) == discriminant(&other.0.rounds)
    }
}

impl CipherDriver for AesAesni {
    fn block_size(&self) -> usize {
        16
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.set(key)
    }

    fn encrypt_block(&self, block: &mut [u8]) {
        self.encrypt_blocks(InOut::in_place(block));
    }

    fn decrypt_block(&self, block: &mut [u8]) {
        self.decrypt_blocks(InOut::in_place(block));
    }

    fn encrypt_blocks(&self, io: InOut<'_>) {
        Self::enter::<1, Ecb>([self], Dir::Encrypt, &mut [], io);
    }

    fn decrypt_blocks(&self, io: InOut<'_>) {
        Self::enter::<1, Ecb>([self], Dir::Decrypt, &mut [], io);
    }

    fn cbc_encrypt(&self, iv: &mut [u8], io: InOut<'_>) {
        Self::enter::<1, Cbc>([self], Dir::Encrypt, iv, io);
    }

    fn cbc_decrypt(&self, iv: &mut [u8], io: InOut<'_>) {
        Self::enter::<1, Cbc>([self], Dir::Decrypt, iv, io);
    }

    fn cbc_mac(&self, chain: &mut [u8], blocks: &[u8]) {
        self.enter_mac::<CbcMac>(&Masks::default(), blocks, chain);
    }

    fn ctr(&self, counter: &mut [u8], io: InOut<'_>) {
        Self::enter::<1, Ctr>([self], Dir::Encrypt, counter, io);
    }
}
