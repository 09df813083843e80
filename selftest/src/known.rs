//! Known answers: every case of the vector file, in the shapes that the mode of testing asks for.

use kcrypto_core::{Dir, Error, Result, Skcipher};

use crate::area::Area;
use crate::failure::{Check, Failure, Origin, Site, describe};
use crate::prng::Prng;
use crate::shape::{Bench, Case, Cutting};
use crate::skcipher::Trial;
use crate::tally::Tally;
use crate::vector::{Answer, Expect, Vector};
use crate::vectors::{self, File};

impl Trial<'_> {
    /// Runs the vectors of the subject's name. One transform is given every key in turn, so that what an
    /// earlier key leaves behind is seen.
    pub(crate) fn known_answers(&mut self) -> Check {
        let Some(file) = vectors::find(&self.tally.alg.name) else {
            self.tally.skip_no_vectors();
            return Ok(());
        };
        self.tally.enter("known answers");
        let mut tfm = self.transform()?;
        let mut prng = Prng::new(self.effort.seed);
        for (nth, vector) in read(file, self.tally)?.iter().enumerate() {
            let origin = vector.origin(file, nth);
            match &vector.answer {
                Answer::Refusal(expect) => self.expected_refusal(&mut tfm, vector, *expect, &origin)?,
                Answer::Ciphertext(ctext) => {
                    set_key(self.tally, |key| tfm.set_key(key), &vector.key, nth % 16, &origin)?;
                    let cutting = Cutting::of(self.limits, &vector.iv, vector.iv_out.as_deref());
                    let [in_place, apart] = Cutting::plain();
                    let shapes = match (self.effort.exhaustive, vector.boot) {
                        (true, _) => cutting.all(ctext.len(), &mut prng),
                        (_, true) => cutting.some(ctext.len()),
                        _ if nth % 2 == 0 => vec![in_place],
                        _ => vec![apart],
                    };
                    for case in vector.cases(ctext, &origin) {
                        shapes
                            .iter()
                            .try_for_each(|shape| self.bench.check(self.tally, &tfm, &case, shape))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn expected_refusal(
        &mut self,
        tfm: &mut Skcipher,
        vector: &Vector,
        expect: Expect,
        origin: &Origin,
    ) -> Check {
        let Vector { key, iv, ptext, .. } = vector;
        let limits = self.limits;
        match expect {
            Expect::BadKey => {
                let error = Error::BadKeyLen { len: key.len(), accepted: limits.keys };
                return self.refused_key(tfm, key, &error, origin);
            }
            Expect::WeakKey => return self.refused_weak_key(key, origin),
            Expect::BadIv | Expect::BadLength => set_key(self.tally, |key| tfm.set_key(key), key, 0, origin)?,
        }
        let error = match expect {
            Expect::BadIv => Error::BadIvLen { len: iv.len(), want: limits.iv_size },
            _ => Error::BadLength { len: ptext.len(), accepted: limits.length },
        };
        self.refused(tfm, iv, ptext, &error, origin)
    }
}

/// Whether a transform other than the subject gives the right answers, tested shortly.
pub(crate) fn is_right(tally: &Tally<'_>, tfm: &mut Skcipher) -> bool {
    let Some((file, vectors)) =
        vectors::find(&tally.alg.name).and_then(|file| Some((file, file.vectors().ok()?)))
    else {
        return true;
    };
    let mut bench = Bench::new();
    vectors.iter().enumerate().all(|(nth, vector)| {
        let Answer::Ciphertext(ctext) = &vector.answer else { return true };
        let origin = vector.origin(file, nth);
        set_key(tally, |key| tfm.set_key(key), &vector.key, 0, &origin).is_ok()
            && vector
                .cases(ctext, &origin)
                .iter()
                .all(|case| Cutting::plain().iter().all(|shape| bench.check(tally, tfm, case, shape).is_ok()))
    })
}

/// The cases of a file; a file that cannot be read is a failure of whoever needs it.
pub(crate) fn read(file: &'static File, tally: &Tally<'_>) -> Check<&'static [Vector]> {
    let unusable =
        |why| Failure(format!("{}has no usable vectors: {}, {why}\n", describe(tally.alg), file.path));
    file.vectors().map_err(unusable)
}

/// Sets a key that must be accepted, from a place `offset` bytes from an aligned address.
pub(crate) fn set_key(
    tally: &Tally<'_>,
    set: impl FnOnce(&[u8]) -> Result<()>,
    key: &[u8],
    offset: usize,
    origin: &Origin,
) -> Check {
    let cfg = format_args!("key_offset={offset}");
    let site = Site { alg: tally.alg, dir: Dir::Encrypt, origin, cfg: &cfg };
    let mut area = Area::new();
    area.hold(key, &[key.len()], offset);
    tally.count();
    site.set_key(set(area.whole()), Ok(()))?;
    if !area.holds(key) || area.overrun() {
        return Err(site.failure("corrupted key buffer"));
    }
    Ok(())
}

impl Vector {
    pub(crate) fn origin(&self, file: &File, nth: usize) -> Origin {
        Origin::Vector { path: file.path, line: self.line, nth }
    }

    /// Both directions.
    pub(crate) fn cases<'a>(&'a self, ctext: &'a [u8], origin: &'a Origin) -> [Case<'a>; 2] {
        Dir::BOTH.map(|dir| {
            let (input, output) = match dir {
                Dir::Encrypt => (self.ptext.as_slice(), ctext),
                Dir::Decrypt => (ctext, self.ptext.as_slice()),
            };
            Case { dir, iv: &self.iv, iv_out: self.iv_out.as_deref(), input, output, origin }
        })
    }
}
