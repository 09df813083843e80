//! `poly1305-generic`: the one-time authenticator (RFC 8439, 2.5).
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

use alloc::boxed::Box;

use kcrypto_core::{Alg, Error, Make, Result, ShashAlg, ShashDriver};

use field::{Accumulator, Multiplier, clamp, is_clamped};

/// Block and digest in bytes.
const BLOCK: usize = 16;
/// One-time key in bytes.
const KEY: usize = 2 * BLOCK;
/// Accumulator in bytes.
const SUM: usize = BLOCK + 1;

/// The authenticator.
pub(crate) const POLY1305: Alg = Alg::shash(
    "poly1305",
    "poly1305-generic",
    ShashAlg {
        block_size: BLOCK,
        digest_size: BLOCK,
        state_size: KEY + SUM + 1,
        keys: None,
        keeps_full_block: false,
        make: Make::Static(|| Box::new(Poly1305)),
    },
)
.with_priority(100)
.with_module("generic");

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static POLY1305_LINK: Alg = POLY1305;

/// Poly1305, which keeps nothing from message to message.
struct Poly1305;

impl ShashDriver for Poly1305 {
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
            accumulator.add_blocks(&Multiplier::new(r), blocks);
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
        accumulator.add_blocks(&r, blocks);
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
