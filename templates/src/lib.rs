//! The templates of kcrypto, one file each, and what drivers of hashes and stream ciphers have in common.
//!
//! A template's mode code is written once. At run time it works over boxed children, whatever they are;
//! fused drivers compile the same code over vector registers
//! ([`Fused`](kcrypto_core::engine::Fused)).
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod cbc;
pub mod cbcmac;
pub mod ccm;
pub mod chacha;
pub mod cmac;
pub mod ctr;
pub mod cts;
pub mod ecb;
pub mod esp;
pub mod gcm;
pub mod hmac;
mod lanes;
pub mod merkle_damgard;
pub mod one_shot;
mod padded;
pub mod poly1305;
pub mod rfc3686;
pub mod rfc4106;
pub mod rfc4309;
pub mod rfc4543;
pub mod rfc7539;
pub mod sha;
pub mod speck;
pub mod tails;
#[cfg(test)]
mod toy;
pub mod xcbc;
pub mod xts;

use kcrypto_core::Template;

/// Every template of this crate, for registries that are made without link-time registration.
pub static ALL: &[Template] = &[
    cbc::CBC,
    cbcmac::CBCMAC,
    ccm::CCM,
    ccm::CCM_BASE,
    cmac::CMAC,
    ctr::CTR,
    cts::CTS,
    ecb::ECB,
    gcm::GCM,
    gcm::GCM_BASE,
    hmac::HMAC,
    hmac::HMAC_SHASH,
    rfc3686::RFC3686,
    rfc4106::RFC4106,
    rfc4309::RFC4309,
    rfc4543::RFC4543,
    rfc7539::RFC7539,
    rfc7539::RFC7539ESP,
    xcbc::XCBC,
    xts::XTS,
];
