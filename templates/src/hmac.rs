//! `hmac(hash)`: a MAC from a hash (RFC 2104, FIPS 198-1).
//!
//! ```text
//!   K'     = the key, hashed if it is longer than a block, padded with zeros to a block
//!   inner  = H(K' ⊕ 36 36 .. 36 ‖ message)
//!   digest = H(K' ⊕ 5c 5c .. 5c ‖ inner)
//! ```
//!
//! The child is a hash that works without key and whose digest fits in its block. Setting the key takes the
//! first block of both hashes, so that each message costs only its own blocks and one or two more. Keys have
//! any length, none included.
//!
//! Linux 6.19 has two templates: `hmac`, and `hmac-shash` for the synchronous form alone, whose instances
//! are `hmac(hash)` with the driver name `hmac-shash(driver)`. Both names are accepted and run the same code;
//! `hmac` is what a generic name resolves to.

use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;

use kcrypto_core::{
    Alg, Create, Flags, KeySizes, Kind, KindTag, MAX_DIGEST, MAX_HASH_BLOCK, MAX_HASH_STATE, Make, Result,
    ShashAlg, ShashDriver, Template,
};
use zeroize::Zeroize;

/// The template.
pub const HMAC: Template = Template { name: "hmac", create };
/// The template under the newer name of its synchronous form.
pub const HMAC_SHASH: Template = Template { name: "hmac-shash", create: create_shash };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static HMAC_LINK: Template = HMAC;
#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static HMAC_SHASH_LINK: Template = HMAC_SHASH;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    let (_, kind) = describe(c)?;
    c.instance(kind)
}

fn create_shash(c: &mut Create<'_>) -> Result<Alg> {
    let (hash, kind) = describe(c)?;
    let names = (format!("hmac({})", hash.name), format!("hmac-shash({})", hash.driver_name));
    c.instance_named(names.0, names.1, hash.priority, kind)
}

/// The child, and the instance over it.
fn describe(c: &mut Create<'_>) -> Result<(Arc<Alg>, Kind)> {
    c.makes(KindTag::Shash)?;
    let hash = c.shash(c.arg(0)?)?;
    if hash.limits.keys.is_some() && !hash.alg.flags.contains(Flags::OPTIONAL_KEY) {
        return Err(c.bad_child(&hash.alg, "the hash must not need a key"));
    }
    if hash.limits.digest_size == 0 || hash.limits.digest_size > hash.limits.block_size {
        return Err(c.bad_child(&hash.alg, "the digest must have 1 byte to a block"));
    }
    let alg = Arc::clone(&hash.alg);
    let kind = Kind::Shash(ShashAlg {
        keys: Some(KeySizes::ANY),
        make: Make::shash({
            let hash = hash.clone();
            move || Ok(Hmac::over(hash.make()?, &hash.limits))
        }),
        ..hash.limits
    });
    Ok((alg, kind))
}

/// HMAC over a hash. Its state is the inner hash's.
pub struct Hmac<H: ?Sized> {
    hash: Box<H>,
    sizes: Sizes,
    /// The hashes' states after the key's blocks.
    inner: [u8; MAX_HASH_STATE],
    outer: [u8; MAX_HASH_STATE],
    /// The inner digest of an empty message, for a hash whose last block is special: there it is the key's.
    empty: [u8; MAX_DIGEST],
}

/// The hash's limits.
#[derive(Clone, Copy)]
struct Sizes {
    block: usize,
    digest: usize,
    state: usize,
    keeps_full_block: bool,
}

impl Sizes {
    /// How many of a message's bytes go to the hash's `update`, the rest being left for its end.
    #[inline]
    fn whole(self, len: usize) -> usize {
        let free = len.saturating_sub(usize::from(self.keeps_full_block));
        free - free % self.block
    }
}

impl<H: ShashDriver + ?Sized> Hmac<H> {
    /// Over this hash, which has these limits; without key.
    pub fn over(hash: Box<H>, limits: &ShashAlg) -> Self {
        let sizes = Sizes {
            block: limits.block_size,
            digest: limits.digest_size,
            state: limits.state_size,
            keeps_full_block: limits.keeps_full_block,
        };
        let (inner, outer) = ([0; MAX_HASH_STATE], [0; MAX_HASH_STATE]);
        Hmac { hash, sizes, inner, outer, empty: [0; MAX_DIGEST] }
    }

    /// Goes on from `state` with a message's last piece and writes the digest; `before` bytes were taken.
    fn end(&self, state: &mut [u8], before: u64, message: &[u8], digest: &mut [u8]) {
        let (blocks, tail) = message.split_at(self.sizes.whole(message.len()));
        if !blocks.is_empty() {
            self.hash.update(state, blocks);
        }
        self.hash.finish(state, tail, before.wrapping_add(message.len() as u64), digest);
    }
}

impl<H: ShashDriver + ?Sized> ShashDriver for Hmac<H> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let Sizes { block, digest, state, keeps_full_block } = self.sizes;
        let mut scratch = [0; MAX_HASH_STATE];
        let mut padded = [0; MAX_HASH_BLOCK];
        let padded = &mut padded[..block];
        if key.len() > block {
            self.hash.init(&mut scratch[..state]);
            self.end(&mut scratch[..state], 0, key, &mut padded[..digest]);
        } else {
            padded[..key.len()].copy_from_slice(key);
        }

        padded.iter_mut().for_each(|byte| *byte ^= 0x36);
        self.inner = [0; MAX_HASH_STATE];
        self.hash.init(&mut self.inner[..state]);
        if keeps_full_block {
            scratch = self.inner;
            self.hash.finish(&mut scratch[..state], padded, block as u64, &mut self.empty[..digest]);
        }
        self.hash.update(&mut self.inner[..state], padded);

        padded.iter_mut().for_each(|byte| *byte ^= 0x36 ^ 0x5c);
        self.outer = [0; MAX_HASH_STATE];
        self.hash.init(&mut self.outer[..state]);
        self.hash.update(&mut self.outer[..state], padded);

        padded.zeroize();
        scratch.zeroize();
        Ok(())
    }

    fn init(&self, state: &mut [u8]) {
        state.copy_from_slice(&self.inner[..self.sizes.state]);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        self.hash.update(state, blocks);
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        let block = self.sizes.block as u64;
        let mut inner = self.empty;
        let inner = &mut inner[..self.sizes.digest];
        if !(self.sizes.keeps_full_block && total == 0) {
            self.hash.finish(state, tail, total.wrapping_add(block), inner);
        }
        state.copy_from_slice(&self.outer[..self.sizes.state]);
        self.end(state, block, inner, digest);
        inner.zeroize();
    }

    fn is_state(&self, state: &[u8]) -> bool {
        self.hash.is_state(state)
    }

    fn digest(&self, message: &[u8], digest: &mut [u8]) -> bool {
        let mut state = self.inner;
        let state = &mut state[..self.sizes.state];
        let (blocks, tail) = message.split_at(self.sizes.whole(message.len()));
        if !blocks.is_empty() {
            self.hash.update(state, blocks);
        }
        self.finish(state, tail, message.len() as u64, digest);
        state.zeroize();
        true
    }
}

impl<H: ?Sized> Drop for Hmac<H> {
    fn drop(&mut self) {
        self.inner.zeroize();
        self.outer.zeroize();
        self.empty.zeroize();
    }
}
