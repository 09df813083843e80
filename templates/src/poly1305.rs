//! The one-time authenticator Poly1305 (RFC 8439, 2.5) around a driver's sum over many blocks.
//!
//! It takes its key as Linux had it: the first 32 bytes of a message are the one-time key r ‖ s, and a message
//! that ends before is refused. Constant time wherever the CPU multiplies 64-bit integers in constant time.
//!
//! The running state of every driver of `poly1305`, numbers little-endian:
//!
//! | bytes | content |
//! |---|---|
//! | 16 | r, clamped; zero until it is seen |
//! | 16 | s; zero until it is seen |
//! | 17 | the accumulator, less than 2^130 - 5; zero until the key is complete |
//! | 1 | blocks of the key seen: 0, 1 or 2 |

mod field;

use core::any::Any;

use kcrypto_core::{Error, Make, Result, ShashAlg, ShashDriver};

use field::{clamp, is_clamped};

pub use field::{Accumulator, Multiplier};

/// Block and digest in bytes.
const BLOCK: usize = 16;
/// One-time key in bytes.
const KEY: usize = 2 * BLOCK;
/// Accumulator in bytes.
const SUM: usize = BLOCK + 1;

/// What a driver brings: the sum over whole blocks.
pub trait Blocks: Any + Send + Sync {
    /// Adds whole blocks, each followed by a 1, and multiplies after each.
    fn add(&self, sum: &mut Accumulator, r: &Multiplier, blocks: &[[u8; BLOCK]]);
}

/// One block after the other, in words of 64 bits.
#[derive(Debug, Clone, Copy)]
pub struct Scalar;

impl Blocks for Scalar {
    #[inline]
    fn add(&self, sum: &mut Accumulator, r: &Multiplier, blocks: &[[u8; BLOCK]]) {
        sum.add_blocks(r, blocks);
    }
}

/// Limits of `poly1305`.
pub const fn limits(make: Make<dyn ShashDriver>) -> ShashAlg {
    ShashAlg {
        block_size: BLOCK,
        digest_size: BLOCK,
        state_size: KEY + SUM + 1,
        keys: None,
        keeps_full_block: false,
        make,
    }
}

/// Poly1305, which keeps nothing from message to message.
#[derive(Debug)]
pub struct Poly1305<B>(pub B);

impl<B: Blocks> ShashDriver for Poly1305<B> {
    fn init(&self, state: &mut [u8]) {
        state.fill(0);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        let Some(State { r, s, sum, seen }) = State::of(state) else { return };
        let (mut blocks, _) = blocks.as_chunks();
        while *seen < 2
            && let Some((half, rest)) = blocks.split_first()
        {
            match seen {
                0 => *r = clamp(half),
                _ => *s = *half,
            }
            *seen += 1;
            blocks = rest;
        }
        if !blocks.is_empty() {
            let mut accumulator = Accumulator::read(sum);
            self.0.add(&mut accumulator, &Multiplier::new(r), blocks);
            *sum = accumulator.write();
        }
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], _total: u64, digest: &mut [u8]) {
        let Some(State { r, s, sum, .. }) = State::of(state) else { return };
        let mut accumulator = Accumulator::read(sum);
        accumulator.add_tail(&Multiplier::new(r), tail);
        digest.copy_from_slice(&accumulator.tag(s));
    }

    fn check_total(&self, total: u64) -> Result<()> {
        if total < KEY as u64 { Err(Error::NeedKey) } else { Ok(()) }
    }

    fn is_state(&self, state: &[u8]) -> bool {
        let Some((key, [sum @ .., seen])) = state.split_first_chunk::<KEY>() else { return false };
        let (r, s) = key.split_at(BLOCK);
        let zero = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0);
        match seen {
            0 => zero(key) && zero(sum),
            1 => is_clamped(r) && zero(s) && zero(sum),
            2 => is_clamped(r) && sum.try_into().is_ok_and(|sum| Accumulator::read(sum).write() == *sum),
            _ => false,
        }
    }

    fn digest(&self, message: &[u8], digest: &mut [u8]) -> bool {
        let Some((r, message)) = message.split_first_chunk() else { return false };
        let Some((s, message)) = message.split_first_chunk() else { return false };
        let r = Multiplier::new(&clamp(r));
        let (blocks, tail) = message.as_chunks();
        let mut accumulator = Accumulator::read(&[0; SUM]);
        self.0.add(&mut accumulator, &r, blocks);
        accumulator.add_tail(&r, tail);
        digest.copy_from_slice(&accumulator.tag(s));
        true
    }
}

/// The parts of a running state.
struct State<'s> {
    r: &'s mut [u8; BLOCK],
    s: &'s mut [u8; BLOCK],
    sum: &'s mut [u8; SUM],
    seen: &'s mut u8,
}

impl<'s> State<'s> {
    fn of(state: &'s mut [u8]) -> Option<Self> {
        let (r, state) = state.split_first_chunk_mut()?;
        let (s, state) = state.split_first_chunk_mut()?;
        let (sum, state) = state.split_first_chunk_mut()?;
        Some(State { r, s, sum, seen: state.first_mut()? })
    }
}

#[cfg(test)]
mod tests;
