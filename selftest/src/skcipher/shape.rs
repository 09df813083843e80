//! The ways to hand a message to a transform, and the check that each gives the same.

use core::fmt;

use kcrypto_core::{Dir, InOut, Result, Segments, Skcipher, SkcipherAlg, Stream};

use crate::area::{ACROSS, Area};
use crate::failure::{Check, Origin};
use crate::prng::Prng;
use crate::sample::cuts;
use crate::smallest::{Json, fewer, fit};
use crate::tally::Tally;

/// An input with the right answer. The transform that it is run on has its key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case<'a> {
    pub(crate) dir: Dir,
    pub(crate) iv: &'a [u8],
    /// What a chained call leaves as IV, where that is known.
    pub(crate) iv_out: Option<&'a [u8]>,
    pub(crate) input: &'a [u8],
    pub(crate) output: &'a [u8],
    pub(crate) origin: &'a Origin,
}

/// One way to hand over a message.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    /// Whether the output goes where the input was.
    pub(crate) in_place: bool,
    /// Whether the call returns the IV that continues the stream.
    pub(crate) chained: bool,
    /// Misalignment of message and IV in bytes.
    pub(crate) offset: usize,
    pub(crate) access: Access,
}

/// In how many pieces.
#[derive(Debug, Clone)]
pub(crate) enum Access {
    /// One call, one buffer on each side.
    Whole,
    /// One call, the sides in pieces of these lengths; in place, those of `dst`.
    Segments { src: Vec<usize>, dst: Vec<usize> },
    /// One call for each piece; the lengths are used in turn. Never in place.
    Stream { pieces: Vec<usize> },
    /// Two messages, the second with the IV that the first returned.
    Continued { at: usize },
}

impl Shape {
    /// The whole message in one buffer on each side.
    pub(crate) fn whole(in_place: bool, chained: bool, offset: usize) -> Self {
        Shape { in_place, chained, offset, access: Access::Whole }
    }

    fn segments(in_place: bool, chained: bool, src: Vec<usize>, dst: Vec<usize>) -> Self {
        Shape { in_place, chained, offset: dst.len(), access: Access::Segments { src, dst } }
    }

    fn stream(chained: bool, pieces: Vec<usize>) -> Self {
        Shape { in_place: false, chained, offset: pieces[0] % 16, access: Access::Stream { pieces } }
    }

    fn continued(in_place: bool, at: usize) -> Self {
        Shape { in_place, chained: true, offset: 0, access: Access::Continued { at } }
    }

    /// The same for a message that now has this length.
    pub(crate) fn fit(&self, len: usize) -> Self {
        let access = match &self.access {
            Access::Segments { src, dst } => Access::Segments { src: fit(src, len), dst: fit(dst, len) },
            Access::Continued { at } if *at >= len => Access::Whole,
            other => other.clone(),
        };
        Shape { access, ..self.clone() }
    }

    /// Plainer ways to hand over the same message, the plainest first.
    pub(crate) fn plainer(&self) -> Vec<Self> {
        let aligned = Shape { offset: 0, ..self.clone() };
        let plain = Shape { chained: false, ..self.clone() };
        let with = |access| Shape { access, ..self.clone() };
        let mut shapes = Vec::new();
        match &self.access {
            Access::Whole => {}
            Access::Segments { src, dst } => {
                shapes.push(with(Access::Whole));
                let fewer_dst = fewer(dst).into_iter().map(|dst| Access::Segments { src: src.clone(), dst });
                shapes.extend(fewer_dst.map(with));
                let fewer_src = fewer(src).into_iter().map(|src| Access::Segments { src, dst: dst.clone() });
                shapes.extend(fewer_src.map(with));
            }
            _ => shapes.push(with(Access::Whole)),
        }
        shapes.extend((self.offset > 0).then_some(aligned));
        let free = self.chained && !matches!(self.access, Access::Continued { .. });
        shapes.extend(free.then_some(plain));
        shapes
    }

    /// What a vector says of it.
    pub(crate) fn vector(&self, json: Json, len: usize) -> Json {
        let json = json.unless_zero("offset", self.offset);
        match &self.access {
            Access::Whole => json,
            Access::Segments { dst, .. } if self.in_place => json.lens("chunks", dst),
            Access::Segments { src, dst } => json.lens("chunks", src).lens("dst_chunks", dst),
            Access::Stream { pieces } => json.lens("chunks", &fit(&pieces.repeat(len + 1), len)),
            Access::Continued { at } => {
                json.lens("chunks", &[*at, len - at]).text("note", "recv of each piece")
            }
        }
    }
}

/// The shape as a failure names it.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.in_place { "in-place" } else { "out-of-place" })?;
        if self.chained {
            f.write_str(" chained")?;
        }
        if self.offset > 0 {
            write!(f, " offset={}", self.offset)?;
        }
        match &self.access {
            Access::Whole => Ok(()),
            Access::Segments { dst, .. } if self.in_place => write!(f, " divs={dst:?}"),
            Access::Segments { src, dst } => write!(f, " src_divs={src:?} dst_divs={dst:?}"),
            Access::Stream { pieces } => write!(f, " stream pieces={pieces:?}"),
            Access::Continued { at } => write!(f, " continued at={at}"),
        }
    }
}

/// Where messages of a mode may be cut.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cutting {
    chunk: usize,
    /// Whether a message may end at a chunk and be continued with the IV that the call returned.
    chains: bool,
}

impl Cutting {
    /// Of a mode, as this input shows it: one that returns another IV than it got, or has none, can be
    /// continued, unless the end of a message is treated in another way.
    pub(crate) fn of(limits: &SkcipherAlg, iv: &[u8], iv_out: Option<&[u8]>) -> Self {
        let moves = limits.iv_size == 0 || iv_out.is_some_and(|out| out != iv);
        Cutting { chunk: limits.chunk_size, chains: limits.tail == 0 && moves }
    }

    /// The plain ways: one call, aligned.
    pub(crate) fn plain() -> [Shape; 2] {
        [Shape::whole(true, true, 0), Shape::whole(false, false, 0)]
    }

    /// A few of each sort, bounded whatever the length.
    pub(crate) fn some(self, len: usize) -> Vec<Shape> {
        let mut shapes = Vec::from(Self::plain());
        shapes.extend([Shape::whole(true, false, 3), Shape::whole(false, true, 1)]);
        shapes.push(Shape::whole(len.is_multiple_of(2), true, ACROSS));
        let chunk = self.chunk;
        let near = [1, chunk - 1, chunk, chunk + 1, len / 2];
        let ends = [chunk + 1, 1].map(|left| len.saturating_sub(left));
        let cuts = match len > 8 * chunk {
            true => vec![len / 2 + 1],
            false => cuts(near.into_iter().chain(ends), len),
        };
        for (i, cut) in cuts.into_iter().enumerate() {
            let (head, tail) = (vec![cut, len - cut], vec![len - cut, cut]);
            shapes.push(Shape::segments(true, i % 2 == 0, Vec::new(), head.clone()));
            shapes.push(Shape::segments(false, i % 2 == 1, head, tail));
        }
        if len > 0 {
            shapes.push(Shape::segments(false, true, vec![0, 1, 0, len - 1], vec![len]));
        }
        shapes.push(Shape::stream(true, vec![if len > 8 * chunk { 5 * chunk + 3 } else { 1 }]));
        shapes.push(Shape::stream(false, vec![chunk + 1]));
        if self.chains {
            let last = len.saturating_sub(1) / chunk * chunk;
            let mut ends = vec![chunk, len / 2 / chunk * chunk, last];
            ends.retain(|&at| 0 < at && at < len);
            ends.dedup();
            shapes.extend(ends.into_iter().map(|at| Shape::continued(at % (2 * chunk) == 0, at)));
        }
        shapes
    }

    /// Every cut of a short message, every misalignment, many streams, and random shapes.
    pub(crate) fn all(self, len: usize, prng: &mut Prng) -> Vec<Shape> {
        let mut shapes = self.some(len);
        for offset in 0..16 {
            shapes.extend([true, false].map(|in_place| Shape::whole(in_place, offset % 2 == 0, offset)));
        }
        let chunk = self.chunk;
        let step = len.div_ceil(5 * chunk).max(1);
        for cut in (1..len).step_by(step) {
            shapes.push(Shape::segments(true, cut % 2 == 0, Vec::new(), vec![cut, len - cut]));
            for other in [len - cut, (cut * 7 + 3) % len] {
                let (src, dst) = (vec![cut, len - cut], vec![other, len - other]);
                shapes.push(Shape::segments(false, cut % 2 == 1, src, dst));
            }
        }
        shapes.extend((1..=2 * chunk + 1).map(|piece| Shape::stream(piece % 2 == 0, vec![piece])));
        shapes.extend((0..32).map(|_| self.random(len, prng)));
        if self.chains {
            shapes.extend((chunk..len).step_by(chunk).map(|at| Shape::continued(at % (2 * chunk) == 0, at)));
        }
        shapes
    }

    /// Any shape.
    pub(crate) fn random(self, len: usize, prng: &mut Prng) -> Shape {
        let [src, dst] = [(); 2].map(|()| prng.divide(len, 4 * self.chunk));
        let access = match prng.below(4) {
            0 => Access::Whole,
            1 => Access::Stream { pieces: src },
            2 if self.chains && len > self.chunk => {
                Access::Continued { at: (1 + prng.below((len - 1) / self.chunk)) * self.chunk }
            }
            _ => Access::Segments { src, dst },
        };
        let in_place = prng.one_in(2) && !matches!(access, Access::Stream { .. });
        let chained = prng.one_in(2) || matches!(access, Access::Continued { .. });
        Shape { in_place, chained, offset: prng.below(64), access }
    }
}

/// The memory in which cases are run.
#[derive(Debug, Default)]
pub(crate) struct Bench {
    src: Area,
    dst: Area,
    iv: Area,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Bench::default()
    }

    /// Runs a case of a symmetric-key cipher in a shape, and checks everything that the call could change.
    pub(crate) fn check(
        &mut self,
        tally: &Tally<'_>,
        tfm: &Skcipher,
        case: &Case<'_>,
        shape: &Shape,
    ) -> Check {
        self.check_call(tally, case, shape, |bench| bench.call(tfm, case, shape))
    }

    /// The same for any call on what is laid out.
    pub(crate) fn check_call(
        &mut self,
        tally: &Tally<'_>,
        case: &Case<'_>,
        shape: &Shape,
        call: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Check {
        let site = tally.site(case.dir, case.origin, shape);
        self.lay(case, shape);
        tally.count();
        site.result(call(self), Ok(()))?;
        if !self.dst.holds(case.output) {
            site.same("wrong result", &self.dst.gather(), case.output)?;
        }
        if self.dst.overrun() {
            return Err(site.failure("overran dst buffer"));
        }
        if !shape.in_place && (!self.src.holds(case.input) || self.src.overrun()) {
            return Err(site.failure("corrupted src buffer"));
        }
        match case.iv_out {
            Some(iv_out) if shape.chained => site.same("wrong output IV", self.iv.whole(), iv_out)?,
            None if shape.chained => {}
            _ => site.same("IV changed by a plain call", self.iv.whole(), case.iv)?,
        }
        if self.iv.overrun() {
            return Err(site.failure("overran IV buffer"));
        }
        Ok(())
    }

    /// IV and buffers of a shape with one piece on each side.
    pub(crate) fn parts(&mut self, in_place: bool) -> Result<(&mut [u8], InOut<'_>)> {
        let io = match in_place {
            true => InOut::in_place(self.dst.whole_mut()),
            false => InOut::apart(self.src.whole(), self.dst.whole_mut())?,
        };
        Ok((self.iv.whole_mut(), io))
    }

    fn lay(&mut self, case: &Case<'_>, shape: &Shape) {
        let (len, offset) = (case.input.len(), shape.offset);
        let whole = [len];
        let (src, dst) = match &shape.access {
            Access::Segments { src, dst } => (src.as_slice(), dst.as_slice()),
            _ => (&whole[..], &whole[..]),
        };
        self.iv.hold(case.iv, &[case.iv.len()], offset);
        if shape.in_place {
            self.dst.hold(case.input, dst, offset);
        } else {
            self.src.hold(case.input, src, offset);
            self.dst.lay(dst, offset + 1);
        }
    }

    fn call(&mut self, tfm: &Skcipher, case: &Case<'_>, shape: &Shape) -> Result<()> {
        let dir = case.dir;
        match &shape.access {
            Access::Whole => {
                let (iv, io) = self.parts(shape.in_place)?;
                if shape.chained { tfm.crypt_chained(dir, iv, io) } else { tfm.crypt(dir, iv, io) }
            }
            Access::Segments { .. } => {
                let src = self.src.pieces();
                let mut dst = self.dst.pieces_mut();
                let segments = match shape.in_place {
                    true => Segments::InPlace(&mut dst),
                    false => Segments::Apart(&src, &mut dst),
                };
                match shape.chained {
                    true => tfm.crypt_segments_chained(dir, self.iv.whole_mut(), segments),
                    false => tfm.crypt_segments(dir, self.iv.whole(), segments),
                }
            }
            Access::Stream { pieces } => {
                let mut stream = Stream::new(tfm, dir, self.iv.whole())?;
                let (mut input, out) = (self.src.whole(), self.dst.whole_mut());
                let mut written = 0;
                for &piece in pieces.iter().cycle() {
                    let (now, later) = input.split_at(piece.min(input.len()));
                    let due = stream.update_len(now.len());
                    written += stream.update(now, &mut out[written..written + due])?;
                    input = later;
                    if input.is_empty() {
                        break;
                    }
                }
                let rest = &mut out[written..];
                match shape.chained {
                    true => stream.finish_chained(rest, self.iv.whole_mut()).map(drop),
                    false => stream.finish(rest).map(drop),
                }
            }
            Access::Continued { at } => {
                let (iv, io) = self.parts(shape.in_place)?;
                let (head, tail) = io.split_at(*at);
                tfm.crypt_chained(dir, iv, head)?;
                tfm.crypt_chained(dir, iv, tail)
            }
        }
    }
}
