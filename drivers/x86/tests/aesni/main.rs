//! The AES-NI drivers against the standards and against the templates over another AES.
#![cfg(any(target_arch = "x86", target_arch = "x86_64"))]

mod agreement;
mod authenticated;
mod common;
mod published;
