//! Portable drivers of kcrypto: constant time, without `unsafe`, the reference that others are compared with.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod aes;

use kcrypto_core::Alg;

/// Every driver of this crate, for registries that are made without link-time registration.
pub static ALGS: &[Alg] = &[aes::AES];
