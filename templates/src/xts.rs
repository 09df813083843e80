//! `xts(cipher)`: encryption of sectors (IEEE 1619; SP 800-38E).
//!
//! ```text
//!   IV ─▶ E(K2) ─▶ T1 ──×x──▶ T2 ──×x──▶ T3 ...
//!                  │          │
//!          P1 ──▶ ⊕ E(K1) ⊕ ──▶ C1
//! ```
//!
//! The key is K1 ‖ K2. The children are an `ecb(..)` of 16-byte blocks under K1, which gets runs of blocks,
//! and its cipher under K2. A last part of 1 to 15 bytes steals from the block before it. The IV stays as it
//! is. Messages have at least 16 bytes.
//!
//! Of the ciphers with 8-byte blocks it takes `speck64` alone, as Linux 4.17 to 4.19 had it: with a tweak of 64 bits,
//! little-endian, in the field of x^64 + x^4 + x^3 + x + 1, and for whole blocks, since nobody defined how a part
//! of such a block steals.

mod tweaked;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;

use kcrypto_core::chain::{Blocks, Runs};
use kcrypto_core::engine::{Fused, Mode};
use kcrypto_core::{
    Alg, CipherDriver, Create, Dir, Error, InOut, KeySizes, Kind, KindTag, Length, Make, Origin, Result,
    SkcipherAlg, SkcipherDriver, Spawn, State, Template,
};
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use tweaked::{Crypt, Run};

/// Block size in bytes of every cipher in this mode but one.
const BLOCK: usize = 16;
/// That one, and its block size in bytes.
const SMALL: (&str, usize) = ("speck64", 8);

/// The template.
pub const XTS: Template = Template { name: "xts", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static XTS_LINK: Template = XTS;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Skcipher)?;
    let ecb = ecb_child(c)?;
    let size = ecb.limits.block_size;
    if ecb.limits.iv_size != 0 {
        return Err(c.bad_child(&ecb.alg, "it must take no IV"));
    }
    let Some(inner) = ecb.alg.name.strip_prefix("ecb(").and_then(|name| name.strip_suffix(')')) else {
        return Err(c.bad_child(&ecb.alg, "it must be an ecb(..)"));
    };
    if size != BLOCK && (inner, size) != SMALL {
        return Err(c.bad_child(&ecb.alg, "the block size must be 16 bytes, or 8 of speck64"));
    }
    let tweak = c.cipher(&tweak_cipher(&ecb.alg, inner))?;
    if tweak.limits.block_size != size {
        return Err(c.bad_child(&tweak.alg, "the block size must be that of the ecb(..)"));
    }
    let keys = ecb.limits.keys;
    let name = format!("xts({inner})");
    let driver_name = format!("xts({})", ecb.alg.driver_name);
    let priority = ecb.alg.priority;
    let make = Make::skcipher(move || Ok(Xts::over(Boxed { size, ecb: ecb.make()?, tweak: tweak.make()? })));
    c.instance_named(name, driver_name, priority, Kind::Skcipher(limits(size, keys, make)))
}

/// Limits of the mode over a cipher with blocks of 16 or 8 bytes and these key lengths.
pub const fn limits(block_size: usize, keys: KeySizes, make: Make<dyn SkcipherDriver>) -> SkcipherAlg {
    let steals = block_size == BLOCK;
    SkcipherAlg {
        block_size,
        iv_size: block_size,
        chunk_size: block_size,
        walk_size: block_size,
        tail: if steals { block_size } else { 0 },
        length: if steals {
            Length::at_least(block_size)
        } else {
            Length { min: block_size, multiple: block_size }
        },
        keys: keys.doubled(),
        state_size: 2 * block_size,
        make,
    }
}

/// The argument as it is, or `ecb(argument)` where it names no skcipher.
fn ecb_child(c: &mut Create<'_>) -> Result<Spawn<SkcipherAlg>> {
    let arg = c.arg(0)?;
    match c.skcipher(arg) {
        Err(Error::NotFound { .. }) => c.skcipher(&format!("ecb({arg})")),
        found => found,
    }
}

/// The very cipher that an instance of `ecb` stands on, or the best one of the name.
fn tweak_cipher<'a>(ecb: &'a Alg, inner: &'a str) -> Cow<'a, str> {
    match &ecb.origin {
        Origin::Instance { template, children } if template == "ecb" && children.len() == 1 => {
            Cow::Borrowed(&children[0].driver_name)
        }
        _ => Cow::Borrowed(inner),
    }
}

/// XTS under two keys. Its state is the running tweak, then the caller's IV.
pub struct Xts<K> {
    keys: K,
}

impl<F: Fused + CipherDriver> Xts<[F; 2]> {
    /// Over a cipher that compiles the mode into one function, keyed for the data and for the tweak.
    pub fn fused(data: F, tweak: F) -> Self {
        Xts::over([data, tweak])
    }
}

impl<K: Keys> Xts<K> {
    /// Over what does the work.
    pub fn over(keys: K) -> Self {
        Xts { keys }
    }
}

impl<K: Keys> SkcipherDriver for Xts<K> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let (data, tweak) = key.split_at(key.len() / 2);
        self.keys.set_keys(data, tweak)
    }

    fn check_weak_key(&self, key: &[u8]) -> Result<()> {
        let (data, tweak) = key.split_at(key.len() / 2);
        if data.ct_eq(tweak).into() {
            return Err(Error::WeakKey { why: "both halves of an XTS key are equal" });
        }
        self.keys.check_weak_keys(data, tweak)
    }

    fn begin(&self, _dir: Dir, iv: &[u8], state: &mut State) {
        let (tweak, kept) = state.bytes_mut()[..2 * iv.len()].split_at_mut(iv.len());
        tweak.copy_from_slice(iv);
        kept.copy_from_slice(iv);
        self.keys.start(tweak);
    }

    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        self.keys.run(dir, &mut state.bytes_mut()[..self.keys.block_size()], io);
    }

    fn end(&self, _dir: Dir, state: &State, iv_out: &mut [u8]) {
        let size = self.keys.block_size();
        iv_out.copy_from_slice(&state.bytes()[size..2 * size]);
    }

    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        self.keys.crypt(dir, iv, io);
    }
}

/// What [`Xts`] works over: boxed children, a cipher with everything in one function, or kernels of the mode.
pub trait Keys: Send + Sync + 'static {
    /// Block size in bytes, 16 or 8.
    fn block_size(&self) -> usize;
    /// Expands the halves of the key.
    ///
    /// # Errors
    /// Those of the cipher.
    fn set_keys(&mut self, data: &[u8], tweak: &[u8]) -> Result<()>;
    /// Refuses halves that the cipher's standard calls weak.
    ///
    /// # Errors
    /// Those of the cipher.
    fn check_weak_keys(&self, data: &[u8], tweak: &[u8]) -> Result<()>;
    /// Makes the IV the first tweak.
    fn start(&self, iv: &mut [u8]);
    /// At least one block from this tweak on, which becomes that of the next block.
    fn run(&self, dir: Dir, tweak: &mut [u8], io: InOut<'_>);
    /// A whole message; the IV stays as it is.
    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let mut tweak = [0; BLOCK];
        let used = &mut tweak[..self.block_size()];
        used.copy_from_slice(iv);
        self.start(used);
        self.run(dir, used, io);
        tweak.as_mut_slice().zeroize();
    }
}

/// [`Keys::run`] over any cipher: what kernels that work on groups of blocks do with the blocks left over.
pub fn run<C: Runs>(cipher: C, dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
    Run::run([Blocks::new(cipher)], dir, tweak, io);
}

/// Any ciphers that were chosen at run time.
struct Boxed {
    size: usize,
    ecb: Box<dyn SkcipherDriver>,
    tweak: Box<dyn CipherDriver>,
}

impl Keys for Boxed {
    fn block_size(&self) -> usize {
        self.size
    }

    fn set_keys(&mut self, data: &[u8], tweak: &[u8]) -> Result<()> {
        self.tweak.set_key(tweak)?;
        self.ecb.set_key(data)
    }

    fn check_weak_keys(&self, data: &[u8], tweak: &[u8]) -> Result<()> {
        self.tweak.check_weak_key(tweak)?;
        self.ecb.check_weak_key(data)
    }

    fn start(&self, iv: &mut [u8]) {
        self.tweak.encrypt_block(iv);
    }

    fn run(&self, dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
        run(Calls { size: self.size, ecb: &*self.ecb }, dir, tweak, io);
    }
}

impl<F: Fused + CipherDriver> Keys for [F; 2] {
    fn block_size(&self) -> usize {
        self[0].block_size()
    }

    fn set_keys(&mut self, data: &[u8], tweak: &[u8]) -> Result<()> {
        self[1].set_key(tweak)?;
        self[0].set_key(data)
    }

    fn check_weak_keys(&self, data: &[u8], tweak: &[u8]) -> Result<()> {
        self[1].check_weak_key(tweak)?;
        self[0].check_weak_key(data)
    }

    fn start(&self, iv: &mut [u8]) {
        self[1].encrypt_block(iv);
    }

    fn run(&self, dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
        F::enter::<1, Run>([&self[0]], dir, tweak, io);
    }

    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        F::enter::<2, Crypt>([&self[0], &self[1]], dir, iv, io);
    }
}

/// A boxed `ecb(..)`, which takes runs of blocks.
#[derive(Clone, Copy)]
struct Calls<'a> {
    size: usize,
    ecb: &'a dyn SkcipherDriver,
}

impl Runs for Calls<'_> {
    fn block_size(self) -> usize {
        self.size
    }

    fn encrypt_blocks(self, io: InOut<'_>) {
        self.ecb.crypt(Dir::Encrypt, &mut [], io);
    }

    fn decrypt_blocks(self, io: InOut<'_>) {
        self.ecb.crypt(Dir::Decrypt, &mut [], io);
    }
}

#[cfg(test)]
mod tests;
