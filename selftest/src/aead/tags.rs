//! Tags: every length that is declared, no other, and no forgery.

use kcrypto_core::{Aead, Dir, Error, Result};

use crate::aead::shape::{Case, Shape};
use crate::aead::{Sample, Trial};
use crate::failure::{Check, Origin};
use crate::prng::Prng;

/// Shortest tag with which other changes than of the tag itself are sure to show.
const SURE: usize = 8;

/// What is changed of a sealed message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    TagLast,
    TagFirst,
    Text,
    AadFirst,
    AadLast,
    Iv,
}

pub(super) const CHANGES: [Change; 6] =
    [Change::TagLast, Change::TagFirst, Change::Text, Change::AadFirst, Change::AadLast, Change::Iv];

impl Trial<'_> {
    /// Messages go round with tags of every declared size, and are refused with a wrong tag; other sizes are
    /// refused, and leave the old one.
    pub(super) fn tags(&mut self) -> Check {
        self.tally.enter("tags");
        let mut prng = Prng::new(self.effort.seed ^ 5);
        let Some(mut tfm) = self.keyed(&prng.bytes(self.keys().max))? else { return Ok(()) };
        let mut turn = 0;
        for size in 0..=self.limits.tags.max() + 2 {
            let origin = Origin::Contract(format!("authsize={size}"));
            if !self.limits.tags.contains(size) {
                self.refused_tag_size(&mut tfm, size, &origin)?;
                continue;
            }
            let site = self.tally.site(Dir::Encrypt, &origin, &"setauthsize");
            site.result(tfm.set_tag_size(size), Ok(()))?;
            let sample = self.sample(&mut prng, &tfm, 21, self.text_len(1));
            let (ctext, tag) = site.value(sealed(&tfm, &sample))?;
            let case = open_case(&sample, &ctext, &tag, &origin);
            let shapes = self.cutting(&sample).plain();
            let one = &shapes[turn % 5..][..1];
            self.bench.check(self.tally, &tfm, &case, &one[0])?;
            let some = if self.effort.exhaustive { &shapes } else { one };
            // What else is forged than the tag shows in the longest best.
            let only_tag = !self.effort.exhaustive && size < self.limits.tags.max();
            let changes = self.changes(turn);
            self.forgeries(&tfm, &case, some, if only_tag { &changes[..1] } else { &changes })?;
            turn += 1;
        }
        Ok(())
    }

    /// A tag size must be refused, and the old one stay.
    pub(super) fn refused_tag_size(&self, tfm: &mut Aead, size: usize, origin: &Origin) -> Check {
        let before = tfm.tag_size();
        let site = self.tally.site(Dir::Encrypt, origin, &"setauthsize");
        self.tally.count();
        let error = Error::BadTagLen { len: size, accepted: self.limits.tags };
        site.result(tfm.set_tag_size(size), Err(error))?;
        if tfm.tag_size() == before { Ok(()) } else { Err(site.failure("changed the tag size all the same")) }
    }

    /// All changes, or that of the tag's last byte and another one by turns.
    pub(super) fn changes(&self, nth: usize) -> Vec<Change> {
        let [last, others @ ..] = CHANGES;
        if self.effort.exhaustive { CHANGES.into() } else { vec![last, others[nth % others.len()]] }
    }

    /// A case to be opened, with each of these changes: it is refused, and nothing is left. A wrong last byte
    /// of the tag in all of the shapes, the other changes in one of them, or in all as well.
    pub(super) fn forgeries(
        &mut self,
        tfm: &Aead,
        case: &Case<'_>,
        shapes: &[Shape],
        changes: &[Change],
    ) -> Check {
        for &change in changes {
            let nth = change as usize;
            let (mut iv, mut aad) = (case.iv.to_vec(), case.aad.to_vec());
            let (mut input, mut tag) = (case.input.to_vec(), case.tag.to_vec());
            let own = self.authenticated(aad.len());
            let byte = match change {
                Change::TagLast => tag.last_mut(),
                Change::TagFirst => tag.first_mut(),
                _ if case.tag.len() < SURE => None,
                Change::Text => input.get_mut(case.input.len() / 2),
                Change::AadFirst => aad[..own].first_mut(),
                Change::AadLast => aad[..own].last_mut(),
                // The first byte may be a length.
                Change::Iv => iv.get_mut(1),
            };
            let Some(byte) = byte else { continue };
            *byte ^= 1 << ((nth + case.input.len()) % 8);
            if tfm.opener(&iv, aad.len() as u64, input.len() as u64).is_err() {
                continue;
            }
            let origin = &match case.origin {
                Origin::Contract(what) => Origin::Contract(format!("{what}, {change:?} changed")),
                other => other.clone(),
            };
            let case = Case {
                iv: &iv,
                aad: &aad,
                input: &input,
                output: &[],
                tag: &tag,
                forged: true,
                origin,
                ..*case
            };
            let all = change == Change::TagLast || self.effort.exhaustive;
            let some = if all { shapes } else { &shapes[nth % shapes.len()..][..1] };
            some.iter().try_for_each(|shape| self.bench.check(self.tally, tfm, &case, shape))?;
        }
        Ok(())
    }
}

/// A sealed message, to be opened.
pub(super) fn open_case<'a>(
    sample: &'a Sample,
    ctext: &'a [u8],
    tag: &'a [u8],
    origin: &'a Origin,
) -> Case<'a> {
    let Sample { iv, aad, text } = sample;
    Case { dir: Dir::Decrypt, iv, aad, input: ctext, output: text, tag, forged: false, origin }
}

/// Ciphertext and tag by one call in place.
pub(super) fn sealed(tfm: &Aead, sample: &Sample) -> Result<(Vec<u8>, Vec<u8>)> {
    let (mut text, mut tag) = (sample.text.clone(), vec![0; tfm.tag_size()]);
    tfm.seal(&sample.iv, &sample.aad, &mut text, &mut tag)?;
    Ok((text, tag))
}
