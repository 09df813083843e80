//! `gcm-aes-aesni`: GCM (SP 800-38D) with AES-NI and PCLMULQDQ in one function for a whole message.
//!
//! While eight counter blocks go through the rounds of AES, eight blocks of ciphertext are hashed: those of the same
//! group where it is decrypted, those of the group before where it is encrypted. What remains at the end of a text, at
//! most eight blocks, goes through the rounds together with J0, and is hashed together with the lengths; if the text is
//! no longer than that, together with the associated data as well.

#[expect(unsafe_code, reason = "kernels")]
mod aesni;

use alloc::boxed::Box;

use kcrypto_core::{Aad, Alg, Dir, Error, InOut, KeySizes, Make, Result};
use kcrypto_simd::x86::AesClmul;
use kcrypto_templates::gcm::{self, Galois, Gcm};
use zeroize::Zeroize;

use crate::clmul::Powers;
use crate::key::Schedule;
use crate::xmm::BLOCK;

/// The mode.
pub(crate) const GCM: Alg = Alg::aead(
    "gcm(aes)",
    "gcm-aes-aesni",
    gcm::limits(KeySizes::AES, Make::Static(|| Box::new(Gcm::over(GcmAesni::new())))),
)
.with_priority(400)
.with_cpu(AesClmul::FEATURES, AesClmul::require)
.with_module("aesni");

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static GCM_LINK: Alg = GCM;

/// Both halves of GCM under a key. Without a key it leaves its buffers alone.
#[derive(Debug)]
struct GcmAesni {
    aes: Schedule,
    ghash: Powers,
}

impl GcmAesni {
    /// Without key.
    fn new() -> Self {
        GcmAesni { aes: Schedule::new(), ghash: Powers::new() }
    }
}

impl Galois for GcmAesni {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.ghash.wipe();
        let Some(token) = AesClmul::new() else {
            let reason = AesClmul::require().err().unwrap_or_default().into();
            return Err(Error::Unavailable { driver: "gcm-aes-aesni".into(), reason });
        };
        self.aes.set(key)?;
        let mut h = aesni::encrypt(&self.aes, 0);
        self.ghash.set_ghash(token.into(), h);
        h.zeroize();
        Ok(())
    }

    fn hash(&self, hash: &mut [u8; BLOCK], data: &[u8]) {
        crate::ghash::update(&self.ghash, hash, data);
    }

    fn crypt(&self, dir: Dir, counter: &mut [u8; BLOCK], hash: &mut [u8; BLOCK], io: InOut<'_>) {
        aesni::crypt(self, dir, counter, hash, io);
    }

    fn finish(&self, j0: u128, lengths: u128, hash: &mut [u8; BLOCK]) {
        self.hash(hash, &lengths.to_be_bytes());
        *hash = (u128::from_be_bytes(*hash) ^ aesni::encrypt(&self.aes, j0)).to_be_bytes();
    }

    fn message(&self, dir: Dir, j0: u128, aad: &Aad<'_>, io: InOut<'_>, lengths: u128) -> [u8; BLOCK] {
        aesni::message(self, dir, j0, aad, io, lengths)
    }
}
