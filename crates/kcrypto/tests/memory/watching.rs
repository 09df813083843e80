//! The allocator of these tests: it counts, and looks into blocks as they are given back.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::slice;

struct Watching;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// Blocks given back in which more than pointers were left, while watching.
    static DIRTY: Cell<usize> = const { Cell::new(0) };
    static WATCH: Cell<bool> = const { Cell::new(false) };
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's obligations are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if WATCH.with(Cell::get) {
            // SAFETY: the block was allocated with this layout, is still owned here, and blocks of ciphers
            // are initialised throughout (their padding may hold anything, and is counted as it is).
            let bytes = unsafe { slice::from_raw_parts(block, layout.size()) };
            let left = bytes.iter().filter(|&&byte| byte != 0).count();
            LARGEST.with(|largest| largest.set(largest.get().max(layout.size())));
            // A few pointers, lengths and tags are no secrets; sixteen bytes of key would be more than that.
            if layout.size() >= 128 && left > 64 {
                DIRTY.with(|dirty| dirty.set(dirty.get() + 1));
            }
        }
        // SAFETY: the caller's obligations are the system allocator's.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// Allocations that this thread makes in `work`.
pub(crate) fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

/// What was seen of the blocks that `work` gave back.
pub(crate) struct Seen {
    /// Bytes of the largest.
    pub(crate) largest: usize,
    /// Those that held more than pointers.
    pub(crate) dirty: usize,
}

/// Looks into the blocks that this thread gives back in `work`.
pub(crate) fn given_back(work: impl FnOnce()) -> Seen {
    LARGEST.with(|largest| largest.set(0));
    DIRTY.with(|dirty| dirty.set(0));
    WATCH.with(|watch| watch.set(true));
    work();
    WATCH.with(|watch| watch.set(false));
    Seen { largest: LARGEST.with(Cell::get), dirty: DIRTY.with(Cell::get) }
}
