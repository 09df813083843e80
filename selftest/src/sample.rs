//! Lengths and messages that stand for all others.

use kcrypto_core::Length;

/// A random message.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) key: Vec<u8>,
    pub(crate) iv: Vec<u8>,
    pub(crate) message: Vec<u8>,
}

/// Those of these places that lie within a message, in order.
pub(crate) fn cuts(places: impl IntoIterator<Item = usize>, len: usize) -> Vec<usize> {
    let mut cuts: Vec<usize> = places.into_iter().filter(|&at| 0 < at && at < len).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// The next length that a mode takes.
pub(crate) fn valid(length: Length, len: usize) -> usize {
    len.max(length.min).next_multiple_of(length.multiple)
}
