//! The buffers that every contender of a comparison works on.

/// One message: a source, a destination that does not share its cache sets, and an IV.
#[derive(Debug)]
pub struct Message {
    memory: Vec<u8>,
    start: usize,
    len: usize,
    /// The IV.
    pub iv: [u8; 16],
}

/// Bytes of a cache line.
const LINE: usize = 64;
/// Between source and destination, so that they differ in the address bits that loads and stores compare.
const GAP: usize = 5 * LINE;

impl Message {
    /// A message of `len` bytes, filled with 0xff as the kernel's benchmark does.
    pub fn new(len: usize) -> Self {
        let memory = vec![0xff; 2 * len.next_multiple_of(4096) + GAP + 2 * LINE];
        let start = memory.as_ptr().align_offset(LINE);
        Message { memory, start, len, iv: [0xff; 16] }
    }

    /// Source and destination.
    #[inline(always)]
    pub fn apart(&mut self) -> (&[u8], &mut [u8]) {
        let (src, dst) = self.memory[self.start..].split_at_mut(self.len.next_multiple_of(4096) + GAP);
        (&src[..self.len], &mut dst[..self.len])
    }

    /// One buffer for both.
    #[inline(always)]
    pub fn in_place(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..][..self.len]
    }
}
