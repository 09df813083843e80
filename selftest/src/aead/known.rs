//! Known answers: every case of the vector file, in the shapes that the mode of testing asks for.

use kcrypto_core::{Aead, Dir, Error, KindTag};

use crate::aead::Trial;
use crate::aead::refusal::Request;
use crate::aead::shape::{Bench, Case, Cutting};
use crate::aead::tags::CHANGES;
use crate::failure::{Check, Origin};
use crate::keys::set_key;
use crate::prng::Prng;
use crate::tally::Tally;
use crate::vector::{Answer, Expect, Vector, marked};
use crate::vectors;

/// Associated data so long that the lazy mode has it sealed in one call, if the case is marked BOOT, and leaves it
/// to the full mode otherwise.
const LONG: usize = 4096;

impl Trial<'_> {
    /// Runs the vectors of the subject's name. One transform is given every key and tag size in turn, so that
    /// what earlier ones leave behind is seen.
    pub(super) fn known_answers(&mut self) -> Check {
        let Some(file) = vectors::find(KindTag::Aead, &self.tally.alg.name) else {
            self.tally.skip_no_vectors();
            return Ok(());
        };
        self.tally.enter("known answers");
        let vectors = self.tally.read(file)?;
        let mut tfm = self.transform()?;
        let mut prng = Prng::new(self.effort.seed);
        let (mut turn, marked) = (0, marked(vectors));
        for (nth, vector) in vectors.iter().enumerate() {
            let origin = vector.origin(file, nth);
            match &vector.answer {
                Answer::Refusal(expect) => self.expected_refusal(&mut tfm, vector, *expect, &origin)?,
                Answer::Forged { ctext, tag } => {
                    self.prepare(&mut tfm, vector, tag, nth, &origin)?;
                    let case = forged(vector, ctext, tag, &origin);
                    for shape in self.cut(vector.aad.len(), ctext.len()).plain() {
                        self.bench.check(self.tally, &tfm, &case, &shape)?;
                    }
                }
                Answer::Sealed { ctext, tag } => {
                    self.prepare(&mut tfm, vector, tag, nth, &origin)?;
                    let cases = vector.sealed_cases(ctext, tag, &origin);
                    let cutting = self.cut(vector.aad.len(), ctext.len());
                    let plain = cutting.plain();
                    let long = !self.effort.exhaustive && vector.aad.len() > LONG;
                    let shapes = match (self.effort.exhaustive, vector.boot) {
                        (true, _) => cutting.all(&mut prng),
                        (_, true) if long => vec![plain[0].clone()],
                        (_, true) => {
                            turn += 1;
                            let len = vector.aad.len() + ctext.len();
                            self.effort.afford(cutting.some(), plain.len(), len, (turn, marked))
                        }
                        _ if long => continue,
                        _ => vec![plain[nth % 5].clone()],
                    };
                    for case in cases.iter().take(if long { 1 } else { 2 }) {
                        for shape in &shapes {
                            self.bench.check(self.tally, &tfm, case, shape)?;
                        }
                    }
                    if self.effort.exhaustive || vector.boot && !long {
                        self.forgeries(&tfm, &cases[1], &plain, &CHANGES)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Sets key and tag size.
    fn prepare(&self, tfm: &mut Aead, vector: &Vector, tag: &[u8], nth: usize, origin: &Origin) -> Check {
        set_key(self.tally, |key| tfm.set_key(key), vector.key(), nth % 16, origin)?;
        let site = self.tally.site(Dir::Encrypt, origin, &"setauthsize");
        site.result(tfm.set_tag_size(tag.len()), Ok(()))
    }

    fn expected_refusal(&self, tfm: &mut Aead, vector: &Vector, expect: Expect, origin: &Origin) -> Check {
        let Vector { iv, aad, text, .. } = vector;
        let limits = self.limits;
        if expect == Expect::BadKey {
            return self.refused_key(tfm, vector.key(), origin);
        }
        set_key(self.tally, |key| tfm.set_key(key), vector.key(), 0, origin)?;
        let request = Request { iv, aad, text };
        match expect {
            Expect::BadTagSize(size) => self.refused_tag_size(tfm, size, origin),
            Expect::TooLong(len) => self.too_long(tfm, iv, aad.len() as u64, len, origin),
            Expect::BadAad => {
                let error = Error::BadAadLen { len: aad.len() as u64, accepted: limits.aad };
                self.refused(tfm, &request, &error, origin)
            }
            Expect::BadLength => {
                let error = Error::BadLength { len: text.len(), accepted: limits.length };
                self.refused(tfm, &request, &error, origin)
            }
            _ if iv.len() != limits.iv_size => {
                let error = Error::BadIvLen { len: iv.len(), want: limits.iv_size };
                self.refused(tfm, &request, &error, origin)
            }
            // Which words it has for that is its own affair, if they are always the same.
            _ => match tfm.sealer(iv, aad.len() as u64, text.len() as u64) {
                Err(error @ Error::BadIv { .. }) => self.refused(tfm, &request, &error, origin),
                other => {
                    let site = self.tally.site(Dir::Encrypt, origin, &"stream");
                    site.result(other, Err(Error::BadIv { why: "of the vector" }))
                }
            },
        }
    }

    /// A length must be refused before any of the text is seen.
    fn too_long(&self, tfm: &Aead, iv: &[u8], aad: u64, len: u64, origin: &Origin) -> Check {
        for dir in Dir::BOTH {
            let got = match dir {
                Dir::Encrypt => tfm.sealer(iv, aad, len).map(drop),
                Dir::Decrypt => tfm.opener(iv, aad, len).map(drop),
            };
            self.tally.count();
            match got {
                Err(Error::TooLong { .. }) => {}
                got => {
                    let site = self.tally.site(dir, origin, &"stream");
                    site.result(got, Err(Error::TooLong { len, max: len - 1 }))?;
                }
            }
        }
        Ok(())
    }
}

/// Whether a transform other than the subject gives the right answers, tested shortly.
pub(crate) fn is_right(tally: &Tally<'_>, chunk: usize, tfm: &mut Aead) -> bool {
    let Some((file, vectors)) =
        vectors::find(KindTag::Aead, &tally.alg.name).and_then(|file| Some((file, file.vectors().ok()?)))
    else {
        return true;
    };
    let mut bench = Bench::default();
    vectors.iter().enumerate().all(|(nth, vector)| {
        let Answer::Sealed { ctext, tag } = &vector.answer else { return true };
        let origin = vector.origin(file, nth);
        tfm.set_key(vector.key()).is_ok()
            && tfm.set_tag_size(tag.len()).is_ok()
            && vector.sealed_cases(ctext, tag, &origin).iter().all(|case| {
                let cutting = Cutting { aad: vector.aad.len(), text: ctext.len(), chunk };
                let [in_place, apart, ..] = cutting.plain();
                [in_place, apart].iter().all(|shape| bench.check(tally, tfm, case, shape).is_ok())
            })
    })
}

/// A case that must not be opened.
fn forged<'a>(vector: &'a Vector, ctext: &'a [u8], tag: &'a [u8], origin: &'a Origin) -> Case<'a> {
    let Vector { iv, aad, .. } = vector;
    Case { dir: Dir::Decrypt, iv, aad, input: ctext, output: &[], tag, forged: true, origin }
}

impl Vector {
    /// Both directions.
    fn sealed_cases<'a>(&'a self, ctext: &'a [u8], tag: &'a [u8], origin: &'a Origin) -> [Case<'a>; 2] {
        Dir::BOTH.map(|dir| {
            let (input, output) = match dir {
                Dir::Encrypt => (self.text.as_slice(), ctext),
                Dir::Decrypt => (ctext, self.text.as_slice()),
            };
            Case { dir, iv: &self.iv, aad: &self.aad, input, output, tag, forged: false, origin }
        })
    }
}
