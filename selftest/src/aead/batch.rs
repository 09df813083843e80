//! Many messages in one call give what one call each gives, and a forgery among them disturbs no other.

use kcrypto_core::batch::{self, Job};
use kcrypto_core::{Aad, Aead, Dir, Error, InOut, Result};

use crate::aead::tags::sealed;
use crate::aead::{Sample, Trial};
use crate::area::Area;
use crate::failure::{Check, Origin};
use crate::prng::Prng;

/// Bytes of texts that a driver has reason to take side by side.
const LONG: usize = 321;

/// What is asked of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ask {
    Seal,
    Open,
    /// A changed byte of the text, or of the tag.
    ForgedText,
    ForgedTag,
}

/// One message of a batch, with what must come of it.
struct Part<'a> {
    tfm: &'a Aead,
    ask: Ask,
    in_place: bool,
    origin: Origin,
    iv: Vec<u8>,
    aad: Vec<u8>,
    src: Area,
    dst: Area,
    tag: Area,
    text: Vec<u8>,
    right_tag: Vec<u8>,
    expected: Result<()>,
}

impl<'a> Part<'a> {
    fn new(tfm: &'a Aead, ask: Ask, sample: &Sample, nth: usize, prng: &mut Prng) -> Self {
        let (mut ctext, right_tag, expected) = match sealed(tfm, sample) {
            Ok((ctext, tag)) => (ctext, tag, Ok(())),
            Err(error) => (sample.text.clone(), vec![0; tfm.tag_size()], Err(error)),
        };
        let mut given = right_tag.clone();
        let mut forged = ask;
        if ask == Ask::ForgedText {
            match ctext.len().checked_sub(1) {
                Some(last) => ctext[prng.below(last + 1)] ^= 0x10,
                None => forged = Ask::ForgedTag,
            }
        }
        if forged == Ask::ForgedTag {
            let at = prng.below(given.len());
            given[at] ^= 1;
        }
        let wrong = matches!(ask, Ask::ForgedText | Ask::ForgedTag);
        let expected = if wrong { expected.and(Err(Error::BadTag)) } else { expected };
        let (input, output) = match ask {
            Ask::Seal => (&sample.text, ctext),
            _ => (&ctext.clone(), sample.text.clone()),
        };
        let (mut src, mut dst, mut tag) = (Area::new(), Area::new(), Area::new());
        let (in_place, offset) = (prng.one_in(2), prng.below(16));
        src.hold(input, &[input.len()], offset);
        match in_place {
            true => dst.hold(input, &[input.len()], offset),
            false => dst.lay(&[input.len()], offset + 1),
        }
        match ask {
            Ask::Seal => tag.lay(&[given.len()], offset),
            _ => tag.hold(&given, &[given.len()], offset),
        }
        let origin = Origin::Contract(format!("job {nth}, {ask:?}, ptext of {} bytes", sample.text.len()));
        let (iv, aad) = (sample.iv.clone(), sample.aad.clone());
        Part { tfm, ask, in_place, origin, iv, aad, src, dst, tag, text: output, right_tag, expected }
    }

    fn job<'p>(&'p mut self, pieces: &'p [&'p [u8]; 2]) -> Result<Job<'p, Aead>> {
        let io = match self.in_place {
            true => InOut::in_place(self.dst.whole_mut()),
            false => InOut::apart(self.src.whole(), self.dst.whole_mut())?,
        };
        let aad = Aad::new(pieces);
        Ok(match self.ask {
            Ask::Seal => Job::seal(self.tfm, &self.iv, aad, io, self.tag.whole_mut()),
            _ => Job::open(self.tfm, &self.iv, aad, io, self.tag.whole()),
        })
    }
}

impl Trial<'_> {
    /// Batches of several sizes: lengths, keys, directions, tag sizes and transforms mixed, forgeries and a
    /// transform without key among them.
    pub(super) fn batches(&mut self) -> Check {
        self.tally.enter("batches");
        let mut prng = Prng::new(self.effort.seed ^ 6);
        let mut tfms = Vec::new();
        for key_len in self.key_lens().into_iter().take(3) {
            for _ in 0..2 {
                tfms.extend(self.keyed(&prng.bytes(key_len))?);
            }
        }
        let Some(first) = tfms.first() else { return Ok(()) };
        // One message again and again, good and forged by turns.
        let sample = self.sample(&mut prng, first, 20, self.text_len(3));
        let asks = [Ask::Open, Ask::ForgedText, Ask::Open, Ask::ForgedTag, Ask::Seal, Ask::Open, Ask::Seal];
        let parts = asks.into_iter().enumerate();
        self.batch(parts.map(|(nth, ask)| Part::new(first, ask, &sample, nth, &mut prng)).collect())?;
        // Long ones, as lanes like them, under two keys of one length.
        let (count, asks) =
            if self.effort.exhaustive { (10, &[Ask::Seal, Ask::Open][..]) } else { (2, &[Ask::Seal][..]) };
        for &ask in asks {
            let mut parts = Vec::with_capacity(count);
            for nth in 0..count {
                let tfm = &tfms[nth % tfms.len().min(2)];
                let sample = self.sample(&mut prng, tfm, 20, LONG + nth % 4 * 7);
                parts.push(Part::new(tfm, ask, &sample, nth, &mut prng));
            }
            self.batch(parts)?;
        }
        // A shorter tag where there is one, a transform of another driver, and one that has no key.
        if let (Some(last), Some(size)) =
            (tfms.last_mut(), (8..16).find(|&size| self.limits.tags.contains(size)))
        {
            last.set_tag_size(size).map_err(|why| self.tally.unmade(&why))?;
        }
        let stranger = self.reference.as_ref().and_then(|reference| reference.aead().ok());
        let key = prng.bytes(self.keys().max);
        tfms.extend(stranger.and_then(|mut tfm| tfm.set_key(&key).ok().map(|()| tfm)));
        tfms.push(self.transform()?);
        let (sizes, longest) = if self.effort.exhaustive { (1..40, [60, 160]) } else { (14..15, [24, 56]) };
        for size in sizes {
            let mut parts = Vec::with_capacity(size);
            for nth in 0..size {
                let tfm = &tfms[if nth == 1 { 0 } else { prng.below(tfms.len()) }];
                let (aad_len, len) = (prng.length(longest[0]), prng.length(longest[1]));
                // One of them is empty, or as short as they get, with many behind it.
                let len = if nth == 1 { 0 } else { len };
                let sample = self.sample(&mut prng, tfm, aad_len, len);
                let ask = match prng.below(6) {
                    0..3 => Ask::Seal,
                    3 => Ask::ForgedText,
                    4 => Ask::ForgedTag,
                    _ => Ask::Open,
                };
                // Other changes than of the tag itself are not sure to show in a short one.
                let ask = if ask == Ask::ForgedText && tfm.tag_size() < 8 { Ask::ForgedTag } else { ask };
                parts.push(Part::new(tfm, ask, &sample, nth, &mut prng));
            }
            self.batch(parts)?;
        }
        Ok(())
    }

    fn batch(&self, mut parts: Vec<Part<'_>>) -> Check {
        let aads: Vec<Vec<u8>> = parts.iter().map(|part| part.aad.clone()).collect();
        let pieces: Vec<[&[u8]; 2]> = aads.iter().map(|aad| aad.split_at(aad.len() / 3).into()).collect();
        let jobs: Result<Vec<_>> =
            parts.iter_mut().zip(&pieces).map(|(part, pieces)| part.job(pieces)).collect();
        let mut jobs = jobs.map_err(|why| self.tally.unmade(&why))?;
        batch::run(&mut jobs);
        let results: Vec<Result<()>> = jobs.iter().map(Job::result).collect();
        drop(jobs);
        let size = parts.len();
        parts.iter().zip(results).try_for_each(|(part, result)| self.settle(part, result, size))
    }

    fn settle(&self, part: &Part<'_>, result: Result<()>, size: usize) -> Check {
        let place = if part.in_place { "in-place" } else { "out-of-place" };
        let cfg = format_args!("batch of {size} {place}");
        let dir = if part.ask == Ask::Seal { Dir::Encrypt } else { Dir::Decrypt };
        let site = self.tally.site(dir, &part.origin, &cfg);
        self.tally.count();
        site.result(result, part.expected.clone())?;
        match &part.expected {
            Ok(()) => site.same("wrong result", part.dst.whole(), &part.text)?,
            Err(Error::BadTag) if part.dst.whole().iter().any(|&byte| byte != 0) => {
                return Err(site.failure("left plaintext of a forgery"));
            }
            Err(Error::BadTag) => {}
            Err(_) if !part.in_place && !part.dst.untouched() => {
                return Err(site.failure("wrote to the destination of a refused request"));
            }
            Err(_) => {}
        }
        if part.ask == Ask::Seal && part.expected.is_ok() {
            site.same("wrong tag", part.tag.whole(), &part.right_tag)?;
        }
        if part.dst.overrun() || part.tag.overrun() || part.src.overrun() {
            return Err(site.failure("overran dst buffer"));
        }
        Ok(())
    }
}
