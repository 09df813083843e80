//! A message as 16-byte blocks, whose lengths are checked once.

use core::marker::PhantomData;

use kcrypto_core::InOut;

use crate::xmm::BLOCK;

/// The whole blocks of a message, from the front on.
pub(crate) struct Blocks<'a> {
    src: *const [u8; BLOCK],
    dst: *mut [u8; BLOCK],
    /// Blocks readable at `src` and writable at `dst`: the same memory, or apart.
    left: usize,
    buffers: PhantomData<&'a mut [u8]>,
}

impl<'a> Blocks<'a> {
    /// The whole blocks of `io`.
    #[inline(always)]
    pub(crate) fn of(io: &'a mut InOut<'_>) -> Self {
        // Both sides of an `InOut` have its length.
        let left = io.len() / BLOCK;
        let src = io.src().as_ptr();
        let dst = io.dst().as_mut_ptr();
        // In place, the pointer to read through is the one to write through.
        let src = if src == dst { dst.cast_const() } else { src };
        Blocks { src: src.cast(), dst: dst.cast(), left, buffers: PhantomData }
    }

    /// How many there are.
    #[inline(always)]
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// The `i`th block as it is now.
    #[inline(always)]
    pub(crate) fn src(&self, i: usize) -> &[u8; BLOCK] {
        assert!(i < self.left, "a block of the message");
        // SAFETY: it is one of the blocks left.
        let block = unsafe { self.src.add(i) };
        // SAFETY: a block is readable there, and nothing writes it while it is borrowed.
        unsafe { &*block }
    }

    /// The place of the `i`th block.
    #[inline(always)]
    pub(crate) fn dst(&mut self, i: usize) -> &mut [u8; BLOCK] {
        assert!(i < self.left, "a block of the message");
        // SAFETY: it is one of the blocks left.
        let block = unsafe { self.dst.add(i) };
        // SAFETY: a block is writable there, and nothing else uses it while it is borrowed.
        unsafe { &mut *block }
    }

    /// Takes `n` blocks off the front, if there are as many.
    #[inline(always)]
    pub(crate) fn take(&mut self, n: usize) -> Option<Blocks<'a>> {
        self.left = self.left.checked_sub(n)?;
        let taken = Blocks { left: n, ..*self };
        // SAFETY: `n` of the blocks were left.
        self.src = unsafe { self.src.add(n) };
        // SAFETY: as above.
        self.dst = unsafe { self.dst.add(n) };
        Some(taken)
    }
}
