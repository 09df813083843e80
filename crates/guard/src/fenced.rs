//! Memory between inaccessible pages.

use core::ops::Range;
use core::ptr::{self, NonNull};
use core::slice;
use std::io;

/// Memory with an inaccessible page before it and one behind it.
#[derive(Debug)]
pub struct Fenced {
    /// The whole mapping, which this value owns.
    base: NonNull<u8>,
    page: usize,
    /// Usable bytes, whole pages.
    room: usize,
}

// SAFETY: the mapping belongs to this value alone, and is reached through it by the rules of borrowing.
unsafe impl Send for Fenced {}

/// Which of the two pages bytes lie at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first byte follows the inaccessible page.
    Start,
    /// The last byte is followed by the inaccessible page.
    End,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Side; 2] = [Side::Start, Side::End];
}

impl Fenced {
    /// Memory for at least `room` bytes, all zero.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new(room: usize) -> io::Result<Self> {
        // SAFETY: it only tells a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).map_err(|_| io::Error::last_os_error())?;
        let room = room.max(1).next_multiple_of(page);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
        // SAFETY: a new mapping at an address of the system's choice touches no other memory.
        let base = unsafe { libc::mmap(ptr::null_mut(), room + 2 * page, libc::PROT_NONE, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(base.cast()).ok_or_else(|| io::Error::other("a mapping at address 0"))?;
        let fenced = Fenced { base, page, room };
        fenced.protect(libc::PROT_READ | libc::PROT_WRITE)?;
        Ok(fenced)
    }

    /// Usable bytes.
    pub fn room(&self) -> usize {
        self.room
    }

    /// So many bytes at one side.
    ///
    /// # Panics
    /// If there is not so much room.
    pub fn bytes_mut(&mut self, side: Side, len: usize) -> &mut [u8] {
        let range = self.range(side, len);
        &mut self.all()[range]
    }

    /// Hands so many bytes at one side to `reader`, who finds them in memory that cannot be written.
    ///
    /// # Errors
    /// Those of the system.
    ///
    /// # Panics
    /// If there is not so much room; with the reader.
    pub fn read_only<R>(&mut self, side: Side, len: usize, reader: impl FnOnce(&[u8]) -> R) -> io::Result<R> {
        /// Lets the memory be written again, also after a panic.
        struct Thaw<'a>(&'a Fenced);
        impl Drop for Thaw<'_> {
            fn drop(&mut self) {
                // If it stays as it is, the next write ends the process: nothing goes on unseen.
                let _ = self.0.protect(libc::PROT_READ | libc::PROT_WRITE);
            }
        }
        let range = self.range(side, len);
        self.protect(libc::PROT_READ)?;
        let thaw = Thaw(self);
        // SAFETY: the usable part is `room` bytes behind the first page, initialized since the mapping was made,
        // and nobody writes while `self` is borrowed mutably here and only read through this slice.
        let all = unsafe { slice::from_raw_parts(self.base.as_ptr().wrapping_add(self.page), self.room) };
        let result = reader(&all[range]);
        drop(thaw);
        Ok(result)
    }

    fn range(&self, side: Side, len: usize) -> Range<usize> {
        assert!(len <= self.room, "{len} bytes in {}", self.room);
        match side {
            Side::Start => 0..len,
            Side::End => self.room - len..self.room,
        }
    }

    fn all(&mut self) -> &mut [u8] {
        // SAFETY: the usable part is `room` bytes behind the first page, readable and writable outside of
        // `read_only`, initialized by the system, and reached through this borrow alone.
        unsafe { slice::from_raw_parts_mut(self.base.as_ptr().wrapping_add(self.page), self.room) }
    }

    /// Sets what may be done with the usable part.
    fn protect(&self, protection: libc::c_int) -> io::Result<()> {
        let start = self.base.as_ptr().wrapping_add(self.page).cast();
        // SAFETY: the range lies within the mapping that this value owns; no Rust reference to it is used in a
        // way that the new protection forbids.
        let result = unsafe { libc::mprotect(start, self.room, protection) };
        if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

impl Drop for Fenced {
    fn drop(&mut self) {
        let start = self.base.as_ptr().cast();
        // SAFETY: it is the whole mapping that `new` made, and nothing borrows it any more.
        unsafe { libc::munmap(start, self.room + 2 * self.page) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides() {
        let mut fenced = Fenced::new(5000).unwrap();
        assert!(fenced.room() >= 5000 && fenced.room().is_multiple_of(fenced.page));
        fenced.bytes_mut(Side::Start, 3).copy_from_slice(b"abc");
        fenced.bytes_mut(Side::End, 2).copy_from_slice(b"yz");
        let room = fenced.room();
        let all = fenced.bytes_mut(Side::End, room);
        assert_eq!((&all[..4], &all[room - 2..]), (&b"abc\0"[..], &b"yz"[..]));
        assert!(fenced.bytes_mut(Side::End, 0).is_empty());
        assert_eq!(fenced.read_only(Side::Start, 3, <[u8]>::to_vec).unwrap(), b"abc");
        fenced.bytes_mut(Side::Start, 1)[0] = 7;
    }

    #[test]
    fn too_much_is_refused() {
        let mut fenced = Fenced::new(1).unwrap();
        let room = fenced.room();
        let asked = std::panic::AssertUnwindSafe(|| fenced.bytes_mut(Side::End, room + 1).len());
        assert!(std::panic::catch_unwind(asked).is_err());
    }
}
