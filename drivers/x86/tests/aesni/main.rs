//! The AES-NI and PCLMULQDQ drivers against the standards and against the templates over another AES and GHASH.
#![cfg(any(target_arch = "x86", target_arch = "x86_64"))]

mod agreement;
mod authenticated;
mod bitwise;
mod common;
mod galois;
mod published;
