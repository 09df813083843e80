//! The test of a symmetric-key cipher, in order of what a failure would say most about.

mod batch;
mod compare;
pub(crate) mod inside;
mod known;
mod refusal;
pub(crate) mod shape;
mod sharing;

use kcrypto_core::{Reference, Skcipher, SkcipherAlg, Subject};

pub(crate) use known::is_right;

use crate::failure::Check;
use crate::keys;
use crate::mode::Effort;
use crate::prng::Prng;
use crate::sample::{Sample, valid};
use crate::skcipher::shape::Bench;
use crate::tally::Tally;

/// A test under way. Each part of it is a method in a file of its own.
pub(crate) struct Trial<'a> {
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) limits: &'a SkcipherAlg,
    pub(crate) reference: Option<Reference>,
    pub(crate) effort: Effort,
    pub(crate) tally: &'a Tally<'a>,
    pub(crate) bench: Bench,
}

/// Tests a symmetric-key cipher.
pub(crate) fn test(subject: &Subject<'_>, limits: &SkcipherAlg, effort: Effort, tally: &Tally<'_>) -> Check {
    let reference = tally.reference(subject);
    let mut trial = Trial { subject, limits, reference, effort, tally, bench: Bench::new() };
    trial.same_limits()?;
    trial.known_answers()?;
    trial.refusals()?;
    trial.sharing()?;
    trial.batches()?;
    trial.random_comparison()?;
    crate::inside::test(subject, effort, tally)
}

impl Trial<'_> {
    /// A transform of the subject, without key.
    pub(crate) fn transform(&self) -> Check<Skcipher> {
        self.subject.skcipher().map_err(|why| self.tally.unmade(&why))
    }

    /// A transform of the subject with a key of a declared length; `None` if the mode does not take it.
    pub(crate) fn keyed(&self, key: &[u8]) -> Check<Option<Skcipher>> {
        let mut tfm = self.transform()?;
        let taken = keys::taken(self.tally, tfm.set_key(key), key)?;
        Ok(taken.then_some(tfm))
    }

    /// Key lengths that stand for all.
    pub(crate) fn key_lens(&self) -> Vec<usize> {
        keys::key_lens(self.limits.keys)
    }

    /// A message with its key and IV, all random.
    pub(crate) fn sample(&self, prng: &mut Prng, key_len: usize, len: usize) -> Sample {
        let len = valid(self.limits.length, len);
        let iv = prng.bytes(self.limits.iv_size);
        Sample { key: prng.bytes(key_len), iv, message: prng.bytes(len) }
    }
}
