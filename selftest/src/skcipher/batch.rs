//! Many messages in one call give what one call each gives, whatever the mixture.

use kcrypto_core::batch::{self, Job};
use kcrypto_core::{Dir, InOut, Result, Skcipher};

use crate::area::Area;
use crate::failure::{Check, Origin};
use crate::keys::tried;
use crate::prng::Prng;
use crate::sample::valid;
use crate::skcipher::Trial;

/// Bytes of messages that a driver has reason to take side by side.
const LONG: usize = 140;

/// One message of a batch, with what must come of it.
struct Part<'a> {
    tfm: &'a Skcipher,
    dir: Dir,
    in_place: bool,
    origin: Origin,
    src: Area,
    dst: Area,
    iv: Area,
    expected: Result<(Vec<u8>, Vec<u8>)>,
}

impl Part<'_> {
    fn job(&mut self) -> Result<Job<'_>> {
        let io = match self.in_place {
            true => InOut::in_place(self.dst.whole_mut()),
            false => InOut::apart(self.src.whole(), self.dst.whole_mut())?,
        };
        Ok(Job::new(self.tfm, self.dir, self.iv.whole_mut(), io))
    }
}

impl Trial<'_> {
    /// Batches of several sizes: lengths, keys, directions and transforms mixed, wrong requests among them.
    pub(crate) fn batches(&mut self) -> Check {
        self.tally.enter("batches");
        let mut prng = Prng::new(self.effort.seed ^ 2);
        let mut tfms = Vec::new();
        for key_len in self.key_lens().into_iter().take(3) {
            for _ in 0..2 {
                tfms.extend(self.keyed(&prng.bytes(key_len))?);
            }
        }
        if tfms.is_empty() {
            return Ok(());
        }
        // A transform of another driver, and one that has no key.
        let stranger = self.reference.as_ref().and_then(|reference| reference.skcipher().ok());
        let stranger = stranger
            .and_then(|mut tfm| tfm.set_key(&prng.bytes(tried(self.limits.keys).max)).ok().map(|()| tfm));
        tfms.extend(stranger);
        tfms.push(self.transform()?);
        // More messages than there are lanes, as lanes like them: long, and under two keys of one length. Then mixtures.
        let sizes = if self.effort.exhaustive { 1..40 } else { 9..11 };
        let dirs = [Dir::Encrypt, Dir::Decrypt];
        for dir in if self.effort.exhaustive { &dirs[..] } else { &dirs[..1] } {
            let long = |nth: usize, _: &mut Prng| (nth % 2, *dir, LONG + nth % 4 * 9);
            self.batch(&tfms, 10, &mut prng, long)?;
        }
        for size in sizes {
            let count = tfms.len();
            let mixed = |nth: usize, prng: &mut Prng| {
                // One of them is empty, or as short as they get, with some behind it.
                let (tfm, dir, len) = (prng.below(count), Dir::BOTH[prng.below(2)], prng.length(160));
                if nth == 1 { (0, dir, 0) } else { (tfm, dir, len) }
            };
            self.batch(&tfms, size, &mut prng, mixed)?;
        }
        Ok(())
    }

    fn batch(
        &mut self,
        tfms: &[Skcipher],
        size: usize,
        prng: &mut Prng,
        mut choose: impl FnMut(usize, &mut Prng) -> (usize, Dir, usize),
    ) -> Check {
        let limits = self.limits;
        let mut parts = Vec::with_capacity(size);
        for nth in 0..size {
            let (tfm, dir, len) = choose(nth, prng);
            let tfm = &tfms[tfm % tfms.len()];
            // Wrong lengths stay in now and then.
            let len = if prng.one_in(6) { len } else { valid(limits.length, len) };
            let (iv, message) = (prng.bytes(limits.iv_size), prng.bytes(len));
            let (mut iv_out, mut out) = (iv.clone(), message.clone());
            let expected = tfm.crypt_chained(dir, &mut iv_out, InOut::in_place(&mut out));
            let expected = expected.map(|()| (out, iv_out));
            let (mut src, mut dst, mut iv_area) = (Area::new(), Area::new(), Area::new());
            let in_place = prng.one_in(2);
            let offset = prng.below(16);
            iv_area.hold(&iv, &[iv.len()], offset);
            src.hold(&message, &[len], offset);
            match in_place {
                true => dst.hold(&message, &[len], offset),
                false => dst.lay(&[len], offset + 1),
            }
            let origin = Origin::Contract(format!("job {nth}, len={len}"));
            parts.push(Part { tfm, dir, in_place, origin, src, dst, iv: iv_area, expected });
        }
        let jobs: Result<Vec<_>> = parts.iter_mut().map(Part::job).collect();
        let mut jobs = jobs.map_err(|why| self.tally.unmade(&why))?;
        batch::run(&mut jobs);
        let results: Vec<Result<()>> = jobs.iter().map(Job::result).collect();
        drop(jobs);
        parts.iter().zip(results).try_for_each(|(part, result)| self.settle(part, result, size))
    }

    fn settle(&self, part: &Part<'_>, result: Result<()>, size: usize) -> Check {
        let place = if part.in_place { "in-place" } else { "out-of-place" };
        let cfg = format_args!("batch of {size} {place}");
        let site = self.tally.site(part.dir, &part.origin, &cfg);
        self.tally.count();
        site.result(result, part.expected.as_ref().map(drop).map_err(Clone::clone))?;
        match &part.expected {
            Ok((out, iv_out)) => {
                site.same("wrong result", part.dst.whole(), out)?;
                site.same("wrong output IV", part.iv.whole(), iv_out)?;
            }
            Err(_) if !part.in_place && !part.dst.untouched() => {
                return Err(site.failure("wrote to the destination of a refused request"));
            }
            Err(_) => {}
        }
        if part.dst.overrun() || part.iv.overrun() || part.src.overrun() {
            return Err(site.failure("overran dst buffer"));
        }
        Ok(())
    }
}
