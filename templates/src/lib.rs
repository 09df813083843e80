//! The templates of kcrypto, one file each.
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
pub mod ctr;
pub mod cts;
pub mod ecb;
pub mod hmac;
pub mod rfc3686;
pub mod xts;

use kcrypto_core::Template;

/// Every template of this crate, for registries that are made without link-time registration.
pub static ALL: &[Template] =
    &[cbc::CBC, ctr::CTR, cts::CTS, ecb::ECB, hmac::HMAC, hmac::HMAC_SHASH, rfc3686::RFC3686, xts::XTS];
