//! What a registry's owner allows.

use crate::{Error, Result};

/// Refuses a key shorter than the policy's minimum.
pub(crate) fn check_key(min: usize, len: usize) -> Result<()> {
    if len < min {
        return Err(Error::Denied { rule: alloc::format!("keys of at least {min} bytes").into() });
    }
    Ok(())
}
