//! Drivers of kcrypto for x86 CPUs: AES with AES-NI; GHASH and POLYVAL with PCLMULQDQ, GCM with both; SHA-1 and SHA-2
//! with the SHA extensions; ChaCha, Poly1305 and sectors under Speck with AVX2.
//!
//! The modes are those of `kcrypto-templates`, compiled over vector registers; hashes bring their compression
//! functions alone. On other CPUs this crate is empty.
#![no_std]
#![deny(unsafe_code)]
#![cfg(any(target_arch = "x86", target_arch = "x86_64"))]

extern crate alloc;

mod aes;
#[expect(unsafe_code, reason = "kernels")]
mod aesni;
#[expect(unsafe_code, reason = "pointers into checked buffers")]
mod blocks;
#[expect(unsafe_code, reason = "kernels")]
mod chacha;
#[expect(unsafe_code, reason = "kernels")]
mod clmul;
mod gcm;
mod ghash;
#[expect(unsafe_code, reason = "kernels")]
mod key;
mod macs;
mod modes;
#[expect(unsafe_code, reason = "kernels")]
mod poly1305;
#[expect(unsafe_code, reason = "kernels")]
mod sha;
mod speck;
#[expect(unsafe_code, reason = "intrinsics")]
mod xmm;
#[expect(unsafe_code, reason = "loads and stores")]
mod ymm;

use alloc::borrow::Cow;

use kcrypto_core::{Alg, Error};

/// Every driver of this crate, for registries that are made without link-time registration.
pub static ALGS: &[Alg] = &[
    aes::AES,
    modes::ECB,
    modes::CBC,
    modes::CTR,
    modes::CTS_CBC,
    modes::XTS,
    macs::CBCMAC,
    macs::CMAC,
    macs::XCBC,
    macs::CCM,
    gcm::GCM,
    ghash::GHASH,
    ghash::POLYVAL,
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
