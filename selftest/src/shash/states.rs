//! Exported states: what cannot be one is refused, and what could be does no harm.

use kcrypto_core::{Error, Result, Shash};

use crate::failure::{Check, Op, Origin};
use crate::prng::Prng;
use crate::shash::Trial;
use crate::shash::shape::exported;

/// Bytes before the running state.
pub(super) const HEADER: usize = 16;

impl Trial<'_> {
    /// Truncated, changed and made-up states.
    pub(super) fn states(&self) -> Check {
        self.tally.enter("states");
        let mut prng = Prng::new(self.effort.seed ^ 2);
        let key = self.key_lens()[0].map(|len| prng.bytes(len));
        let Some(tfm) = self.keyed(key.as_deref())? else { return Ok(()) };
        let message = prng.bytes(self.message_len());
        let origin = Origin::Contract("import".into());
        let site = self.tally.site(Op::Digest, &origin, &"import");
        let export = || {
            let mut hashing = tfm.hasher()?;
            hashing.update(&message);
            exported(&hashing, &tfm)
        };
        let good = site.value(export())?;

        let refused = |state: &[u8], what: &str| {
            self.tally.count();
            match tfm.import(state) {
                Err(Error::BadState { .. }) => Ok(()),
                got => site.result(got, Err(Error::BadState { why: "" })).map_err(|mut failure| {
                    failure.0.push_str(what);
                    failure
                }),
            }
        };
        for len in [0, HEADER, good.len() - 1] {
            refused(&good[..len], "a state cut short\n")?;
        }
        refused(&[&good[..], &[0]].concat(), "a state with a byte more\n")?;
        for at in 0..HEADER {
            let mut bad = good.clone();
            bad[at] ^= 0x81;
            // Another length that is as far into its block is another good state.
            if at < 8 || self.limits.block_size > 1 && !self.same_block(&good, &bad) {
                refused(&bad, "a state whose header was changed\n")?;
            }
        }
        let rounds = if self.effort.exhaustive { 200 } else { 10 };
        for nth in 0..rounds {
            let mut state = good.clone();
            match nth % 2 {
                0 => state[HEADER..][..self.limits.state_size]
                    .copy_from_slice(&prng.bytes(self.limits.state_size)),
                _ => {
                    let at = HEADER + prng.below(self.limits.state_size.max(1));
                    state[at] ^= 1 << prng.below(8);
                }
            }
            self.tally.count();
            // Refused or not: it must not panic.
            if self.harmless(&tfm, &state, &message).is_err() {
                refused(&state, "a state that was changed\n")?;
            }
        }
        Ok(())
    }

    /// Whether the lengths of two headers end at the same place of a block.
    fn same_block(&self, a: &[u8], b: &[u8]) -> bool {
        let block = self.limits.block_size as u64;
        let total =
            |state: &[u8]| state[8..HEADER].iter().rev().fold(0, |n: u64, &byte| n << 8 | u64::from(byte));
        total(a) % block == total(b) % block
    }

    /// Goes on from a state.
    fn harmless(&self, tfm: &Shash, state: &[u8], message: &[u8]) -> Result<()> {
        let mut hashing = tfm.import(state)?;
        hashing.update(message);
        hashing.finalize(&mut vec![0; tfm.digest_size()])
    }
}
