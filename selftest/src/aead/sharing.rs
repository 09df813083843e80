//! A keyed transform is shared: new keys, interleaved requests and threads do not disturb each other.

use kcrypto_core::{Aead, Dir};

use crate::aead::tags::{open_case, sealed};
use crate::aead::{Sample, Trial};
use crate::failure::{Check, Origin};
use crate::prng::Prng;
use crate::threads::{THREADS, race};

impl Trial<'_> {
    /// Rekeying, interleaving, threads.
    pub(super) fn sharing(&mut self) -> Check {
        self.tally.enter("sharing");
        let mut prng = Prng::new(self.effort.seed ^ 1);
        self.rekeyed(&mut prng)?;
        let mut any = false;
        let lens = self.key_lens();
        let least = if self.effort.exhaustive { 0 } else { lens.len() - 1 };
        for &key_len in &lens[least..] {
            let Some(tfm) = self.keyed(&prng.bytes(key_len))? else { continue };
            any = true;
            let samples = [(20, 3), (37, 5), (5, 0)]
                .map(|(aad_len, chunks)| self.sample(&mut prng, &tfm, aad_len, self.text_len(chunks)));
            let origin = Origin::Contract(format!("klen={key_len}"));
            let [first, second, between] = samples;
            let samples = [first, second];
            self.interleaved(&tfm, &samples, &between, &origin)?;
            if self.effort.exhaustive {
                self.threaded(&tfm, &samples, &origin)?;
            }
        }
        if any { Ok(()) } else { Err(self.tally.no_key()) }
    }

    /// After one key of each length, another of each length counts, in both directions.
    fn rekeyed(&mut self, prng: &mut Prng) -> Check {
        let lens = self.key_lens();
        for (first, second) in self.effort.pairs(&lens) {
            let key = prng.bytes(second);
            let (Some(fresh), Some(mut used)) = (self.keyed(&key)?, self.keyed(&prng.bytes(first))?) else {
                continue;
            };
            let sample = self.sample(prng, &fresh, 16, self.text_len(1));
            let origin = Origin::Contract(format!("klen={first}, then klen={second}"));
            let site = self.tally.site(Dir::Encrypt, &origin, &"rekeyed");
            // Used, so that what a driver prepares on first use is there.
            let (ctext, tag) = site.value(sealed(&used, &sample))?;
            let before = open_case(&sample, &ctext, &tag, &origin);
            let [in_place, apart, ..] = self.cutting(&sample).plain();
            self.bench.check(self.tally, &used, &before, &in_place)?;
            site.set_key(used.set_key(&key), Ok(()))?;
            let (ctext, tag) = site.value(sealed(&fresh, &sample))?;
            let after = open_case(&sample, &ctext, &tag, &origin);
            self.bench.check(self.tally, &used, &after, &apart)?;
            site.same("wrong result", &site.value(sealed(&used, &sample))?.0, &ctext)?;
        }
        Ok(())
    }

    /// Two messages in pieces at the same time, a whole one again and again in between.
    fn interleaved(&self, tfm: &Aead, samples: &[Sample; 2], between: &Sample, origin: &Origin) -> Check {
        let site = self.tally.site(Dir::Encrypt, origin, &"two streams at a time");
        let expected = [site.value(sealed(tfm, &samples[0]))?, site.value(sealed(tfm, &samples[1]))?];
        self.tally.count();
        let start =
            |sample: &Sample| tfm.sealer(&sample.iv, sample.aad.len() as u64, sample.text.len() as u64);
        let run = || {
            let mut sealers = [start(&samples[0])?, start(&samples[1])?];
            let mut pieces = samples.each_ref().map(|sample| sample.aad.chunks(9));
            for _ in 0..pieces[0].len().max(pieces[1].len()) {
                for (sealer, pieces) in sealers.iter_mut().zip(&mut pieces) {
                    sealer.aad(pieces.next().unwrap_or_default())?;
                }
                sealed(tfm, between)?;
            }
            let mut pieces = samples.each_ref().map(|sample| sample.text.chunks(self.limits.chunk_size));
            let mut outs = [Vec::new(), Vec::new()];
            for _ in 0..pieces[0].len().max(pieces[1].len()) {
                for ((sealer, pieces), out) in sealers.iter_mut().zip(&mut pieces).zip(&mut outs) {
                    let piece = pieces.next().unwrap_or_default();
                    let at = out.len();
                    out.resize(at + sealer.update_len(piece.len()), 0);
                    sealer.update(piece, &mut out[at..])?;
                }
                sealed(tfm, between)?;
            }
            let mut tags = [vec![0; tfm.tag_size()], vec![0; tfm.tag_size()]];
            for ((sealer, out), tag) in sealers.into_iter().zip(&mut outs).zip(&mut tags) {
                let at = out.len();
                out.resize(at + sealer.finish_len(), 0);
                sealer.finish(&mut out[at..], tag)?;
            }
            Ok((outs, tags))
        };
        let (outs, tags) = site.value(run())?;
        for ((out, tag), expected) in outs.iter().zip(&tags).zip(&expected) {
            site.same("wrong result", out, &expected.0)?;
            site.same("wrong tag", tag, &expected.1)?;
        }
        Ok(())
    }

    /// Several threads, each with a message of its own.
    fn threaded(&self, tfm: &Aead, samples: &[Sample; 2], origin: &Origin) -> Check {
        let cfg = format_args!("{THREADS} threads");
        let site = self.tally.site(Dir::Encrypt, origin, &cfg);
        let expected = [site.value(sealed(tfm, &samples[0]))?, site.value(sealed(tfm, &samples[1]))?];
        self.tally.count();
        let wrong = race(|nth| {
            let (sample, (ctext, tag)) = (&samples[nth % 2], &expected[nth % 2]);
            let mut text = ctext.clone();
            let opened = tfm.open(&sample.iv, &sample.aad, &mut text, tag);
            let right = opened.is_ok() && text == sample.text;
            let (got_ctext, got_tag) = sealed(tfm, sample).unwrap_or_default();
            let same = got_ctext == *ctext && got_tag == *tag;
            (!right || !same).then(|| (nth, [got_ctext, got_tag].concat()))
        });
        let Some((nth, got)) = wrong else { return Ok(()) };
        let (ctext, tag) = &expected[nth % 2];
        site.same("wrong result", &got, &[&ctext[..], tag].concat())?;
        Err(site.failure("opened a message wrongly"))
    }
}
