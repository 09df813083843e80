//! Replaying a vector on one AEAD, in every shape of a message.

use kcrypto::Aead;

use super::shape::{Cuts, Shape, UNTOUCHED};
use crate::check::expected::{Expected, same};
use crate::check::outcome::{Problem, same_errno};

/// Key, IV and input, and what is expected of them.
pub(super) struct Replay<'a> {
    pub(super) key: Vec<u8>,
    pub(super) tag_size: usize,
    pub(super) iv: Vec<u8>,
    pub(super) aad: Vec<u8>,
    pub(super) input: Vec<u8>,
    /// Ciphertext with tag, or an error.
    pub(super) expected: Expected<'a>,
    /// Where texts and associated data are cut.
    pub(super) cuts: Cuts,
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
                is_refused(shape.sealing(), self.seal(tfm, shape), errno)?;
            }
            return match self.decrypt_errno {
                Some(errno) => self.all_open(tfm, &self.aad, &self.input, Err(errno)),
                None => Ok(()),
            };
        }
        let mut sealed = Vec::new();
        for shape in Shape::ALL {
            sealed = self.seal(tfm, shape).map_err(Problem::refused(shape.sealing()))?;
            self.expected.compare(shape.sealing(), &sealed)?;
        }
        if !self.decrypts {
            return Ok(());
        }
        self.all_open(tfm, &self.aad, &sealed, Ok(()))?;
        self.flipped(tfm, &sealed)
    }

    fn seal(&self, tfm: &Aead, shape: Shape) -> kcrypto::Result<Vec<u8>> {
        shape.seal(tfm, &self.iv, &self.aad, &self.input, &self.cuts)
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
            let result = shape.open(tfm, &self.iv, aad, sealed, &mut opened, &self.cuts);
            match expected {
                Ok(()) => {
                    result.map_err(Problem::refused(shape.opening()))?;
                    same(shape.opening(), &opened, &self.input)?;
                }
                Err(errno) => {
                    is_refused(shape.opening(), result, errno)?;
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
}

fn is_refused<T>(what: &'static str, result: kcrypto::Result<T>, errno: &str) -> Result<(), Problem> {
    same_errno(what, result.map(drop), Some(errno))
}

fn outcome(errno: &str) -> Result<(), &str> {
    if errno == "ok" { Ok(()) } else { Err(errno) }
}
