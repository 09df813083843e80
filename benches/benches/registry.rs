//! Allocation of a resolved name, alone and in a crowd, on one thread and on two.

use std::time::Instant;

use kcrypto_benches::allocation::{self, CROWD, NAME};
use kcrypto_benches::curves;

fn main() {
    let mut criterion = curves::criterion();
    let mut group = criterion.benchmark_group(format!("allocate-{NAME}"));
    let crowd = format!("with {CROWD} others");
    for (label, registry) in [("alone", allocation::small()), (crowd.as_str(), allocation::crowded())] {
        group.bench_function(format!("1 thread/{label}"), |b| {
            b.iter_custom(|n| {
                let start = Instant::now();
                allocation::allocate(&registry, n);
                start.elapsed()
            });
        });
        group.bench_function(format!("2 threads/{label}"), |b| {
            b.iter_custom(|n| allocation::allocate_on_two(&registry, n));
        });
    }
    group.finish();
    criterion.final_summary();
}
