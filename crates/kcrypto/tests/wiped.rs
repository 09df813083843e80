//! What a transform had on the heap is wiped when it is dropped: every driver and composition, of every kind, down to
//! three bytes.
#![allow(unsafe_code, reason = "a test of wiped memory has to read it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::slice;

use kcrypto::selftest::{Target, targets};
use kcrypto::{Defaults, KindTag, Registry};

struct Watching;

/// Checksums take a start value in the place of a key.
const NOT_SECRET: [&str; 3] = ["crc32", "crc32c", "xxhash64"];

/// More bytes than are looked at of any transform.
const MOST: usize = 1 << 14;

thread_local! {
    static WATCH: Cell<bool> = const { Cell::new(false) };
    /// What was given back while watching, block after block.
    static BYTES: RefCell<[u8; MOST]> = const { RefCell::new([0; MOST]) };
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator, with memory that is zero at first.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's obligations are the system allocator's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if WATCH.with(Cell::get) {
            // SAFETY: the block was allocated with this layout, is still owned here, and was zero at first (its
            // padding may hold anything since, and is read as it is).
            record(unsafe { slice::from_raw_parts(block, layout.size()) });
        }
        // SAFETY: the caller's obligations are the system allocator's.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

fn record(block: &[u8]) {
    let at = COUNT.get();
    let block = &block[..block.len().min(MOST - at)];
    BYTES.with_borrow_mut(|bytes| bytes[at..at + block.len()].copy_from_slice(block));
    COUNT.set(at + block.len());
}

/// Drops it, and returns what was in the memory that it gives back.
fn left_of<T>(dropped: T) -> Vec<u8> {
    COUNT.set(0);
    WATCH.set(true);
    drop(dropped);
    WATCH.set(false);
    BYTES.with_borrow(|bytes| bytes[..COUNT.get()].to_vec())
}

/// A key of this many bytes, at most 64, in which few bytes are small.
fn key(max: usize, seed: u8) -> Vec<u8> {
    (0..max.min(64)).map(|i| 0x80 | (29 * i + usize::from(seed)) as u8).collect()
}

/// What a transform leaves that was made, given a key and used; `None` if it takes no key.
fn left(registry: &Registry, target: &Target, seed: u8) -> Option<Vec<u8>> {
    let name = target.driver.as_str();
    let left = match target.kind {
        KindTag::Cipher => {
            let mut tfm = registry.cipher(name).unwrap();
            tfm.set_key(&key(tfm.key_sizes().max, seed)).unwrap();
            tfm.encrypt(&mut vec![7; 4 * tfm.block_size()][..]).unwrap();
            left_of(tfm)
        }
        KindTag::Skcipher => {
            let mut tfm = registry.skcipher(name).unwrap();
            tfm.set_key(&key(tfm.key_sizes().max, seed)).unwrap();
            tfm.encrypt(&vec![1; tfm.iv_size()], &mut [7; 64][..]).unwrap();
            left_of(tfm)
        }
        KindTag::Shash => {
            let mut tfm = registry.shash(name).unwrap();
            let max = tfm.key_sizes()?.max;
            tfm.set_key(&key(max, seed)).unwrap();
            tfm.digest(&[7; 64], &mut vec![0; tfm.digest_size()]).unwrap();
            left_of(tfm)
        }
        KindTag::Aead => {
            let mut tfm = registry.aead(name).unwrap();
            tfm.set_key(&key(tfm.key_sizes().max, seed)).unwrap();
            let (iv, mut tag) = (vec![1; tfm.iv_size()], vec![0; tfm.tag_size()]);
            tfm.seal(&iv, &[5; 16], &mut [7; 64][..], &mut tag).unwrap();
            left_of(tfm)
        }
        _ => return None,
    };
    Some(left)
}

#[test]
fn dropped_transforms_leave_no_byte_of_a_key() {
    let registry = Registry::with_defaults();
    registry.without_self_tests();
    let mut watched = 0;
    for target in targets(&registry, &[]).unwrap().iter().filter(|target| target.obstacle.is_none()) {
        if NOT_SECRET.contains(&target.name.as_str()) {
            continue;
        }
        let left = [1, 2, 2, 1, 1].map(|seed| left(&registry, target, seed));
        let [Some(a), Some(b), Some(c), Some(d), Some(e)] = left else {
            continue;
        };
        assert!([&b, &c, &d, &e].iter().all(|other| other.len() == a.len()));
        // Pointers and lengths are left, and padding may hold what was on the stack. Three bytes in a row that are there
        // with one key each time, and others with the other each time, are of the key.
        let of_the_key = |&at: &usize| a[at] == d[at] && a[at] == e[at] && a[at] != b[at] && b[at] == c[at];
        let places: Vec<usize> = (2..a.len()).filter(|at| (at - 2..=*at).all(|at| of_the_key(&at))).collect();
        assert!(places.is_empty(), "{} ({}) leaves bytes at {places:?}", target.driver, target.name);
        watched += 1;
    }
    // Without any CPU feature there are 47.
    assert!(watched > 40, "only {watched} transforms were watched");
}

#[test]
fn the_watch_sees_what_is_not_wiped() {
    assert_eq!(left_of(key(9, 1)), key(9, 1));
    assert_eq!(left_of(vec![0u8; 64]), [0; 64]);
}
