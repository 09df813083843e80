//! `cmac(cipher)`: CBC-MAC whose last block is masked (SP 800-38B; RFC 4493).
//!
//! ```text
//!   M1 ──▶ E ──▶⊕──▶ E ──▶⊕──▶ E ──▶ digest
//!               M2        M3 ⊕ K1, or, where M3 is no whole block, M3 80 00 .. 00 ⊕ K2
//!
//!   K1 = 2 E(0)   K2 = 2 K1
//! ```
//!
//! The child is a block cipher of 8 or 16 bytes that computes chains in one call. Where the best cipher of the
//! name has no such method, but some driver has a CBC that ranks at least as high, the child is that CBC: its
//! output goes to a small buffer and is dropped. `cmac(cbc(aes))` asks for that; it is `cmac(aes)` by its
//! generic name. A cipher that is named by its driver name is taken as it is. The digest is one block.
//!
//! The running state is the chaining block, in the byte order of the digest.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use core::array;

use kcrypto_core::batch::Job;
use kcrypto_core::chain;
use kcrypto_core::engine::{Engine, Fused, Mac, Masks, Registers, read_part};
use kcrypto_core::{
    Alg, Create, Dir, Error, InOut, KeySizes, Kind, KindTag, Make, Result, Shash, ShashAlg, ShashDriver,
    SkcipherDriver, Template,
};
use zeroize::Zeroize;

use crate::cbcmac::{Calls, Chain, long};
use crate::lanes::{self, Message, Parallel};

/// Most bytes of a CBC's output that are dropped at a time.
const SCRATCH: usize = 512;

/// The template.
pub const CMAC: Template = Template { name: "cmac", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static CMAC_LINK: Template = CMAC;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Shash)?;
    let arg = c.arg(0)?;
    match cbc_instead(c, arg)? {
        Some(cbc) => over_cbc(c, &cbc),
        None => over_cipher(c, arg),
    }
}

/// The name of the CBC to work over instead of the cipher, if that is better or was asked for.
fn cbc_instead<'a>(c: &mut Create<'_>, arg: &'a str) -> Result<Option<Cow<'a, str>>> {
    let cipher = match c.peek(arg, KindTag::Cipher) {
        Ok(cipher) => cipher,
        Err(no_cipher) => {
            return match c.peek(arg, KindTag::Skcipher) {
                Ok(_) => Ok(Some(Cow::Borrowed(arg))),
                Err(no_cbc) if matches!(no_cipher, Error::WrongKind { .. }) => Err(no_cbc),
                Err(_) => Err(no_cipher),
            };
        }
    };
    if cipher.properties.mac_chain || cipher.driver_name == arg {
        return Ok(None);
    }
    let cbc = format!("cbc({arg})");
    // An instance of the template does no more with the cipher than the chain would.
    let better = |alg: &Alg| alg.children().is_empty() && alg.priority >= cipher.priority;
    Ok(c.peek(&cbc, KindTag::Skcipher).is_ok_and(|alg| better(&alg)).then_some(Cow::Owned(cbc)))
}

fn over_cipher(c: &mut Create<'_>, arg: &str) -> Result<Alg> {
    let cipher = c.cipher(arg)?;
    let block_size = cipher.limits.block_size;
    if !matches!(block_size, 8 | 16) {
        return Err(c.bad_child(&cipher.alg, "the block size must be 8 or 16 bytes"));
    }
    let keys = cipher.limits.keys;
    let make = Make::shash(move || Ok(Cmac::over(Calls { block_size, cipher: cipher.make()? })));
    c.instance(Kind::Shash(limits(block_size, keys, make)))
}

fn over_cbc(c: &mut Create<'_>, arg: &str) -> Result<Alg> {
    let cbc = c.skcipher(arg)?;
    let Some(inner) = cbc.alg.name.strip_prefix("cbc(").and_then(|name| name.strip_suffix(')')) else {
        return Err(c.bad_child(&cbc.alg, "it must be a block cipher or a cbc(..)"));
    };
    let block_size = cbc.limits.block_size;
    if !matches!(block_size, 8 | 16) || cbc.limits.iv_size != block_size {
        return Err(c.bad_child(&cbc.alg, "the block size and the IV must be 8 or 16 bytes"));
    }
    if cbc.alg.name == arg {
        c.accept_spelling();
    }
    let (name, driver_name) = (format!("cmac({inner})"), format!("cmac({})", cbc.alg.driver_name));
    let (keys, priority) = (cbc.limits.keys, cbc.alg.priority);
    let make = Make::shash(move || Ok(Cmac::over(Dropping { block_size, cbc: cbc.make()? })));
    c.instance_named(name, driver_name, priority, Kind::Shash(limits(block_size, keys, make)))
}

/// Limits of every MAC that masks the last block.
pub const fn limits(block_size: usize, keys: KeySizes, make: Make<dyn ShashDriver>) -> ShashAlg {
    ShashAlg {
        block_size,
        digest_size: block_size,
        state_size: block_size,
        keys: Some(keys),
        keeps_full_block: true,
        make,
    }
}

/// CMAC over a chain.
pub struct Cmac<C> {
    pub(crate) chain: C,
    /// Of a whole last block, and of one with padding.
    pub(crate) masks: Masks,
}

impl<F: Fused> Cmac<F> {
    /// Over a cipher that compiles the mode into one function.
    pub fn fused(cipher: F) -> Self {
        Cmac::over(cipher)
    }
}

impl<C: Chain> ShashDriver for Cmac<C> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.masks.as_flattened_mut().zeroize();
        self.chain.set_key(key)?;
        let size = self.chain.block_size();
        let [k1, k2] = &mut self.masks;
        self.chain.absorb(&mut k1[..size], &[0; 16][..size]);
        double(&mut k1[..size]);
        *k2 = *k1;
        double(&mut k2[..size]);
        Ok(())
    }

    fn init(&self, _state: &mut [u8]) {}

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        self.chain.absorb(state, blocks);
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], _total: u64, digest: &mut [u8]) {
        digest.copy_from_slice(state);
        self.end(digest, tail);
    }

    fn digest(&self, message: &[u8], digest: &mut [u8]) -> bool {
        if !self.chain.whole::<Whole>(&self.masks, message, digest) {
            let (blocks, tail) = split(message, digest.len());
            digest.fill(0);
            if !blocks.is_empty() {
                self.chain.absorb(digest, blocks);
            }
            self.end(digest, tail);
        }
        true
    }

    fn digest_batch(&self, jobs: &mut [Job<'_, Shash>]) {
        self.side_by_side(jobs, |mac: &Self| mac);
    }
}

impl<C: Chain> Cmac<C> {
    /// Takes the jobs of drivers of the type `D`, which have this MAC in them.
    pub(crate) fn side_by_side<D: 'static>(
        &self,
        jobs: &mut [Job<'_, Shash>],
        inside: impl Fn(&D) -> &Self + Copy,
    ) {
        let fits = |driver: &D| inside(driver).chain.goes_with(&self.chain);
        lanes::chains(long(jobs, fits).map(|(driver, job)| Masked { mac: inside(driver), job }));
    }

    /// Over this chain, without key.
    pub(crate) fn over(chain: C) -> Self {
        Cmac { chain, masks: Masks::default() }
    }

    /// Ends the chain with the last block, whole or not.
    fn end(&self, chain: &mut [u8], last: &[u8]) {
        let [whole, padded] = &self.masks;
        if last.len() == chain.len() {
            mask(chain, whole);
            self.chain.absorb(chain, last);
        } else {
            mask(chain, padded);
            let mut block = (read_part(last) | 0x80 << (8 * last.len())).to_le_bytes();
            self.chain.absorb(chain, &block[..chain.len()]);
            block.as_mut_slice().zeroize();
        }
    }
}

impl<C> Drop for Cmac<C> {
    fn drop(&mut self) {
        self.masks.as_flattened_mut().zeroize();
    }
}

/// [`Cmac::digest`] inside a fused driver.
enum Whole {}

impl Mac for Whole {
    #[inline(always)]
    fn run<E: Engine>(e: E, masks: &Masks, message: &[u8], digest: &mut [u8]) {
        let r = e.registers();
        let size = r.block_size();
        let (blocks, last) = split(message, size);
        let last = if last.len() == size {
            r.xor(r.load(last), r.load(&masks[0][..size]))
        } else {
            r.xor(r.load_part(last, 0x80), r.load(&masks[1][..size]))
        };
        let x = match blocks.split_at_checked(size) {
            Some((first, rest)) => {
                let x = e.start(r.number(0), r.load(first));
                e.link(chain::absorb(e, x, rest), last).1
            }
            None => e.start(r.number(0), last),
        };
        r.store(e.last(x), digest);
    }
}

/// A message beside others.
struct Masked<'j, 'a, C> {
    mac: &'a Cmac<C>,
    job: &'j mut Job<'a, Shash>,
}

impl<C: Chain> Message for Masked<'_, '_, C> {
    type Key = C;
    type Text<'l>
        = &'l [u8]
    where
        Self: 'l;

    fn block_size(&self) -> usize {
        self.mac.chain.block_size()
    }

    fn start(&mut self) -> (usize, bool) {
        let (message, digest) = self.job.parts();
        digest.fill(0);
        (split(message, digest.len()).0.len(), true)
    }

    fn parts(&mut self) -> (&C, &mut [u8], &[u8]) {
        let (message, digest) = self.job.parts();
        (&self.mac.chain, digest, message)
    }

    fn last(&mut self, block: &mut [u8]) {
        let [whole, padded] = &self.mac.masks;
        let last = split(self.job.parts().0, block.len()).1;
        block[..last.len()].copy_from_slice(last);
        match block.get_mut(last.len()) {
            Some(mark) => {
                *mark = 0x80;
                mask(block, padded);
            }
            None => mask(block, whole),
        }
    }

    fn end(&mut self) {
        self.job.complete();
    }
}

/// The whole blocks before the last one, and that: 1 to `size` bytes unless there is nothing.
#[inline(always)]
fn split(message: &[u8], size: usize) -> (&[u8], &[u8]) {
    let before = message.len().saturating_sub(1);
    message.split_at(before - before % size)
}

/// XORs a mask into the chain; in one piece, for pieces written apart are slow to be read together.
fn mask(chain: &mut [u8], mask: &[u8; 16]) {
    match <&mut [u8; 16]>::try_from(&mut *chain) {
        Ok(chain) => *chain = array::from_fn(|i| chain[i] ^ mask[i]),
        Err(_) => chain.iter_mut().zip(mask).for_each(|(chain, mask)| *chain ^= mask),
    }
}

/// Times x in GF(2^64) or GF(2^128), big-endian (SP 800-38B, 5.3 and 6.1).
fn double(block: &mut [u8]) {
    let polynomial = if block.len() == 16 { 0x87 } else { 0x1b };
    let mut carry = 0;
    for byte in block.iter_mut().rev() {
        let out = *byte >> 7;
        *byte = *byte << 1 | carry;
        carry = out;
    }
    if let Some(last) = block.last_mut() {
        *last ^= polynomial & carry.wrapping_neg();
    }
}

/// A CBC whose output goes to a buffer that is used again and wiped.
struct Dropping {
    block_size: usize,
    cbc: Box<dyn SkcipherDriver>,
}

impl Parallel for Dropping {}

impl Chain for Dropping {
    fn block_size(&self) -> usize {
        self.block_size
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.cbc.set_key(key)
    }

    fn absorb(&self, chain: &mut [u8], blocks: &[u8]) {
        if blocks.len() == self.block_size {
            self.drop_runs::<16>(chain, blocks);
        } else {
            self.drop_runs::<SCRATCH>(chain, blocks);
        }
    }
}

impl Dropping {
    fn drop_runs<const N: usize>(&self, chain: &mut [u8], blocks: &[u8]) {
        let mut scratch = [0; N];
        let used = blocks.len().min(N);
        for run in blocks.chunks(N) {
            let io = InOut::apart(run, &mut scratch[..run.len()]).expect("as long as the run");
            self.cbc.crypt(Dir::Encrypt, chain, io);
        }
        scratch[..used].zeroize();
    }
}
