//! What is registered at link time, from any crate that is linked and named.
//!
//! ```
//! use kcrypto_core::{Alg, link::ALGS};
//! # use kcrypto_core::{CipherAlg, KeySizes, Make};
//! # const LIMITS: CipherAlg =
//! #     CipherAlg { block_size: 16, keys: KeySizes::AES, make: Make::Static(|| unimplemented!()) };
//! #[linkme::distributed_slice(ALGS)]
//! static MINE: Alg = Alg::cipher("mine", "mine-generic", LIMITS).with_priority(100);
//! ```
//!
//! A crate that nobody names is not linked, and its slice elements are then absent without a word: name it
//! with `use my_drivers as _;`. In a static library the elements survive only with whole-archive linking; use
//! explicit lists there.

use linkme::distributed_slice;

use crate::{Alg, Template};

/// Drivers.
#[distributed_slice]
pub static ALGS: [Alg];

/// Templates.
#[distributed_slice]
pub static TEMPLATES: [Template];
