//! A message that is hashed piece by piece, and its exported state.
//!
//! # Exported state, version 1
//!
//! | bytes | content |
//! |---|---|
//! | 2 | `KH` |
//! | 1 | version, 1 |
//! | 1 | bytes in the partial block |
//! | 4 | FNV-1a of the generic name, little-endian |
//! | 8 | bytes hashed so far, little-endian |
//! | `state_size` | the algorithm's running state, in the layout that its drivers share |
//! | `block_size` | the partial block, padded with zeros |
//!
//! The length is fixed per algorithm; the bytes are the same from every driver and on every machine.

use core::fmt;

use zeroize::Zeroize;

use crate::shash::{MAX_HASH_BLOCK, MAX_HASH_STATE, Shash};
use crate::{Error, Result};

const HEADER: usize = 16;
const VERSION: u8 = 1;

/// Longest exported state in bytes.
pub const MAX_EXPORT: usize = HEADER + MAX_HASH_STATE + MAX_HASH_BLOCK;

/// No message is this long. A state that says so could not be continued, for its length would wrap around.
const TOO_LONG: u64 = 1 << 63;

/// A running hash of one message. A clone goes its own way from here.
#[derive(Clone)]
pub struct Hashing<'t> {
    tfm: &'t Shash,
    state: [u8; MAX_HASH_STATE],
    partial: [u8; MAX_HASH_BLOCK],
    partial_len: usize,
    total: u64,
}

impl<'t> Hashing<'t> {
    /// Starts a message; the caller has checked that there is a key.
    pub(crate) fn start(tfm: &'t Shash) -> Self {
        let mut state = [0; MAX_HASH_STATE];
        tfm.driver().init(&mut state[..tfm.limits().state_size]);
        Hashing { tfm, state, partial: [0; MAX_HASH_BLOCK], partial_len: 0, total: 0 }
    }

    /// Takes the next piece of the message, of any length.
    pub fn update(&mut self, mut piece: &[u8]) {
        let limits = self.tfm.limits();
        let block = limits.block_size;
        self.total = self.total.wrapping_add(piece.len() as u64);
        // Algorithms that treat a full last block specially keep it until more arrives.
        let held_back = usize::from(limits.keeps_full_block);
        if self.partial_len > 0 {
            let take = (block - self.partial_len).min(piece.len());
            let (head, rest) = piece.split_at(take);
            self.partial[self.partial_len..self.partial_len + take].copy_from_slice(head);
            self.partial_len += take;
            piece = rest;
            if self.partial_len < block || piece.len() < held_back {
                return;
            }
            self.tfm.driver().update(&mut self.state[..limits.state_size], &self.partial[..block]);
            self.partial_len = 0;
        }
        let free = piece.len().saturating_sub(held_back);
        let (blocks, rest) = piece.split_at(free - free % block);
        if !blocks.is_empty() {
            self.tfm.driver().update(&mut self.state[..limits.state_size], blocks);
        }
        self.partial[..rest.len()].copy_from_slice(rest);
        self.partial_len = rest.len();
    }

    /// Ends the message and writes its digest.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] for a digest buffer of another length than the digest; [`Error::NeedKey`] for
    /// a message that does not hold the key it should begin with (poly1305).
    pub fn finalize(mut self, digest: &mut [u8]) -> Result<()> {
        self.tfm.check(digest.len())?;
        self.tfm.driver().check_total(self.total)?;
        let size = self.tfm.limits().state_size;
        let tail = &self.partial[..self.partial_len];
        self.tfm.driver().finish(&mut self.state[..size], tail, self.total, digest);
        Ok(())
    }

    /// Bytes hashed so far.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Writes the running state in the form that [`Shash::import`] reads; returns the bytes written at the
    /// start of `out`, which is [`Shash::export_size`].
    ///
    /// The state of a MAC lets its holder go on with the message; treat it as a secret.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if `out` is too short.
    pub fn export(&self, out: &mut [u8]) -> Result<usize> {
        let limits = self.tfm.limits();
        let size = self.tfm.export_size();
        let room = out.len();
        let out = out.get_mut(..size).ok_or(Error::LengthMismatch { src: size, dst: room })?;
        out[..HEADER].copy_from_slice(&self.tfm.export_header(self.partial_len, self.total));
        let (state, partial) = out[HEADER..].split_at_mut(limits.state_size);
        state.copy_from_slice(&self.state[..limits.state_size]);
        partial.fill(0);
        partial[..self.partial_len].copy_from_slice(&self.partial[..self.partial_len]);
        Ok(size)
    }
}

impl Shash {
    /// Length of an exported state in bytes.
    pub fn export_size(&self) -> usize {
        HEADER + self.limits().state_size + self.limits().block_size
    }

    fn export_header(&self, partial_len: usize, total: u64) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..4].copy_from_slice(&[b'K', b'H', VERSION, partial_len as u8]);
        header[4..8].copy_from_slice(&fnv1a(self.alg().name.as_bytes()).to_le_bytes());
        header[8..].copy_from_slice(&total.to_le_bytes());
        header
    }

    /// Goes on with a message from an exported state, of any driver of the same algorithm on any machine.
    ///
    /// # Errors
    /// [`Error::NeedKey`]; [`Error::BadState`] for bytes that no export of this algorithm can have written.
    pub fn import(&self, exported: &[u8]) -> Result<Hashing<'_>> {
        let mut hashing = self.hasher()?;
        let limits = self.limits();
        let block = limits.block_size;
        let bad = |why| Err(Error::BadState { why });
        if exported.len() != self.export_size() {
            return bad("its length is not that of this algorithm's states");
        }
        let (header, body) = exported.split_at(HEADER);
        let (state, partial) = body.split_at(limits.state_size);
        let partial_len = usize::from(header[3]);
        let total = header[8..].iter().rev().fold(0u64, |total, &byte| total << 8 | u64::from(byte));
        if header != self.export_header(partial_len, total) {
            return bad("it is not a version 1 state of this algorithm");
        }
        if total >= TOO_LONG {
            return bad("no message is as long as it says");
        }
        let whole = total % block as u64;
        let expected = if limits.keeps_full_block && whole == 0 && total > 0 { block as u64 } else { whole };
        if partial_len as u64 != expected || partial[partial_len..].iter().any(|&byte| byte != 0) {
            return bad("its partial block does not fit its length");
        }
        if !self.driver().is_state(state) {
            return bad("its running state is impossible");
        }
        hashing.state[..limits.state_size].copy_from_slice(state);
        hashing.partial[..block].copy_from_slice(partial);
        hashing.partial_len = partial_len;
        hashing.total = total;
        Ok(hashing)
    }
}

/// The 32-bit FNV-1a hash, which only has to tell names apart.
fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

impl Drop for Hashing<'_> {
    fn drop(&mut self) {
        let limits = self.tfm.limits();
        self.state[..limits.state_size].zeroize();
        self.partial[..limits.block_size].zeroize();
    }
}

impl fmt::Debug for Hashing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hashing")
            .field("alg", self.tfm.alg())
            .field("total", &self.total)
            .finish_non_exhaustive()
    }
}
