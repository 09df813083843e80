//! Known answers: every case of the vector file, in the shapes that the mode of testing asks for.

use kcrypto_core::{Dir, Error, KindTag, Skcipher};

use crate::failure::{Check, Origin};
use crate::keys::set_key;
use crate::prng::Prng;
use crate::skcipher::Trial;
use crate::skcipher::shape::{Bench, Case, Cutting};
use crate::tally::Tally;
use crate::vector::{Answer, Expect, Vector, marked};
use crate::vectors;

impl Trial<'_> {
    /// Runs the vectors of the subject's name. One transform is given every key in turn, so that what an
    /// earlier key leaves behind is seen.
    pub(crate) fn known_answers(&mut self) -> Check {
        let Some(file) = vectors::find(KindTag::Skcipher, &self.tally.alg.name) else {
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
                Answer::Ciphertext(ctext) => {
                    set_key(self.tally, |key| tfm.set_key(key), vector.key(), nth % 16, &origin)?;
                    let cutting = Cutting::of(self.limits, &vector.iv, vector.iv_out.as_deref());
                    let [in_place, apart] = Cutting::plain();
                    let shapes = match (self.effort.exhaustive, vector.boot) {
                        (true, _) => cutting.all(ctext.len(), &mut prng),
                        (_, true) => {
                            turn += 1;
                            let shapes = cutting.some(ctext.len());
                            self.effort.afford(shapes, 4, ctext.len(), (turn, marked))
                        }
                        _ if nth % 2 == 0 => vec![in_place],
                        _ => vec![apart],
                    };
                    for case in vector.cases(ctext, &origin) {
                        shapes
                            .iter()
                            .try_for_each(|shape| self.bench.check(self.tally, &tfm, &case, shape))?;
                    }
                }
                _ => {}
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
        let Vector { iv, text, .. } = vector;
        let key = vector.key();
        let limits = self.limits;
        match expect {
            Expect::BadKey => {
                let error = Error::BadKeyLen { len: key.len(), accepted: limits.keys };
                return self.refused_key(tfm, key, &error, origin);
            }
            Expect::WeakKey => return self.refused_weak_key(key, origin),
            _ => set_key(self.tally, |key| tfm.set_key(key), key, 0, origin)?,
        }
        let error = match expect {
            Expect::BadIv => Error::BadIvLen { len: iv.len(), want: limits.iv_size },
            _ => Error::BadLength { len: text.len(), accepted: limits.length },
        };
        self.refused(tfm, iv, text, &error, origin)
    }
}

/// Whether a transform other than the subject gives the right answers, tested shortly.
pub(crate) fn is_right(tally: &Tally<'_>, tfm: &mut Skcipher) -> bool {
    let Some((file, vectors)) =
        vectors::find(KindTag::Skcipher, &tally.alg.name).and_then(|file| Some((file, file.vectors().ok()?)))
    else {
        return true;
    };
    let mut bench = Bench::new();
    vectors.iter().enumerate().all(|(nth, vector)| {
        let Answer::Ciphertext(ctext) = &vector.answer else { return true };
        let origin = vector.origin(file, nth);
        set_key(tally, |key| tfm.set_key(key), vector.key(), 0, &origin).is_ok()
            && vector
                .cases(ctext, &origin)
                .iter()
                .all(|case| Cutting::plain().iter().all(|shape| bench.check(tally, tfm, case, shape).is_ok()))
    })
}

impl Vector {
    /// Both directions.
    pub(crate) fn cases<'a>(&'a self, ctext: &'a [u8], origin: &'a Origin) -> [Case<'a>; 2] {
        Dir::BOTH.map(|dir| {
            let (input, output) = match dir {
                Dir::Encrypt => (self.text.as_slice(), ctext),
                Dir::Decrypt => (ctext, self.text.as_slice()),
            };
            Case { dir, iv: &self.iv, iv_out: self.iv_out.as_deref(), input, output, origin }
        })
    }
}
