//! `xcbc(cipher)`: CBC-MAC whose last block is masked, under keys made of one (RFC 3566).
//!
//! ```text
//!   M1 ──▶ E ──▶⊕──▶ E ──▶⊕──▶ E ──▶ digest         E under k1
//!               M2        M3 ⊕ k2, or, where M3 is no whole block, M3 80 00 .. 00 ⊕ k3
//!
//!   k1, k2, k3 = the encryptions of 01 01 .. 01, 02 02 .. 02 and 03 03 .. 03 under the key
//! ```
//!
//! The child is a block cipher of 16 bytes that takes keys of 16 bytes, which k1 has, among others. The
//! digest is the whole last block; IPsec uses its first 12 bytes.
//!
//! The running state is the chaining block, in the byte order of the digest.

use kcrypto_core::batch::Job;
use kcrypto_core::engine::Fused;
use kcrypto_core::{Alg, Create, Kind, KindTag, Make, Result, Shash, ShashDriver, Template};
use zeroize::Zeroize;

use crate::cbcmac::{Calls, Chain};
use crate::cmac::{Cmac, limits};

/// Block size and length of k1, in bytes.
const BLOCK: usize = 16;

/// The template.
pub const XCBC: Template = Template { name: "xcbc", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static XCBC_LINK: Template = XCBC;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Shash)?;
    let cipher = c.cipher(c.arg(0)?)?;
    if cipher.limits.block_size != BLOCK {
        return Err(c.bad_child(&cipher.alg, "the block size must be 16 bytes"));
    }
    let keys = cipher.limits.keys;
    if !keys.contains(BLOCK) {
        return Err(c.bad_child(&cipher.alg, "it must take keys of 16 bytes"));
    }
    let make = move || Ok(Xcbc(Cmac::over(Calls { block_size: BLOCK, cipher: cipher.make()? })));
    c.instance(Kind::Shash(limits(BLOCK, keys, Make::shash(make))))
}

/// XCBC over a chain: CMAC but for its keys.
pub struct Xcbc<C>(Cmac<C>);

impl<F: Fused> Xcbc<F> {
    /// Over a cipher that compiles the mode into one function.
    pub fn fused(cipher: F) -> Self {
        Xcbc(Cmac::fused(cipher))
    }
}

impl<C: Chain> ShashDriver for Xcbc<C> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let Cmac { chain, masks } = &mut self.0;
        masks.as_flattened_mut().zeroize();
        chain.set_key(key)?;
        let mut k1 = [0; BLOCK];
        chain.absorb(&mut k1, &[1; BLOCK]);
        chain.absorb(&mut masks[0], &[2; BLOCK]);
        chain.absorb(&mut masks[1], &[3; BLOCK]);
        let done = chain.set_key(&k1);
        k1.as_mut_slice().zeroize();
        done
    }

    fn init(&self, state: &mut [u8]) {
        self.0.init(state);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        self.0.update(state, blocks);
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        self.0.finish(state, tail, total, digest);
    }

    fn digest(&self, message: &[u8], digest: &mut [u8]) -> bool {
        self.0.digest(message, digest)
    }

    fn digest_batch(&self, jobs: &mut [Job<'_, Shash>]) {
        self.0.side_by_side(jobs, |mac: &Self| &mac.0);
    }
}
