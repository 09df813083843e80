//! The test of a single-block cipher: the blocks of the `ecb(..)` vectors, runs of blocks, and its chains.

mod chains;

use kcrypto_core::{Alg, Cipher, CipherAlg, Dir, Error, InOut, Kind, Reference, Result, Subject};

use crate::failure::{Check, Failure, Origin};
use crate::inside;
use crate::keys::{bad_key_lens, key_lens, set_key, taken, tried};
use crate::mode::Effort;
use crate::prng::Prng;
use crate::skcipher::shape::{Bench, Case, Shape};
use crate::smallest::{Json, lengths, smallest};
use crate::tally::Tally;
use crate::vector::{Answer, Expect};
use crate::vectors::{self, File};

/// Longest random run in bytes: past everything that drivers process side by side.
const LONGEST: usize = 1024;

/// A test under way.
pub(crate) struct Trial<'a> {
    subject: &'a Subject<'a>,
    pub(crate) limits: &'a CipherAlg,
    reference: Option<Reference>,
    pub(crate) effort: Effort,
    pub(crate) tally: &'a Tally<'a>,
    pub(crate) bench: Bench,
}

/// Tests a single-block cipher.
pub(crate) fn test(subject: &Subject<'_>, limits: &CipherAlg, effort: Effort, tally: &Tally<'_>) -> Check {
    let reference = tally.reference(subject);
    let mut trial = Trial { subject, limits, reference, effort, tally, bench: Bench::new() };
    trial.same_limits()?;
    trial.known_answers()?;
    trial.refusals()?;
    trial.rekeying()?;
    chains::test(&mut trial)?;
    trial.random_comparison()?;
    inside::test(subject, effort, tally)
}

impl Trial<'_> {
    fn transform(&self) -> Check<Cipher> {
        self.subject.cipher().map_err(|why| self.tally.unmade(&why))
    }

    fn same_limits(&self) -> Check {
        self.tally.enter("limits");
        let driver = self.limits.make.call().map_err(|why| self.tally.unmade(&why))?;
        let CipherAlg { block_size, keys, .. } = self.limits;
        self.tally.same_limit("declared blocksize", *block_size, driver.block_size())?;
        let Some(Kind::Cipher(theirs)) = self.reference.as_ref().map(|reference| &reference.alg().kind)
        else {
            return Ok(());
        };
        self.tally.same_limit("min keysize", keys.min, theirs.keys.min)?;
        self.tally.same_limit("max keysize", keys.max, theirs.keys.max)?;
        self.tally.same_limit("keysize step", keys.step, theirs.keys.step)?;
        self.tally.same_limit("blocksize", *block_size, theirs.block_size)
    }

    /// The vectors of its blocks.
    fn file(&self) -> Option<&'static File> {
        vectors::of(self.tally.alg)
    }

    /// Each block on its own, then runs of them.
    fn known_answers(&mut self) -> Check {
        let Some(file) = self.file() else {
            self.tally.skip_no_vectors();
            return Ok(());
        };
        self.tally.enter("known answers");
        let size = self.limits.block_size;
        let mut tfm = self.transform()?;
        for (nth, vector) in self.tally.read(file)?.iter().enumerate() {
            let origin = vector.origin(file, nth);
            match &vector.answer {
                Answer::Ciphertext(ctext) => {
                    set_key(self.tally, |key| tfm.set_key(key), vector.key(), nth % 16, &origin)?;
                    for case in vector.cases(ctext, &origin) {
                        let blocks = case.input.len() / size;
                        let few = if vector.boot { 4 } else { 1 };
                        let single = if self.effort.exhaustive { blocks } else { blocks.min(few) };
                        (0..single).try_for_each(|at| self.run(&tfm, &case, at..at + 1, at + nth))?;
                        self.run(&tfm, &case, 0..blocks, nth)?;
                        if vector.boot || self.effort.exhaustive {
                            self.run(&tfm, &case, 0..blocks, nth + 1)?;
                        }
                        if self.effort.exhaustive {
                            (2..blocks).try_for_each(|end| self.run(&tfm, &case, 0..end, end))?;
                        }
                    }
                }
                Answer::Refusal(Expect::BadKey) => self.refused_key(&mut tfm, vector.key(), &origin)?,
                Answer::Refusal(Expect::BadLength) => {
                    set_key(self.tally, |key| tfm.set_key(key), vector.key(), 0, &origin)?;
                    let len = vector.text.len();
                    let error = Error::BadLength { len, accepted: kcrypto_core::Length::blocks(size) };
                    self.refused(&tfm, len, &error, &origin)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Some blocks of a case; `variety` chooses place and alignment.
    fn run(
        &mut self,
        tfm: &Cipher,
        case: &Case<'_>,
        blocks: core::ops::Range<usize>,
        variety: usize,
    ) -> Check {
        let size = self.limits.block_size;
        let bytes = blocks.start * size..blocks.end * size;
        let case = Case { input: &case.input[bytes.clone()], output: &case.output[bytes], ..*case };
        let in_place = variety.is_multiple_of(2);
        let shape = Shape::whole(in_place, true, variety % 16);
        self.bench
            .check_call(self.tally, &case, &shape, |bench| crypt(tfm, case.dir, bench.parts(in_place)?.1))
    }

    fn refusals(&self) -> Check {
        self.tally.enter("refusals");
        let CipherAlg { block_size, keys, .. } = *self.limits;
        if keys.max > 0 {
            self.refused(
                &self.transform()?,
                block_size,
                &Error::NeedKey,
                &Origin::Contract("no key".into()),
            )?;
        }
        let mut tfm = self.transform()?;
        let key = vec![1; tried(keys).max];
        for len in bad_key_lens(keys) {
            if tfm.set_key(&key).is_err() {
                break;
            }
            self.refused_key(&mut tfm, &vec![1; len], &Origin::Contract(format!("klen={len}")))?;
        }
        if tfm.set_key(&key).is_ok() {
            for len in (1..2 * block_size).filter(|len| !len.is_multiple_of(block_size)) {
                let error = Error::BadLength { len, accepted: kcrypto_core::Length::blocks(block_size) };
                self.refused(&tfm, len, &error, &Origin::Contract(format!("len={len}")))?;
            }
        }
        Ok(())
    }

    /// A key must be refused, and leave the transform without any.
    fn refused_key(&self, tfm: &mut Cipher, key: &[u8], origin: &Origin) -> Check {
        let site = self.tally.site(Dir::Encrypt, origin, &"");
        let error = Error::BadKeyLen { len: key.len(), accepted: self.limits.keys };
        self.tally.count();
        site.set_key(tfm.set_key(key), Err(error))?;
        if self.limits.keys.max == 0 {
            return Ok(());
        }
        self.refused(tfm, self.limits.block_size, &Error::NeedKey, origin)
    }

    /// A request of this length must be refused, and nothing be written.
    fn refused(&self, tfm: &Cipher, len: usize, error: &Error, origin: &Origin) -> Check {
        for dir in Dir::BOTH {
            let site = self.tally.site(dir, origin, &"in-place");
            let mut message = vec![1; len];
            self.tally.count();
            site.result(crypt(tfm, dir, InOut::in_place(&mut message)), Err(error.clone()))?;
            site.same("wrote to the destination of a refused request", &message, &vec![1; len])?;
        }
        Ok(())
    }

    /// After one key of each length, another of each length counts, in both directions.
    fn rekeying(&mut self) -> Check {
        self.tally.enter("rekeying");
        let mut prng = Prng::new(self.effort.seed ^ 1);
        let lens = key_lens(self.limits.keys);
        for (first, second) in self.effort.pairs(&lens) {
            let (old, new) = (prng.bytes(first), prng.bytes(second));
            let message = prng.bytes(3 * self.limits.block_size);
            let (mut used, mut fresh) = (self.transform()?, self.transform()?);
            if !taken(self.tally, used.set_key(&old), &old)? || !taken(self.tally, fresh.set_key(&new), &new)?
            {
                continue;
            }
            let origin = Origin::Contract(format!("klen={first}, then klen={second}"));
            for dir in Dir::BOTH {
                // Used, so that what a driver prepares on first use is there.
                let site = self.tally.site(dir, &origin, &"rekeyed");
                site.result(crypt(&used, dir, (&mut message.clone()).into()), Ok(()))?;
            }
            let site = self.tally.site(Dir::Encrypt, &origin, &"rekeyed");
            site.set_key(used.set_key(&new), Ok(()))?;
            for dir in Dir::BOTH {
                let (mut got, mut expected) = (message.clone(), message.clone());
                self.tally.count();
                let site = self.tally.site(dir, &origin, &"rekeyed");
                site.result(crypt(&fresh, dir, (&mut expected).into()), Ok(()))?;
                site.result(crypt(&used, dir, (&mut got).into()), Ok(()))?;
                site.same("wrong result", &got, &expected)?;
            }
        }
        Ok(())
    }

    /// Random keys and runs of blocks, compared with the reference, or with the subject's single blocks.
    fn random_comparison(&mut self) -> Check {
        self.tally.enter("random comparison");
        let Some(mut model) = self.reference.as_ref().and_then(|reference| reference.cipher().ok()) else {
            let mut own = self.transform()?;
            return self.compare(&mut own, true);
        };
        let result = self.compare(&mut model, false);
        if result.is_err() && !self.is_right(&mut model) {
            self.tally.skip_wrong_reference(model.alg());
            return Ok(());
        }
        result
    }

    /// Whether a reference gives the known answers itself.
    fn is_right(&self, model: &mut Cipher) -> bool {
        let Some(file) = self.file() else { return true };
        file.vectors().is_ok_and(|vectors| {
            vectors.iter().all(|vector| {
                let Answer::Ciphertext(ctext) = &vector.answer else { return true };
                let mut message = vector.text.clone();
                model.set_key(vector.key()).is_ok()
                    && model.encrypt(&mut message).is_ok()
                    && message == *ctext
                    && model.decrypt(&mut message).is_ok()
                    && message == vector.text
            })
        })
    }

    fn compare(&mut self, model: &mut Cipher, stepwise: bool) -> Check {
        let CipherAlg { block_size: size, keys, .. } = *self.limits;
        let mut tfm = self.transform()?;
        let mut seeds = Prng::new(self.effort.seed ^ 3);
        for nth in 0..self.effort.random {
            let mut prng = Prng::new(seeds.next());
            let lens = key_lens(keys);
            let key_len =
                if prng.one_in(6) { prng.below(tried(keys).max + 3) } else { lens[prng.below(lens.len())] };
            let key = prng.bytes(key_len);
            let len = prng.length(self.effort.max_len.min(LONGEST)) / size * size;
            let origin =
                Origin::Random { what: format!("len={len} klen={key_len}"), seed: self.effort.seed, nth };
            let taken = model.set_key(&key);
            let site = self.tally.site(Dir::Encrypt, &origin, &"");
            self.tally.count();
            site.set_key(tfm.set_key(&key), taken.clone())?;
            if taken.is_err() {
                continue;
            }
            for dir in Dir::BOTH {
                let input = prng.bytes(len);
                let mut output = input.clone();
                let step = if stepwise { size } else { len.max(1) };
                for run in output.chunks_mut(step) {
                    site.result(crypt(model, dir, run.into()), Ok(()))?;
                }
                let case =
                    Case { dir, iv: &[], iv_out: None, input: &input, output: &output, origin: &origin };
                let variety = prng.below(64);
                if let Err(failure) = self.run(&tfm, &case, 0..len / size, variety) {
                    return Err(self.smallest(&tfm, &key, &case, variety, failure));
                }
            }
        }
        Ok(())
    }
}

impl Trial<'_> {
    /// The failure of the shortest run that fails as this one does, with that run as a vector of its `ecb(..)`.
    fn smallest(
        &mut self,
        tfm: &Cipher,
        key: &[u8],
        case: &Case<'_>,
        variety: usize,
        failure: Failure,
    ) -> Failure {
        let size = self.limits.block_size;
        let all = 0..case.input.len() / size;
        let smaller = |run: &core::ops::Range<usize>| {
            let heads = lengths(run.len()).into_iter().map(|len| run.start..run.start + len);
            heads.chain((run.len() > 1).then_some(run.start + 1..run.end)).collect()
        };
        let (run, failure) = smallest(all, failure, smaller, |run| self.run(tfm, case, run.clone(), variety));
        let bytes = run.start * size..run.end * size;
        let (input, output) = (&case.input[bytes.clone()], &case.output[bytes]);
        let (ptext, ctext) = if case.dir == Dir::Encrypt { (input, output) } else { (output, input) };
        let Alg { name, driver_name, .. } = self.tally.alg;
        let json =
            Json::vector("skcipher", &format!("ecb({name})"), "enc").bytes("key", key).bytes("iv", &[]);
        let json = json.bytes("input", ptext).bytes("output", ctext).text("dec", "ok");
        json.unless_zero("offset", variety % 16).explain(failure, &format!("ecb({driver_name})"))
    }
}

fn crypt(tfm: &Cipher, dir: Dir, io: InOut<'_>) -> Result<()> {
    match dir {
        Dir::Encrypt => tfm.encrypt(io),
        Dir::Decrypt => tfm.decrypt(io),
    }
}
