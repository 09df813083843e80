//! A keyed transform is shared: new keys, interleaved requests and threads do not disturb each other.

use kcrypto_core::{Dir, Skcipher, Stream};

use crate::failure::{Check, Origin, Site};
use crate::prng::Prng;
use crate::sample::Sample;
use crate::skcipher::Trial;
use crate::threads::{THREADS, race};

impl Trial<'_> {
    /// Rekeying, interleaving, threads.
    pub(crate) fn sharing(&mut self) -> Check {
        self.tally.enter("sharing");
        let mut prng = Prng::new(self.effort.seed ^ 1);
        self.rekeyed(&mut prng)?;
        let mut any = false;
        for key_len in self.effort.ends(self.key_lens()) {
            let samples =
                [3, 5].map(|chunks| self.sample(&mut prng, key_len, chunks * self.limits.chunk_size + 1));
            let Some(tfm) = self.keyed(&samples[0].key)? else { continue };
            any = true;
            for dir in Dir::BOTH {
                self.interleaved(&tfm, dir, &samples)?;
                if self.effort.exhaustive {
                    self.threaded(&tfm, dir, &samples)?;
                }
            }
        }
        if any { Ok(()) } else { Err(self.tally.no_key()) }
    }

    /// After one key of each length, another of each length counts, in both directions.
    fn rekeyed(&mut self, prng: &mut Prng) -> Check {
        let lens = self.key_lens();
        for (first, second) in self.effort.pairs(&lens) {
            let sample = self.sample(prng, second, 2 * self.limits.chunk_size + 1);
            let (Some(fresh), Some(mut used)) = (self.keyed(&sample.key)?, self.keyed(&prng.bytes(first))?)
            else {
                continue;
            };
            let origin = Origin::Contract(format!("klen={first}, then klen={second}"));
            for dir in Dir::BOTH {
                let site = self.tally.site(dir, &origin, &"rekeyed");
                self.tally.count();
                // Used, so that what a driver prepares on first use is there.
                let _ = whole(&site, &used, dir, &sample)?;
            }
            for dir in Dir::BOTH {
                let site = self.tally.site(dir, &origin, &"rekeyed");
                site.set_key(used.set_key(&sample.key), Ok(()))?;
                let expected = whole(&site, &fresh, dir, &sample)?;
                site.same("wrong result", &whole(&site, &used, dir, &sample)?, &expected)?;
            }
        }
        Ok(())
    }

    /// Two messages in pieces at the same time, whole ones in between.
    fn interleaved(&mut self, tfm: &Skcipher, dir: Dir, samples: &[Sample; 2]) -> Check {
        let origin = Origin::Contract(format!("klen={}", samples[0].key.len()));
        let site = self.tally.site(dir, &origin, &"two streams at a time");
        let expected = [whole(&site, tfm, dir, &samples[0])?, whole(&site, tfm, dir, &samples[1])?];
        self.tally.count();
        let run = || {
            let mut streams =
                [Stream::new(tfm, dir, &samples[0].iv)?, Stream::new(tfm, dir, &samples[1].iv)?];
            let mut rests = samples.each_ref().map(|sample| sample.message.as_slice());
            let mut outs = [Vec::new(), Vec::new()];
            while rests.iter().any(|rest| !rest.is_empty()) {
                for ((stream, rest), out) in streams.iter_mut().zip(&mut rests).zip(&mut outs) {
                    let (now, later) = rest.split_at(rest.len().min(self.limits.chunk_size));
                    let at = out.len();
                    out.resize(at + stream.update_len(now.len()), 0);
                    stream.update(now, &mut out[at..])?;
                    *rest = later;
                    tfm.crypt(dir, &samples[0].iv, samples[0].message.clone().as_mut_slice().into())?;
                }
            }
            for (stream, out) in streams.into_iter().zip(&mut outs) {
                let at = out.len();
                out.resize(at + stream.finish_len(), 0);
                stream.finish(&mut out[at..])?;
            }
            Ok(outs)
        };
        let got = site.value(run())?;
        got.iter().zip(&expected).try_for_each(|(got, expected)| site.same("wrong result", got, expected))
    }

    /// Several threads, each with a message of its own.
    fn threaded(&mut self, tfm: &Skcipher, dir: Dir, samples: &[Sample; 2]) -> Check {
        let origin = Origin::Contract(format!("klen={}", samples[0].key.len()));
        let cfg = format_args!("{THREADS} threads");
        let site = self.tally.site(dir, &origin, &cfg);
        let expected = [whole(&site, tfm, dir, &samples[0])?, whole(&site, tfm, dir, &samples[1])?];
        self.tally.count();
        let wrong = race(|nth| {
            let (sample, expected) = (&samples[nth % 2], &expected[nth % 2]);
            let mut got = sample.message.clone();
            let result = tfm.crypt(dir, &sample.iv, got.as_mut_slice().into());
            (result.is_err() || got != *expected).then_some((nth, got))
        });
        wrong.map_or(Ok(()), |(nth, got)| site.same("wrong result", &got, &expected[nth % 2]))
    }
}

/// The result of one plain call.
fn whole(site: &Site<'_>, tfm: &Skcipher, dir: Dir, sample: &Sample) -> Check<Vec<u8>> {
    let mut message = sample.message.clone();
    site.result(tfm.crypt(dir, &sample.iv, message.as_mut_slice().into()), Ok(()))?;
    Ok(message)
}
