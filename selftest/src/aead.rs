//! The test of an AEAD, in order of what a failure would say most about.

mod batch;
mod compare;
pub(crate) mod inside;
mod known;
mod refusal;
mod shape;
mod sharing;
mod stand_in;
mod tags;

use kcrypto_core::{AadLength, Aead, AeadAlg, Error, KeySizes, Reference, Subject};

pub(crate) use known::is_right;

use crate::aead::shape::{Bench, Cutting};
use crate::failure::Check;
use crate::keys;
use crate::mode::Effort;
use crate::prng::Prng;
use crate::sample::valid;
use crate::tally::Tally;

/// A test under way. Each part of it is a method in a file of its own.
struct Trial<'a> {
    subject: &'a Subject<'a>,
    limits: &'a AeadAlg,
    reference: Option<Reference>,
    effort: Effort,
    tally: &'a Tally<'a>,
    bench: Bench,
}

/// Tests an AEAD.
pub(crate) fn test(subject: &Subject<'_>, limits: &AeadAlg, effort: Effort, tally: &Tally<'_>) -> Check {
    let reference = tally.reference(subject);
    let effort = effort.of_aead();
    let mut trial = Trial { subject, limits, reference, effort, tally, bench: Bench::default() };
    trial.same_limits()?;
    trial.known_answers()?;
    trial.refusals()?;
    trial.tags()?;
    trial.sharing()?;
    trial.batches()?;
    trial.random_comparison()
}

/// A message with everything that belongs to it.
#[derive(Debug, Clone)]
struct Sample {
    iv: Vec<u8>,
    aad: Vec<u8>,
    text: Vec<u8>,
}

impl Trial<'_> {
    /// A transform of the subject, without key.
    fn transform(&self) -> Check<Aead> {
        self.subject.aead().map_err(|why| self.tally.unmade(&why))
    }

    /// A transform of the subject with a key of a declared length; `None` if the mode does not take it.
    fn keyed(&self, key: &[u8]) -> Check<Option<Aead>> {
        let mut tfm = self.transform()?;
        let taken = keys::taken(self.tally, tfm.set_key(key), key)?;
        Ok(taken.then_some(tfm))
    }

    /// The key lengths, some hundred at most.
    fn keys(&self) -> KeySizes {
        keys::bounded(self.limits.keys, 512)
    }

    /// Key lengths that stand for all.
    fn key_lens(&self) -> Vec<usize> {
        keys::key_lens(self.keys())
    }

    /// Length of a text that fills some chunks and begins another.
    fn text_len(&self, chunks: usize) -> usize {
        valid(self.limits.length, chunks * self.limits.chunk_size + 1)
    }

    /// A random message that a transform with a key takes, its lengths the next ones that the mode takes.
    fn sample(&self, prng: &mut Prng, tfm: &Aead, aad_len: usize, len: usize) -> Sample {
        let (aad_len, len) = (valid_aad(self.limits.aad, aad_len), valid(self.limits.length, len));
        let mut iv = prng.bytes(self.limits.iv_size);
        // Where an IV begins with a length, few random ones are good.
        for value in 0..8 {
            match (tfm.sealer(&iv, aad_len as u64, len as u64), iv.first_mut()) {
                (Err(Error::BadIv { .. }), Some(first)) => *first = (value + len as u8) % 8,
                _ => break,
            }
        }
        let aad = self.aad(prng, aad_len, &iv);
        Sample { iv, aad, text: prng.bytes(len) }
    }

    /// Random associated data. Where its length is ruled, it ends with a copy of the IV.
    fn aad(&self, prng: &mut Prng, len: usize, iv: &[u8]) -> Vec<u8> {
        let mut aad = prng.bytes(len);
        let own = self.authenticated(len);
        if own < len {
            aad[own..].copy_from_slice(iv);
        }
        aad
    }

    /// Where a message may be cut.
    fn cutting(&self, sample: &Sample) -> Cutting {
        self.cut(sample.aad.len(), sample.text.len())
    }

    /// Where a message of these lengths may be cut.
    fn cut(&self, aad: usize, text: usize) -> Cutting {
        Cutting { aad, text, chunk: self.limits.chunk_size }
    }

    /// How much of associated data is surely authenticated: what is before the copy of the IV.
    fn authenticated(&self, aad_len: usize) -> usize {
        match self.limits.aad {
            AadLength::Any => aad_len,
            _ => aad_len.saturating_sub(self.limits.iv_size),
        }
    }
}

/// The next length of associated data that a mode takes.
fn valid_aad(lens: AadLength, len: usize) -> usize {
    let near = (len..len + 64).chain((0..len).rev());
    near.into_iter().find(|&len| lens.contains(len as u64)).unwrap_or(len)
}
