//! Drivers of kcrypto for x86 CPUs: AES with AES-NI, GHASH and POLYVAL with PCLMULQDQ, GCM with both, sectors under
//! Speck with AVX2.
//!
//! The modes are those of `kcrypto-templates`, compiled over 128-bit registers. On other CPUs this crate is
//! empty.
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
mod clmul;
mod gcm;
mod ghash;
#[expect(unsafe_code, reason = "kernels")]
mod key;
mod macs;
mod modes;
mod speck;
#[expect(unsafe_code, reason = "intrinsics")]
mod xmm;

use kcrypto_core::Alg;

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
];
