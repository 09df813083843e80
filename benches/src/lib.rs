//! What the benchmarks share: sizes, messages, kcrypto's drivers and their peers behind one trait, the
//! hand-written floor, and a runner that interleaves.
#![cfg(target_arch = "x86_64")]

pub mod allocation;
pub mod ccm;
pub mod contender;
pub mod curves;
#[expect(clippy::multiple_unsafe_ops_per_block, reason = "one length covers every access of a kernel")]
pub mod floor;
pub mod gcm;
pub mod interleave;
pub mod lineup;
pub mod mac;
pub mod message;
pub mod ours;
pub mod peers;
pub mod restrict;
pub mod tcrypt;

/// Message sizes of every curve, in bytes.
pub const SIZES: [usize; 9] = [16, 32, 64, 128, 256, 1024, 1424, 4096, 16384];
