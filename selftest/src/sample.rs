//! Lengths and messages that stand for all others.

use kcrypto_core::Length;

/// A random message.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) key: Vec<u8>,
    pub(crate) iv: Vec<u8>,
    pub(crate) message: Vec<u8>,
}

/// The next length that a mode takes.
pub(crate) fn valid(length: Length, len: usize) -> usize {
    len.max(length.min).next_multiple_of(length.multiple)
}
