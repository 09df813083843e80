//! The ways to give an AEAD a message.

use kcrypto::{Aad, Aead, InOut, Segments};

use crate::check::pieces::{Placed, split, split_ref, uneven};

/// What is in a buffer before a call.
pub(super) const UNTOUCHED: u8 = 0xfe;

/// A way to give a message.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Apart,
    /// In place, with the tag behind the text.
    Appended,
    Segments,
    Stream,
}

/// Lengths of pieces, and where everything lies.
#[derive(Default)]
pub(super) struct Cuts {
    /// Of the text where it is read.
    pub(super) text: Vec<usize>,
    /// Of the text where it is written, if that differs.
    pub(super) dst: Option<Vec<usize>>,
    /// Of the associated data.
    pub(super) aad: Vec<usize>,
    /// Misalignment in bytes.
    pub(super) offset: usize,
}

impl Cuts {
    /// Whether they are those of a message of these lengths.
    pub(super) fn fit(&self, aad: usize, text: usize) -> bool {
        let sum = |lens: &[usize]| lens.iter().sum::<usize>();
        sum(&self.aad) == aad && sum(&self.text) == text && sum(self.dst()) == text
    }

    fn dst(&self) -> &[usize] {
        self.dst.as_deref().unwrap_or(&self.text)
    }
}

impl Shape {
    pub(super) const ALL: [Shape; 4] = [Shape::Apart, Shape::Appended, Shape::Segments, Shape::Stream];

    pub(super) fn sealing(self) -> &'static str {
        match self {
            Shape::Apart => "sealing apart",
            Shape::Appended => "sealing in place",
            Shape::Segments => "sealing of segments",
            Shape::Stream => "sealing as a stream",
        }
    }

    pub(super) fn opening(self) -> &'static str {
        match self {
            Shape::Apart => "opening apart",
            Shape::Appended => "opening in place",
            Shape::Segments => "opening of segments",
            Shape::Stream => "opening as a stream",
        }
    }

    /// Ciphertext and tag.
    pub(super) fn seal(
        self,
        tfm: &Aead,
        iv: &[u8],
        aad: &[u8],
        text: &[u8],
        cuts: &Cuts,
    ) -> kcrypto::Result<Vec<u8>> {
        let offset = cuts.offset;
        let (iv, aad) = (&*Placed::new(iv, offset), &*Placed::new(aad, offset + 1));
        let text = &*Placed::new(text, offset);
        let start = if matches!(self, Shape::Apart) { offset + 1 } else { offset };
        let mut out = Placed::new(&vec![UNTOUCHED; text.len() + tfm.tag_size()], start);
        let (to, tag) = out.split_at_mut(text.len());
        match self {
            Shape::Apart => tfm.seal(iv, aad, InOut::apart(text, to)?, tag)?,
            Shape::Appended => {
                to.copy_from_slice(text);
                tfm.seal_appended(iv, aad, &mut out)?;
            }
            Shape::Segments => {
                to.copy_from_slice(text);
                let aads = split_ref(aad, &cuts.aad);
                tfm.seal_segments(iv, &Aad::new(&aads), Segments::InPlace(&mut split(to, cuts.dst())), tag)?;
            }
            Shape::Stream => {
                let mut sealer = tfm.sealer(iv, aad.len() as u64, text.len() as u64)?;
                for piece in split_ref(aad, &cuts.aad) {
                    sealer.aad(piece)?;
                }
                let mut done = 0;
                for piece in split_ref(text, &cuts.text) {
                    done += sealer.update(piece, &mut to[done..])?;
                }
                sealer.finish(&mut to[done..], tag)?;
            }
        }
        Ok(out.to_vec())
    }

    /// Writes the text to `opened`, or whatever the call leaves there.
    pub(super) fn open(
        self,
        tfm: &Aead,
        iv: &[u8],
        aad: &[u8],
        sealed: &[u8],
        opened: &mut Vec<u8>,
        cuts: &Cuts,
    ) -> kcrypto::Result<()> {
        let Some(len) = sealed.len().checked_sub(tfm.tag_size()) else {
            return tfm.open_appended(iv, aad, &mut sealed.to_vec()).map(drop);
        };
        let (text, tag) = sealed.split_at(len);
        opened.resize(len, UNTOUCHED);
        // A text that was not sealed here is cut as well as it goes.
        let uncut;
        let cuts = if cuts.fit(aad.len(), len) {
            cuts
        } else {
            uncut = Cuts { text: uneven(len), dst: None, aad: uneven(aad.len()), offset: 0 };
            &uncut
        };
        let offset = cuts.offset;
        let (iv, aad) = (&*Placed::new(iv, offset), &*Placed::new(aad, offset + 1));
        let (text, tag) = (&*Placed::new(text, offset), &*Placed::new(tag, offset));
        match self {
            Shape::Apart => tfm.open(iv, aad, InOut::apart(text, opened)?, tag),
            Shape::Appended => {
                let mut buf = Placed::new(sealed, offset);
                let result = tfm.open_appended(iv, aad, &mut buf).map(drop);
                // A refusal leaves the input where it was.
                if buf[..len] != *text || result.is_ok() {
                    opened.copy_from_slice(&buf[..len]);
                }
                result
            }
            Shape::Segments => {
                let aads = split_ref(aad, &cuts.aad);
                let (from, mut to) = (
                    split_ref(text, &cuts.text),
                    split(opened, &cuts.dst.clone().unwrap_or_else(|| vec![len / 3, len - len / 3])),
                );
                tfm.open_segments(iv, &Aad::new(&aads), Segments::Apart(&from, &mut to), tag)
            }
            Shape::Stream => {
                let mut opener = tfm.opener(iv, aad.len() as u64, len as u64)?;
                for piece in split_ref(aad, &cuts.aad) {
                    opener.aad(piece)?;
                }
                let mut text_done = Vec::with_capacity(len);
                let mut out = vec![UNTOUCHED; 2 * len.max(1)];
                for piece in split_ref(text, &cuts.text) {
                    let unverified = opener.update(piece, &mut out)?;
                    text_done.extend_from_slice(unverified.as_unverified_bytes());
                }
                let result = opener.finish(&mut out, tag);
                opened.fill(0);
                let done = result?;
                text_done.extend_from_slice(&out[..done]);
                *opened = text_done;
                Ok(())
            }
        }
    }
}
