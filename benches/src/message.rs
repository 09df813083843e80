//! The buffers that every contender of a comparison works on.

/// One message: a source, a destination, and an IV.
#[derive(Debug)]
pub struct Message {
    memory: Vec<u8>,
    aligned: usize,
    place: usize,
    len: usize,
    /// The IV.
    pub iv: [u8; 16],
}

/// Bytes of a cache line.
const LINE: usize = 64;
/// Places that a message has within a page.
const PLACES: usize = 16;
/// Distance of the places.
const STEP: usize = 4096 / PLACES + LINE;
/// Between the end of the source's pages and the destination. No place of the one is a place of the other, so that
/// the source stays as it is.
const GAP: usize = (PLACES * STEP).next_multiple_of(4096) + 5 * LINE;

impl Message {
    /// A message of `len` bytes, filled with 0xff as the kernel's benchmark does.
    pub fn new(len: usize) -> Self {
        let memory = vec![0xff; 2 * len.next_multiple_of(4096) + GAP + PLACES * STEP + LINE];
        let aligned = memory.as_ptr().align_offset(LINE);
        Message { memory, aligned, place: 0, len, iv: [0xff; 16] }
    }

    /// Moves to another place in memory.
    ///
    /// A CPU first compares the addresses of loads and stores by their place in a page, and takes some for
    /// equal that are not: with one place, chance would decide who meets his own stack there.
    pub fn move_on(&mut self) {
        self.place = (self.place + 1) % PLACES;
    }

    #[inline(always)]
    fn start(&self) -> usize {
        self.aligned + self.place * STEP
    }

    /// Source and destination.
    #[inline(always)]
    pub fn apart(&mut self) -> (&[u8], &mut [u8]) {
        let start = self.start();
        let (src, dst) = self.memory[start..].split_at_mut(self.len.next_multiple_of(4096) + GAP);
        (&src[..self.len], &mut dst[..self.len])
    }

    /// One buffer for both.
    #[inline(always)]
    pub fn in_place(&mut self) -> &mut [u8] {
        let start = self.start();
        &mut self.memory[start..][..self.len]
    }
}
