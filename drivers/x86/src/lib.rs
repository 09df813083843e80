//! Drivers of kcrypto for x86 CPUs: AES with AES-NI; SHA-1 and SHA-2 with the SHA extensions.
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
mod key;
mod macs;
mod modes;
#[expect(unsafe_code, reason = "kernels")]
mod sha;
#[expect(unsafe_code, reason = "intrinsics")]
mod xmm;

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
    sha::SHA1,
    sha::SHA224,
    sha::SHA256,
];

/// Why a driver cannot be made: what its token says is missing.
#[cold]
fn unavailable(driver: &str, require: fn() -> Result<(), Cow<'static, str>>) -> Error {
    let reason = require().err().unwrap_or_default();
    Error::Unavailable { driver: driver.into(), reason: reason.into() }
}
