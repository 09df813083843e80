//! `chacha20-avx2`, `xchacha20-avx2` and `xchacha12-avx2`: ChaCha (RFC 8439, 2.1 to 2.4) on 256-bit vectors.
//!
//! Long messages go eight blocks at a time, each vector holding one word of all eight: then nothing has to be moved
//! between lanes before the end. What is left has one to four blocks for which a vector holds a row of two blocks:
//! there the time is that of one chain of dependent rounds, whatever their number.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use alloc::boxed::Box;

use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, InOut, Make, Result, SkcipherAlg};
use kcrypto_simd::x86::Avx2;
use kcrypto_templates::chacha::{BLOCK, ChaCha, Input, KeyStream, XChaCha, extended_limits, limits};
use zeroize::Zeroize;

use crate::prove;
use crate::ymm::{YMM, load, store};

/// Blocks side by side.
const LANES: usize = 8;
/// Bytes that are processed best at a time.
const WALK: usize = LANES * BLOCK;
/// Position of the block counter among the words.
const COUNTER: usize = 12;

/// A driver of this file.
const fn driver(name: &'static str, driver_name: &'static str, limits: SkcipherAlg) -> Alg {
    Alg::skcipher(name, driver_name, limits)
        .with_priority(300)
        .with_cpu(Avx2::FEATURES, Avx2::require)
        .with_module("avx2")
}

/// 20 rounds, a 12-byte nonce.
pub(crate) const CHACHA20: Alg = driver("chacha20", "chacha20-avx2", {
    limits(WALK, Make::Fallible(|| Ok(Box::new(ChaCha::<_, 20>::over(Vectors::new("chacha20-avx2")?)))))
});

#[linkme::distributed_slice(ALGS)]
static CHACHA20_LINK: Alg = CHACHA20;

/// 20 rounds, a 24-byte nonce.
pub(crate) const XCHACHA20: Alg = driver("xchacha20", "xchacha20-avx2", {
    extended_limits(
        WALK,
        Make::Fallible(|| Ok(Box::new(XChaCha::<_, 20>::over(Vectors::new("xchacha20-avx2")?)))),
    )
});

#[linkme::distributed_slice(ALGS)]
static XCHACHA20_LINK: Alg = XCHACHA20;

/// 12 rounds, a 24-byte nonce.
pub(crate) const XCHACHA12: Alg = driver("xchacha12", "xchacha12-avx2", {
    extended_limits(
        WALK,
        Make::Fallible(|| Ok(Box::new(XChaCha::<_, 12>::over(Vectors::new("xchacha12-avx2")?)))),
    )
});

#[linkme::distributed_slice(ALGS)]
static XCHACHA12_LINK: Alg = XCHACHA12;

/// Blocks in 256-bit vectors, by a process that may use AVX2.
struct Vectors(Avx2);

impl Vectors {
    /// For this driver.
    fn new(driver: &str) -> Result<Self> {
        prove(driver, Avx2::new(), Avx2::require).map(Vectors)
    }
}

impl KeyStream for Vectors {
    fn apply<const ROUNDS: usize>(&self, input: &Input, io: InOut<'_>) {
        // SAFETY: the token proves the features.
        unsafe { apply::<ROUNDS>(self.0, input, io) }
    }

    fn derive<const ROUNDS: usize>(&self, input: &Input) -> [u8; 32] {
        // SAFETY: the token proves the features.
        unsafe { derive::<ROUNDS>(self.0, input) }
    }
}

#[target_feature(enable = "avx2")]
fn apply<const ROUNDS: usize>(_: Avx2, input: &Input, mut io: InOut<'_>) {
    let mut block = 0u32;
    while io.len() > 4 * BLOCK {
        let len = io.len().min(LANES * BLOCK);
        let (now, rest) = io.split_at(len);
        add(&eight_blocks::<ROUNDS>(input.words(), block), now);
        block = block.wrapping_add(LANES as u32);
        io = rest;
    }
    match io.len() {
        0 => {}
        1..=128 => add(rows_to_stream(pairs::<ROUNDS, 1>(input.words(), block)).as_flattened(), io),
        _ => add(rows_to_stream(pairs::<ROUNDS, 2>(input.words(), block)).as_flattened(), io),
    }
}

/// Adds the first bytes of a key stream to a message that is no longer.
#[target_feature(enable = "avx2")]
#[inline]
fn add(stream: &[__m256i], mut io: InOut<'_>) {
    for key in stream {
        if io.len() < YMM {
            return add_tail(*key, io);
        }
        let (mut now, rest) = io.split_at(YMM);
        if let Some(text) = now.src().first_chunk().map(|text| load(text))
            && let Some(dst) = now.dst().first_chunk_mut()
        {
            store(_mm256_xor_si256(text, *key), dst);
        }
        io = rest;
    }
}

/// As [`add`], for less than a vector.
#[target_feature(enable = "avx2")]
fn add_tail(key: __m256i, mut io: InOut<'_>) {
    let mut bytes = [0; YMM];
    let len = io.len();
    bytes[..len].copy_from_slice(io.src());
    store(_mm256_xor_si256(load(&bytes), key), &mut bytes);
    io.dst().copy_from_slice(&bytes[..len]);
    bytes.zeroize();
}

/// HChaCha: first and last row of the permuted input.
#[target_feature(enable = "avx2")]
fn derive<const ROUNDS: usize>(_: Avx2, input: &Input) -> [u8; 32] {
    let mut rows = [rows(input.words(), 0)];
    permute_rows::<ROUNDS, 1>(&mut rows);
    let mut derived = [0; 32];
    store(_mm256_permute2x128_si256::<0x20>(rows[0][0], rows[0][3]), &mut derived);
    derived
}

/// The rows of two blocks, the counter of the first one `block` after the input's.
#[target_feature(enable = "avx2")]
#[inline]
fn rows(input: &[u32; 16], block: u32) -> [__m256i; 4] {
    let word = |i: usize| input[i] as i32;
    let row = |i: usize| {
        _mm256_broadcastsi128_si256(_mm_set_epi32(
            word(4 * i + 3),
            word(4 * i + 2),
            word(4 * i + 1),
            word(4 * i),
        ))
    };
    let counters = _mm256_set_epi32(0, 0, 0, block.wrapping_add(1) as i32, 0, 0, 0, block as i32);
    [row(0), row(1), row(2), _mm256_add_epi32(row(3), counters)]
}

/// The key stream of `N` pairs of blocks, each vector a row of a pair.
#[target_feature(enable = "avx2")]
#[inline]
fn pairs<const ROUNDS: usize, const N: usize>(input: &[u32; 16], block: u32) -> [[__m256i; 4]; N] {
    let mut state = [[_mm256_setzero_si256(); 4]; N];
    for (pair, state) in state.iter_mut().enumerate() {
        *state = rows(input, block.wrapping_add(2 * pair as u32));
    }
    let start = state;
    permute_rows::<ROUNDS, N>(&mut state);
    for (state, start) in state.iter_mut().zip(start) {
        for (row, start) in state.iter_mut().zip(start) {
            *row = _mm256_add_epi32(*row, start);
        }
    }
    state
}

/// Columns and diagonals, `ROUNDS / 2` times.
#[target_feature(enable = "avx2")]
#[inline]
fn permute_rows<const ROUNDS: usize, const N: usize>(state: &mut [[__m256i; 4]; N]) {
    for _ in 0..ROUNDS / 2 {
        for rows in &mut *state {
            quarter_round(rows);
            let [a, b, c, d] = *rows;
            *rows = [
                a,
                _mm256_shuffle_epi32::<0b00_11_10_01>(b),
                _mm256_shuffle_epi32::<0b01_00_11_10>(c),
                _mm256_shuffle_epi32::<0b10_01_00_11>(d),
            ];
        }
        for rows in &mut *state {
            quarter_round(rows);
            let [a, b, c, d] = *rows;
            *rows = [
                a,
                _mm256_shuffle_epi32::<0b10_01_00_11>(b),
                _mm256_shuffle_epi32::<0b01_00_11_10>(c),
                _mm256_shuffle_epi32::<0b00_11_10_01>(d),
            ];
        }
    }
}

/// Rows of pairs as their blocks one after the other.
#[target_feature(enable = "avx2")]
#[inline]
fn rows_to_stream<const N: usize>(pairs: [[__m256i; 4]; N]) -> [[__m256i; 4]; N] {
    let mut stream = pairs;
    for (stream, [a, b, c, d]) in stream.iter_mut().zip(pairs) {
        *stream = [
            _mm256_permute2x128_si256::<0x20>(a, b),
            _mm256_permute2x128_si256::<0x20>(c, d),
            _mm256_permute2x128_si256::<0x31>(a, b),
            _mm256_permute2x128_si256::<0x31>(c, d),
        ];
    }
    stream
}

/// The quarter round (RFC 8439, 2.1), in each lane.
#[target_feature(enable = "avx2")]
#[inline]
fn quarter_round([a, b, c, d]: &mut [__m256i; 4]) {
    let by_16 = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0d0c_0f0e_0908_0b0a, 0x0504_0706_0100_0302));
    let by_8 = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0e0d_0c0f_0a09_080b, 0x0605_0407_0201_0003));
    *a = _mm256_add_epi32(*a, *b);
    *d = _mm256_shuffle_epi8(_mm256_xor_si256(*d, *a), by_16);
    *c = _mm256_add_epi32(*c, *d);
    *b = _mm256_xor_si256(*b, *c);
    *b = _mm256_or_si256(_mm256_slli_epi32::<12>(*b), _mm256_srli_epi32::<20>(*b));
    *a = _mm256_add_epi32(*a, *b);
    *d = _mm256_shuffle_epi8(_mm256_xor_si256(*d, *a), by_8);
    *c = _mm256_add_epi32(*c, *d);
    *b = _mm256_xor_si256(*b, *c);
    *b = _mm256_or_si256(_mm256_slli_epi32::<7>(*b), _mm256_srli_epi32::<25>(*b));
}

/// The key stream of eight blocks, each vector of the state one word of all.
#[target_feature(enable = "avx2")]
#[inline]
fn eight_blocks<const ROUNDS: usize>(input: &[u32; 16], block: u32) -> [__m256i; 2 * LANES] {
    let mut s = [_mm256_setzero_si256(); 16];
    for (s, word) in s.iter_mut().zip(input) {
        *s = _mm256_set1_epi32(*word as i32);
    }
    let lanes = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    let counters = _mm256_add_epi32(_mm256_set1_epi32(input[COUNTER].wrapping_add(block) as i32), lanes);
    s[COUNTER] = counters;

    for _ in 0..ROUNDS / 2 {
        quarter_rounds(&mut s, [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]]);
        quarter_rounds(&mut s, [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]]);
    }

    for (i, (s, word)) in s.iter_mut().zip(input).enumerate() {
        let start = if i == COUNTER { counters } else { _mm256_set1_epi32(*word as i32) };
        *s = _mm256_add_epi32(*s, start);
    }
    // Four words of blocks 0 and 4, 1 and 5, 2 and 6, 3 and 7.
    let quarters = [
        transpose([s[0], s[1], s[2], s[3]]),
        transpose([s[4], s[5], s[6], s[7]]),
        transpose([s[8], s[9], s[10], s[11]]),
        transpose([s[12], s[13], s[14], s[15]]),
    ];
    let mut stream = s;
    for i in 0..4 {
        let [a, b, c, d] = [quarters[0][i], quarters[1][i], quarters[2][i], quarters[3][i]];
        stream[2 * i] = _mm256_permute2x128_si256::<0x20>(a, b);
        stream[2 * i + 1] = _mm256_permute2x128_si256::<0x20>(c, d);
        stream[2 * i + 8] = _mm256_permute2x128_si256::<0x31>(a, b);
        stream[2 * i + 9] = _mm256_permute2x128_si256::<0x31>(c, d);
    }
    stream
}

/// Four quarter rounds, none of which waits for another.
#[target_feature(enable = "avx2")]
#[inline]
fn quarter_rounds(s: &mut [__m256i; 16], columns: [[usize; 4]; 4]) {
    for [a, b, c, d] in columns {
        let mut words = [s[a], s[b], s[c], s[d]];
        quarter_round(&mut words);
        [s[a], s[b], s[c], s[d]] = words;
    }
}

/// Transposes the 4 by 4 words in each half.
#[target_feature(enable = "avx2")]
#[inline]
fn transpose([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
    let (upper_ab, upper_cd) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
    [
        _mm256_unpacklo_epi64(ab, cd),
        _mm256_unpackhi_epi64(ab, cd),
        _mm256_unpacklo_epi64(upper_ab, upper_cd),
        _mm256_unpackhi_epi64(upper_ab, upper_cd),
    ]
}
