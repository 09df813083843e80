//! The mask in the environment variable.

use std::sync::OnceLock;

use crate::mask::parse;
use crate::{Features, MaskError};

/// Name of the environment variable with a mask for the process.
pub const VARIABLE: &str = "KCRYPTO_CPU";

/// What is wrong with the value of `KCRYPTO_CPU`. Such a value masks every feature.
pub fn environment_error() -> Option<&'static MaskError> {
    parsed().as_ref().err()
}

/// The features that the variable removes.
pub(crate) fn removed() -> Features {
    *parsed().as_ref().unwrap_or(&Features::ALL)
}

/// The variable as it was at first use.
fn parsed() -> &'static Result<Features, MaskError> {
    static PARSED: OnceLock<Result<Features, MaskError>> = OnceLock::new();
    PARSED.get_or_init(|| match std::env::var_os(VARIABLE) {
        Some(mask) if !runs_with_others_rights() => {
            mask.to_str().ok_or(MaskError::NotUnicode).and_then(parse)
        }
        _ => Ok(Features::NONE),
    })
}

/// Whether the program is set-uid, set-gid or otherwise more privileged than who started it: it must not do as
/// its environment says.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn runs_with_others_rights() -> bool {
    use core::ffi::c_ulong;

    const AT_SECURE: c_ulong = 23;

    // SAFETY: the C library has this function with this signature, see getauxval(3).
    unsafe extern "C" {
        safe fn getauxval(kind: c_ulong) -> c_ulong;
    }
    getauxval(AT_SECURE) != 0
}

/// Whether the program is set-uid, set-gid or otherwise more privileged than who started it: it must not do as
/// its environment says.
#[cfg(any(
    target_vendor = "apple",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_os = "dragonfly"
))]
pub fn runs_with_others_rights() -> bool {
    use core::ffi::c_int;

    // SAFETY: the C library has this function with this signature, see issetugid(2).
    unsafe extern "C" {
        safe fn issetugid() -> c_int;
    }
    issetugid() != 0
}

/// Whether the program is more privileged than who started it. There are no such programs here.
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_vendor = "apple",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_os = "dragonfly"
)))]
pub fn runs_with_others_rights() -> bool {
    false
}
