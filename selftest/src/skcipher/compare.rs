//! Random comparison with the reference: the same limits, the same bytes, the same errors.

use kcrypto_core::{Dir, InOut, Kind, Length, Skcipher, SkcipherAlg};

use crate::failure::{Check, Origin};
use crate::keys::tried;
use crate::prng::Prng;
use crate::sample::valid;
use crate::skcipher::Trial;
use crate::skcipher::known;
use crate::skcipher::shape::{Case, Cutting};
use crate::tally::Tally;

impl Trial<'_> {
    /// The declared limits are those of the reference.
    pub(crate) fn same_limits(&mut self) -> Check {
        let Some(reference) = &self.reference else { return Ok(()) };
        let Kind::Skcipher(theirs) = &reference.alg().kind else { return Ok(()) };
        self.tally.enter("limits");
        let SkcipherAlg { block_size, iv_size, chunk_size, length, keys, .. } = self.limits;
        let Length { min, multiple } = *length;
        let check = |what: &str, ours: usize, theirs: usize| self.tally.same_limit(what, ours, theirs);
        check("min keysize", keys.min, theirs.keys.min)?;
        check("max keysize", keys.max, theirs.keys.max)?;
        check("keysize step", keys.step, theirs.keys.step)?;
        check("ivsize", *iv_size, theirs.iv_size)?;
        check("blocksize", *block_size, theirs.block_size)?;
        check("chunksize", *chunk_size, theirs.chunk_size)?;
        check("min length", min, theirs.length.min)?;
        check("length multiple", multiple, theirs.length.multiple)
    }

    /// Random keys, IVs and messages, bad lengths included. Without a reference, the subject is compared with
    /// its own result for the whole message in place: the shapes, and decryption, are still checked.
    pub(crate) fn random_comparison(&mut self) -> Check {
        self.tally.enter("random comparison");
        let Some(mut model) = self.reference.as_ref().and_then(|reference| reference.skcipher().ok()) else {
            let mut own = self.transform()?;
            return self.compare(&mut own);
        };
        let result = self.compare(&mut model);
        // If the reference does not give the known answers, which the subject gave, it is to blame.
        if result.is_err() && !known::is_right(&Tally::new(self.tally.alg), &mut model) {
            self.tally.skip_wrong_reference(model.alg());
            return Ok(());
        }
        result
    }

    fn compare(&mut self, model: &mut Skcipher) -> Check {
        let mut prng = Prng::new(self.effort.seed ^ 3);
        let mut tfm = self.transform()?;
        for nth in 0..self.effort.random {
            let mut prng = Prng::new(prng.next());
            let (key, len) = (self.random_key(&mut prng), self.random_len(&mut prng));
            let origin =
                Origin::Random { what: format!("len={len} klen={}", key.len()), seed: self.effort.seed, nth };
            let site = |dir| self.tally.site(dir, &origin, &"in-place");
            let taken = model.set_key(&key);
            self.tally.count();
            site(Dir::Encrypt).set_key(tfm.set_key(&key), taken.clone())?;
            if taken.is_err() {
                continue;
            }
            let (iv, message) = (prng.bytes(self.limits.iv_size), prng.bytes(len));
            let mut input = message;
            for dir in Dir::BOTH {
                let (mut iv_out, mut output) = (iv.clone(), input.clone());
                let expected = model.crypt_chained(dir, &mut iv_out, InOut::in_place(&mut output));
                if expected.is_err() {
                    let got = tfm.crypt(dir, &iv, InOut::in_place(&mut output));
                    self.tally.count();
                    site(dir).result(got, expected)?;
                    continue;
                }
                let cutting = Cutting::of(self.limits, &iv, Some(&iv_out));
                let shape = cutting.random(len, &mut prng);
                let (iv_out, input_) = (Some(iv_out.as_slice()), input.as_slice());
                let case = Case { dir, iv: &iv, iv_out, input: input_, output: &output, origin: &origin };
                self.bench.check(self.tally, &tfm, &case, &shape)?;
                input = output;
            }
        }
        Ok(())
    }

    /// Mostly of the greatest length; sometimes of any, accepted or not.
    fn random_key(&self, prng: &mut Prng) -> Vec<u8> {
        let lens: Vec<usize> = self.key_lens();
        let len = match prng.below(6) {
            0 => prng.below(tried(self.limits.keys).max + 3),
            1..4 => lens[prng.below(lens.len())],
            _ => tried(self.limits.keys).max,
        };
        prng.bytes(len)
    }

    /// Mostly accepted.
    fn random_len(&self, prng: &mut Prng) -> usize {
        let len = prng.length(self.effort.max_len);
        if prng.one_in(8) { len } else { valid(self.limits.length, len) }
    }
}
