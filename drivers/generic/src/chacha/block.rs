//! The ChaCha permutation and what is made of it (RFC 8439, 2.1 to 2.4; draft-irtf-cfrg-xchacha-03, 2.2).

use kcrypto_core::InOut;
use kcrypto_templates::chacha::{BLOCK, Input, KeyStream};
use zeroize::Zeroize;

/// Blocks side by side where a message is long enough.
const LANES: usize = 4;
/// Position of the block counter among the words.
const COUNTER: usize = 12;

/// The same word of `N` blocks.
type Word<const N: usize> = [u32; N];

/// Blocks in the lanes of vectors.
pub(super) struct Lanes;

impl KeyStream for Lanes {
    fn apply<const ROUNDS: usize>(&self, input: &Input, io: InOut<'_>) {
        let mut words = *input.words();
        let io = groups::<ROUNDS, LANES>(&mut words, io, BLOCK);
        groups::<ROUNDS, 1>(&mut words, io, 0);
        words.zeroize();
    }

    fn derive<const ROUNDS: usize>(&self, input: &Input) -> [u8; 32] {
        let mut state = input.words().map(|word| [word]);
        permute::<ROUNDS, 1>(&mut state);
        let mut derived = [0; 32];
        store(state[..4].as_flattened(), &mut derived[..16]);
        store(state[12..].as_flattened(), &mut derived[16..]);
        state.as_flattened_mut().zeroize();
        derived
    }
}

/// Adds the key stream to the message, `N` blocks at a time while more than `least` bytes are left; returns the
/// rest. The counter advances by the blocks used, a partial one included.
#[inline]
fn groups<'m, const ROUNDS: usize, const N: usize>(
    input: &mut [u32; 16],
    mut io: InOut<'m>,
    least: usize,
) -> InOut<'m> {
    if io.len() <= least {
        return io;
    }
    let (mut state, mut stream) = ([[0; N]; 16], [[0; BLOCK]; N]);
    while io.len() > least {
        let len = io.len().min(N * BLOCK);
        let (mut now, rest) = io.split_at(len);
        blocks::<ROUNDS, N>(input, &mut state, &mut stream);
        now.copy();
        now.dst().iter_mut().zip(stream.as_flattened()).for_each(|(byte, key)| *byte ^= key);
        input[COUNTER] = input[COUNTER].wrapping_add(len.div_ceil(BLOCK) as u32);
        io = rest;
    }
    state.as_flattened_mut().zeroize();
    stream.as_flattened_mut().zeroize();
    io
}

/// The next `N` blocks of key stream.
#[inline]
fn blocks<const ROUNDS: usize, const N: usize>(
    input: &[u32; 16],
    state: &mut [Word<N>; 16],
    stream: &mut [[u8; BLOCK]; N],
) {
    let counters: Word<N> = core::array::from_fn(|lane| input[COUNTER].wrapping_add(lane as u32));
    *state = input.map(|word| [word; N]);
    state[COUNTER] = counters;
    permute::<ROUNDS, N>(state);
    for (lane, block) in stream.iter_mut().enumerate() {
        for (word, bytes) in block.as_chunks_mut().0.iter_mut().enumerate() {
            let input = if word == COUNTER { counters[lane] } else { input[word] };
            *bytes = state[word][lane].wrapping_add(input).to_le_bytes();
        }
    }
}

/// Columns and diagonals, `ROUNDS / 2` times, in every lane: a loop that compilers turn into vector code.
#[inline(always)]
fn permute<const ROUNDS: usize, const N: usize>(state: &mut [[u32; N]; 16]) {
    for _ in 0..ROUNDS / 2 {
        for lane in 0..N {
            let words = double_round(core::array::from_fn(|word| state[word][lane]));
            state.iter_mut().zip(words).for_each(|(lanes, word)| lanes[lane] = word);
        }
    }
}

/// The inner block function (RFC 8439, 2.3.1).
#[inline(always)]
fn double_round(mut s: [u32; 16]) -> [u32; 16] {
    for [a, b, c, d] in [
        [0, 4, 8, 12],
        [1, 5, 9, 13],
        [2, 6, 10, 14],
        [3, 7, 11, 15],
        [0, 5, 10, 15],
        [1, 6, 11, 12],
        [2, 7, 8, 13],
        [3, 4, 9, 14],
    ] {
        [s[a], s[b], s[c], s[d]] = quarter_round([s[a], s[b], s[c], s[d]]);
    }
    s
}

/// The quarter round (RFC 8439, 2.1).
#[inline(always)]
fn quarter_round([mut a, mut b, mut c, mut d]: [u32; 4]) -> [u32; 4] {
    a = a.wrapping_add(b);
    d = (d ^ a).rotate_left(16);
    c = c.wrapping_add(d);
    b = (b ^ c).rotate_left(12);
    a = a.wrapping_add(b);
    d = (d ^ a).rotate_left(8);
    c = c.wrapping_add(d);
    b = (b ^ c).rotate_left(7);
    [a, b, c, d]
}

/// Words as bytes, little-endian.
fn store(words: &[u32], bytes: &mut [u8]) {
    bytes.as_chunks_mut().0.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
}
