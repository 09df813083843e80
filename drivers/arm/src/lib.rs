//! Drivers of kcrypto for 64-bit Arm CPUs: AES with the AES extension, and on the vectors that every such CPU
//! has; GHASH with the extension's carry-less products, GCM with both; ChaCha, Poly1305 and sectors under Speck on
//! vectors; SHA-1 and SHA-2 with the SHA extensions.
//!
//! The modes are those of `kcrypto-templates`, compiled over 128-bit registers; hashes bring their compression
//! functions alone. The drivers need a little-endian CPU; on a big-endian one they are registered as unavailable. On
//! other CPUs this crate is empty.
#![no_std]
#![deny(unsafe_code)]
#![cfg(target_arch = "aarch64")]

extern crate alloc;

mod aes;
#[expect(unsafe_code, reason = "kernels")]
mod ce;
mod chacha;
mod engine;
mod field;
mod gcm;
mod ghash;
#[expect(unsafe_code, reason = "zeroed vectors")]
mod key;
mod macs;
mod modes;
mod neon;
#[expect(unsafe_code, reason = "kernels")]
mod poly1305;
#[expect(unsafe_code, reason = "kernels")]
mod sha;
mod speck;
#[expect(unsafe_code, reason = "intrinsics")]
mod vector;
mod way;
#[expect(unsafe_code, reason = "intrinsics")]
mod words;

use alloc::borrow::Cow;

use kcrypto_core::{Alg, Error};

/// Every driver of this crate, for registries that are made without link-time registration.
pub static ALGS: &[Alg] = &[
    aes::AES_CE,
    modes::ECB_CE,
    modes::CBC_CE,
    modes::CTR_CE,
    modes::CTS_CBC_CE,
    modes::XTS_CE,
    macs::CBCMAC_CE,
    macs::CMAC_CE,
    macs::XCBC_CE,
    macs::CCM_CE,
    aes::AES_NEON,
    modes::ECB_NEON,
    modes::CBC_NEON,
    modes::CTR_NEON,
    modes::CTS_CBC_NEON,
    modes::XTS_NEON,
    macs::CBCMAC_NEON,
    macs::CMAC_NEON,
    macs::XCBC_NEON,
    macs::CCM_NEON,
    gcm::GCM_CE,
    ghash::GHASH,
    speck::XTS_SPECK64,
    speck::XTS_SPECK128,
    chacha::CHACHA20,
    chacha::XCHACHA12,
    chacha::XCHACHA20,
    poly1305::POLY1305,
    sha::SHA1,
    sha::SHA224,
    sha::SHA256,
];

/// The token of a driver that is being made; without it, what is missing.
fn prove<T>(
    driver: &str,
    token: Option<T>,
    require: fn() -> Result<(), Cow<'static, str>>,
) -> kcrypto_core::Result<T> {
    token.ok_or_else(|| {
        let reason = require().err().unwrap_or_default();
        Error::Unavailable { driver: driver.into(), reason: reason.into() }
    })
}
