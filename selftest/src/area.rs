//! Buffers between canaries, at any alignment, in one piece or in several.

use core::hint::black_box;
use core::ops::Range;

/// What everything outside the buffers is filled with, and buffers that hold nothing yet.
pub(crate) const POISON: u8 = 0xfe;
/// Canaries before the first and after the last piece.
const MARGIN: usize = 32;
/// Canaries between pieces; odd, so that pieces differ in alignment.
const GAP: usize = 17;
/// What offsets are counted from; those that are longer, from the start of a page.
const ALIGN: usize = 64;
const PAGE: usize = 4096;
/// An offset with which a message ends on another page than it begins, unless it is very short.
pub(crate) const ACROSS: usize = PAGE - 7;

/// Memory with pieces of a message in it; used again and again.
#[derive(Debug, Default)]
pub(crate) struct Area {
    mem: Vec<u8>,
    pieces: Vec<Range<usize>>,
}

impl Area {
    pub(crate) fn new() -> Self {
        Area::default()
    }

    /// Lays out pieces of these lengths, the first one `offset` bytes from an aligned address, all poison.
    pub(crate) fn lay(&mut self, lens: &[usize], offset: usize) {
        let total: usize = lens.iter().sum();
        let align = if offset < ALIGN { ALIGN } else { PAGE };
        self.mem.clear();
        self.mem.resize(align + offset + total + lens.len() * GAP + 2 * MARGIN, POISON);
        // Where addresses cannot be aligned (under an interpreter), any place will do.
        let aligned = self.mem.as_ptr().wrapping_add(MARGIN).align_offset(align);
        let mut at = MARGIN + if aligned < align { aligned } else { 0 } + offset;
        self.pieces.clear();
        for len in lens {
            self.pieces.push(at..at + len);
            at += len + GAP;
        }
    }

    /// Lays out pieces and fills them with a message.
    pub(crate) fn hold(&mut self, message: &[u8], lens: &[usize], offset: usize) {
        self.lay(lens, offset);
        let mut rest = message;
        for piece in &self.pieces {
            let (now, later) = rest.split_at(piece.len());
            self.mem[piece.clone()].copy_from_slice(now);
            rest = later;
        }
    }

    /// The only piece.
    pub(crate) fn whole(&self) -> &[u8] {
        &self.mem[self.pieces[0].clone()]
    }

    /// The only piece, to be written.
    pub(crate) fn whole_mut(&mut self) -> &mut [u8] {
        &mut self.mem[self.pieces[0].clone()]
    }

    /// All pieces.
    pub(crate) fn pieces(&self) -> Vec<&[u8]> {
        self.pieces.iter().map(|piece| &self.mem[piece.clone()]).collect()
    }

    /// All pieces, to be written.
    pub(crate) fn pieces_mut(&mut self) -> Vec<&mut [u8]> {
        let mut rest = self.mem.as_mut_slice();
        let mut start = 0;
        let mut found = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let (_, after) = rest.split_at_mut(piece.start - start);
            let (now, later) = after.split_at_mut(piece.len());
            found.push(now);
            rest = later;
            start = piece.end;
        }
        found
    }

    /// Whether the pieces hold this message.
    pub(crate) fn holds(&self, message: &[u8]) -> bool {
        self.distrust();
        match self.pieces.as_slice() {
            [one] => self.mem[one.clone()] == *message,
            _ => self.gather() == message,
        }
    }

    /// The message in one piece.
    pub(crate) fn gather(&self) -> Vec<u8> {
        self.pieces().concat()
    }

    /// Whether a byte outside the pieces was written.
    pub(crate) fn overrun(&self) -> bool {
        self.distrust();
        let ends = self.pieces.iter().map(|piece| piece.end);
        let starts = self.pieces.iter().map(|piece| piece.start).chain([self.mem.len()]);
        let mut gaps = [0].into_iter().chain(ends).zip(starts);
        gaps.any(|(from, to)| !is_poison(&self.mem[from..to]))
    }

    /// Whether nothing was written at all since [`Area::lay`].
    pub(crate) fn untouched(&self) -> bool {
        self.distrust();
        is_poison(&self.mem)
    }

    /// Makes the compiler forget what it knows of the memory: a faulty driver may have written where it only
    /// had a shared reference.
    fn distrust(&self) {
        black_box(self.mem.as_ptr());
    }
}

/// Whether nothing but poison is there; as whole blocks, since that is asked of every buffer of every check.
fn is_poison(bytes: &[u8]) -> bool {
    bytes.chunks(MARGIN).all(|block| *block == [POISON; MARGIN][..block.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_apart_and_watched() {
        let mut area = Area::new();
        area.hold(b"abcdef", &[1, 0, 3, 2], 5);
        assert_eq!(area.pieces(), [&b"a"[..], b"", b"bcd", b"ef"]);
        assert!(area.holds(b"abcdef") && !area.holds(b"abcdeg") && !area.overrun() && !area.untouched());
        area.pieces_mut().iter_mut().for_each(|piece| piece.fill(0));
        assert!(area.holds(&[0; 6]) && !area.overrun());
        for at in [0, area.pieces[0].end, area.pieces[3].start - 1, area.mem.len() - 1] {
            let kept = core::mem::replace(&mut area.mem[at], 0);
            assert!(area.overrun(), "byte {at}");
            area.mem[at] = kept;
        }
    }

    #[test]
    fn offsets_count_from_an_aligned_address() {
        let mut area = Area::new();
        for offset in [0, 1, 15] {
            area.lay(&[4], offset);
            assert!(area.untouched());
            assert_eq!(area.whole().as_ptr().align_offset(ALIGN), (ALIGN - offset) % ALIGN);
        }
        area.lay(&[16], ACROSS);
        assert_eq!(area.whole().as_ptr().align_offset(PAGE), 7);
    }
}
