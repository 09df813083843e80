//! The ways to seal and open a message, and the check that each gives the same.

use core::fmt;

use kcrypto_core::{Aad, Aead, Dir, Error, InOut, Result, Segments};

use crate::area::{ACROSS, Area};
use crate::failure::{Check, Origin, Site};
use crate::prng::Prng;
use crate::sample::cuts;
use crate::smallest::{Json, fewer, fit};
use crate::tally::Tally;

/// A message with the right answer. The transform that it is run on has its key and tag size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case<'a> {
    pub(crate) dir: Dir,
    pub(crate) iv: &'a [u8],
    pub(crate) aad: &'a [u8],
    pub(crate) input: &'a [u8],
    pub(crate) output: &'a [u8],
    pub(crate) tag: &'a [u8],
    /// Whether it must be refused for its tag; there is no output then.
    pub(crate) forged: bool,
    pub(crate) origin: &'a Origin,
}

/// One way to hand over a message.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    /// Whether the output goes where the input was.
    in_place: bool,
    /// Misalignment of everything in bytes.
    offset: usize,
    /// Lengths of the pieces of associated data.
    aad: Vec<usize>,
    access: Access,
}

/// In how many pieces.
#[derive(Debug, Clone)]
enum Access {
    /// One call, one buffer on each side.
    Whole,
    /// One call, one buffer that ends with the tag. Always in place.
    Appended,
    /// One call, the sides in pieces of these lengths; in place, those of `dst`.
    Segments { src: Vec<usize>, dst: Vec<usize> },
    /// One call for each piece; the lengths are used in turn. Never in place.
    Stream { pieces: Vec<usize> },
}

/// The shape as a failure names it.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.in_place { "in-place" } else { "out-of-place" })?;
        if self.offset > 0 {
            write!(f, " offset={}", self.offset)?;
        }
        if self.aad.len() > 1 {
            write!(f, " aad_divs={:?}", self.aad)?;
        }
        match &self.access {
            Access::Whole => Ok(()),
            Access::Appended => f.write_str(" tag appended"),
            Access::Segments { dst, .. } if self.in_place => write!(f, " divs={dst:?}"),
            Access::Segments { src, dst } => write!(f, " src_divs={src:?} dst_divs={dst:?}"),
            Access::Stream { pieces } => write!(f, " stream pieces={pieces:?}"),
        }
    }
}

impl Shape {
    /// The same for a message that now has these lengths.
    pub(crate) fn fit(&self, aad: usize, text: usize) -> Self {
        let access = match &self.access {
            Access::Segments { src, dst } => Access::Segments { src: fit(src, text), dst: fit(dst, text) },
            other => other.clone(),
        };
        Shape { aad: fit(&self.aad, aad), access, ..self.clone() }
    }

    /// Plainer ways to hand over the same message, the plainest first.
    pub(crate) fn plainer(&self) -> Vec<Self> {
        let with = |access| Shape { access, ..self.clone() };
        let mut shapes = Vec::new();
        if !matches!(self.access, Access::Whole) {
            shapes.push(with(Access::Whole));
        }
        if let Access::Segments { src, dst } = &self.access {
            let fewer_dst = fewer(dst).into_iter().map(|dst| Access::Segments { src: src.clone(), dst });
            shapes.extend(fewer_dst.map(with));
            let fewer_src = fewer(src).into_iter().map(|src| Access::Segments { src, dst: dst.clone() });
            shapes.extend(fewer_src.map(with));
        }
        shapes.extend(fewer(&self.aad).into_iter().map(|aad| Shape { aad, ..self.clone() }));
        shapes.extend((self.offset > 0).then(|| Shape { offset: 0, ..self.clone() }));
        shapes
    }

    /// What a vector says of it.
    pub(crate) fn vector(&self, json: Json, text: usize) -> Json {
        let json = json.unless_zero("offset", self.offset).lens("aad_chunks", &self.aad);
        match &self.access {
            Access::Whole | Access::Appended => json,
            Access::Segments { dst, .. } if self.in_place => json.lens("chunks", dst),
            Access::Segments { src, dst } => json.lens("chunks", src).lens("dst_chunks", dst),
            Access::Stream { pieces } => json.lens("chunks", &fit(&pieces.repeat(text + 1), text)),
        }
    }
}

/// The lengths of a message, and where it may be cut.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cutting {
    pub(crate) aad: usize,
    pub(crate) text: usize,
    pub(crate) chunk: usize,
}

impl Cutting {
    fn whole(self, in_place: bool, offset: usize) -> Shape {
        Shape { in_place, offset, aad: vec![self.aad], access: Access::Whole }
    }

    fn segments(self, in_place: bool, src: Vec<usize>, dst: Vec<usize>) -> Shape {
        Shape {
            in_place,
            offset: dst[0] % 16,
            aad: self.aad_at(dst[0]),
            access: Access::Segments { src, dst },
        }
    }

    fn stream(self, piece: usize) -> Shape {
        let access = Access::Stream { pieces: vec![piece] };
        Shape { in_place: false, offset: piece % 16, aad: self.aad_at(piece), access }
    }

    /// The associated data cut in two.
    fn aad_at(self, cut: usize) -> Vec<usize> {
        let cut = cut % (self.aad + 1);
        vec![cut, self.aad - cut]
    }

    /// Whole, in place, from one page to the next.
    pub(crate) fn across(self) -> Shape {
        self.whole(true, ACROSS)
    }

    /// One of each sort.
    pub(crate) fn plain(self) -> [Shape; 5] {
        let (half, third) = (self.text / 2, self.text / 3);
        [
            self.whole(true, 0),
            self.whole(false, 0),
            Shape { access: Access::Appended, ..self.whole(true, 0) },
            self.segments(false, vec![half, self.text - half], vec![third, self.text - third]),
            self.stream(self.chunk + 1),
        ]
    }

    /// A few of each sort, bounded whatever the lengths.
    pub(crate) fn some(self) -> Vec<Shape> {
        let Cutting { aad, text: len, chunk } = self;
        let mut shapes = Vec::from(self.plain());
        shapes.extend([self.whole(true, 3), self.whole(false, 1)]);
        shapes.push(Shape { offset: 5, ..shapes[2].clone() });
        let places = [1, chunk, chunk + 1, len / 2, len.saturating_sub(1)];
        for (i, cut) in cuts(places, len).into_iter().enumerate() {
            let (head, tail) = (vec![cut, len - cut], vec![len - cut, cut]);
            match i % 2 {
                0 => shapes.push(self.segments(true, Vec::new(), head)),
                _ => shapes.push(self.segments(false, head, tail)),
            }
        }
        if len > 0 {
            shapes.push(self.segments(false, vec![0, 1, 0, len - 1], vec![len]));
        }
        let places = [1, 13, 16, aad / 2, aad.saturating_sub(1)];
        for (i, cut) in cuts(places, aad).into_iter().enumerate() {
            shapes.push(Shape { aad: vec![cut, 0, aad - cut], ..self.whole(i % 2 == 0, cut % 16) });
        }
        let single = vec![1; aad.min(64)];
        let rest = aad - single.len();
        let singly = Shape { aad: [single, vec![rest]].concat(), ..self.stream(1) };
        shapes.extend([singly, self.stream(5 * chunk + 3)]);
        shapes
    }

    /// Every cut, every misalignment, many streams, and random shapes.
    pub(crate) fn all(self, prng: &mut Prng) -> Vec<Shape> {
        let Cutting { aad, text: len, chunk } = self;
        let mut shapes = self.some();
        for offset in 0..16 {
            shapes.extend([true, false].map(|in_place| self.whole(in_place, offset)));
        }
        for cut in (0..=aad).step_by(aad.div_ceil(64).max(1)) {
            shapes.push(Shape { aad: vec![cut, aad - cut], ..self.whole(cut % 2 == 0, 0) });
        }
        for cut in (0..=len).step_by(len.div_ceil(5 * chunk.max(16)).max(1)) {
            shapes.push(self.segments(true, Vec::new(), vec![cut, len - cut]));
            let other = (cut * 7 + 3) % (len + 1);
            shapes.push(self.segments(false, vec![cut, len - cut], vec![other, len - other]));
        }
        shapes.extend((1..=2 * chunk + 1).map(|piece| self.stream(piece)));
        shapes.extend((0..32).map(|_| self.random(prng)));
        shapes
    }

    /// Any shape.
    pub(crate) fn random(self, prng: &mut Prng) -> Shape {
        let [aad, src, dst] = [self.aad, self.text, self.text].map(|len| prng.divide(len, 4 * self.chunk));
        let access = match prng.below(5) {
            0 => Access::Whole,
            1 => Access::Appended,
            2 => Access::Stream { pieces: src },
            _ => Access::Segments { src, dst },
        };
        let in_place = match access {
            Access::Appended => true,
            Access::Stream { .. } => false,
            _ => prng.one_in(2),
        };
        // The appended form takes associated data in one piece.
        let aad = if matches!(access, Access::Appended) { vec![self.aad] } else { aad };
        Shape { in_place, offset: prng.below(64), aad, access }
    }
}

/// The memory in which cases are run.
#[derive(Debug, Default)]
pub(crate) struct Bench {
    iv: Area,
    aad: Area,
    src: Area,
    dst: Area,
    tag: Area,
}

impl Bench {
    /// Runs a case in a shape, and checks everything that the calls could change.
    pub(crate) fn check(&mut self, tally: &Tally<'_>, tfm: &Aead, case: &Case<'_>, shape: &Shape) -> Check {
        let site = tally.site(case.dir, case.origin, shape);
        self.lay(case, shape);
        tally.count();
        let expected = if case.forged { Err(Error::BadTag) } else { Ok(()) };
        site.result(self.call(tfm, case, shape), expected)?;
        self.check_output(&site, case, shape)?;
        if self.dst.overrun() {
            return Err(site.failure("overran dst buffer"));
        }
        if self.tag.overrun() {
            return Err(site.failure("overran tag buffer"));
        }
        if !shape.in_place && (!self.src.holds(case.input) || self.src.overrun()) {
            return Err(site.failure("corrupted src buffer"));
        }
        if !self.aad.holds(case.aad) || self.aad.overrun() {
            return Err(site.failure("corrupted aad buffer"));
        }
        if !self.iv.holds(case.iv) || self.iv.overrun() {
            return Err(site.failure("corrupted IV buffer"));
        }
        Ok(())
    }

    fn check_output(&self, site: &Site<'_>, case: &Case<'_>, shape: &Shape) -> Check {
        let len = case.input.len();
        let mut output = self.dst.gather();
        let tag = match shape.access {
            Access::Appended => output.split_off(len),
            _ => self.tag.gather(),
        };
        if case.forged {
            site.same("output of a forged message", &output, &vec![0; len])?;
        } else {
            site.same("wrong result", &output, case.output)?;
        }
        let what = if case.dir == Dir::Encrypt { "wrong tag" } else { "tag changed" };
        site.same(what, &tag, case.tag)
    }

    fn lay(&mut self, case: &Case<'_>, shape: &Shape) {
        let (len, offset) = (case.input.len(), shape.offset);
        let (src, dst) = match &shape.access {
            Access::Segments { src, dst } => (src.as_slice(), dst.as_slice()),
            _ => (&[len][..], &[len][..]),
        };
        self.iv.hold(case.iv, &[case.iv.len()], offset);
        self.aad.hold(case.aad, &shape.aad, offset + 1);
        match case.dir {
            Dir::Encrypt => self.tag.lay(&[case.tag.len()], offset),
            Dir::Decrypt => self.tag.hold(case.tag, &[case.tag.len()], offset),
        }
        if let Access::Appended = shape.access {
            let both = [case.input, self.tag.whole()].concat();
            self.dst.hold(&both, &[both.len()], offset);
        } else if shape.in_place {
            self.dst.hold(case.input, dst, offset);
        } else {
            self.src.hold(case.input, src, offset);
            self.dst.lay(dst, offset + 1);
        }
    }

    fn call(&mut self, tfm: &Aead, case: &Case<'_>, shape: &Shape) -> Result<()> {
        let pieces = self.aad.pieces();
        let (iv, aad) = (self.iv.whole(), Aad::new(&pieces));
        match &shape.access {
            Access::Whole => {
                let io = match shape.in_place {
                    true => InOut::in_place(self.dst.whole_mut()),
                    false => InOut::apart(self.src.whole(), self.dst.whole_mut())?,
                };
                match (case.dir, aad.pieces()) {
                    (Dir::Encrypt, [aad]) => tfm.seal(iv, aad, io, self.tag.whole_mut()),
                    (Dir::Encrypt, _) => tfm.seal_with(iv, &aad, io, self.tag.whole_mut()),
                    (Dir::Decrypt, [aad]) => tfm.open(iv, aad, io, self.tag.whole()),
                    (Dir::Decrypt, _) => tfm.open_with(iv, &aad, io, self.tag.whole()),
                }
            }
            Access::Appended => match case.dir {
                Dir::Encrypt => tfm.seal_appended(iv, pieces[0], self.dst.whole_mut()),
                Dir::Decrypt => tfm.open_appended(iv, pieces[0], self.dst.whole_mut()).map(drop),
            },
            Access::Segments { .. } => {
                let src = self.src.pieces();
                let mut dst = self.dst.pieces_mut();
                let segments = match shape.in_place {
                    true => Segments::InPlace(&mut dst),
                    false => Segments::Apart(&src, &mut dst),
                };
                match case.dir {
                    Dir::Encrypt => tfm.seal_segments(iv, &aad, segments, self.tag.whole_mut()),
                    Dir::Decrypt => tfm.open_segments(iv, &aad, segments, self.tag.whole()),
                }
            }
            Access::Stream { pieces: lens } => {
                let (input, out) = (pieces_of(self.src.whole(), lens), self.dst.whole_mut());
                match case.dir {
                    Dir::Encrypt => seal_stream(tfm, iv, &aad, &input, out, self.tag.whole_mut()),
                    Dir::Decrypt => open_stream(tfm, iv, &aad, &input, out, self.tag.whole(), case.forged),
                }
            }
        }
    }
}

/// A text in pieces of these lengths, used in turn.
fn pieces_of<'a>(mut text: &'a [u8], lens: &[usize]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    for &len in lens.iter().cycle() {
        let (now, later) = text.split_at(len.min(text.len()));
        pieces.push(now);
        text = later;
        if text.is_empty() {
            break;
        }
    }
    pieces
}

fn total(pieces: &[&[u8]]) -> u64 {
    pieces.iter().map(|piece| piece.len() as u64).sum()
}

/// Seals piece by piece.
pub(crate) fn seal_stream(
    tfm: &Aead,
    iv: &[u8],
    aad: &Aad<'_>,
    text: &[&[u8]],
    out: &mut [u8],
    tag: &mut [u8],
) -> Result<()> {
    let mut sealer = tfm.sealer(iv, aad.len(), total(text))?;
    aad.pieces().iter().try_for_each(|piece| sealer.aad(piece))?;
    let mut at = 0;
    for piece in text {
        let due = sealer.update_len(piece.len());
        at += sealer.update(piece, &mut out[at..at + due])?;
    }
    sealer.finish(&mut out[at..], tag).map(drop)
}

/// Opens piece by piece. Of a forged message nothing is kept.
fn open_stream(
    tfm: &Aead,
    iv: &[u8],
    aad: &Aad<'_>,
    text: &[&[u8]],
    out: &mut [u8],
    tag: &[u8],
    forged: bool,
) -> Result<()> {
    let mut opener = tfm.opener(iv, aad.len(), total(text))?;
    aad.pieces().iter().try_for_each(|piece| opener.aad(piece))?;
    let mut at = 0;
    for piece in text {
        let due = opener.update_len(piece.len());
        let unverified = opener.update(piece, &mut out[at..at + due])?;
        at += due;
        if !forged {
            unverified.keep_unverified();
        }
    }
    opener.finish(&mut out[at..], tag).map(drop)
}
