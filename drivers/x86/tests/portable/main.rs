//! The drivers of this crate beside the portable ones.
#![cfg(any(target_arch = "x86", target_arch = "x86_64"))]

mod authenticators;
mod common;
mod hashes;
mod streams;
