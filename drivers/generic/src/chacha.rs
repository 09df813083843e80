//! `chacha20-generic`, `xchacha20-generic` and `xchacha12-generic`: key streams (RFC 8439, 2.4;
//! draft-irtf-cfrg-xchacha-03).
//!
//! No address and no branch depends on keys or data. Several blocks go side by side, one in each 32-bit lane of a
//! vector. How IVs and counters are laid out is said in `kcrypto_templates::chacha`.

mod block;

use alloc::boxed::Box;

use kcrypto_core::{Alg, Make, SkcipherAlg};
use kcrypto_templates::chacha::{BLOCK, ChaCha, XChaCha, extended_limits, limits};

use block::Lanes;

/// Bytes that are processed best at a time.
const WALK: usize = 4 * BLOCK;

/// A driver of this file.
const fn driver(name: &'static str, driver_name: &'static str, limits: SkcipherAlg) -> Alg {
    Alg::skcipher(name, driver_name, limits).with_priority(100).with_module("generic")
}

/// 20 rounds, a 12-byte nonce.
pub(crate) const CHACHA20: Alg = driver(
    "chacha20",
    "chacha20-generic",
    limits(WALK, Make::Static(|| Box::new(ChaCha::<_, 20>::over(Lanes)))),
);

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static CHACHA20_LINK: Alg = CHACHA20;

/// 20 rounds, a 24-byte nonce.
pub(crate) const XCHACHA20: Alg = driver(
    "xchacha20",
    "xchacha20-generic",
    extended_limits(WALK, Make::Static(|| Box::new(XChaCha::<_, 20>::over(Lanes)))),
);

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static XCHACHA20_LINK: Alg = XCHACHA20;

/// 12 rounds, a 24-byte nonce.
pub(crate) const XCHACHA12: Alg = driver(
    "xchacha12",
    "xchacha12-generic",
    extended_limits(WALK, Make::Static(|| Box::new(XChaCha::<_, 12>::over(Lanes)))),
);

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static XCHACHA12_LINK: Alg = XCHACHA12;

#[cfg(test)]
mod tests;
