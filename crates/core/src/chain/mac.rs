//! CBC-MAC (FIPS 113; SP 800-38C, 6.1).

use crate::engine::{Engine, Mac, Masks, Registers};

/// CBC encryption of whole blocks of which only the last one is kept, in the place of the chain before.
#[derive(Debug)]
pub enum CbcMac {}

impl Mac for CbcMac {
    #[inline(always)]
    fn run<E: Engine>(e: E, _masks: &Masks, blocks: &[u8], chain: &mut [u8]) {
        let r = e.registers();
        if let Some((first, rest)) = blocks.split_at_checked(r.block_size()) {
            let x = e.start(r.load(chain), r.load(first));
            r.store(e.last(absorb(e, x, rest)), chain);
        }
    }
}

/// Goes on in a CBC-MAC with whole blocks.
#[inline(always)]
pub fn absorb<E: Engine>(e: E, mut x: E::Link, blocks: &[u8]) -> E::Link {
    let r = e.registers();
    for block in blocks.chunks_exact(r.block_size()) {
        x = e.link(x, r.load(block)).1;
    }
    x
}
