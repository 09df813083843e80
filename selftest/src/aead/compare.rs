//! Random comparison with the reference: the same limits, the same bytes and tags, the same errors.

use kcrypto_core::{Aad, AadLength, Aead, AeadAlg, Dir, Error, Kind, Length, Result};

use crate::aead::refusal::Request;
use crate::aead::shape::{Case, Shape, seal_stream};
use crate::aead::tags::{CHANGES, Change, open_case, sealed};
use crate::aead::{Sample, Trial, known, valid_aad};
use crate::failure::{Check, Origin};
use crate::prng::Prng;
use crate::sample::valid;
use crate::smallest::{Json, lengths, smallest};
use crate::tally::Tally;

/// Lengths of associated data that the lazy mode tries: around the blocks, and those of Wi-Fi.
pub(super) const AAD_LENS: [usize; 14] = [0, 1, 2, 8, 13, 14, 15, 16, 17, 22, 30, 31, 32, 33];

/// A message and the ways to hand it over.
type Input = (Sample, Vec<Shape>);

/// One of the ways alone, shorter messages, then plainer ways.
fn smaller((sample, shapes): &Input, any_aad: bool, will_do: impl Fn(usize) -> bool) -> Vec<Input> {
    let (aad, text) = (sample.aad.len(), sample.text.len());
    let fit = |aad: usize, text: usize| -> Input {
        let cut =
            Sample { aad: sample.aad[..aad].to_vec(), text: sample.text[..text].to_vec(), ..sample.clone() };
        (cut, shapes.iter().map(|shape| shape.fit(aad, text)).collect())
    };
    let mut inputs: Vec<Input> = Vec::new();
    if shapes.len() > 1 {
        inputs.extend(shapes.iter().map(|shape| (sample.clone(), vec![shape.clone()])));
    }
    inputs.extend(lengths(text).into_iter().filter(|&len| will_do(len)).map(|len| fit(aad, len)));
    if any_aad {
        inputs.extend(lengths(aad).into_iter().map(|len| fit(len, text)));
    }
    if let [shape] = shapes.as_slice() {
        inputs.extend(shape.plainer().into_iter().map(|shape| (sample.clone(), vec![shape])));
    }
    inputs
}

/// What the subject is compared with.
struct Model {
    tfm: Aead,
    /// It is of the subject itself, and seals in the plainest way: chunk by chunk.
    own: bool,
}

impl Trial<'_> {
    /// The declared limits are those of the reference.
    pub(super) fn same_limits(&self) -> Check {
        let Some(reference) = &self.reference else { return Ok(()) };
        let Kind::Aead(theirs) = &reference.alg().kind else { return Ok(()) };
        self.tally.enter("limits");
        let AeadAlg { block_size, iv_size, tags, length, aad, keys, .. } = self.limits;
        let Length { min, multiple } = *length;
        let check = |what: &str, ours: usize, theirs: usize| self.tally.same_limit(what, ours, theirs);
        check("maxauthsize", tags.max(), theirs.tags.max())?;
        self.tally.same_limit("authsizes", *tags, theirs.tags)?;
        check("ivsize", *iv_size, theirs.iv_size)?;
        check("blocksize", *block_size, theirs.block_size)?;
        check("min keysize", keys.min, theirs.keys.min)?;
        check("max keysize", keys.max, theirs.keys.max)?;
        check("keysize step", keys.step, theirs.keys.step)?;
        self.tally.same_limit("assoclen", *aad, theirs.aad)?;
        check("min length", min, theirs.length.min)?;
        check("length multiple", multiple, theirs.length.multiple)
    }

    /// Every short length of associated data, then random keys and messages: bad keys, tag sizes, IVs and
    /// lengths included, and inauthentic ones. Without a reference, the subject is compared with itself chunk
    /// by chunk.
    pub(super) fn random_comparison(&mut self) -> Check {
        self.tally.enter("random comparison");
        let Some(tfm) = self.reference.as_ref().and_then(|reference| reference.aead().ok()) else {
            let mut own = Model { tfm: self.transform()?, own: true };
            self.lengths(&mut own)?;
            return self.compare(&mut own);
        };
        let mut model = Model { tfm, own: false };
        let result = self.lengths(&mut model).and_then(|()| self.compare(&mut model));
        // If the reference does not give the known answers, which the subject gave, it is to blame.
        if result.is_err()
            && !known::is_right(&Tally::new(self.tally.alg), self.limits.chunk_size, &mut model.tfm)
        {
            self.tally.skip_wrong_reference(model.tfm.alg());
            return Ok(());
        }
        result
    }

    /// Associated data of 0 to 40 bytes and texts around a chunk, under one key.
    fn lengths(&mut self, model: &mut Model) -> Check {
        let mut prng = Prng::new(self.effort.seed ^ 4);
        let mut tfm = self.transform()?;
        let key = prng.bytes(self.keys().max);
        if model.tfm.set_key(&key).is_err() || tfm.set_key(&key).is_err() {
            return Ok(());
        }
        let every: Vec<usize> = if self.effort.exhaustive { (0..=40).collect() } else { AAD_LENS.into() };
        let chunk = self.limits.chunk_size;
        let turns = if self.effort.exhaustive { 1 } else { 2 };
        for (nth, aad_len) in
            every.into_iter().filter(|&len| self.limits.aad.contains(len as u64)).enumerate()
        {
            let texts = [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 8 * chunk + 5];
            let some = if self.effort.exhaustive { &texts[..] } else { &texts[nth % 7..][..1] };
            for &len in some {
                let sample = self.sample(&mut prng, &tfm, aad_len, len);
                let origin = |sample: &Sample| {
                    Origin::Contract(format!("alen={} plen={}", sample.aad.len(), sample.text.len()))
                };
                let cutting = self.cutting(&sample);
                let [in_place, apart, ..] = cutting.plain();
                let whole = match nth / turns % 2 {
                    _ if len > 8 * chunk => cutting.across(),
                    0 => in_place,
                    _ => apart,
                };
                let shapes = self.some_shapes([whole, cutting.random(&mut prng)], nth);
                self.same_or_smallest(&tfm, model, &key, (sample, shapes), self.one_change(nth), &origin)?;
            }
        }
        Ok(())
    }

    fn compare(&mut self, model: &mut Model) -> Check {
        let mut seeds = Prng::new(self.effort.seed ^ 3);
        let mut tfm = self.transform()?;
        let mut effort = self.effort;
        for nth in 0..effort.random {
            let mut prng = Prng::new(seeds.next());
            let key = self.random_key(&mut prng);
            let tag_size = self.random_tag_size(&mut prng);
            let (aad_len, len) = self.random_lens(&mut prng);
            if !effort.pay(aad_len + len) {
                break;
            }
            let klen = key.len();
            let seed = self.effort.seed;
            let random = |aad_len: usize, len: usize| {
                let what = format!("alen={aad_len} plen={len} authsize={tag_size} klen={klen}");
                Origin::Random { what, seed, nth }
            };
            let origin = random(aad_len, len);
            let site = self.tally.site(Dir::Encrypt, &origin, &"setauthsize");
            let taken = model.tfm.set_key(&key);
            self.tally.count();
            site.set_key(tfm.set_key(&key), taken.clone()).map_err(|failure| {
                let json = Json::set_key("aead", &self.tally.alg.name, &key, taken.as_ref().err());
                json.explain(failure, &self.tally.alg.driver_name)
            })?;
            if taken.is_err() {
                continue;
            }
            // What is refused leaves the size of the case before.
            site.result(tfm.set_tag_size(tag_size), model.tfm.set_tag_size(tag_size))?;
            let mut sample = self.sample(&mut prng, &model.tfm, aad_len, len);
            match prng.below(12) {
                0 => sample.iv = prng.bytes(self.limits.iv_size),
                1 => sample.aad = prng.bytes(aad_len),
                2 => sample.text = prng.bytes(len),
                _ => {}
            }
            let shapes = [(); 2].map(|()| self.cutting(&sample).random(&mut prng));
            let origin = |sample: &Sample| random(sample.aad.len(), sample.text.len());
            let shapes = self.some_shapes(shapes, nth);
            self.same_or_smallest(&tfm, model, &key, (sample, shapes), self.one_change(nth), &origin)?;
        }
        Ok(())
    }

    /// As [`Trial::same`]; a failure is that of the smallest message that fails, with that message as a vector.
    fn same_or_smallest(
        &mut self,
        tfm: &Aead,
        model: &Model,
        key: &[u8],
        input: Input,
        changes: &[Change],
        origin: &dyn Fn(&Sample) -> Origin,
    ) -> Check {
        let Err(failure) = self.same(tfm, model, &input.0, &input.1, changes, &origin(&input.0)) else {
            return Ok(());
        };
        let (length, any_aad) = (self.limits.length, self.limits.aad == AadLength::Any);
        let refused = !length.contains(input.0.text.len());
        let will_do = |len: usize| refused != length.contains(len);
        let ((sample, shapes), failure) = smallest(
            input,
            failure,
            |input| smaller(input, any_aad, will_do),
            |(sample, shapes)| self.same(tfm, model, sample, shapes, changes, &origin(sample)),
        );
        let Sample { iv, aad, text } = &sample;
        let json = Json::vector("aead", &self.tally.alg.name, "enc").bytes("key", key).bytes("iv", iv);
        let json = json.number("authsize", tfm.tag_size()).bytes("aad", aad).bytes("input", text);
        let json = match model.sealed(&sample) {
            Err(error) => json.error("errno", Some(&error)),
            Ok((ctext, tag)) => {
                let json = json.bytes("output", &[ctext, tag].concat()).text("dec", "ok");
                let json = json.text("dec_flip_tag", "EBADMSG").text("dec_flip_tag0", "EBADMSG");
                match shapes.last() {
                    Some(shape) => shape.vector(json, text.len()),
                    None => json,
                }
            }
        };
        Err(json.explain(failure, &self.tally.alg.driver_name))
    }

    /// All changes, or one by turns for every other case.
    fn one_change(&self, nth: usize) -> &'static [Change] {
        match (self.effort.exhaustive, nth % 2) {
            (true, _) => &CHANGES,
            (_, 0) => &CHANGES[nth / 2 % CHANGES.len()..][..1],
            _ => &[],
        }
    }

    /// Both ways to hand over a message, or one of them, by turns.
    fn some_shapes(&self, shapes: [Shape; 2], nth: usize) -> Vec<Shape> {
        let [first, second] = shapes;
        match (self.effort.exhaustive, nth % 2) {
            (true, _) => vec![first, second],
            (_, 0) => vec![first],
            _ => vec![second],
        }
    }

    /// Mostly accepted.
    fn random_key(&self, prng: &mut Prng) -> Vec<u8> {
        let lens = self.key_lens();
        let any = prng.one_in(6);
        let len = if any { prng.below(self.keys().max + 3) } else { lens[prng.below(lens.len())] };
        prng.bytes(len)
    }

    /// Mostly accepted.
    fn random_tag_size(&self, prng: &mut Prng) -> usize {
        let sizes: Vec<usize> = self.limits.tags.iter().collect();
        if prng.one_in(6) { prng.below(self.limits.tags.max() + 2) } else { sizes[prng.below(sizes.len())] }
    }

    /// Associated data and text; mostly accepted.
    fn random_lens(&self, prng: &mut Prng) -> (usize, usize) {
        let (aad_len, len) = (prng.length(self.effort.max_len / 4), prng.length(self.effort.max_len));
        match prng.one_in(8) {
            true => (aad_len, len),
            false => (valid_aad(self.limits.aad, aad_len), valid(self.limits.length, len)),
        }
    }

    /// The same ciphertext and tag, which open to the text and only unchanged; or the same refusal.
    fn same(
        &mut self,
        tfm: &Aead,
        model: &Model,
        sample: &Sample,
        shapes: &[Shape],
        changes: &[Change],
        origin: &Origin,
    ) -> Check {
        let Sample { iv, aad, text } = sample;
        let (ctext, tag) = match model.sealed(sample) {
            Ok(sealed) => sealed,
            Err(error) => return self.refused(tfm, &Request { iv, aad, text }, &error, origin),
        };
        let open = open_case(sample, &ctext, &tag, origin);
        let seal = Case { dir: Dir::Encrypt, input: text, output: &ctext, ..open };
        for shape in shapes {
            self.bench.check(self.tally, tfm, &seal, shape)?;
            self.bench.check(self.tally, tfm, &open, shape)?;
        }
        self.forgeries(tfm, &open, &shapes[shapes.len() - 1..], changes)
    }
}

impl Model {
    fn sealed(&self, sample: &Sample) -> Result<(Vec<u8>, Vec<u8>)> {
        if !self.own {
            return sealed(&self.tfm, sample);
        }
        let chunk = match &self.tfm.alg().kind {
            Kind::Aead(limits) => limits.chunk_size,
            _ => return Err(Error::NotSupported { what: "use as an AEAD" }),
        };
        let (mut out, mut tag) = (vec![0; sample.text.len()], vec![0; self.tfm.tag_size()]);
        let aad: Vec<&[u8]> = sample.aad.chunks(chunk).collect();
        let text: Vec<&[u8]> = sample.text.chunks(chunk).collect();
        seal_stream(&self.tfm, &sample.iv, &Aad::new(&aad), &text, &mut out, &mut tag)?;
        Ok((out, tag))
    }
}
