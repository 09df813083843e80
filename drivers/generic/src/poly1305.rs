//! `poly1305-generic`: the one-time authenticator (RFC 8439, 2.5), one block after the other in words of 64 bits.
//!
//! How it is keyed and what its state is, is said in `kcrypto_templates::poly1305`.

use alloc::boxed::Box;

use kcrypto_core::{Alg, Make};
use kcrypto_templates::poly1305::{Poly1305, Scalar, limits};

/// The authenticator.
pub(crate) const POLY1305: Alg =
    Alg::shash("poly1305", "poly1305-generic", limits(Make::Static(|| Box::new(Poly1305(Scalar)))))
        .with_priority(100)
        .with_module("generic");

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static POLY1305_LINK: Alg = POLY1305;
