//! The test of a hash or MAC, in order of what a failure would say most about.

mod batch;
mod compare;
mod known;
mod refusal;
mod shape;
mod sharing;
mod states;

use kcrypto_core::{Flags, KeySizes, Reference, Shash, ShashAlg, Subject};

use crate::failure::Check;
use crate::keys;
use crate::mode::Effort;
use crate::shash::shape::Bench;
use crate::tally::Tally;

/// A test under way. Each part of it is a method in a file of its own.
struct Trial<'a> {
    subject: &'a Subject<'a>,
    limits: &'a ShashAlg,
    reference: Option<Reference>,
    effort: Effort,
    tally: &'a Tally<'a>,
    bench: Bench,
}

/// Tests a hash or MAC.
pub(crate) fn test(subject: &Subject<'_>, limits: &ShashAlg, effort: Effort, tally: &Tally<'_>) -> Check {
    let reference = tally.reference(subject);
    let mut trial = Trial { subject, limits, reference, effort, tally, bench: Bench::default() };
    trial.same_limits()?;
    trial.known_answers()?;
    trial.refusals()?;
    trial.states()?;
    trial.sharing()?;
    trial.batches()?;
    trial.random_comparison()
}

impl Trial<'_> {
    /// A transform of the subject, without key.
    fn transform(&self) -> Check<Shash> {
        self.subject.shash().map_err(|why| self.tally.unmade(&why))
    }

    /// A transform of the subject under a key of a declared length, or without one; `None` if the hash does
    /// not take it.
    fn keyed(&self, key: Option<&[u8]>) -> Check<Option<Shash>> {
        let mut tfm = self.transform()?;
        let Some(key) = key else { return Ok(Some(tfm)) };
        let taken = keys::taken(self.tally, tfm.set_key(key), key)?;
        Ok(taken.then_some(tfm))
    }

    /// Whether a digest can be made without a key.
    fn works_unkeyed(&self) -> bool {
        self.limits.keys.is_none() || self.tally.alg.flags.contains(Flags::OPTIONAL_KEY)
    }

    /// The key lengths, a few blocks at most.
    fn keys(&self) -> Option<KeySizes> {
        self.limits.keys.map(|keys| keys::bounded(keys, 3 * self.limits.block_size))
    }

    /// Key lengths that stand for all, those around a block included, and `None` if it works without.
    fn key_lens(&self) -> Vec<Option<usize>> {
        let block = self.limits.block_size;
        let mut lens = self.keys().map(keys::key_lens).unwrap_or_default();
        let near = [block - 1, block, block + 1];
        lens.extend(near.into_iter().filter(|&len| self.keys().is_some_and(|keys| keys.contains(len))));
        lens.sort_unstable();
        lens.dedup();
        let without = self.works_unkeyed().then_some(None);
        without.into_iter().chain(lens.into_iter().map(Some)).collect()
    }

    /// Length of a message that fills some blocks and begins another.
    fn message_len(&self) -> usize {
        3 * self.limits.block_size + 17
    }
}
