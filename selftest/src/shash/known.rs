//! Known answers: every case of the vector file, in the shapes that the mode of testing asks for.

use kcrypto_core::{Error, KindTag, Shash};

use crate::failure::{Check, Op, Origin};
use crate::keys::set_key;
use crate::prng::Prng;
use crate::shash::Trial;
use crate::shash::shape::{Bench, Case, Shape, exported};
use crate::tally::Tally;
use crate::vector::{Answer, Expect, Vector, marked};
use crate::vectors;

impl Trial<'_> {
    /// Runs the vectors of the subject's name. The same two transforms are given every key in turn, so that
    /// what an earlier key leaves behind is seen.
    pub(super) fn known_answers(&mut self) -> Check {
        let Some(file) = vectors::find(KindTag::Shash, &self.tally.alg.name) else {
            self.tally.skip_no_vectors();
            return Ok(());
        };
        self.tally.enter("known answers");
        let vectors = self.tally.read(file)?;
        let mut tfms = [self.transform()?, self.transform()?];
        let mut keyed = false;
        let mut prng = Prng::new(self.effort.seed);
        let (mut turn, marked) = (0, marked(vectors));
        for (nth, vector) in vectors.iter().enumerate() {
            let origin = vector.origin(file, nth);
            if vector.key.is_none() && keyed {
                tfms = [self.transform()?, self.transform()?];
            }
            keyed = vector.key.is_some();
            match &vector.answer {
                Answer::Refusal(Expect::BadKey) => {
                    self.refused_key(&mut tfms[0], vector.key(), &origin)?;
                }
                Answer::Refusal(_) => self.refused(&tfms[0], &vector.text, &Error::NeedKey, &origin)?,
                Answer::Digest { digest, state } => {
                    for tfm in tfms.iter_mut().filter(|_| keyed) {
                        set_key(self.tally, |key| tfm.set_key(key), vector.key(), nth % 16, &origin)?;
                    }
                    let (len, block) = (vector.text.len(), self.limits.block_size);
                    let shapes = match (self.effort.exhaustive, vector.boot) {
                        (true, _) => Shape::all(len, block, &mut prng),
                        (_, true) => {
                            turn += 1;
                            self.effort.afford(Shape::some(len, block), 3, len, (turn, marked))
                        }
                        _ => Shape::plain(len).into(),
                    };
                    let case = Case { message: &vector.text, digest, origin: &origin };
                    let [first, second] = &tfms;
                    for shape in &shapes {
                        self.bench.check(self.tally, [first, second], &case, shape)?;
                    }
                    if let Some(state) = state {
                        self.known_state(first, vector, state, &origin)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The exported state is the one that every driver on every machine writes.
    fn known_state(&self, tfm: &Shash, vector: &Vector, state: &[u8], origin: &Origin) -> Check {
        let site = self.tally.site(Op::Digest, origin, &"init+update+export");
        self.tally.count();
        let export = || {
            let mut hashing = tfm.hasher()?;
            hashing.update(&vector.text);
            exported(&hashing, tfm)
        };
        site.same("wrong exported state", &site.value(export())?, state)
    }
}

/// Whether a transform other than the subject gives the right answers, tested shortly.
pub(crate) fn is_right(tally: &Tally<'_>, tfm: &mut Shash) -> bool {
    let Some((file, vectors)) =
        vectors::find(KindTag::Shash, &tally.alg.name).and_then(|file| Some((file, file.vectors().ok()?)))
    else {
        return true;
    };
    let mut bench = Bench::default();
    // Those without key come first; a transform cannot go back to none.
    vectors.iter().enumerate().all(|(nth, vector)| {
        let Answer::Digest { digest, .. } = &vector.answer else { return true };
        let case = Case { message: &vector.text, digest, origin: &vector.origin(file, nth) };
        vector.key.as_ref().is_none_or(|key| tfm.set_key(key).is_ok())
            && Shape::plain(case.message.len())
                .iter()
                .all(|shape| bench.check(tally, [tfm, tfm], &case, shape).is_ok())
    })
}
