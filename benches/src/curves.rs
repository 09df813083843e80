//! Curves over message sizes for criterion.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use kcrypto::Dir;

use crate::contender::{Case, Contender, Mode};
use crate::interleave::Flow;
use crate::message::Message;
use crate::{SIZES, floor, ours, peers};

/// Criterion with a time for each point that lets a whole family finish in minutes.
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
        .sample_size(20)
        .configure_from_args()
}

/// A mode in both directions, under 128 and 256-bit keys: kcrypto's fused and composed drivers, the peers,
/// and the floor where there is one.
pub fn family(c: &mut Criterion, mode: Mode) {
    let registry = ours::registry();
    for (dir, bits) in [(Dir::Encrypt, 128), (Dir::Decrypt, 128), (Dir::Encrypt, 256), (Dir::Decrypt, 256)] {
        let case = Case { mode, dir, bits };
        let mut contenders = vec![
            ours::driver(&registry, ours::fused(mode), case),
            ours::driver(&registry, ours::composed(mode), case),
        ];
        if mode == Mode::Cts && bits == 128 {
            contenders.push(floor::cts(dir));
        }
        contenders.extend(peers::all(case));
        curve(c, &format!("{}-{bits}-{}", mode.name(), case.verb()), Flow::Independent, &mut contenders);
    }
}

/// Everyone, on every size.
pub fn curve(c: &mut Criterion, algorithm: &str, flow: Flow, contenders: &mut [Contender]) {
    let mut group = c.benchmark_group(algorithm);
    for len in SIZES {
        group.throughput(Throughput::Bytes(len as u64));
        for contender in contenders.iter_mut().filter(|contender| contender.shortest <= len) {
            let mut message = Message::new(len);
            group.bench_function(BenchmarkId::new(&contender.name, len), |b| {
                b.iter_custom(|n| {
                    let start = Instant::now();
                    contender.drive(flow, n, &mut message);
                    start.elapsed()
                });
            });
        }
    }
    group.finish();
}
