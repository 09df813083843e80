//! Hashing in whole blocks of 16 bytes, the last one padded with zeros: what GCM, CCM and ChaCha20-Poly1305 do
//! with associated data and with text.

use kcrypto_core::ShashDriver;

/// Block in bytes.
pub(crate) const BLOCK: usize = 16;

/// Hashes `data` and zeros up to a whole block. All but the last run of something are whole blocks.
pub(crate) fn update(hash: &dyn ShashDriver, state: &mut [u8], data: &[u8]) {
    let (blocks, tail) = data.split_at(data.len() - data.len() % BLOCK);
    if !blocks.is_empty() {
        hash.update(state, blocks);
    }
    if !tail.is_empty() {
        let mut block = [0; BLOCK];
        block[..tail.len()].copy_from_slice(tail);
        hash.update(state, &block);
    }
}

/// Bytes that were hashed for `len` bytes of something.
pub(crate) const fn hashed(len: u64) -> u64 {
    len.div_ceil(BLOCK as u64) * BLOCK as u64
}
