//! `gcm-aes-ce`: GCM (SP 800-38D) with the AES extension, both halves in one function.
//!
//! While eight counter blocks go through the rounds of AES, eight blocks of ciphertext are hashed: those of the same
//! group where it is decrypted, those of the group before where it is encrypted. What remains at the end of a text, at
//! most eight blocks, goes through the rounds together with J0, and is hashed together with the lengths.

mod text;

use alloc::boxed::Box;

use kcrypto_core::{Aad, Alg, CipherDriver, Dir, InOut, KeySizes, MAX_UNIT, Make, Result};
use kcrypto_simd::aarch64::AesCe;
use kcrypto_templates::gcm::{self, Galois, Gcm};
use zeroize::Zeroize;

use crate::aes::AesArm;
use crate::ce::Ce;
use crate::field::Powers;
use crate::prove;
use crate::vector::BLOCK;
use crate::way::Way;

/// The mode.
pub(crate) const GCM_CE: Alg = Alg::aead(
    "gcm(aes)",
    "gcm-aes-ce",
    gcm::limits(KeySizes::AES, Make::Static(|| Box::new(Gcm::over(GcmCe::new())))),
)
.with_priority(Ce::PRIORITY)
.with_cpu(AesCe::FEATURES, AesCe::require)
.with_module(Ce::MODULE);

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static GCM_CE_LINK: Alg = GCM_CE;

/// Both halves of GCM under a key. Without a key it leaves its buffers alone.
struct GcmCe {
    aes: AesArm<Ce>,
    ghash: Powers,
}

impl GcmCe {
    /// Without key.
    fn new() -> Self {
        GcmCe { aes: AesArm::new(), ghash: Powers::new() }
    }
}

impl Galois for GcmCe {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.ghash.wipe();
        let ce = prove("gcm-aes-ce", Ce::new(), AesCe::require)?;
        self.aes.set_key(key)?;
        let mut h = [0; BLOCK];
        self.aes.encrypt_block(&mut h);
        self.ghash.set(ce, &h);
        h.as_mut_slice().zeroize();
        Ok(())
    }

    fn hash(&self, hash: &mut [u8; BLOCK], data: &[u8]) {
        self.ghash.hash(hash, data);
    }

    fn crypt(&self, dir: Dir, counter: &mut [u8; BLOCK], hash: &mut [u8; BLOCK], io: InOut<'_>) {
        let [.., a, b, c, d] = *counter;
        let first = u32::from_be_bytes([a, b, c, d]);
        let next = first.wrapping_add(io.len().div_ceil(BLOCK) as u32);
        let mut before = *counter;
        before[BLOCK - 4..].copy_from_slice(&first.wrapping_sub(1).to_be_bytes());
        counter[BLOCK - 4..].copy_from_slice(&next.to_be_bytes());
        text::crypt(self, dir, &mut before, hash, io, None);
        before.as_mut_slice().zeroize();
    }

    fn finish(&self, j0: u128, lengths: u128, hash: &mut [u8; BLOCK]) {
        let mut mask = j0.to_be_bytes();
        self.hash(hash, &lengths.to_be_bytes());
        self.aes.encrypt_block(&mut mask);
        hash.iter_mut().zip(mask).for_each(|(hash, mask)| *hash ^= mask);
        mask.as_mut_slice().zeroize();
    }

    fn message(&self, dir: Dir, j0: u128, aad: &Aad<'_>, io: InOut<'_>, lengths: u128) -> [u8; BLOCK] {
        let (mut hash, mut mask) = ([0; BLOCK], j0.to_be_bytes());
        aad.runs(MAX_UNIT, |run, _| self.hash(&mut hash, run));
        text::crypt(self, dir, &mut mask, &mut hash, io, Some(lengths));
        hash.iter_mut().zip(mask).for_each(|(hash, mask)| *hash ^= mask);
        mask.as_mut_slice().zeroize();
        hash
    }
}
