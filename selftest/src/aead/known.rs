//! Known answers: every case of the vector file, in the shapes that the mode of testing asks for.

use kcrypto_core::{Aead, Dir, Error, KindTag};

use crate::aead::Trial;
use crate::aead::refusal::Request;
use crate::aead::shape::{Bench, Case, Cutting, Shape};
use crate::failure::{Check, Origin};
use crate::keys::set_key;
use crate::prng::Prng;
use crate::tally::Tally;
use crate::vector::{Answer, Expect, Vector, marked};
use crate::vectors;

/// Associated data so long that the lazy mode has it sealed in one call, if the case is marked BOOT, and leaves it
/// to the full mode otherwise.
pub(super) const LONG: usize = 4096;
/// A longer text is sealed in one call in the lazy mode, and not opened, unless the case is marked BOOT.
const SHORT: usize = 512;

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
                    let plain = self.cut(vector.aad.len(), ctext.len()).plain();
                    let some = if self.effort.exhaustive { &plain } else { &plain[nth % 5..][..1] };
                    some.iter().try_for_each(|shape| self.bench.check(self.tally, &tfm, &case, shape))?;
                }
                Answer::Sealed { ctext, tag } => {
                    self.prepare(&mut tfm, vector, tag, nth, &origin)?;
                    let cases = vector.sealed_cases(ctext, tag, &origin);
                    let plain = self.cut(vector.aad.len(), ctext.len()).plain();
                    let long = !self.effort.exhaustive && vector.aad.len() > LONG;
                    turn += usize::from(vector.boot && !long);
                    let turn = if vector.boot { turn } else { nth };
                    let ways = self.ways(vector, ctext.len(), (turn, marked), &mut prng);
                    for (case, shapes) in cases.iter().zip(&ways) {
                        for shape in shapes {
                            self.bench.check(self.tally, &tfm, case, shape)?;
                        }
                    }
                    if self.effort.exhaustive || vector.boot && !long {
                        self.forgeries(&tfm, &cases[1], self.by_turns(&plain, turn), &self.changes(turn))?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The shapes that a vector is sealed in, and those that it is opened in.
    fn ways(
        &mut self,
        vector: &Vector,
        text: usize,
        (nth, marked): (usize, usize),
        prng: &mut Prng,
    ) -> [Vec<Shape>; 2] {
        let cutting = self.cut(vector.aad.len(), text);
        let plain = cutting.plain();
        let both = |shapes: Vec<Shape>| [shapes.clone(), shapes];
        if self.effort.exhaustive {
            return both(cutting.all(prng));
        }
        match (vector.boot, vector.aad.len() > LONG) {
            (true, true) if self.stand_in_is_right() => both(Vec::new()),
            (true, true) => [vec![plain[0].clone()], Vec::new()],
            (true, false) => {
                let len = vector.aad.len() + text;
                both(self.effort.afford(cutting.some(), plain.len(), len, (nth, marked)))
            }
            (false, true) => both(Vec::new()),
            (false, false) if text > SHORT => [vec![plain[nth % 2].clone()], Vec::new()],
            (false, false) => both(vec![plain[nth % 5].clone()]),
        }
    }

    /// All of the plain shapes, or two that stand next to each other, the `nth` ones.
    fn by_turns<'s>(&self, plain: &'s [Shape; 5], nth: usize) -> &'s [Shape] {
        if self.effort.exhaustive { plain } else { &plain[nth % 4..][..2] }
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
    pub(super) fn sealed_cases<'a>(
        &'a self,
        ctext: &'a [u8],
        tag: &'a [u8],
        origin: &'a Origin,
    ) -> [Case<'a>; 2] {
        Dir::BOTH.map(|dir| {
            let (input, output) = match dir {
                Dir::Encrypt => (self.text.as_slice(), ctext),
                Dir::Decrypt => (ctext, self.text.as_slice()),
            };
            Case { dir, iv: &self.iv, aad: &self.aad, input, output, tag, forged: false, origin }
        })
    }
}
