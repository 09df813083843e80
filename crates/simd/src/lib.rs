//! CPU features: found once, checked against what the operating system enables, maskable, and carried
//! as proof tokens.
//!
//! ```
//! // A mask only ever removes features; what depends on a removed feature goes with it.
//! # if !kcrypto_simd::features().any(|f| f.name == "aes") { return Ok(()); }
//! kcrypto_simd::mask("-aes")?;
//! assert!(kcrypto_simd::require(&["aes"]).is_err());
//! # Ok::<(), kcrypto_simd::MaskError>(())
//! ```
//!
//! The environment variable `KCRYPTO_CPU` masks a whole process, for example `KCRYPTO_CPU=-vaes,-avx512f`
//! or `KCRYPTO_CPU=none`. It is ignored in set-uid and set-gid programs. A driver asks for a token such as
//! `x86::AesNi` or `aarch64::AesCe`, which exists only where the process may use what it stands for.
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "std")]
mod environment;
mod feature;
mod mask;
mod process;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
mod token;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub mod x86;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use x86 as arch;

#[cfg(target_arch = "aarch64")]
pub mod aarch64;
#[cfg(target_arch = "aarch64")]
use aarch64 as arch;

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
mod other;
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
use other as arch;

#[cfg(feature = "std")]
pub use environment::{VARIABLE, environment_error, runs_with_others_rights};
pub use feature::Features;
pub use mask::MaskError;
pub use process::{Masked, Status, features, mask, require};
