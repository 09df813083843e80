//! Random comparison with the reference: the same limits, the same bytes and tags, the same errors.

use kcrypto_core::{Aad, Aead, AeadAlg, Dir, Error, Kind, Length, Result};

use crate::aead::refusal::Request;
use crate::aead::shape::{Case, seal_stream};
use crate::aead::tags::{open_case, sealed};
use crate::aead::{Sample, Trial, known, valid_aad};
use crate::failure::{Check, Origin};
use crate::keys::tried;
use crate::prng::Prng;
use crate::sample::valid;
use crate::tally::Tally;

/// Lengths of associated data that the lazy mode tries: around the blocks, and those of Wi-Fi.
const AAD_LENS: [usize; 14] = [0, 1, 2, 8, 13, 14, 15, 16, 17, 22, 30, 31, 32, 33];

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
        if result.is_err() && !known::is_right(&Tally::new(self.tally.alg), self, &mut model.tfm) {
            self.tally.skip_wrong_reference(model.tfm.alg());
            return Ok(());
        }
        result
    }

    /// Associated data of 0 to 40 bytes and texts around a chunk, under one key.
    fn lengths(&mut self, model: &mut Model) -> Check {
        let mut prng = Prng::new(self.effort.seed ^ 4);
        let mut tfm = self.transform()?;
        let key = prng.bytes(tried(self.limits.keys).max);
        if model.tfm.set_key(&key).is_err() || tfm.set_key(&key).is_err() {
            return Ok(());
        }
        let every: Vec<usize> = if self.effort.exhaustive { (0..=40).collect() } else { AAD_LENS.into() };
        let chunk = self.limits.chunk_size;
        for (nth, aad_len) in
            every.into_iter().filter(|&len| self.limits.aad.contains(len as u64)).enumerate()
        {
            let texts = [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 8 * chunk + 5];
            let some = if self.effort.exhaustive { &texts[..] } else { &texts[nth % 7..][..1] };
            for &len in some {
                let sample = self.sample(&mut prng, &tfm, aad_len, len);
                let what = format!("alen={aad_len} plen={}", sample.text.len());
                self.same(&tfm, model, &sample, &mut prng, &Origin::Contract(what))?;
            }
        }
        Ok(())
    }

    fn compare(&mut self, model: &mut Model) -> Check {
        let mut seeds = Prng::new(self.effort.seed ^ 3);
        let mut tfm = self.transform()?;
        for nth in 0..self.effort.random {
            let mut prng = Prng::new(seeds.next());
            let key = self.random_key(&mut prng);
            let tag_size = self.random_tag_size(&mut prng);
            let (aad_len, len) = self.random_lens(&mut prng);
            let klen = key.len();
            let what = format!("alen={aad_len} plen={len} authsize={tag_size} klen={klen}");
            let origin = Origin::Random { what, seed: self.effort.seed, nth };
            let site = self.tally.site(Dir::Encrypt, &origin, &"setauthsize");
            let taken = model.tfm.set_key(&key);
            self.tally.count();
            site.set_key(tfm.set_key(&key), taken.clone())?;
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
            self.same(&tfm, model, &sample, &mut prng, &origin)?;
        }
        Ok(())
    }

    /// Mostly accepted.
    fn random_key(&self, prng: &mut Prng) -> Vec<u8> {
        let lens = self.key_lens();
        let any = prng.one_in(6);
        let len =
            if any { prng.below(tried(self.limits.keys).max + 3) } else { lens[prng.below(lens.len())] };
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
        prng: &mut Prng,
        origin: &Origin,
    ) -> Check {
        let Sample { iv, aad, text } = sample;
        let (ctext, tag) = match model.sealed(sample) {
            Ok(sealed) => sealed,
            Err(error) => return self.refused(tfm, &Request { iv, aad, text }, &error, origin),
        };
        let open = open_case(sample, &ctext, &tag, origin);
        let seal = Case { dir: Dir::Encrypt, input: text, output: &ctext, ..open };
        let cutting = self.cutting(&open);
        for case in [seal, open] {
            self.bench.check(self.tally, tfm, &case, &cutting.random(prng))?;
        }
        self.forgeries(tfm, &open, &[cutting.random(prng)])
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
