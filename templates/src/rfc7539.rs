//! `rfc7539(stream,poly1305)` and `rfc7539esp(stream,poly1305)`: ChaCha20-Poly1305 (RFC 8439, 2.8, which took
//! the place of RFC 7539), and as ESP uses it (RFC 7634).
//!
//! ```text
//!   IV of the stream = block counter (4, little-endian) ‖ nonce (12)
//!   stream from block 0 ──▶ one-time key of Poly1305 (32)
//!   text        ──▶ stream from block 1 ──▶ ciphertext
//!   AAD, padded ‖ ciphertext, padded ‖ their lengths in bytes (8 + 8, little-endian) ──▶ Poly1305 ──▶ tag
//!
//!   rfc7539      key (32)               nonce = IV (12)
//!   rfc7539esp   key (32) ‖ salt (4)    nonce = salt ‖ IV (8)    AAD without its last 8 bytes, the IV
//! ```
//!
//! The children are a stream cipher with an IV of 16 bytes, `chacha20` or another, and `poly1305`, whose
//! messages begin with the one-time key. Tags have 16 bytes; a text has at most 2^38 - 64 bytes.

use alloc::boxed::Box;

use kcrypto_core::{
    Aad, AadLength, AeadAlg, AeadDriver, Alg, Create, Dir, Error, InOut, KeySizes, Kind, KindTag, Length,
    Lens, MAX_UNIT, Make, Result, ShashDriver, SkcipherDriver, State, TagSizes, Template,
};
use zeroize::Zeroize;

use crate::padded::{self, BLOCK};

/// Key of the stream, and one-time key, in bytes.
const KEY: usize = 32;
/// Nonce in bytes: salt and IV.
const NONCE: usize = 12;
/// Longest text in bytes: the block counter has 32 bits, and block 0 is taken.
const MAX_TEXT: u64 = (1 << 38) - 64;
/// Most bytes of running state of the child that authenticates.
const MAX_MAC_STATE: usize = 64;

/// The template.
pub const RFC7539: Template = Template { name: "rfc7539", create: create::<0> };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static RFC7539_LINK: Template = RFC7539;

/// The template for IPsec.
pub const RFC7539ESP: Template = Template { name: "rfc7539esp", create: create::<4> };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static RFC7539ESP_LINK: Template = RFC7539ESP;

fn create<const SALT: usize>(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Aead)?;
    let (stream, mac) = (c.arg(0)?, c.arg(1)?);
    let (stream, mac) = (c.skcipher(stream)?, c.shash(mac)?);
    if stream.limits.iv_size != 4 + NONCE {
        return Err(c.bad_child(&stream.alg, "the IV must be 16 bytes"));
    }
    if stream.limits.block_size != 1 || stream.limits.length != Length::ANY || stream.limits.tail != 0 {
        return Err(c.bad_child(&stream.alg, "it must be a stream mode"));
    }
    if !stream.limits.keys.contains(KEY) {
        return Err(c.bad_child(&stream.alg, "it must take a key of 32 bytes"));
    }
    if mac.alg.name != "poly1305" || mac.limits.digest_size != BLOCK || mac.limits.block_size != BLOCK {
        return Err(c.bad_child(&mac.alg, "it must be poly1305"));
    }
    if mac.limits.state_size > MAX_MAC_STATE {
        return Err(c.bad_child(&mac.alg, "its running state must have at most 64 bytes"));
    }
    let (stream_state, mac_state) = (stream.limits.state_size, mac.limits.state_size);
    let excluded = Rfc7539::<SALT>::EXCLUDED;
    c.instance(Kind::Aead(AeadAlg {
        block_size: 1,
        iv_size: NONCE - SALT,
        tags: TagSizes::of(&[BLOCK]),
        chunk_size: stream.limits.chunk_size.max(BLOCK),
        tail: 0,
        length: Length::ANY,
        aad: if excluded == 0 { AadLength::Any } else { AadLength::AtLeast(excluded) },
        keys: KeySizes::exactly(KEY + SALT),
        state_size: stream_state.saturating_add(mac_state + 8 * WORDS),
        make: Make::aead(move || {
            let (stream, mac) = (stream.make()?, mac.make()?);
            Ok(Rfc7539 { stream, mac, salt: [0; SALT], stream_state, mac_state })
        }),
    }))
}

/// Words of 8 bytes in the state, after the children's: lengths of the authenticated part of the associated
/// data and of the text, and how much of the former is still to come.
const WORDS: usize = 3;

/// ChaCha20-Poly1305 with `SALT` bytes of the nonce in the key.
struct Rfc7539<const SALT: usize> {
    stream: Box<dyn SkcipherDriver>,
    mac: Box<dyn ShashDriver>,
    salt: [u8; SALT],
    stream_state: usize,
    mac_state: usize,
}

impl<const SALT: usize> Rfc7539<SALT> {
    /// Bytes at the end of the associated data that are not authenticated.
    const EXCLUDED: u64 = if SALT == 0 { 0 } else { (NONCE - SALT) as u64 };

    /// IV of the stream from this block on.
    fn counter(&self, iv: &[u8], block: u32) -> [u8; 4 + NONCE] {
        let mut counter = [0; 4 + NONCE];
        counter[..4].copy_from_slice(&block.to_le_bytes());
        counter[4..4 + SALT].copy_from_slice(&self.salt);
        counter[4 + SALT..].copy_from_slice(iv);
        counter
    }

    /// Starts the authentication under a one-time key (RFC 8439, 2.6).
    fn start(&self, iv: &[u8], mac: &mut [u8]) {
        let mut key = [0; KEY];
        self.stream.crypt(Dir::Encrypt, &mut self.counter(iv, 0), InOut::in_place(&mut key));
        self.mac.init(mac);
        self.mac.update(mac, &key);
        key.zeroize();
    }

    /// Ends the authentication of this much associated data and text, in bytes.
    fn finish(&self, mac: &mut [u8], aad: u64, text: u64, tag: &mut [u8]) {
        self.mac.update(mac, &(u128::from(text) << 64 | u128::from(aad)).to_le_bytes());
        let total = (KEY + BLOCK) as u64 + padded::hashed(aad) + padded::hashed(text);
        self.mac.finish(mac, &[], total, tag);
    }

    /// The MAC's part of a state, and this template's.
    fn parts<'s>(&self, state: &'s mut State) -> (&'s mut [u8], &'s mut [[u8; 8]]) {
        let (mac, words) = state.bytes_mut()[self.stream_state..].split_at_mut(self.mac_state);
        (mac, &mut words.as_chunks_mut().0[..WORDS])
    }
}

impl<const SALT: usize> AeadDriver for Rfc7539<SALT> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let accepted = KeySizes::exactly(KEY + SALT);
        let (key, salt) = key.split_last_chunk().ok_or(Error::BadKeyLen { len: key.len(), accepted })?;
        self.salt = *salt;
        self.stream.set_key(key)
    }

    fn check(&self, _iv: &[u8], lens: Lens) -> Result<()> {
        let (len, max) = (lens.text, MAX_TEXT);
        if len > max { Err(Error::TooLong { len, max }) } else { Ok(()) }
    }

    fn begin(&self, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        self.stream.begin(dir, &self.counter(iv, 1), state);
        let (mac, words) = self.parts(state);
        let aad = lens.aad - Self::EXCLUDED;
        words.copy_from_slice(&[aad, lens.text, aad].map(u64::to_le_bytes));
        self.start(iv, mac);
    }

    fn aad(&self, state: &mut State, run: &[u8], _last: bool) {
        let (mac, words) = self.parts(state);
        let mut left = u64::from_le_bytes(words[2]);
        padded::update(&*self.mac, mac, first(run, &mut left));
        words[2] = left.to_le_bytes();
    }

    fn run(&self, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        if dir == Dir::Decrypt {
            padded::update(&*self.mac, self.parts(state).0, io.src());
        }
        self.stream.run(dir, state, io.reborrow(), last);
        if dir == Dir::Encrypt {
            padded::update(&*self.mac, self.parts(state).0, io.dst());
        }
    }

    fn end(&self, _dir: Dir, state: &mut State, tag: &mut [u8]) {
        let (mac, words) = self.parts(state);
        self.finish(mac, u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1]), tag);
    }

    fn crypt(&self, dir: Dir, iv: &[u8], aad: &Aad<'_>, mut io: InOut<'_>, tag: &mut [u8]) {
        let mut state = [0; MAX_MAC_STATE];
        let mac = &mut state[..self.mac_state];
        let (authenticated, text) = (aad.len() - Self::EXCLUDED, io.len() as u64);
        let mut left = authenticated;
        self.start(iv, mac);
        aad.runs(MAX_UNIT, |run, _| padded::update(&*self.mac, mac, first(run, &mut left)));
        if dir == Dir::Decrypt {
            padded::update(&*self.mac, mac, io.src());
        }
        self.stream.crypt(dir, &mut self.counter(iv, 1), io.reborrow());
        if dir == Dir::Encrypt {
            padded::update(&*self.mac, mac, io.dst());
        }
        self.finish(mac, authenticated, text, tag);
        state.zeroize();
    }
}

/// As much of the start of a run as is left, which becomes less.
fn first<'r>(run: &'r [u8], left: &mut u64) -> &'r [u8] {
    let len = usize::try_from(*left).map_or(run.len(), |left| left.min(run.len()));
    *left -= len as u64;
    &run[..len]
}

impl<const SALT: usize> Drop for Rfc7539<SALT> {
    fn drop(&mut self) {
        self.salt.zeroize();
    }
}
