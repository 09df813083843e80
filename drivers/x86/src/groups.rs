//! A message as groups of 16-byte blocks, whose lengths are checked once.

use core::marker::PhantomData;

use kcrypto_core::InOut;

use crate::xmm::BLOCK;

/// The whole blocks of a message, from the front on.
pub(crate) struct Groups<'a> {
    src: *const [u8; BLOCK],
    dst: *mut [u8; BLOCK],
    /// Blocks left, readable at `src` and writable at `dst`: the same memory, or apart.
    left: usize,
    buffers: PhantomData<&'a mut [u8]>,
}

impl<'a> Groups<'a> {
    /// The whole blocks of `io`, and what is after them.
    #[inline(always)]
    pub(crate) fn of(io: InOut<'a>) -> (Self, InOut<'a>) {
        let left = io.len() / BLOCK;
        let (mut io, rest) = io.split_at(left * BLOCK);
        let src = io.src().as_ptr();
        let dst = io.dst().as_mut_ptr();
        // In place, the pointer to read through is the one to write through.
        let src = if src == dst { dst.cast_const() } else { src };
        (Groups { src: src.cast(), dst: dst.cast(), left, buffers: PhantomData }, rest)
    }

    /// The next `N` blocks, if there are as many.
    #[inline(always)]
    pub(crate) fn next<const N: usize>(&mut self) -> Option<Group<'_, N>> {
        self.left = self.left.checked_sub(N)?;
        let group = Group { src: self.src, dst: self.dst, buffers: PhantomData };
        // SAFETY: `N` of the blocks left are there.
        self.src = unsafe { self.src.add(N) };
        // SAFETY: as above.
        self.dst = unsafe { self.dst.add(N) };
        Some(group)
    }
}

/// `N` blocks to read and to write.
pub(crate) struct Group<'a, const N: usize> {
    src: *const [u8; BLOCK],
    dst: *mut [u8; BLOCK],
    buffers: PhantomData<&'a mut [u8]>,
}

impl<const N: usize> Group<'_, N> {
    /// The `i`th block as it is now.
    #[inline(always)]
    pub(crate) fn src(&self, i: usize) -> &[u8; BLOCK] {
        assert!(i < N, "a block of the group");
        // SAFETY: the group has `N` blocks there, and nothing writes them while it is borrowed.
        unsafe { &*self.src.add(i) }
    }

    /// The place of the `i`th block.
    #[inline(always)]
    pub(crate) fn dst(&mut self, i: usize) -> &mut [u8; BLOCK] {
        assert!(i < N, "a block of the group");
        // SAFETY: the group has `N` blocks there, and nothing reads them while it is borrowed.
        unsafe { &mut *self.dst.add(i) }
    }
}
