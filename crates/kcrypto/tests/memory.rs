//! What happens to memory: requests allocate nothing, and dropped transforms leave no key behind.
//!
//! Beside `wiped.rs` this is the one test of the facade with unsafe code: an allocator that counts, and that looks into blocks
//! as they are given back.
#![allow(unsafe_code, reason = "a test of wiped memory has to read it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::slice;

use kcrypto::batch::{self, Job};
use kcrypto::{Defaults, Dir, InOut, KindTag, Registry, Segments, Skcipher, Stream, Want};

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

const NAMES: [&str; 6] =
    ["ecb(aes)", "cbc(aes)", "ctr(aes)", "rfc3686(ctr(aes))", "cts(cbc(aes))", "xts(aes)"];

/// Every driver that answers one of the names here, fused and composed.
fn drivers(registry: &Registry) -> Vec<String> {
    let usable = |name: &&str| {
        let explanation = registry.explain(name, Want::new(KindTag::Skcipher));
        let candidates = explanation.candidates.into_iter();
        candidates
            .filter(|c| c.verdict == kcrypto::Verdict::Chosen || c.verdict.is_relative())
            .map(|c| c.alg.driver_name.to_string())
            .collect::<Vec<_>>()
    };
    NAMES.iter().flat_map(usable).collect()
}

fn keyed(registry: &Registry, driver: &str) -> Skcipher {
    let mut tfm = registry.skcipher(driver).unwrap();
    let key: Vec<u8> = (0..tfm.key_sizes().max).map(|i| 0x11 + i as u8).collect();
    tfm.set_key(&key).unwrap();
    tfm
}

#[test]
fn requests_allocate_nothing() {
    let registry = Registry::with_defaults();
    let drivers = drivers(&registry);
    assert!(drivers.len() >= 6, "{drivers:?}");
    for driver in drivers {
        let tfm = keyed(&registry, &driver);
        let mut iv = vec![1; tfm.iv_size()];
        let iv2 = iv.clone();
        let (mut buf, mut out) = (vec![7u8; 1024], vec![0u8; 1024]);
        let before = ALLOCATIONS.with(Cell::get);
        for dir in Dir::BOTH {
            for len in [16, 32, 48, 64, 512, 1024] {
                tfm.crypt(dir, &iv, InOut::in_place(&mut buf[..len])).unwrap();
                tfm.crypt_chained(dir, &mut iv, InOut::apart(&buf[..len], &mut out[..len]).unwrap()).unwrap();
                let (a, b) = buf[..len].split_at_mut(9);
                tfm.crypt_segments(dir, &iv, Segments::InPlace(&mut [a, b])).unwrap();
                let mut stream = Stream::new(&tfm, dir, &iv).unwrap();
                let mut at = 0;
                for piece in buf[..len].chunks(11) {
                    at += stream.update(piece, &mut out[at..]).unwrap();
                }
                stream.finish(&mut out[at..]).unwrap();
                let (first, second) = buf[..2 * len.min(512)].split_at_mut(len.min(512));
                let (mut iv_a, mut iv_b) = ([0; 16], [0; 16]);
                let (iv_a, iv_b) = (&mut iv_a[..iv2.len()], &mut iv_b[..iv2.len()]);
                let mut jobs = [
                    Job::new(&tfm, dir, iv_a, InOut::in_place(first)),
                    Job::new(&tfm, dir, iv_b, InOut::in_place(second)),
                ];
                batch::run(&mut jobs);
                assert!(jobs.iter().all(|job| job.result().is_ok()));
            }
        }
        assert_eq!(ALLOCATIONS.with(Cell::get), before, "{driver}");
    }
}

#[test]
fn dropped_transforms_leave_no_key_schedule() {
    let registry = Registry::with_defaults();
    let drivers = drivers(&registry);
    for driver in &drivers {
        let tfm = keyed(&registry, driver);
        let mut buf = [7u8; 64];
        tfm.encrypt(&vec![1; tfm.iv_size()], &mut buf).unwrap();
        LARGEST.with(|largest| largest.set(0));
        DIRTY.with(|dirty| dirty.set(0));
        WATCH.with(|watch| watch.set(true));
        drop(tfm);
        WATCH.with(|watch| watch.set(false));
        assert!(LARGEST.with(Cell::get) >= 240, "{driver}: a key schedule was given back");
        assert_eq!(DIRTY.with(Cell::get), 0, "{driver}: a block was given back with its secrets");
    }
}

#[test]
fn the_watch_sees_what_is_not_wiped() {
    DIRTY.with(|dirty| dirty.set(0));
    let secret = vec![0xa5u8; 240];
    WATCH.with(|watch| watch.set(true));
    drop(secret);
    WATCH.with(|watch| watch.set(false));
    assert_eq!(DIRTY.with(Cell::get), 1);
}
