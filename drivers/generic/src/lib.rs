//! Portable drivers of kcrypto: constant time, without `unsafe`, the reference that others are compared with.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod aes;
mod chacha;
mod ghash;
mod hash;
mod null;
mod poly1305;
mod polyval;
mod speck;

use kcrypto_core::Alg;

/// Every driver of this crate, for registries that are made without link-time registration.
pub static ALGS: &[Alg] = &[
    aes::AES,
    chacha::CHACHA20,
    chacha::XCHACHA12,
    chacha::XCHACHA20,
    ghash::GHASH,
    null::CIPHER_NULL,
    null::ECB_CIPHER_NULL,
    null::DIGEST_NULL,
    poly1305::POLY1305,
    polyval::POLYVAL,
    speck::SPECK64,
    speck::SPECK128,
    hash::BLAKE2B_160,
    hash::BLAKE2B_256,
    hash::BLAKE2B_384,
    hash::BLAKE2B_512,
    hash::CRC32,
    hash::CRC32C,
    hash::MD4,
    hash::MD5,
    hash::MICHAEL_MIC,
    hash::RMD160,
    hash::SHA1,
    hash::SHA224,
    hash::SHA256,
    hash::SHA384,
    hash::SHA512,
    hash::SHA3_224,
    hash::SHA3_256,
    hash::SHA3_384,
    hash::SHA3_512,
    hash::SM3,
    hash::STREEBOG256,
    hash::STREEBOG512,
    hash::WP256,
    hash::WP384,
    hash::WP512,
    hash::XXHASH64,
];
