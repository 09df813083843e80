//! A keyed transform is shared: new keys, interleaved messages and threads do not disturb each other.

use kcrypto_core::Shash;

use crate::failure::{Check, Op, Origin, Site};
use crate::prng::Prng;
use crate::shash::Trial;
use crate::shash::refusal::digest;
use crate::threads::{THREADS, race};

impl Trial<'_> {
    /// Rekeying, interleaving, threads.
    pub(super) fn sharing(&self) -> Check {
        self.tally.enter("sharing");
        let mut prng = Prng::new(self.effort.seed ^ 1);
        self.rekeyed(&mut prng)?;
        let mut any = false;
        for key_len in self.effort.ends(self.key_lens()) {
            let Some(tfm) = self.keyed(key_len.map(|len| prng.bytes(len)).as_deref())? else { continue };
            any = true;
            let messages = [self.message_len(), 2 * self.message_len() + 1].map(|len| prng.bytes(len));
            let origin = Origin::Contract(key_len.map_or("no key".into(), |len| format!("klen={len}")));
            self.interleaved(&tfm, &messages, &origin)?;
            if self.effort.exhaustive {
                self.threaded(&tfm, &messages, &origin)?;
            }
        }
        if any { Ok(()) } else { Err(self.tally.no_key()) }
    }

    /// After one key of each length, or none, another of each length counts.
    fn rekeyed(&self, prng: &mut Prng) -> Check {
        let lens = self.key_lens();
        let message = prng.bytes(self.message_len());
        for (first, second) in self.effort.pairs(&lens) {
            let Some(second) = second else { continue };
            let (old, new) = (first.map(|len| prng.bytes(len)), prng.bytes(second));
            let (Some(fresh), Some(mut used)) = (self.keyed(Some(&new))?, self.keyed(old.as_deref())?) else {
                continue;
            };
            let origin = Origin::Contract(format!("klen={}, then klen={second}", first.unwrap_or(0)));
            let site = self.tally.site(Op::Digest, &origin, &"rekeyed");
            self.tally.count();
            // Used, so that what a driver prepares on first use is there.
            site.value(digest(&used, &message))?;
            site.set_key(used.set_key(&new), Ok(()))?;
            let expected = site.value(digest(&fresh, &message))?;
            site.same("wrong result", &site.value(digest(&used, &message))?, &expected)?;
        }
        Ok(())
    }

    /// Two messages in pieces at the same time, whole ones in between.
    fn interleaved(&self, tfm: &Shash, messages: &[Vec<u8>; 2], origin: &Origin) -> Check {
        let site = self.tally.site(Op::Digest, origin, &"two messages at a time");
        let expected = both(&site, tfm, messages)?;
        self.tally.count();
        let run = || {
            let mut hashings = [tfm.hasher()?, tfm.hasher()?];
            let mut pieces = messages.each_ref().map(|message| message.chunks(self.limits.block_size + 1));
            for _ in 0..pieces[0].len().max(pieces[1].len()) {
                for (hashing, pieces) in hashings.iter_mut().zip(&mut pieces) {
                    hashing.update(pieces.next().unwrap_or_default());
                    digest(tfm, &messages[0])?;
                }
            }
            let mut digests = [vec![0; tfm.digest_size()], vec![0; tfm.digest_size()]];
            for (hashing, digest) in hashings.into_iter().zip(&mut digests) {
                hashing.finalize(digest)?;
            }
            Ok(digests)
        };
        let got = site.value(run())?;
        got.iter().zip(&expected).try_for_each(|(got, expected)| site.same("wrong result", got, expected))
    }

    /// Several threads, each with a message of its own.
    fn threaded(&self, tfm: &Shash, messages: &[Vec<u8>; 2], origin: &Origin) -> Check {
        let cfg = format_args!("{THREADS} threads");
        let site = self.tally.site(Op::Digest, origin, &cfg);
        let expected = both(&site, tfm, messages)?;
        self.tally.count();
        let wrong = race(|nth| {
            let got = digest(tfm, &messages[nth % 2]).unwrap_or_default();
            (got != expected[nth % 2]).then_some((nth, got))
        });
        wrong.map_or(Ok(()), |(nth, got)| site.same("wrong result", &got, &expected[nth % 2]))
    }
}

fn both(site: &Site<'_>, tfm: &Shash, messages: &[Vec<u8>; 2]) -> Check<[Vec<u8>; 2]> {
    Ok([site.value(digest(tfm, &messages[0]))?, site.value(digest(tfm, &messages[1]))?])
}
