//! Replaying a vector on one AEAD, in every shape of a message.

use kcrypto::{Aad, Aead, InOut, Segments};

use crate::check::expected::{Expected, same};
use crate::check::outcome::{Problem, same_errno};
use crate::check::pieces::{split, split_ref, uneven};

/// Key, IV and input, and what is expected of them.
pub(super) struct Replay<'a> {
    pub(super) key: Vec<u8>,
    pub(super) tag_size: usize,
    pub(super) iv: Vec<u8>,
    pub(super) aad: Vec<u8>,
    pub(super) input: Vec<u8>,
    /// Ciphertext with tag, or an error.
    pub(super) expected: Expected<'a>,
    /// Whether opening the output gives the input back.
    pub(super) decrypts: bool,
    /// What opening an input of this length fails with.
    pub(super) decrypt_errno: Option<&'a str>,
    pub(super) flips: Flips<'a>,
}

/// What opening fails with after a bit was flipped: an errno, or `ok` where that part is not authenticated.
pub(super) struct Flips<'a> {
    pub(super) tag_end: Option<&'a str>,
    pub(super) tag_start: Option<&'a str>,
    pub(super) text: Option<&'a str>,
    pub(super) aad: Option<&'a str>,
}

impl Replay<'_> {
    pub(super) fn run(&self, tfm: &mut Aead) -> Result<(), Problem> {
        tfm.set_key(&self.key).map_err(Problem::refused("the key"))?;
        tfm.set_tag_size(self.tag_size).map_err(Problem::refused("the tag size"))?;
        if let Some(errno) = self.expected.errno() {
            for shape in Shape::ALL {
                self.is_refused(shape.sealing(), shape.seal(tfm, self, &self.input), errno)?;
            }
            return match self.decrypt_errno {
                Some(errno) => self.all_open(tfm, &self.aad, &self.input, Err(errno)),
                None => Ok(()),
            };
        }
        let mut sealed = Vec::new();
        for shape in Shape::ALL {
            sealed = shape.seal(tfm, self, &self.input).map_err(Problem::refused(shape.sealing()))?;
            self.expected.compare(shape.sealing(), &sealed)?;
        }
        if !self.decrypts {
            return Ok(());
        }
        self.all_open(tfm, &self.aad, &sealed, Ok(()))?;
        self.flipped(tfm, &sealed)
    }

    /// Opens with single bits flipped.
    fn flipped(&self, tfm: &Aead, sealed: &[u8]) -> Result<(), Problem> {
        let text_len = self.input.len();
        for (errno, at) in [
            (self.flips.tag_end, sealed.len() - 1),
            (self.flips.tag_start, text_len),
            (self.flips.text, 0),
            (self.flips.text, text_len.saturating_sub(1)),
        ] {
            let Some(errno) = errno else { continue };
            let mut wrong = sealed.to_vec();
            wrong[at] ^= 1;
            self.all_open(tfm, &self.aad, &wrong, outcome(errno))?;
        }
        let Some(errno) = self.flips.aad.filter(|_| !self.aad.is_empty()) else { return Ok(()) };
        let mut wrong = self.aad.clone();
        wrong[0] ^= 1;
        self.all_open(tfm, &wrong, sealed, outcome(errno))
    }

    /// Opens in every shape: it must give the input, or fail so.
    fn all_open(
        &self,
        tfm: &Aead,
        aad: &[u8],
        sealed: &[u8],
        expected: Result<(), &str>,
    ) -> Result<(), Problem> {
        for shape in Shape::ALL {
            let mut opened = Vec::new();
            let result = shape.open(tfm, &self.iv, aad, sealed, &mut opened);
            match expected {
                Ok(()) => {
                    result.map_err(Problem::refused(shape.opening()))?;
                    same(shape.opening(), &opened, &self.input)?;
                }
                Err(errno) => {
                    self.is_refused(shape.opening(), result, errno)?;
                    // What is left is zero after a wrong tag, and untouched after a refusal.
                    let left = if errno == "EBADMSG" { 0 } else { UNTOUCHED };
                    if opened.iter().any(|byte| *byte != left) {
                        return Err(Problem::Wrong(format!("{} leaves something behind", shape.opening())));
                    }
                }
            }
        }
        Ok(())
    }

    fn is_refused<T>(
        &self,
        what: &'static str,
        result: kcrypto::Result<T>,
        errno: &str,
    ) -> Result<(), Problem> {
        same_errno(what, result.map(drop), Some(errno))
    }
}

fn outcome(errno: &str) -> Result<(), &str> {
    if errno == "ok" { Ok(()) } else { Err(errno) }
}

/// What is in a buffer before a call.
const UNTOUCHED: u8 = 0xfe;

/// A way to give a message.
#[derive(Clone, Copy)]
enum Shape {
    Apart,
    /// In place, with the tag behind the text.
    Appended,
    Segments,
    Stream,
}

impl Shape {
    const ALL: [Shape; 4] = [Shape::Apart, Shape::Appended, Shape::Segments, Shape::Stream];

    fn sealing(self) -> &'static str {
        match self {
            Shape::Apart => "sealing apart",
            Shape::Appended => "sealing in place",
            Shape::Segments => "sealing of segments",
            Shape::Stream => "sealing as a stream",
        }
    }

    fn opening(self) -> &'static str {
        match self {
            Shape::Apart => "opening apart",
            Shape::Appended => "opening in place",
            Shape::Segments => "opening of segments",
            Shape::Stream => "opening as a stream",
        }
    }

    /// Ciphertext and tag.
    fn seal(self, tfm: &Aead, case: &Replay<'_>, text: &[u8]) -> kcrypto::Result<Vec<u8>> {
        let (iv, aad) = (&case.iv[..], &case.aad[..]);
        let lens = uneven(text.len());
        let mut out = vec![UNTOUCHED; text.len() + tfm.tag_size()];
        let (to, tag) = out.split_at_mut(text.len());
        match self {
            Shape::Apart => tfm.seal(iv, aad, InOut::apart(text, to)?, tag)?,
            Shape::Appended => {
                to.copy_from_slice(text);
                tfm.seal_appended(iv, aad, &mut out)?;
            }
            Shape::Segments => {
                to.copy_from_slice(text);
                let aads = split_ref(aad, &uneven(aad.len()));
                tfm.seal_segments(iv, &Aad::new(&aads), Segments::InPlace(&mut split(to, &lens)), tag)?;
            }
            Shape::Stream => {
                let mut sealer = tfm.sealer(iv, aad.len() as u64, text.len() as u64)?;
                for piece in split_ref(aad, &uneven(aad.len())) {
                    sealer.aad(piece)?;
                }
                let mut done = 0;
                for piece in split_ref(text, &lens) {
                    done += sealer.update(piece, &mut to[done..])?;
                }
                sealer.finish(&mut to[done..], tag)?;
            }
        }
        Ok(out)
    }

    /// Writes the text to `opened`, or whatever the call leaves there.
    fn open(
        self,
        tfm: &Aead,
        iv: &[u8],
        aad: &[u8],
        sealed: &[u8],
        opened: &mut Vec<u8>,
    ) -> kcrypto::Result<()> {
        let Some(len) = sealed.len().checked_sub(tfm.tag_size()) else {
            return tfm.open_appended(iv, aad, &mut sealed.to_vec()).map(drop);
        };
        let (text, tag) = sealed.split_at(len);
        let lens = uneven(len);
        opened.resize(len, UNTOUCHED);
        match self {
            Shape::Apart => tfm.open(iv, aad, InOut::apart(text, opened)?, tag),
            Shape::Appended => {
                let mut buf = sealed.to_vec();
                let result = tfm.open_appended(iv, aad, &mut buf).map(drop);
                // A refusal leaves the input where it was.
                if buf[..len] != *text || result.is_ok() {
                    opened.copy_from_slice(&buf[..len]);
                }
                result
            }
            Shape::Segments => {
                let aads = split_ref(aad, &uneven(aad.len()));
                let (from, mut to) = (split_ref(text, &lens), split(opened, &[len / 3, len - len / 3]));
                tfm.open_segments(iv, &Aad::new(&aads), Segments::Apart(&from, &mut to), tag)
            }
            Shape::Stream => {
                let mut opener = tfm.opener(iv, aad.len() as u64, len as u64)?;
                for piece in split_ref(aad, &uneven(aad.len())) {
                    opener.aad(piece)?;
                }
                let mut text_done = Vec::with_capacity(len);
                let mut out = vec![UNTOUCHED; 2 * len.max(1)];
                for piece in split_ref(text, &lens) {
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
