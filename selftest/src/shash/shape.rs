//! The ways to hand a message to a hash, and the check that each gives the same.

use core::fmt;

use kcrypto_core::{Hashing, Result, Shash};

use crate::area::Area;
use crate::failure::{Check, Op, Origin};
use crate::prng::Prng;
use crate::smallest::{Json, fewer, fit};
use crate::tally::Tally;

/// A message with the right digest. The transforms that it is run on have its key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case<'a> {
    pub(crate) message: &'a [u8],
    pub(crate) digest: &'a [u8],
    pub(crate) origin: &'a Origin,
}

/// One way to hand over a message.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    /// Misalignment in bytes.
    offset: usize,
    access: Access,
}

/// In how many pieces.
#[derive(Debug, Clone)]
enum Access {
    /// One call, one buffer.
    Whole,
    /// One call, segments of these lengths.
    Segments(Vec<usize>),
    /// One call for each piece of these lengths.
    Pieces(Vec<usize>, Between),
}

/// What happens between two pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Between {
    /// Nothing.
    Nothing,
    /// A clone goes on, and what it was cloned of ends in another way.
    Clone,
    /// The state is exported and imported.
    Import,
    /// The state is exported and imported by the other transform.
    HandOver,
}

const BETWEEN: [Between; 4] = [Between::Nothing, Between::Clone, Between::Import, Between::HandOver];

/// The shape as a failure names it.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.access {
            Access::Whole => f.write_str("digest")?,
            Access::Segments(lens) => write!(f, "digest divs={lens:?}")?,
            Access::Pieces(lens, between) => {
                f.write_str("init+update+final")?;
                f.write_str(match between {
                    Between::Nothing => "",
                    Between::Clone => " clone",
                    Between::Import => " reimport",
                    Between::HandOver => " hand-over",
                })?;
                match lens.as_slice() {
                    [first, .., last] if lens.len() > 8 => {
                        write!(f, " {} divs=[{first}, .., {last}]", lens.len())?;
                    }
                    few => write!(f, " divs={few:?}")?,
                }
            }
        }
        if self.offset > 0 { write!(f, " offset={}", self.offset) } else { Ok(()) }
    }
}

impl Shape {
    /// The whole message in one buffer.
    pub(crate) fn whole(offset: usize) -> Self {
        Shape { offset, access: Access::Whole }
    }

    fn segments(lens: Vec<usize>) -> Self {
        Shape { offset: lens.len(), access: Access::Segments(lens) }
    }

    /// Pieces of these lengths.
    pub(crate) fn pieces(lens: Vec<usize>, between: Between) -> Self {
        Shape { offset: lens[0] % 16, access: Access::Pieces(lens, between) }
    }

    /// A few pieces of this length, with nothing between, and the rest.
    fn equal(len: usize, piece: usize) -> Self {
        let mut lens = vec![piece; (len / piece).min(256)];
        lens.push(len - lens.len() * piece);
        Shape::pieces(lens, Between::Nothing)
    }

    /// The plain ways: one call, and two pieces.
    pub(crate) fn plain(len: usize) -> [Self; 2] {
        [Shape::whole(0), Shape::pieces(vec![len / 2, len - len / 2], Between::Nothing)]
    }

    /// A few of each sort, bounded whatever the length.
    pub(crate) fn some(len: usize, block: usize) -> Vec<Self> {
        let mut shapes = vec![Shape::whole(0), Shape::whole(1), Shape::whole(3)];
        let ends = [0, 1, len / 2, len.saturating_sub(1), len];
        let blocks =
            (0..=len / block).flat_map(|n| [(n * block).saturating_sub(1), n * block, n * block + 1]);
        let mut cuts: Vec<usize> = ends.into_iter().chain(blocks.take(9)).filter(|&cut| cut <= len).collect();
        cuts.sort_unstable();
        cuts.dedup();
        for (i, cut) in cuts.into_iter().enumerate() {
            let lens = vec![cut, len - cut];
            shapes.push(Shape::segments(lens.clone()));
            shapes.push(Shape::pieces(lens.clone(), Between::Nothing));
            shapes.push(Shape::pieces(lens, BETWEEN[1 + i % 3]));
        }
        if len > 2 {
            let lens = vec![0, 1, 0, len - 2, 1, 0];
            shapes.push(Shape::segments(lens.clone()));
            shapes.extend(BETWEEN.map(|between| Shape::pieces(lens.clone(), between)));
            let sizes =
                [1, 3, block - 1, block, block + 1].into_iter().filter(|&piece| 0 < piece && piece < len);
            shapes.extend(sizes.map(|piece| Shape::equal(len, piece)));
        }
        shapes
    }

    /// Every cut, with everything in between, every misalignment, many sizes of pieces, and random shapes.
    pub(crate) fn all(len: usize, block: usize, prng: &mut Prng) -> Vec<Self> {
        let mut shapes = Shape::some(len, block);
        shapes.extend((0..16).map(Shape::whole));
        for cut in (0..=len).step_by(len.div_ceil(5 * block).max(1)) {
            let lens = vec![cut, len - cut];
            shapes.push(Shape::segments(lens.clone()));
            shapes.extend(BETWEEN.map(|between| Shape::pieces(lens.clone(), between)));
        }
        shapes.extend((1..=2 * block + 1).map(|piece| Shape::equal(len, piece)));
        shapes.extend((0..32).map(|_| Shape::random(len, block, prng)));
        shapes
    }

    /// The same for a message that now has this length.
    pub(crate) fn fit(&self, len: usize) -> Self {
        let access = match &self.access {
            Access::Whole => Access::Whole,
            Access::Segments(lens) => Access::Segments(fit(lens, len)),
            Access::Pieces(lens, between) => Access::Pieces(fit(lens, len), *between),
        };
        Shape { access, ..self.clone() }
    }

    /// Plainer ways to hand over the same message, the plainest first.
    pub(crate) fn plainer(&self) -> Vec<Self> {
        let with = |access| Shape { access, ..self.clone() };
        let mut shapes = match &self.access {
            Access::Whole => Vec::new(),
            Access::Segments(lens) => fewer(lens).into_iter().map(Access::Segments).map(with).collect(),
            Access::Pieces(lens, between) => {
                let fewer = fewer(lens).into_iter().map(|lens| with(Access::Pieces(lens, *between)));
                let mut shapes: Vec<_> = fewer.collect();
                if !matches!(between, Between::Nothing) {
                    shapes.push(with(Access::Pieces(lens.clone(), Between::Nothing)));
                }
                shapes
            }
        };
        if !matches!(self.access, Access::Whole) {
            shapes.insert(0, with(Access::Whole));
        }
        shapes.extend((self.offset > 0).then(|| Shape { offset: 0, ..self.clone() }));
        shapes
    }

    /// What a vector of this message says of it.
    pub(crate) fn vector(&self, name: &str, message: &[u8]) -> Json {
        let json = |op| Json::vector("hash", name, op).bytes("input", message);
        let json = match &self.access {
            Access::Whole => json("digest"),
            Access::Segments(lens) | Access::Pieces(lens, _) => json("update").lens("chunks", lens),
        };
        json.unless_zero("offset", self.offset)
    }

    /// Any shape.
    pub(crate) fn random(len: usize, block: usize, prng: &mut Prng) -> Self {
        let lens = prng.divide(len, 4 * block);
        let access = match prng.below(6) {
            0 => Access::Whole,
            1 => Access::Segments(lens),
            n => Access::Pieces(lens, BETWEEN[n - 2]),
        };
        Shape { offset: prng.below(64), access }
    }
}

/// The memory in which cases are run.
#[derive(Debug, Default)]
pub(crate) struct Bench {
    message: Area,
    digest: Area,
}

impl Bench {
    /// Runs a case in a shape, and checks everything that the calls could change. The second transform has
    /// the same key; states are handed over to it.
    pub(crate) fn check(
        &mut self,
        tally: &Tally<'_>,
        tfms: [&Shash; 2],
        case: &Case<'_>,
        shape: &Shape,
    ) -> Check {
        let site = tally.site(Op::Digest, case.origin, shape);
        let whole = [case.message.len()];
        let lens = match &shape.access {
            Access::Whole => &whole[..],
            Access::Segments(lens) | Access::Pieces(lens, _) => lens,
        };
        self.message.hold(case.message, lens, shape.offset);
        self.digest.lay(&[case.digest.len()], shape.offset + 1);
        tally.count();
        site.result(self.call(tfms, shape), Ok(()))?;
        site.same("wrong result", self.digest.whole(), case.digest)?;
        if self.digest.overrun() {
            return Err(site.failure("overran result buffer"));
        }
        if !self.message.holds(case.message) || self.message.overrun() {
            return Err(site.failure("corrupted src buffer"));
        }
        Ok(())
    }

    fn call(&mut self, tfms: [&Shash; 2], shape: &Shape) -> Result<()> {
        let digest = self.digest.whole_mut();
        match &shape.access {
            Access::Whole => tfms[0].digest(self.message.whole(), digest),
            Access::Segments(_) => tfms[0].digest_segments(&self.message.pieces(), digest),
            Access::Pieces(_, between) => {
                let mut hashing = tfms[0].hasher()?;
                for (nth, piece) in self.message.pieces().into_iter().enumerate() {
                    if nth > 0 {
                        hashing = pass_on(hashing, *between, tfms[0], tfms[nth % 2])?;
                    }
                    hashing.update(piece);
                }
                hashing.finalize(digest)
            }
        }
    }
}

/// What goes on after a piece.
fn pass_on<'t>(
    mut hashing: Hashing<'t>,
    between: Between,
    same: &'t Shash,
    next: &'t Shash,
) -> Result<Hashing<'t>> {
    match between {
        Between::Nothing => Ok(hashing),
        Between::Clone => {
            let clone = hashing.clone();
            hashing.update(b"something else");
            // It may be too short to end (poly1305).
            let _ = hashing.finalize(&mut vec![0; same.digest_size()]);
            Ok(clone)
        }
        Between::Import => same.import(&exported(&hashing, same)?),
        Between::HandOver => next.import(&exported(&hashing, next)?),
    }
}

/// The exported state of a running hash of this algorithm.
pub(crate) fn exported(hashing: &Hashing<'_>, tfm: &Shash) -> Result<Vec<u8>> {
    let mut state = vec![0xfe; tfm.export_size()];
    hashing.export(&mut state)?;
    Ok(state)
}
