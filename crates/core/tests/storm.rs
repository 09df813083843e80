//! Many threads and a registry that never rests: nothing is lost, and nothing is done twice.

mod support;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use kcrypto_core::{Event, Registry};
use support::{Judge, OVER, SUM, cipher, judged, sum, winner};

#[test]
fn sixty_four_threads_build_and_test_an_unbuilt_name_once() {
    let (registry, judge) = judged(Judge { pause: Duration::from_millis(5), ..Judge::default() });
    let built = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&built);
    let _observation = registry.observe(move |event| {
        if matches!(event, Event::Built { .. }) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    let start = Barrier::new(64);
    thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                start.wait();
                assert_eq!(winner(&registry, "over(sum(add))").unwrap(), "over(sum(add-fast))");
            });
        }
    });
    assert_eq!(built.load(Ordering::Relaxed), 2, "sum(add-fast) and over(sum(add-fast))");
    for driver in ["add-fast", "sum(add-fast)", "over(sum(add-fast))"] {
        assert_eq!(judge.times(driver), 1, "{driver}");
    }
    assert_eq!(judge.times("add-generic"), 0);
}

#[test]
fn no_lookup_is_lost_while_better_drivers_come_and_go() {
    const CHANGES: usize = 100;
    let (registry, judge) = judged(Judge::default());
    let done = AtomicBool::new(false);
    let lookups = AtomicUsize::new(0);
    let built = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&built);
    let _observation = registry.observe(move |event| {
        if matches!(event, Event::Built { driver } if driver.starts_with("over(")) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    thread::scope(|scope| {
        let lookers = [(); 64].map(|()| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let mut tfm = registry.skcipher("over(sum(add))").expect("no lookup is lost");
                    tfm.set_key(&[1; 4]).unwrap();
                    let mut buf = [0u8; 8];
                    tfm.encrypt(&[0; 4], &mut buf).unwrap();
                    lookups.fetch_add(1, Ordering::Relaxed);
                }
            })
        });
        let someone_looks_up = || {
            let before = lookups.load(Ordering::Relaxed);
            while lookups.load(Ordering::Relaxed) == before {
                assert!(lookers.iter().any(|looker| !looker.is_finished()), "lookups have failed");
                thread::yield_now();
            }
        };
        for change in 0..CHANGES {
            let better = if change % 2 == 0 {
                cipher("add", "add-best", 900)
            } else {
                sum("over(sum(add))", "over-sum-add-fused", 900)
            };
            let guard = registry.register(better).unwrap();
            let seen = winner(&registry, "over(sum(add))").unwrap();
            let expected = if change % 2 == 0 { "over(sum(add-best))" } else { "over-sum-add-fused" };
            assert_eq!(seen, expected, "a registration that returned is seen");
            someone_looks_up();
            guard.unregister();
            let seen = winner(&registry, "over(sum(add))").unwrap();
            assert_eq!(seen, "over(sum(add-fast))", "a driver that went is not returned");
        }
        done.store(true, Ordering::Relaxed);
    });
    // Each change makes at most one new instance of the name, and each is tested once.
    let instances = built.load(Ordering::Relaxed);
    assert!(
        instances <= 2 * CHANGES + 1,
        "{instances} builds in {CHANGES} registrations and as many removals"
    );
    let tests = judge.times("over(sum(add-fast))") + judge.times("over(sum(add-best))");
    assert!(tests <= instances, "{tests} tests of {instances} instances");
    assert!(judge.times("add-best") <= CHANGES / 2, "a driver is tested once per registration");
    assert!(judge.times("over-sum-add-fused") <= CHANGES / 2);
    assert_eq!(judge.times("add-fast"), 1);
}

#[test]
fn a_panicking_test_does_not_wedge_the_name() {
    struct Panics(AtomicUsize);
    impl kcrypto_core::SelfTest for Panics {
        fn test(&self, subject: &kcrypto_core::Subject<'_>) -> kcrypto_core::Report {
            assert!(self.0.fetch_add(1, Ordering::Relaxed) > 0, "the first test panics");
            Judge::default().test(subject)
        }
    }
    let registry = Registry::with([cipher("add", "add-generic", 1)], [SUM, OVER]).unwrap();
    registry.set_self_test(Arc::new(Panics(AtomicUsize::new(0))));
    let other = registry.clone();
    assert!(thread::spawn(move || other.cipher("add").map(drop)).join().is_err());
    assert!(registry.cipher("add").is_ok());
}
