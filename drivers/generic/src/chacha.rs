//! `chacha20-generic`, `xchacha20-generic` and `xchacha12-generic`: key streams (RFC 8439, 2.4;
//! draft-irtf-cfrg-xchacha-03).
//!
//! ```text
//!   IV of chacha20    block counter (4, little-endian) ‖ nonce (12)
//!   IV of xchacha*    nonce of HChaCha (16) ‖ nonce (8) ‖ stream position (8): counter (4) ‖ 4 bytes of nonce
//! ```
//!
//! The counter has 32 bits and wraps around within them, as Linux has it. The caller's IV stays as it is. Any
//! length; both directions are the same. No address and no branch depends on keys or data. Several blocks go
//! side by side, one in each 32-bit lane of a vector.

mod block;

use alloc::boxed::Box;

use kcrypto_core::{
    Alg, Dir, Error, InOut, KeySizes, Length, Make, Result, SkcipherAlg, SkcipherDriver, State,
};
use zeroize::Zeroize;

use block::{BLOCK, Input, hchacha};

/// Key in bytes.
const KEY: usize = 32;

/// Limits that the ciphers share.
const LIMITS: SkcipherAlg = SkcipherAlg {
    block_size: 1,
    iv_size: <ChaCha<20>>::IV,
    chunk_size: BLOCK,
    walk_size: 4 * BLOCK,
    tail: 0,
    length: Length::ANY,
    keys: KeySizes::exactly(KEY),
    state_size: <ChaCha<20>>::STATE,
    make: Make::Static(|| Box::new(ChaCha::<20>::new())),
};

/// Limits of XChaCha with this constructor.
const fn extended(make: Make<dyn SkcipherDriver>) -> SkcipherAlg {
    SkcipherAlg { iv_size: <XChaCha<20>>::IV, state_size: <XChaCha<20>>::STATE, make, ..LIMITS }
}

/// A driver of this file.
const fn driver(name: &'static str, driver_name: &'static str, limits: SkcipherAlg) -> Alg {
    Alg::skcipher(name, driver_name, limits).with_priority(100).with_module("generic")
}

/// 20 rounds, a 12-byte nonce.
pub(crate) const CHACHA20: Alg = driver("chacha20", "chacha20-generic", LIMITS);

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static CHACHA20_LINK: Alg = CHACHA20;

/// 20 rounds, a 24-byte nonce.
pub(crate) const XCHACHA20: Alg = driver(
    "xchacha20",
    "xchacha20-generic",
    extended(Make::Static(|| Box::new(XChaCha(ChaCha::<20>::new())))),
);

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static XCHACHA20_LINK: Alg = XCHACHA20;

/// 12 rounds, a 24-byte nonce.
pub(crate) const XCHACHA12: Alg = driver(
    "xchacha12",
    "xchacha12-generic",
    extended(Make::Static(|| Box::new(XChaCha(ChaCha::<12>::new())))),
);

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static XCHACHA12_LINK: Alg = XCHACHA12;

/// ChaCha under a key. Its state is the running last row of the input, then the caller's IV.
struct ChaCha<const ROUNDS: usize> {
    key: [u8; KEY],
}

impl<const ROUNDS: usize> ChaCha<ROUNDS> {
    const IV: usize = 16;
    const STATE: usize = 2 * Self::IV;

    const fn new() -> Self {
        ChaCha { key: [0; KEY] }
    }
}

impl<const ROUNDS: usize> SkcipherDriver for ChaCha<ROUNDS> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.key = key
            .try_into()
            .map_err(|_| Error::BadKeyLen { len: key.len(), accepted: KeySizes::exactly(KEY) })?;
        Ok(())
    }

    fn begin(&self, _dir: Dir, iv: &[u8], state: &mut State) {
        state.bytes_mut()[..Self::IV].copy_from_slice(iv);
        state.bytes_mut()[Self::IV..Self::STATE].copy_from_slice(iv);
    }

    fn run(&self, _dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        let last_row = &mut state.bytes_mut()[..Self::IV];
        let mut input = Input::new(&self.key, last_row);
        input.apply::<ROUNDS>(io);
        last_row.copy_from_slice(&input.last_row());
    }

    fn end(&self, _dir: Dir, state: &State, iv_out: &mut [u8]) {
        iv_out.copy_from_slice(&state.bytes()[Self::IV..Self::STATE]);
    }

    fn crypt(&self, _dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        Input::new(&self.key, iv).apply::<ROUNDS>(io);
    }
}

impl<const ROUNDS: usize> Drop for ChaCha<ROUNDS> {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

/// XChaCha under a key. Its state is the running last row of the input, the key for this nonce, and the
/// caller's IV.
struct XChaCha<const ROUNDS: usize>(ChaCha<ROUNDS>);

impl<const ROUNDS: usize> XChaCha<ROUNDS> {
    const IV: usize = 32;
    const STATE: usize = 16 + KEY + Self::IV;

    /// The key for this nonce, and the last row of the input.
    fn derive(&self, iv: &[u8]) -> ([u8; KEY], [u8; 16]) {
        let mut last_row = [0; 16];
        last_row[..8].copy_from_slice(&iv[24..]);
        last_row[8..].copy_from_slice(&iv[16..24]);
        (hchacha::<ROUNDS>(&self.0.key, &iv[..16]), last_row)
    }
}

impl<const ROUNDS: usize> SkcipherDriver for XChaCha<ROUNDS> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.set_key(key)
    }

    fn begin(&self, _dir: Dir, iv: &[u8], state: &mut State) {
        let (mut key, last_row) = self.derive(iv);
        let state = state.bytes_mut();
        state[..16].copy_from_slice(&last_row);
        state[16..][..KEY].copy_from_slice(&key);
        state[16 + KEY..Self::STATE].copy_from_slice(iv);
        key.zeroize();
    }

    fn run(&self, _dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        let (last_row, rest) = state.bytes_mut().split_at_mut(16);
        let mut input = Input::new(&rest[..KEY], last_row);
        input.apply::<ROUNDS>(io);
        last_row.copy_from_slice(&input.last_row());
    }

    fn end(&self, _dir: Dir, state: &State, iv_out: &mut [u8]) {
        iv_out.copy_from_slice(&state.bytes()[16 + KEY..Self::STATE]);
    }

    fn crypt(&self, _dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let (mut key, last_row) = self.derive(iv);
        Input::new(&key, &last_row).apply::<ROUNDS>(io);
        key.zeroize();
    }
}

#[cfg(test)]
mod tests;
