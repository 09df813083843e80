//! Random comparison with the reference: the same limits, the same bytes, the same errors.

use kcrypto_core::{Dir, InOut, Kind, Length, Result, Skcipher, SkcipherAlg};

use crate::failure::{Check, Failure, Origin};
use crate::keys::tried;
use crate::prng::Prng;
use crate::sample::valid;
use crate::skcipher::Trial;
use crate::skcipher::known;
use crate::skcipher::shape::{Case, Cutting, Shape};
use crate::smallest::{Json, lengths, smallest};
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
        let mut effort = self.effort;
        for nth in 0..effort.random {
            let mut prng = Prng::new(prng.next());
            let (key, len) = (self.random_key(&mut prng), self.random_len(&mut prng));
            if !effort.pay(len) {
                break;
            }
            let seed = self.effort.seed;
            let origin = |len: usize| {
                let what = format!("len={len} klen={}", key.len());
                Origin::Random { what, seed, nth }
            };
            let taken = model.set_key(&key);
            self.tally.count();
            let set =
                self.tally.site(Dir::Encrypt, &origin(len), &"").set_key(tfm.set_key(&key), taken.clone());
            set.map_err(|failure| {
                let json = Json::set_key("skcipher", &self.tally.alg.name, &key, taken.as_ref().err());
                json.explain(failure, &self.tally.alg.driver_name)
            })?;
            if taken.is_err() {
                continue;
            }
            let (iv, message) = (prng.bytes(self.limits.iv_size), prng.bytes(len));
            let [plain, _] = Cutting::plain();
            let mut input = Input { dir: Dir::Encrypt, iv, message, shape: plain };
            for dir in Dir::BOTH {
                input.dir = dir;
                let expected = input.answer(model);
                if let Ok(answer) = &expected {
                    let cutting = Cutting::of(self.limits, &input.iv, Some(&answer.iv_out));
                    input.shape = cutting.random(len, &mut prng);
                }
                if let Err(failure) = self.same(&tfm, model, &input, &origin(len)) {
                    return Err(self.smallest([&tfm, model], &key, input, failure, &origin));
                }
                if let Ok(Answer { output, .. }) = expected {
                    input.message = output;
                }
            }
        }
        Ok(())
    }

    /// The same output and IV, or the same refusal.
    fn same(&mut self, tfm: &Skcipher, model: &Skcipher, input: &Input, origin: &Origin) -> Check {
        let Input { dir, iv, message, shape } = input;
        match input.answer(model) {
            Ok(Answer { output, iv_out }) => {
                let case =
                    Case { dir: *dir, iv, iv_out: Some(&iv_out), input: message, output: &output, origin };
                self.bench.check(self.tally, tfm, &case, shape)
            }
            Err(error) => {
                let got = tfm.crypt(*dir, iv, InOut::in_place(&mut message.clone()));
                self.tally.count();
                self.tally.site(*dir, origin, &"in-place").result(got, Err(error))
            }
        }
    }

    /// The failure of the smallest input that fails as this one does, with that input as a vector.
    fn smallest(
        &mut self,
        [tfm, model]: [&Skcipher; 2],
        key: &[u8],
        input: Input,
        failure: Failure,
        origin: &dyn Fn(usize) -> Origin,
    ) -> Failure {
        let length = self.limits.length;
        let any = !length.contains(input.message.len());
        let smaller = |input: &Input| input.smaller(|len| any != length.contains(len));
        let (input, failure) = smallest(input, failure, smaller, |input| {
            self.same(tfm, model, input, &origin(input.message.len()))
        });
        let name = &self.tally.alg.name;
        input
            .vector(Json::vector("skcipher", name, "enc").bytes("key", key), model)
            .explain(failure, &self.tally.alg.driver_name)
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

/// A message and a way to hand it over.
#[derive(Clone)]
struct Input {
    dir: Dir,
    iv: Vec<u8>,
    message: Vec<u8>,
    shape: Shape,
}

/// What the reference makes of it.
struct Answer {
    output: Vec<u8>,
    iv_out: Vec<u8>,
}

impl Input {
    fn answer(&self, model: &Skcipher) -> Result<Answer> {
        let mut answer = Answer { output: self.message.clone(), iv_out: self.iv.clone() };
        model.crypt_chained(self.dir, &mut answer.iv_out, InOut::in_place(&mut answer.output))?;
        Ok(answer)
    }

    /// Shorter messages, of lengths that will do, then plainer ways.
    fn smaller(&self, will_do: impl Fn(usize) -> bool) -> Vec<Self> {
        let lens = lengths(self.message.len()).into_iter().filter(|&len| will_do(len));
        let shorter = lens.map(|len| {
            let (message, shape) = (self.message[..len].to_vec(), self.shape.fit(len));
            Input { message, shape, ..self.clone() }
        });
        let plainer = self.shape.plainer().into_iter().map(|shape| Input { shape, ..self.clone() });
        shorter.chain(plainer).collect()
    }

    fn vector(&self, json: Json, model: &Skcipher) -> Json {
        let json = json.bytes("iv", &self.iv);
        match (self.answer(model), self.dir) {
            (Err(error), _) => {
                let json = json.bytes("input", &self.message).error("errno", Some(&error));
                json.error("dec_errno", Some(&error))
            }
            (Ok(Answer { output, iv_out }), dir) => {
                let (input, output, field) = match dir {
                    Dir::Encrypt => (&self.message, &output, "iv_out"),
                    Dir::Decrypt => (&output, &self.message, "dec_iv_out"),
                };
                let json = json.bytes("input", input).bytes("output", output).text("dec", "ok");
                let json = if self.shape.chained { json.bytes(field, &iv_out) } else { json };
                self.shape.vector(json, self.message.len())
            }
        }
    }
}
