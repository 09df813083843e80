//! The test of a symmetric-key cipher, in order of what a failure would say most about.

use kcrypto_core::{KeySizes, Length, Reference, Result, Skcipher, SkcipherAlg, Subject};

use crate::failure::Check;
use crate::mode::Effort;
use crate::prng::Prng;
use crate::shape::Bench;
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
    trial.random_comparison()
}

impl Trial<'_> {
    /// A transform of the subject, without key.
    pub(crate) fn transform(&self) -> Check<Skcipher> {
        self.subject.skcipher().map_err(|why| self.tally.unmade(&why))
    }

    /// A transform of the subject with a key of a declared length; `None` if the driver does not take it.
    pub(crate) fn keyed(&self, key: &[u8]) -> Check<Option<Skcipher>> {
        let mut tfm = self.transform()?;
        let taken: Result<()> = tfm.set_key(key);
        Ok(taken.is_ok().then_some(tfm))
    }

    /// Key lengths that stand for all: each, or the ends and the middle of a long range.
    pub(crate) fn key_lens(&self) -> Vec<usize> {
        key_lens(self.limits.keys)
    }

    /// A message with its key and IV, all random.
    pub(crate) fn sample(&self, prng: &mut Prng, key_len: usize, len: usize) -> Sample {
        let len = valid(self.limits.length, len);
        let iv = prng.bytes(self.limits.iv_size);
        Sample { key: prng.bytes(key_len), iv, message: prng.bytes(len) }
    }
}

/// A random message.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) key: Vec<u8>,
    pub(crate) iv: Vec<u8>,
    pub(crate) message: Vec<u8>,
}

/// The next length that a mode takes.
pub(crate) fn valid(length: Length, len: usize) -> usize {
    len.max(length.min).next_multiple_of(length.multiple)
}

/// Key lengths that stand for all: each, or the ends and the middle of a long range.
pub(crate) fn key_lens(keys: KeySizes) -> Vec<usize> {
    let all: Vec<usize> = keys.iter().collect();
    match all.as_slice() {
        [first, .., last] if all.len() > 8 => vec![*first, all[all.len() / 2], *last],
        _ => all,
    }
}
