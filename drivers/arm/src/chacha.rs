//! `chacha20-neon`, `xchacha20-neon` and `xchacha12-neon`: ChaCha (RFC 8439, 2.1 to 2.4) on 128-bit vectors.
//!
//! Four blocks go side by side, each vector holding one word of all four: then nothing has to be moved between lanes
//! before the end. For the last one or two blocks of a message a vector holds a row of a block, which takes fewer
//! instructions.

use alloc::boxed::Box;
use core::arch::aarch64::uint8x16_t;

use kcrypto_core::engine::Registers;
use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, InOut, Make, Result, SkcipherAlg};
use kcrypto_simd::aarch64::Neon;
use kcrypto_templates::chacha::{BLOCK, ChaCha, Input, KeyStream, XChaCha, extended_limits, limits};

use crate::prove;
use crate::vector::{BLOCK as VECTOR, Vector};
use crate::way::Task;

/// Blocks side by side.
const LANES: usize = 4;
/// Bytes that are processed best at a time.
const WALK: usize = LANES * BLOCK;
/// Position of the block counter among the words.
const COUNTER: usize = 12;

/// A driver of this file.
const fn driver(name: &'static str, driver_name: &'static str, limits: SkcipherAlg) -> Alg {
    Alg::skcipher(name, driver_name, limits)
        .with_priority(300)
        .with_cpu(Neon::FEATURES, Neon::require)
        .with_module("chacha-neon")
}

/// 20 rounds, a 12-byte nonce.
pub(crate) const CHACHA20: Alg = driver("chacha20", "chacha20-neon", {
    limits(WALK, Make::Fallible(|| Ok(Box::new(ChaCha::<_, 20>::over(Vectors::new("chacha20-neon")?)))))
});

#[linkme::distributed_slice(ALGS)]
static CHACHA20_LINK: Alg = CHACHA20;

/// 20 rounds, a 24-byte nonce.
pub(crate) const XCHACHA20: Alg = driver("xchacha20", "xchacha20-neon", {
    extended_limits(
        WALK,
        Make::Fallible(|| Ok(Box::new(XChaCha::<_, 20>::over(Vectors::new("xchacha20-neon")?)))),
    )
});

#[linkme::distributed_slice(ALGS)]
static XCHACHA20_LINK: Alg = XCHACHA20;

/// 12 rounds, a 24-byte nonce.
pub(crate) const XCHACHA12: Alg = driver("xchacha12", "xchacha12-neon", {
    extended_limits(
        WALK,
        Make::Fallible(|| Ok(Box::new(XChaCha::<_, 12>::over(Vectors::new("xchacha12-neon")?)))),
    )
});

#[linkme::distributed_slice(ALGS)]
static XCHACHA12_LINK: Alg = XCHACHA12;

/// Blocks in vectors, by a process that may use them.
struct Vectors(Vector);

impl Vectors {
    /// For this driver.
    fn new(driver: &str) -> Result<Self> {
        prove(driver, Neon::new(), Neon::require).map(|token| Vectors(Vector(token)))
    }
}

impl KeyStream for Vectors {
    fn apply<const ROUNDS: usize>(&self, input: &Input, io: InOut<'_>) {
        self.0.enter(Apply::<ROUNDS> { v: self.0, input: input.words(), io });
    }

    fn derive<const ROUNDS: usize>(&self, input: &Input) -> [u8; 32] {
        let mut derived = [0; 32];
        self.0.enter(Derive::<ROUNDS> { v: self.0, input: input.words(), derived: &mut derived });
        derived
    }
}

/// Encrypts a message.
struct Apply<'a, const ROUNDS: usize> {
    v: Vector,
    input: &'a [u32; 16],
    io: InOut<'a>,
}

impl<const ROUNDS: usize> Task for Apply<'_, ROUNDS> {
    #[inline(always)]
    fn run(self) {
        let Apply { v, input, mut io } = self;
        let mut block = 0u32;
        while io.len() > 2 * BLOCK {
            let len = io.len().min(LANES * BLOCK);
            let (now, rest) = io.split_at(len);
            add(v, four_blocks::<ROUNDS>(v, input, block).as_flattened(), now);
            block = block.wrapping_add(LANES as u32);
            io = rest;
        }
        match io.len() {
            0 => {}
            1..=BLOCK => add(v, blocks_of_rows::<ROUNDS, 1>(v, input, block).as_flattened(), io),
            _ => add(v, blocks_of_rows::<ROUNDS, 2>(v, input, block).as_flattened(), io),
        }
    }
}

/// HChaCha: first and last row of the permuted input.
struct Derive<'a, const ROUNDS: usize> {
    v: Vector,
    input: &'a [u32; 16],
    derived: &'a mut [u8; 32],
}

impl<const ROUNDS: usize> Task for Derive<'_, ROUNDS> {
    #[inline(always)]
    fn run(self) {
        let Derive { v, input, derived } = self;
        let mut state = [rows(v, input)];
        permute_rows::<ROUNDS, 1>(v, &mut state);
        let [[first, .., last]] = state;
        let (lower, upper) = derived.split_at_mut(VECTOR);
        v.store(first, lower);
        v.store(last, upper);
    }
}

/// Adds the first bytes of a key stream to a message that is no longer.
#[inline(always)]
fn add(v: Vector, stream: &[uint8x16_t], mut io: InOut<'_>) {
    for key in stream {
        if io.len() < VECTOR {
            return add_tail(v, *key, io);
        }
        let (mut now, rest) = io.split_at(VECTOR);
        let text = v.load(now.src());
        v.store(v.xor(text, *key), now.dst());
        io = rest;
    }
}

/// As [`add`], for less than a vector.
#[inline(always)]
fn add_tail(v: Vector, key: uint8x16_t, mut io: InOut<'_>) {
    let text = v.load_part(io.src(), 0);
    v.store_part(v.xor(text, key), io.dst());
}

/// The rows of a block.
#[inline(always)]
fn rows(v: Vector, input: &[u32; 16]) -> [uint8x16_t; 4] {
    let mut rows = [v.number(0); 4];
    for (row, words) in rows.iter_mut().zip(input.as_chunks().0) {
        *row = v.words(*words);
    }
    rows
}

/// `N` blocks of key stream by their rows, the counter of the first one `block` after the input's.
#[inline(always)]
fn blocks_of_rows<const ROUNDS: usize, const N: usize>(
    v: Vector,
    input: &[u32; 16],
    block: u32,
) -> [[uint8x16_t; 4]; N] {
    let mut state = [rows(v, input); N];
    for (i, [.., last]) in state.iter_mut().enumerate() {
        *last = v.add32(*last, v.words([block.wrapping_add(i as u32), 0, 0, 0]));
    }
    let start = state;
    permute_rows::<ROUNDS, N>(v, &mut state);
    for (row, start) in state.as_flattened_mut().iter_mut().zip(start.as_flattened()) {
        *row = v.add32(*row, *start);
    }
    state
}

/// Columns and diagonals, `ROUNDS / 2` times.
#[inline(always)]
fn permute_rows<const ROUNDS: usize, const N: usize>(v: Vector, state: &mut [[uint8x16_t; 4]; N]) {
    for _ in 0..ROUNDS / 2 {
        for rows in &mut *state {
            let [a, b, c, d] = quarter_round(v, *rows);
            *rows = [a, v.turn1(b), v.turn2(c), v.turn3(d)];
        }
        for rows in &mut *state {
            let [a, b, c, d] = quarter_round(v, *rows);
            *rows = [a, v.turn3(b), v.turn2(c), v.turn1(d)];
        }
    }
}

/// The quarter round (RFC 8439, 2.1), in each lane.
#[inline(always)]
fn quarter_round(v: Vector, [mut a, mut b, mut c, mut d]: [uint8x16_t; 4]) -> [uint8x16_t; 4] {
    a = v.add32(a, b);
    d = v.rotate16(v.xor(d, a));
    c = v.add32(c, d);
    b = v.rotate12(v.xor(b, c));
    a = v.add32(a, b);
    d = v.rotate8(v.xor(d, a));
    c = v.add32(c, d);
    b = v.rotate7(v.xor(b, c));
    [a, b, c, d]
}

/// The key stream of four blocks, each vector of the state one word of all.
#[inline(always)]
fn four_blocks<const ROUNDS: usize>(v: Vector, input: &[u32; 16], block: u32) -> [[uint8x16_t; 4]; LANES] {
    let mut s = [v.number(0); 16];
    for (s, word) in s.iter_mut().zip(input) {
        *s = v.equal_words(*word);
    }
    let counters = v.add32(v.equal_words(input[COUNTER].wrapping_add(block)), v.words([0, 1, 2, 3]));
    s[COUNTER] = counters;

    for _ in 0..ROUNDS / 2 {
        quarter_rounds(v, &mut s, [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]]);
        quarter_rounds(v, &mut s, [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]]);
    }

    for (i, (s, word)) in s.iter_mut().zip(input).enumerate() {
        *s = v.add32(*s, if i == COUNTER { counters } else { v.equal_words(*word) });
    }
    // Each has four words of all blocks.
    let quarters = [
        v.transpose([s[0], s[1], s[2], s[3]]),
        v.transpose([s[4], s[5], s[6], s[7]]),
        v.transpose([s[8], s[9], s[10], s[11]]),
        v.transpose([s[12], s[13], s[14], s[15]]),
    ];
    let mut stream = quarters;
    for (i, block) in stream.iter_mut().enumerate() {
        *block = [quarters[0][i], quarters[1][i], quarters[2][i], quarters[3][i]];
    }
    stream
}

/// Four quarter rounds, none of which waits for another.
#[inline(always)]
fn quarter_rounds(v: Vector, s: &mut [uint8x16_t; 16], columns: [[usize; 4]; 4]) {
    for [a, b, c, d] in columns {
        [s[a], s[b], s[c], s[d]] = quarter_round(v, [s[a], s[b], s[c], s[d]]);
    }
}
