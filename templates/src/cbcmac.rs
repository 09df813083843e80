//! `cbcmac(cipher)`: the last block of a CBC encryption (ISO/IEC 9797-1, algorithm 1; RFC 3610, 2.2).
//!
//! ```text
//!   M1 ──▶ E ──▶⊕──▶ E ──▶⊕──▶ E ──▶ digest
//!               M2        M3, padded with zeros
//! ```
//!
//! The child is a block cipher; it gets the whole blocks of a message in one call. The digest is one block,
//! all zero for an empty message. This is a part of CCM, and no MAC for messages of more than one length.
//!
//! The running state is the chaining block, in the byte order of the digest.

use alloc::boxed::Box;

use kcrypto_core::batch::Job;
use kcrypto_core::chain;
use kcrypto_core::engine::{Engine, Fused, Mac, Masks, Registers, read_part};
use kcrypto_core::{
    Alg, CipherDriver, Create, Kind, KindTag, Make, Result, Shash, ShashAlg, ShashDriver, Template,
};
use zeroize::Zeroize;

use crate::lanes::{self, Message, Parallel};

/// The template.
pub const CBCMAC: Template = Template { name: "cbcmac", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static CBCMAC_LINK: Template = CBCMAC;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Shash)?;
    let cipher = c.cipher(c.arg(0)?)?;
    let block_size = cipher.limits.block_size;
    c.instance(Kind::Shash(ShashAlg {
        block_size,
        digest_size: block_size,
        state_size: block_size,
        keys: Some(cipher.limits.keys),
        keeps_full_block: false,
        make: Make::shash(move || Ok(CbcMac { chain: Calls { block_size, cipher: cipher.make()? } })),
    }))
}

/// CBC-MAC over a chain.
pub struct CbcMac<C> {
    chain: C,
}

impl<F: Fused> CbcMac<F> {
    /// Over a cipher that compiles the chain into one function.
    pub fn fused(cipher: F) -> Self {
        CbcMac { chain: cipher }
    }
}

impl<C: Chain> ShashDriver for CbcMac<C> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.chain.set_key(key)
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
        if !self.chain.whole::<Padded>(&Masks::default(), message, digest) {
            let (blocks, tail) = message.split_at(message.len() - message.len() % digest.len());
            digest.fill(0);
            self.chain.absorb(digest, blocks);
            self.end(digest, tail);
        }
        true
    }

    fn digest_batch(&self, jobs: &mut [Job<'_, Shash>]) {
        lanes::chains(
            long(jobs, |mac: &Self| mac.chain.goes_with(&self.chain))
                .map(|(mac, job)| Zeros { chain: &mac.chain, job }),
        );
    }
}

/// The jobs of drivers of a type that are long enough for lanes; none if the first is not.
pub(crate) fn long<'j, 'a, D: 'static>(
    jobs: &'j mut [Job<'a, Shash>],
    fits: impl Fn(&D) -> bool,
) -> impl Iterator<Item = (&'a D, &'j mut Job<'a, Shash>)> {
    let long = |job: &mut Job<'_, Shash>| job.parts().0.len() >= lanes::SHORTEST;
    let count = if jobs.first_mut().is_some_and(long) { jobs.len() } else { 0 };
    jobs[..count].iter_mut().filter_map(move |job| {
        let mac = job.pending_for()?;
        (long(job) && fits(mac)).then_some((mac, job))
    })
}

/// A message beside others, padded with zeros.
struct Zeros<'j, 'a, C> {
    chain: &'a C,
    job: &'j mut Job<'a, Shash>,
}

impl<C: Chain> Message for Zeros<'_, '_, C> {
    type Key = C;
    type Text<'l>
        = &'l [u8]
    where
        Self: 'l;

    fn block_size(&self) -> usize {
        self.chain.block_size()
    }

    fn start(&mut self) -> (usize, bool) {
        let (message, digest) = self.job.parts();
        digest.fill(0);
        let tail = message.len() % digest.len();
        (message.len() - tail, tail != 0)
    }

    fn parts(&mut self) -> (&C, &mut [u8], &[u8]) {
        let (message, digest) = self.job.parts();
        (self.chain, digest, message)
    }

    fn last(&mut self, block: &mut [u8]) {
        let message = self.job.parts().0;
        let tail = &message[message.len() - message.len() % block.len()..];
        block[..tail.len()].copy_from_slice(tail);
    }

    fn end(&mut self) {
        self.job.complete();
    }
}

impl<C: Chain> CbcMac<C> {
    /// Ends the chain with less than a block, if with anything.
    fn end(&self, chain: &mut [u8], tail: &[u8]) {
        if !tail.is_empty() {
            let mut block = read_part(tail).to_le_bytes();
            self.chain.absorb(chain, &block[..chain.len()]);
            block.as_mut_slice().zeroize();
        }
    }
}

/// [`CbcMac::digest`] inside a fused driver.
enum Padded {}

impl Mac for Padded {
    #[inline(always)]
    fn run<E: Engine>(e: E, _masks: &Masks, message: &[u8], digest: &mut [u8]) {
        let r = e.registers();
        let (first, rest) = message.split_at(message.len().min(r.block_size()));
        if first.is_empty() {
            digest.fill(0);
            return;
        }
        let x = e.start(r.number(0), load_padded(r, first));
        let (blocks, tail) = rest.split_at(rest.len() - rest.len() % r.block_size());
        let mut x = chain::absorb(e, x, blocks);
        if !tail.is_empty() {
            x = e.link(x, r.load_part(tail, 0)).1;
        }
        r.store(e.last(x), digest);
    }
}

/// Loads at most one block, padded with zeros.
#[inline(always)]
fn load_padded<R: Registers>(r: R, block: &[u8]) -> R::Block {
    if block.len() == r.block_size() { r.load(block) } else { r.load_part(block, 0) }
}

/// What the MACs of this crate work over: a keyed cipher that makes chains.
pub trait Chain: Parallel + Send + Sync {
    /// Block size in bytes.
    fn block_size(&self) -> usize;
    /// As [`CipherDriver::set_key`].
    ///
    /// # Errors
    /// Those of the cipher.
    fn set_key(&mut self, key: &[u8]) -> Result<()>;
    /// As [`CipherDriver::cbc_mac`].
    fn absorb(&self, chain: &mut [u8], blocks: &[u8]);
    /// Processes a whole message, if the cipher compiles it into one function; says whether it did.
    fn whole<M: Mac>(&self, _masks: &Masks, _message: &[u8], _digest: &mut [u8]) -> bool {
        false
    }
}

/// Any cipher that was chosen at run time: two calls a message.
pub(crate) struct Calls {
    pub(crate) block_size: usize,
    pub(crate) cipher: Box<dyn CipherDriver>,
}

impl Parallel for Calls {}

impl Chain for Calls {
    fn block_size(&self) -> usize {
        self.block_size
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.cipher.set_key(key)
    }

    fn absorb(&self, chain: &mut [u8], blocks: &[u8]) {
        self.cipher.cbc_mac(chain, blocks);
    }
}

impl<F: Fused> Chain for F {
    fn block_size(&self) -> usize {
        CipherDriver::block_size(self)
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        CipherDriver::set_key(self, key)
    }

    fn absorb(&self, chain: &mut [u8], blocks: &[u8]) {
        self.cbc_mac(chain, blocks);
    }

    fn whole<M: Mac>(&self, masks: &Masks, message: &[u8], digest: &mut [u8]) -> bool {
        self.enter_mac::<M>(masks, message, digest);
        true
    }
}
