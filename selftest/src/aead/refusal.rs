//! Refusals: every way to make a wrong request gives the same error, and nothing is written.

use kcrypto_core::{Aad, Aead, Dir, Error, InOut, Length, Result, Segments, TagSizes};

use crate::aead::{Trial, valid_aad};
use crate::area::{Area, POISON};
use crate::failure::{Check, Origin};
use crate::keys::{bad_key_lens, tried};
use crate::prng::Prng;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request<'a> {
    pub(super) iv: &'a [u8],
    pub(super) aad: &'a [u8],
    pub(super) text: &'a [u8],
}

impl Trial<'_> {
    /// What the declared limits exclude, and use without a key.
    pub(super) fn refusals(&self) -> Check {
        self.tally.enter("refusals");
        let limits = self.limits;
        let key = vec![1; tried(limits.keys).max];
        let Some(mut tfm) = self.keyed(&key)? else { return Ok(()) };
        let mut prng = Prng::new(self.effort.seed ^ 6);
        let sample = self.sample(&mut prng, &tfm, 13, self.text_len(1));
        let good = Request { iv: &sample.iv, aad: &sample.aad, text: &vec![POISON; sample.text.len()] };

        self.refused(&self.transform()?, &good, &Error::NeedKey, &Origin::Contract("no key".into()))?;
        for len in bad_key_lens(limits.keys) {
            let origin = Origin::Contract(format!("klen={len}"));
            self.refused_key(&mut tfm, &vec![1; len], &origin)?;
            // A good key makes it usable again.
            let site = self.tally.site(Dir::Encrypt, &origin, &"in-place");
            site.set_key(tfm.set_key(&key), Ok(()))?;
            let mut tag = vec![0; tfm.tag_size()];
            site.result(tfm.seal(good.iv, good.aad, &mut sample.text.clone(), &mut tag), Ok(()))?;
        }
        let size = limits.iv_size;
        for len in [0, size.saturating_sub(1), size + 1, 2 * size].into_iter().filter(|&len| len != size) {
            let error = Error::BadIvLen { len, want: size };
            let origin = Origin::Contract(format!("ivsize={len}"));
            self.refused(&tfm, &Request { iv: &vec![1; len], ..good }, &error, &origin)?;
        }
        for len in (0..=40).filter(|&len| !limits.aad.contains(len)) {
            let error = Error::BadAadLen { len, accepted: limits.aad };
            let origin = Origin::Contract(format!("alen={len}"));
            self.refused(&tfm, &Request { aad: &vec![1; len as usize], ..good }, &error, &origin)?;
        }
        for len in (0..2 * limits.chunk_size + 2).filter(|&len| !limits.length.contains(len)) {
            let error = Error::BadLength { len, accepted: limits.length };
            let origin = Origin::Contract(format!("plen={len}"));
            self.refused(&tfm, &Request { text: &vec![POISON; len], ..good }, &error, &origin)?;
        }
        self.wrong_tag_buffers(&tfm, &good)
    }

    /// Tags of another length than was set, and buffers that cannot hold one.
    fn wrong_tag_buffers(&self, tfm: &Aead, good: &Request<'_>) -> Check {
        let size = tfm.tag_size();
        for len in [0, size - 1, size + 1, 2 * size] {
            let error = Error::BadTagLen { len, accepted: TagSizes::of(&[size]) };
            let origin = Origin::Contract(format!("tag of {len} bytes"));
            self.refused_with(tfm, good, len, &CALLS[..3], &error, &origin)?;
        }
        for len in [0, size - 1] {
            let origin = Origin::Contract(format!("tag appended, {len} bytes"));
            let error = Error::BadLength { len, accepted: Length::at_least(size) };
            for dir in Dir::BOTH {
                let site = self.tally.site(dir, &origin, &"in-place");
                let mut area = Area::new();
                area.lay(&[len], 0);
                self.tally.count();
                let got = match dir {
                    Dir::Encrypt => tfm.seal_appended(good.iv, good.aad, area.whole_mut()),
                    Dir::Decrypt => tfm.open_appended(good.iv, good.aad, area.whole_mut()).map(drop),
                };
                site.result(got, Err(error.clone()))?;
                if !area.untouched() {
                    return Err(site.failure("wrote to the destination of a refused request"));
                }
            }
        }
        Ok(())
    }

    /// A key must be refused, and leave the transform without any.
    pub(super) fn refused_key(&self, tfm: &mut Aead, key: &[u8], origin: &Origin) -> Check {
        let site = self.tally.site(Dir::Encrypt, origin, &"");
        self.tally.count();
        let error = Error::BadKeyLen { len: key.len(), accepted: self.limits.keys };
        site.set_key(tfm.set_key(key), Err(error))?;
        let iv = vec![1; self.limits.iv_size];
        let aad = vec![1; valid_aad(self.limits.aad, 0)];
        let text = vec![POISON; self.text_len(1)];
        self.refused(tfm, &Request { iv: &iv, aad: &aad, text: &text }, &Error::NeedKey, origin)
    }

    /// A request must be refused with this error, by every call, in both directions.
    pub(super) fn refused(&self, tfm: &Aead, request: &Request<'_>, error: &Error, origin: &Origin) -> Check {
        self.refused_with(tfm, request, tfm.tag_size(), &CALLS, error, origin)
    }

    fn refused_with(
        &self,
        tfm: &Aead,
        request: &Request<'_>,
        tag_len: usize,
        calls: &[(&str, Call)],
        error: &Error,
        origin: &Origin,
    ) -> Check {
        for dir in Dir::BOTH {
            for (name, call) in calls {
                let site = self.tally.site(dir, origin, name);
                let (mut area, mut tag) = (Area::new(), Area::new());
                area.lay(&[request.text.len()], 0);
                tag.lay(&[tag_len], 0);
                self.tally.count();
                let got = call(tfm, dir, request, area.whole_mut(), tag.whole_mut());
                site.result(got, Err(error.clone()))?;
                if !area.untouched() || !tag.untouched() {
                    return Err(site.failure("wrote to the destination of a refused request"));
                }
            }
        }
        Ok(())
    }
}

/// Transform, direction, request, destination, tag.
type Call = fn(&Aead, Dir, &Request<'_>, &mut [u8], &mut [u8]) -> Result<()>;

/// The ways to make a request. The first take a tag of any length.
const CALLS: [(&str, Call); 5] = [
    ("in-place", |tfm, dir, request, dst, tag| match dir {
        Dir::Encrypt => tfm.seal(request.iv, request.aad, dst, tag),
        Dir::Decrypt => tfm.open(request.iv, request.aad, dst, tag),
    }),
    ("out-of-place", |tfm, dir, request, dst, tag| {
        let (head, tail) = request.aad.split_at(request.aad.len() / 2);
        let pieces = [head, tail];
        let (aad, io) = (Aad::new(&pieces), InOut::apart(request.text, dst)?);
        match dir {
            Dir::Encrypt => tfm.seal_with(request.iv, &aad, io, tag),
            Dir::Decrypt => tfm.open_with(request.iv, &aad, io, tag),
        }
    }),
    ("segments", |tfm, dir, request, dst, tag| {
        let pieces = [request.aad];
        let aad = Aad::new(&pieces);
        let (head, tail) = dst.split_at_mut(dst.len() / 2);
        let mut list = [head, tail];
        match dir {
            Dir::Encrypt => tfm.seal_segments(request.iv, &aad, Segments::InPlace(&mut list), tag),
            Dir::Decrypt => tfm.open_segments(request.iv, &aad, Segments::InPlace(&mut list), tag),
        }
    }),
    ("tag appended", |tfm, dir, request, dst, tag| {
        let mut both = [&*dst, &*tag].concat();
        let result = match dir {
            Dir::Encrypt => tfm.seal_appended(request.iv, request.aad, &mut both),
            Dir::Decrypt => tfm.open_appended(request.iv, request.aad, &mut both).map(drop),
        };
        let (text, end) = both.split_at(dst.len());
        dst.copy_from_slice(text);
        tag.copy_from_slice(end);
        result
    }),
    ("stream", |tfm, dir, request, _, _| {
        let (aad, text) = (request.aad.len() as u64, request.text.len() as u64);
        match dir {
            Dir::Encrypt => tfm.sealer(request.iv, aad, text).map(drop),
            Dir::Decrypt => tfm.opener(request.iv, aad, text).map(drop),
        }
    }),
];
