//! Many messages in one call give the digests that one call each gives.

use kcrypto_core::batch::{self, Job};
use kcrypto_core::{Result, Shash};

use crate::area::Area;
use crate::failure::{Check, Op, Origin};
use crate::prng::Prng;
use crate::shash::Trial;
use crate::shash::refusal::digest;

/// Bytes of messages that a driver has reason to take side by side, at least.
const LONG: usize = 140;

/// One message of a batch, with what must come of it.
struct Part<'a> {
    tfm: &'a Shash,
    message: Area,
    digest: Area,
    expected: Result<Vec<u8>>,
}

impl Trial<'_> {
    /// Batches of several sizes: lengths, keys and transforms mixed, one without the key it needs among them.
    pub(super) fn batches(&self) -> Check {
        self.tally.enter("batches");
        let mut prng = Prng::new(self.effort.seed ^ 6);
        let mut tfms = Vec::new();
        for key_len in self.key_lens().into_iter().take(3) {
            for _ in 0..2 {
                tfms.extend(self.keyed(key_len.map(|len| prng.bytes(len)).as_deref())?);
            }
        }
        if let Some(mut stranger) = self.reference.as_ref().and_then(|reference| reference.shash().ok()) {
            let key = self.keys().map(|keys| prng.bytes(keys.max));
            if key.is_none_or(|key| stranger.set_key(&key).is_ok()) {
                tfms.push(stranger);
            }
        }
        tfms.push(self.transform()?);
        // More messages than there are lanes, as lanes like them: long, and under two keys of one length. Then mixtures.
        let long = self.message_len().max(LONG);
        self.batch(&mut prng, 10, |nth, _| (&tfms[nth % 2], long + nth % 4 * 5))?;
        let sizes = if self.effort.exhaustive { 1..40 } else { 17..18 };
        for size in sizes {
            let longest = if self.effort.exhaustive { 3 } else { 1 } * self.message_len();
            self.batch(&mut prng, size, |nth, prng| {
                // One of them is empty, with many behind it.
                let (tfm, len) = (prng.below(tfms.len()), prng.length(longest));
                if nth == 1 { (&tfms[0], 0) } else { (&tfms[tfm], len) }
            })?;
        }
        Ok(())
    }

    fn batch<'t>(
        &self,
        prng: &mut Prng,
        size: usize,
        mut choose: impl FnMut(usize, &mut Prng) -> (&'t Shash, usize),
    ) -> Check {
        let mut parts = Vec::with_capacity(size);
        for nth in 0..size {
            let (tfm, len) = choose(nth, prng);
            let bytes = prng.bytes(len);
            let (mut message, mut area) = (Area::new(), Area::new());
            message.hold(&bytes, &[len], prng.below(16));
            area.lay(&[self.limits.digest_size], prng.below(16));
            parts.push(Part { tfm, message, digest: area, expected: digest(tfm, &bytes) });
        }
        let mut jobs: Vec<_> = parts
            .iter_mut()
            .map(|part| Job::digest(part.tfm, part.message.whole(), part.digest.whole_mut()))
            .collect();
        batch::run(&mut jobs);
        let results: Vec<Result<()>> = jobs.iter().map(Job::result).collect();
        drop(jobs);
        let cfg = format_args!("batch of {size}");
        for (nth, (part, result)) in parts.iter().zip(results).enumerate() {
            let origin = Origin::Contract(format!("job {nth}, {} bytes", part.message.whole().len()));
            let site = self.tally.site(Op::Digest, &origin, &cfg);
            self.tally.count();
            site.result(result, part.expected.as_ref().map(drop).map_err(Clone::clone))?;
            match &part.expected {
                Ok(expected) => site.same("wrong result", part.digest.whole(), expected)?,
                Err(_) if !part.digest.untouched() => {
                    return Err(site.failure("wrote the digest of a refused request"));
                }
                Err(_) => {}
            }
            if part.digest.overrun() || part.message.overrun() {
                return Err(site.failure("overran dst buffer"));
            }
        }
        Ok(())
    }
}
