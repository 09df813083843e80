//! What the AEADs of IPsec share (RFC 4106, RFC 4309, RFC 4543, RFC 7634).
//!
//! ```text
//!   key              = key of the AEAD below ‖ salt
//!   nonce            = salt ‖ IV (8)
//!   associated data  = SPI (4) ‖ sequence number (4 or 8) ‖ IV (8)
//! ```
//!
//! The IV that counts is the request's; the copy of it at the end of the associated data is whatever it is,
//! and whether it is authenticated is up to each RFC.

use alloc::vec::Vec;

use kcrypto_core::{Aad, AadLength, AeadAlg, Create, Error, KeySizes, Result, Spawn, TagSizes};

/// IV of a request, in bytes.
pub const IV: usize = 8;
/// Longest associated data in bytes, with extended sequence numbers.
pub const MAX_AAD: usize = 20;
/// Lengths of the associated data without and with extended sequence numbers.
pub const AAD: AadLength = AadLength::Either(16, MAX_AAD as u64);

/// Limits of an instance with this much salt and, of these tags, those that the child makes.
///
/// # Errors
/// [`Error::BadChild`] if the child is not a stream mode that takes associated data of any length, or makes
/// none of the tags.
pub fn limits(c: &Create<'_>, child: &Spawn<AeadAlg>, salt: usize, tags: &[usize]) -> Result<AeadAlg> {
    let below = &child.limits;
    if below.block_size != 1 {
        return Err(c.bad_child(&child.alg, "it must be a stream mode"));
    }
    if below.aad != AadLength::Any {
        return Err(c.bad_child(&child.alg, "it must take associated data of any length"));
    }
    let tags: Vec<usize> = tags.iter().copied().filter(|&len| below.tags.contains(len)).collect();
    if tags.is_empty() {
        return Err(c.bad_child(&child.alg, "its tags have other lengths"));
    }
    Ok(AeadAlg {
        iv_size: IV,
        tags: TagSizes::of(&tags),
        // What is authenticated of the associated data lies in the first run of it.
        chunk_size: below.chunk_size.max(16),
        aad: AAD,
        keys: below.keys.plus(salt),
        ..below.clone()
    })
}

/// Takes the salt off a key.
///
/// # Errors
/// [`Error::BadKeyLen`] with the accepted lengths if the key is shorter than the salt.
pub fn split_key<const SALT: usize>(key: &[u8], accepted: KeySizes) -> Result<(&[u8], &[u8; SALT])> {
    key.split_last_chunk().ok_or(Error::BadKeyLen { len: key.len(), accepted })
}

/// Salt ‖ IV.
pub fn nonce<const SALT: usize>(salt: &[u8; SALT], iv: &[u8]) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[..SALT].copy_from_slice(salt);
    nonce[SALT..SALT + IV].copy_from_slice(iv);
    nonce
}

/// The associated data in one piece, and its length.
pub fn gathered(aad: &Aad<'_>) -> ([u8; MAX_AAD], usize) {
    let (mut bytes, mut len) = ([0; MAX_AAD], 0);
    for piece in aad.pieces() {
        let piece = &piece[..piece.len().min(MAX_AAD - len)];
        bytes[len..len + piece.len()].copy_from_slice(piece);
        len += piece.len();
    }
    (bytes, len)
}
