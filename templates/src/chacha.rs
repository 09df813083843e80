//! ChaCha and XChaCha as stream ciphers (RFC 8439, 2.4; draft-irtf-cfrg-xchacha-03) around a driver's block function.
//!
//! ```text
//!   IV of chacha20    block counter (4, little-endian) ‖ nonce (12)
//!   IV of xchacha*    nonce of HChaCha (16) ‖ nonce (8) ‖ stream position (8): counter (4) ‖ 4 bytes of nonce
//! ```
//!
//! The counter has 32 bits and wraps around within them, as Linux has it. The caller's IV stays as it is. Any
//! length; both directions are the same.

use core::any::Any;

use kcrypto_core::{Dir, Error, InOut, KeySizes, Length, Make, Result, SkcipherAlg, SkcipherDriver, State};
use zeroize::Zeroize;

/// Bytes of key stream per block.
pub const BLOCK: usize = 64;

/// Key in bytes.
const KEY: usize = 32;
/// Position of the block counter among the words.
const COUNTER: usize = 12;
/// Last row of the input in bytes: counter and nonce.
const LAST_ROW: usize = 16;
/// "expand 32-byte k".
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// What a driver brings: the permutation, over as many blocks at a time as suits its CPU.
pub trait KeyStream: Any + Send + Sync {
    /// Adds the key stream from block `input` on to a message of any length, its last block cut short. The counters
    /// of the blocks count up from that of the input, modulo 2^32.
    fn apply<const ROUNDS: usize>(&self, input: &Input, io: InOut<'_>);

    /// HChaCha: first and last row of the permuted input, nothing added.
    fn derive<const ROUNDS: usize>(&self, input: &Input) -> [u8; KEY];
}

/// What a block of key stream is computed from; wiped on drop.
pub struct Input([u32; 16]);

impl Input {
    /// Constants, a key of 32 bytes, and 16 bytes of counter and nonce.
    #[inline]
    pub fn new(key: &[u8; KEY], last_row: &[u8; LAST_ROW]) -> Self {
        let mut words = [0; 16];
        words[..4].copy_from_slice(&CONSTANTS);
        let bytes = key.as_chunks().0.iter().chain(last_row.as_chunks().0);
        words[4..].iter_mut().zip(bytes).for_each(|(word, &bytes)| *word = u32::from_le_bytes(bytes));
        Input(words)
    }

    /// The words of the block.
    #[inline]
    pub fn words(&self) -> &[u32; 16] {
        &self.0
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Limits of `ChaCha`, which works best on `walk` bytes at a time.
pub const fn limits(walk: usize, make: Make<dyn SkcipherDriver>) -> SkcipherAlg {
    SkcipherAlg {
        block_size: 1,
        iv_size: LAST_ROW,
        chunk_size: BLOCK,
        walk_size: walk,
        tail: 0,
        length: Length::ANY,
        keys: KeySizes::exactly(KEY),
        state_size: 2 * LAST_ROW,
        make,
    }
}

/// Limits of `XChaCha`, which works best on `walk` bytes at a time.
pub const fn extended_limits(walk: usize, make: Make<dyn SkcipherDriver>) -> SkcipherAlg {
    let mut limits = limits(walk, make);
    limits.iv_size = EXTENDED_IV;
    limits.state_size = LAST_ROW + KEY + EXTENDED_IV;
    limits
}

/// ChaCha under a key. Its state is the running last row of the input, then the caller's IV.
pub struct ChaCha<S, const ROUNDS: usize> {
    stream: S,
    key: [u8; KEY],
}

impl<S: KeyStream, const ROUNDS: usize> ChaCha<S, ROUNDS> {
    /// Over this block function, without key.
    pub const fn over(stream: S) -> Self {
        ChaCha { stream, key: [0; KEY] }
    }
}

/// Adds the key stream to a run, and counts its blocks in the last row.
fn run<const ROUNDS: usize>(
    stream: &impl KeyStream,
    key: &[u8; KEY],
    last_row: &mut [u8; LAST_ROW],
    io: InOut<'_>,
) {
    let blocks = io.len().div_ceil(BLOCK);
    let input = Input::new(key, last_row);
    stream.apply::<ROUNDS>(&input, io);
    let next = input.0[COUNTER].wrapping_add(blocks as u32);
    last_row[..4].copy_from_slice(&next.to_le_bytes());
}

impl<S: KeyStream, const ROUNDS: usize> SkcipherDriver for ChaCha<S, ROUNDS> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let accepted = KeySizes::exactly(KEY);
        self.key = key.try_into().map_err(|_| Error::BadKeyLen { len: key.len(), accepted })?;
        Ok(())
    }

    fn begin(&self, _dir: Dir, iv: &[u8], state: &mut State) {
        let state = state.bytes_mut();
        state[..LAST_ROW].copy_from_slice(iv);
        state[LAST_ROW..2 * LAST_ROW].copy_from_slice(iv);
    }

    fn run(&self, _dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        if let Some(last_row) = state.bytes_mut().first_chunk_mut() {
            run::<ROUNDS>(&self.stream, &self.key, last_row, io);
        }
    }

    fn end(&self, _dir: Dir, state: &State, iv_out: &mut [u8]) {
        iv_out.copy_from_slice(&state.bytes()[LAST_ROW..2 * LAST_ROW]);
    }

    fn crypt(&self, _dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        if let Some(last_row) = iv.first_chunk() {
            self.stream.apply::<ROUNDS>(&Input::new(&self.key, last_row), io);
        }
    }
}

impl<S, const ROUNDS: usize> Drop for ChaCha<S, ROUNDS> {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

/// IV of XChaCha in bytes.
const EXTENDED_IV: usize = 32;

/// XChaCha under a key. Its state is the running last row of the input, the key for this nonce, and the
/// caller's IV.
pub struct XChaCha<S, const ROUNDS: usize>(ChaCha<S, ROUNDS>);

impl<S: KeyStream, const ROUNDS: usize> XChaCha<S, ROUNDS> {
    /// Over this block function, without key.
    pub const fn over(stream: S) -> Self {
        XChaCha(ChaCha::over(stream))
    }

    /// The key for this nonce, and the last row of the input.
    fn derive(&self, iv: &[u8]) -> ([u8; KEY], [u8; LAST_ROW]) {
        let Some((nonce, rest)) = iv.split_first_chunk() else { return ([0; KEY], [0; LAST_ROW]) };
        let mut last_row = [0; LAST_ROW];
        last_row[..8].copy_from_slice(&rest[8..]);
        last_row[8..].copy_from_slice(&rest[..8]);
        (self.0.stream.derive::<ROUNDS>(&Input::new(&self.0.key, nonce)), last_row)
    }
}

impl<S: KeyStream, const ROUNDS: usize> SkcipherDriver for XChaCha<S, ROUNDS> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.set_key(key)
    }

    fn begin(&self, _dir: Dir, iv: &[u8], state: &mut State) {
        let (mut key, last_row) = self.derive(iv);
        let state = state.bytes_mut();
        state[..LAST_ROW].copy_from_slice(&last_row);
        state[LAST_ROW..][..KEY].copy_from_slice(&key);
        state[LAST_ROW + KEY..][..EXTENDED_IV].copy_from_slice(iv);
        key.zeroize();
    }

    fn run(&self, _dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        if let Some((last_row, rest)) = state.bytes_mut().split_first_chunk_mut()
            && let Some(key) = rest.first_chunk()
        {
            run::<ROUNDS>(&self.0.stream, key, last_row, io);
        }
    }

    fn end(&self, _dir: Dir, state: &State, iv_out: &mut [u8]) {
        iv_out.copy_from_slice(&state.bytes()[LAST_ROW + KEY..][..EXTENDED_IV]);
    }

    fn crypt(&self, _dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let (mut key, last_row) = self.derive(iv);
        self.0.stream.apply::<ROUNDS>(&Input::new(&key, &last_row), io);
        key.zeroize();
    }
}
