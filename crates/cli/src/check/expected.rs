//! What a vector expects: bytes, a digest of many bytes, or an errno.

use sha2::{Digest, Sha256};

use super::fields::{Fields, FormError};
use super::outcome::Problem;

/// What an operation gives.
pub(crate) enum Expected<'a> {
    /// These bytes.
    Bytes(Vec<u8>),
    /// So many bytes, of which the digest, the start and the end are known.
    Digest { len: usize, sha256: Vec<u8>, head: Vec<u8>, tail: Vec<u8> },
    /// An error of this name.
    Errno(&'a str),
}

impl<'a> Expected<'a> {
    pub(crate) fn read(fields: &Fields<'a>) -> Result<Self, FormError> {
        if let Some(errno) = fields.optional_text("errno")? {
            return Ok(Expected::Errno(errno));
        }
        if let Some(bytes) = fields.optional_bytes("output")? {
            return Ok(Expected::Bytes(bytes));
        }
        Ok(Expected::Digest {
            len: fields.len("output_len")?,
            sha256: fields.bytes("output_sha256")?,
            head: fields.bytes("output_head")?,
            tail: fields.bytes("output_tail")?,
        })
    }

    pub(crate) fn errno(&self) -> Option<&'a str> {
        match self {
            Expected::Errno(errno) => Some(errno),
            _ => None,
        }
    }

    /// Compares an output with what is expected.
    pub(crate) fn compare(&self, what: &str, output: &[u8]) -> Result<(), Problem> {
        match self {
            Expected::Bytes(bytes) => same(what, output, bytes),
            Expected::Digest { len, sha256, head, tail } => {
                if output.len() != *len {
                    return Err(Problem::Wrong(format!("{what}: {} bytes, expected {len}", output.len())));
                }
                same(&format!("{what}, start"), &output[..head.len().min(*len)], head)?;
                same(&format!("{what}, end"), &output[len.saturating_sub(tail.len())..], tail)?;
                same(&format!("{what}, SHA-256 of all"), &Sha256::digest(output), sha256)
            }
            Expected::Errno(errno) => Err(Problem::Wrong(format!("{what} succeeds; expected {errno}"))),
        }
    }
}

/// Compares bytes and names the first that differs.
pub(crate) fn same(what: &str, ours: &[u8], theirs: &[u8]) -> Result<(), Problem> {
    if ours == theirs {
        return Ok(());
    }
    let at = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    let (ours_len, theirs_len) = (ours.len(), theirs.len());
    Err(Problem::Wrong(format!("{what}: {ours_len} of {theirs_len} bytes, wrong from byte {at} on")))
}
