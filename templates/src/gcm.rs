//! `gcm(cipher)` and `gcm_base(ctr,ghash)`: Galois/Counter Mode (SP 800-38D).
//!
//! ```text
//!   J0 = IV ‖ 00000001
//!   text        ──▶ CTR from J0 + 1 ──▶ ciphertext
//!   AAD, padded ‖ ciphertext, padded ‖ their lengths in bits (8 + 8) ──▶ GHASH under E(0) ──▶ ⊕ E(J0) ──▶ tag
//! ```
//!
//! The children are a `ctr(..)` over a cipher with 16-byte blocks, and `ghash`; `gcm(cipher)` takes
//! `ctr(cipher)`. Both answer to the name `gcm(cipher)`. IVs have 12 bytes, tags 4, 8 or 12 to 16; a text has
//! at most 2^36 - 32 bytes.

use alloc::boxed::Box;
use alloc::format;

use kcrypto_core::{
    Aad, AadLength, AeadAlg, AeadDriver, Alg, Create, Dir, Error, InOut, KeySizes, Kind, KindTag, Length,
    Lens, MAX_UNIT, Make, Result, ShashAlg, ShashDriver, SkcipherAlg, SkcipherDriver, Spawn, State, TagSizes,
    Template,
};
use zeroize::Zeroize;

use crate::padded::{self, BLOCK};

/// IV in bytes.
pub const IV: usize = 12;
/// Longest text in bytes: 2^32 - 2 blocks.
pub const MAX_TEXT: u64 = (1 << 36) - 32;
/// Longest associated data in bytes: its length in bits has 64 bits.
pub const MAX_AAD: u64 = (1 << 61) - 1;
/// Tags in bytes.
pub const TAGS: TagSizes = TagSizes::of(&[4, 8, 12, 13, 14, 15, 16]);

/// Bytes of text that are encrypted and hashed before the next: they stay in the first-level cache.
const PASS: usize = 4096;

/// The template over a cipher.
pub const GCM: Template = Template { name: "gcm", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static GCM_LINK: Template = GCM;

/// The template over a counter mode and a hash.
pub const GCM_BASE: Template = Template { name: "gcm_base", create: create_base };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static GCM_BASE_LINK: Template = GCM_BASE;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Aead)?;
    let ctr = c.skcipher(&format!("ctr({})", c.arg(0)?))?;
    let ghash = c.shash("ghash")?;
    instance(c, ctr, ghash)
}

fn create_base(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Aead)?;
    let (ctr, ghash) = (c.arg(0)?, c.arg(1)?);
    let (ctr, ghash) = (c.skcipher(ctr)?, c.shash(ghash)?);
    instance(c, ctr, ghash)
}

fn instance(c: &Create<'_>, ctr: Spawn<SkcipherAlg>, ghash: Spawn<ShashAlg>) -> Result<Alg> {
    let Some(inner) = ctr.alg.name.strip_prefix("ctr(") else {
        return Err(c.bad_child(&ctr.alg, "it must be a ctr(..)"));
    };
    let SkcipherAlg { iv_size, block_size, length, tail, .. } = ctr.limits;
    if (iv_size, block_size, length, tail) != (BLOCK, 1, Length::ANY, 0) {
        return Err(c.bad_child(&ctr.alg, "it must be a stream mode with an IV of 16 bytes"));
    }
    if ghash.alg.name != "ghash" || ghash.limits.digest_size != BLOCK || ghash.limits.state_size != BLOCK {
        return Err(c.bad_child(&ghash.alg, "it must be ghash"));
    }
    let name = format!("gcm({inner}");
    let driver_name = format!("gcm_base({},{})", ctr.alg.driver_name, ghash.alg.driver_name);
    let priority = ctr.alg.priority.midpoint(ghash.alg.priority);
    let (keys, chunk_size) = (ctr.limits.keys, ctr.limits.chunk_size.max(BLOCK));
    let make = Make::aead(move || Ok(Gcm::over(Boxed { ctr: ctr.make()?, ghash: ghash.make()? })));
    c.instance_named(name, driver_name, priority, Kind::Aead(AeadAlg { chunk_size, ..limits(keys, make) }))
}

/// Limits of GCM over a cipher with these keys.
pub const fn limits(keys: KeySizes, make: Make<dyn AeadDriver>) -> AeadAlg {
    AeadAlg {
        block_size: 1,
        iv_size: IV,
        tags: TAGS,
        chunk_size: BLOCK,
        tail: 0,
        length: Length::ANY,
        aad: AadLength::Any,
        keys,
        state_size: STATE,
        make,
    }
}

/// State in bytes: the counter, the hash so far, the lengths.
const STATE: usize = 3 * BLOCK;

/// GCM over what does its two halves.
pub struct Gcm<G>(G);

impl<G: Galois> Gcm<G> {
    /// Over these halves.
    pub fn over(halves: G) -> Self {
        Gcm(halves)
    }
}

impl<G: Galois> AeadDriver for Gcm<G> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.set_key(key)
    }

    fn check(&self, _iv: &[u8], lens: Lens) -> Result<()> {
        for (len, max) in [(lens.text, MAX_TEXT), (lens.aad, MAX_AAD)] {
            if len > max {
                return Err(Error::TooLong { len, max });
            }
        }
        Ok(())
    }

    fn begin(&self, _dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        let Some([counter, hash, sizes]) = blocks(state) else { return };
        *counter = (first_counter(iv) + 1).to_be_bytes();
        *hash = self.0.hash_first();
        *sizes = lengths(lens.aad, lens.text).to_be_bytes();
    }

    fn aad(&self, state: &mut State, run: &[u8], _last: bool) {
        let Some([_, hash, _]) = blocks(state) else { return };
        self.0.hash(hash, run);
    }

    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        let Some([counter, hash, _]) = blocks(state) else { return };
        self.0.crypt(dir, counter, hash, io);
    }

    fn end(&self, _dir: Dir, state: &mut State, tag: &mut [u8]) {
        let Some([counter, hash, sizes]) = blocks(state) else { return };
        self.0.finish(first_counter(counter), u128::from_be_bytes(*sizes), hash);
        cut(hash, tag);
    }

    fn crypt(&self, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) {
        let sizes = lengths(aad.len(), io.len() as u64);
        cut(&mut self.0.message(dir, first_counter(iv), aad, io, sizes), tag);
    }
}

/// The halves of GCM under a key: counter mode and GHASH. Blocks that it makes itself are given as big-endian
/// numbers.
pub trait Galois: Send + Sync + 'static {
    /// As [`AeadDriver::set_key`].
    ///
    /// # Errors
    /// Those of the cipher.
    fn set_key(&mut self, key: &[u8]) -> Result<()>;

    /// GHASH of nothing.
    fn hash_first(&self) -> [u8; BLOCK] {
        [0; BLOCK]
    }

    /// GHASH of `data` and zeros up to a whole block.
    fn hash(&self, hash: &mut [u8; BLOCK], data: &[u8]);

    /// Encrypts or decrypts a run of text, and hashes the ciphertext and zeros up to a whole block. The last 32 bits
    /// of the counter advance by the blocks used, a partial one included.
    fn crypt(&self, dir: Dir, counter: &mut [u8; BLOCK], hash: &mut [u8; BLOCK], io: InOut<'_>);

    /// Hashes the block of lengths in bits (SP 800-38D, 7.1, step 5); then the hash, masked by the encrypted J0, is
    /// the tag.
    fn finish(&self, j0: u128, lengths: u128, hash: &mut [u8; BLOCK]);

    /// A whole message (SP 800-38D, 7.1 and 7.2, up to the comparison of the tags); returns the tag, not yet cut.
    ///
    /// The provided body takes the steps one after the other; a fused driver has one function for all.
    fn message(&self, dir: Dir, j0: u128, aad: &Aad<'_>, io: InOut<'_>, lengths: u128) -> [u8; BLOCK] {
        let mut hash = self.hash_first();
        aad.runs(MAX_UNIT, |run, _| self.hash(&mut hash, run));
        self.crypt(dir, &mut (j0 + 1).to_be_bytes(), &mut hash, io);
        self.finish(j0, lengths, &mut hash);
        hash
    }
}

/// J0 of the IV at the start of `iv`, as a big-endian number (SP 800-38D, 7.1, step 2).
#[inline]
fn first_counter(iv: &[u8]) -> u128 {
    let (high, low) = iv.split_at(8);
    let high = high.first_chunk().map_or(0, |iv| u64::from_be_bytes(*iv));
    let low = low.first_chunk().map_or(0, |iv| u32::from_be_bytes(*iv));
    u128::from(high) << 64 | u128::from(low) << 32 | 1
}

/// The last block of GHASH as a big-endian number: lengths in bits (SP 800-38D, 7.1, step 5), of these lengths in
/// bytes.
#[inline]
fn lengths(aad: u64, text: u64) -> u128 {
    u128::from(aad) << 67 | u128::from(text) << 3
}

/// Cuts a tag to its length; the whole one is wiped.
#[inline]
fn cut(whole: &mut [u8; BLOCK], tag: &mut [u8]) {
    match tag.first_chunk_mut() {
        Some(tag) => *tag = *whole,
        None => tag.copy_from_slice(&whole[..tag.len()]),
    }
    whole.as_mut_slice().zeroize();
}

/// The three blocks of a state.
fn blocks(state: &mut State) -> Option<&mut [[u8; BLOCK]; 3]> {
    state.bytes_mut().as_chunks_mut().0.first_chunk_mut()
}

/// Any counter mode and any GHASH that were chosen at run time.
struct Boxed {
    ctr: Box<dyn SkcipherDriver>,
    ghash: Box<dyn ShashDriver>,
}

impl Boxed {
    /// Counter mode: the counter advances by the blocks used, a partial one included.
    fn ctr(&self, counter: &mut [u8; BLOCK], io: InOut<'_>) {
        self.ctr.crypt(Dir::Encrypt, counter, io);
    }
}

impl Galois for Boxed {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.ctr.set_key(key)?;
        let mut h = [0; BLOCK];
        self.ctr(&mut [0; BLOCK], InOut::in_place(&mut h));
        let result = self.ghash.set_key(&h);
        h.zeroize();
        result
    }

    fn hash_first(&self) -> [u8; BLOCK] {
        let mut hash = [0; BLOCK];
        self.ghash.init(&mut hash);
        hash
    }

    fn hash(&self, hash: &mut [u8; BLOCK], data: &[u8]) {
        padded::update(&*self.ghash, hash, data);
    }

    fn crypt(&self, dir: Dir, counter: &mut [u8; BLOCK], hash: &mut [u8; BLOCK], mut io: InOut<'_>) {
        while !io.is_empty() {
            let len = io.len().min(PASS);
            let (mut now, rest) = io.split_at(len);
            if dir == Dir::Decrypt {
                self.hash(hash, now.src());
            }
            self.ctr(counter, now.reborrow());
            if dir == Dir::Encrypt {
                self.hash(hash, now.dst());
            }
            io = rest;
        }
    }

    fn finish(&self, j0: u128, lengths: u128, hash: &mut [u8; BLOCK]) {
        self.ghash.update(hash, &lengths.to_be_bytes());
        let hashed = |bits: u128| padded::hashed(bits as u64 / 8);
        let total = hashed(lengths >> 64) + hashed(lengths) + BLOCK as u64;
        let mut digest = [0; BLOCK];
        self.ghash.finish(hash, &[], total, &mut digest);
        *hash = digest;
        digest.zeroize();
        self.ctr(&mut j0.to_be_bytes(), InOut::in_place(hash));
    }
}
