//! The AES drivers against the standards and against the templates over another AES.
#![cfg(target_arch = "aarch64")]

mod agreement;
mod authenticated;
mod common;
mod published;
mod selection;
