//! Hashes and checksums under the kernel's names, as `<name>-generic` of priority 100.
//!
//! Each takes whole blocks over a running state in plain bytes. The layout belongs to the algorithm, not to
//! the driver: every other driver of the algorithm reads and writes the same.
//!
//! | algorithms | running state | code |
//! |---|---|---|
//! | `md4`, `md5` | 4 words, little-endian | crates `md4`, `md-5` |
//! | `rmd160` | 5 words, little-endian | crate `ripemd` |
//! | `sha1` | 5 words, big-endian | here |
//! | `sha224`, `sha256` | 8 words of 32 bits, big-endian | here |
//! | `sha384`, `sha512` | 8 words of 64 bits, big-endian | here |
//! | `sha3-*` | 25 lanes of 64 bits, little-endian, lane (x, y) at 5 y + x | here |
//! | `sm3` | 8 words, big-endian | crate `sm3` |
//! | `wp256`, `wp384`, `wp512` | the 64 bytes of the matrix, row by row | crate `whirlpool` |
//! | `streebog256`, `streebog512` | h, N and Σ, 64 bytes each, little-endian | crate `streebog` |
//! | `blake2b-*` | 8 words of 64 bits, then the 64-bit count of bytes taken, little-endian | here |
//! | `crc32`, `crc32c` | the register, little-endian | crate `crc` |
//! | `xxhash64` | 4 accumulators of 64 bits, little-endian | here |
//! | `michael_mic` | left word, right word, little-endian | here |
//!
//! # No CPU extension is used
//! None of this code looks for CPU extensions, so that masking them changes nothing here. That is why SHA-1,
//! SHA-2 and SHA-3 are our own: crate `sha1` picks SHA-NI and Arm's SHA extensions by itself, `sha2` these and
//! AVX2, `keccak` the Arm SHA-3 extension, and none can be told not to at run time.
//!
//! # Time
//! Only Whirlpool, Streebog and the CRCs look up tables at places that depend on the message; their entries
//! say that they are not constant-time.

mod blake2b;
mod compress;
mod crc32;
mod md;
mod michael_mic;
mod rmd160;
mod sha1;
mod sha2;
mod sha3;
mod sm3;
mod streebog;
mod whirlpool;
mod words;
mod xxhash64;

use alloc::boxed::Box;

use kcrypto_core::{Alg, Make, ShashAlg, ShashDriver};
use kcrypto_templates::one_shot::one_shot;

pub(crate) use blake2b::{BLAKE2B_160, BLAKE2B_256, BLAKE2B_384, BLAKE2B_512};
pub(crate) use crc32::{CRC32, CRC32C};
pub(crate) use md::{MD4, MD5};
pub(crate) use michael_mic::MICHAEL_MIC;
pub(crate) use rmd160::RMD160;
pub(crate) use sha1::SHA1;
pub(crate) use sha2::{SHA224, SHA256, SHA384, SHA512};
pub(crate) use sha3::{SHA3_224, SHA3_256, SHA3_384, SHA3_512};
pub(crate) use sm3::SM3;
pub(crate) use streebog::{STREEBOG256, STREEBOG512};
pub(crate) use whirlpool::{WP256, WP384, WP512};
pub(crate) use xxhash64::XXHASH64;

/// Registers each of these at link time.
macro_rules! link {
    ($($alg:ident)*) => { $(const _: () = {
        #[linkme::distributed_slice(kcrypto_core::link::ALGS)]
        static LINK: Alg = $alg;
    };)* };
}

link! {
    BLAKE2B_160 BLAKE2B_256 BLAKE2B_384 BLAKE2B_512 CRC32 CRC32C MD4 MD5 MICHAEL_MIC RMD160 SHA1 SHA224 SHA256
    SHA384 SHA512 SHA3_224 SHA3_256 SHA3_384 SHA3_512 SM3 STREEBOG256 STREEBOG512 WP256 WP384 WP512 XXHASH64
}

/// Block, digest and state size in bytes of a hash without key, and its constructor.
const fn limits(block: usize, digest: usize, state: usize, make: fn() -> Box<dyn ShashDriver>) -> ShashAlg {
    ShashAlg {
        block_size: block,
        digest_size: digest,
        state_size: state,
        keys: None,
        keeps_full_block: false,
        make: Make::Static(make),
    }
}

/// An entry of this module; `module` is the crate whose code it runs.
const fn entry(name: &'static str, driver_name: &'static str, module: &'static str, limits: ShashAlg) -> Alg {
    Alg::shash(name, driver_name, limits).with_priority(100).with_module(module)
}
