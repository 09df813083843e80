//! Speck (Beaulieu and others, "The SIMON and SPECK families of lightweight block ciphers", IACR ePrint 2013/404), as
//! its drivers share it: the rounds over words and over vectors of words, and sectors in groups of blocks.
//!
//! The cipher adds, rotates and XORs words: no table, no branch and no address depends on keys or data. The paper
//! prints words; in bytes, every word is little-endian, a block is its word y and then its word x, and the first
//! word of a key is the first round key.

mod rounds;
pub mod sectors;

pub use rounds::{RoundKeys, Word, Words};
