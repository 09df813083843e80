//! Drivers whose answers are compared with those of the portable ones.
#![cfg(target_arch = "aarch64")]

mod common;
mod fused;
mod ghash;
mod hashes;
