//! Allocating a transform by its name.

use std::borrow::Cow;
use std::hint::black_box;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use kcrypto::{Alg, KindTag, Registry, Want};

use crate::ours;

/// The name that is asked for.
pub const NAME: &str = "cts(cbc(aes))";
/// How many other entries make a crowd.
pub const CROWD: usize = 10_000;

/// A registry in which [`NAME`] is resolved.
pub fn small() -> Registry {
    let registry = ours::registry();
    registry.skcipher(NAME).expect("it resolves");
    registry
}

/// The same with [`CROWD`] other entries.
pub fn crowded() -> Registry {
    let registry = ours::registry();
    let want = Want::new(KindTag::Cipher);
    let model = Alg::clone(&registry.resolve("aes-generic", want).expect("it resolves").alg);
    let others = (0..CROWD).map(|i| Alg {
        name: Cow::Owned(format!("other{i}")),
        driver_name: Cow::Owned(format!("other{i}-generic")),
        ..model.clone()
    });
    registry.register_all(others).expect("the names are new").keep();
    registry.skcipher(NAME).expect("it resolves");
    registry
}

/// Allocates and frees `n` times.
pub fn allocate(registry: &Registry, n: u64) {
    for _ in 0..n {
        black_box(registry.skcipher(black_box(NAME)).expect("it resolves"));
    }
}

/// Does it on two threads at once, `n` times each; the time of the slower one.
pub fn allocate_on_two(registry: &Registry, n: u64) -> Duration {
    let barrier = Barrier::new(2);
    let one = || {
        barrier.wait();
        let start = Instant::now();
        allocate(registry, n);
        start.elapsed()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(one);
        let mine = one();
        mine.max(other.join().expect("the other thread does not panic"))
    })
}
