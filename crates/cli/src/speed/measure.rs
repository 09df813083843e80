//! One measurement.

use core::time::Duration;
use std::time::Instant;

use kcrypto::Result;

use super::Clock;

/// The clock is looked at after about this much work.
const GRAIN: Duration = Duration::from_micros(50);
/// Rounds of which the best counts, for cycles.
const ROUNDS: usize = 8;

/// What was measured.
#[derive(Clone, Copy)]
pub(crate) enum Measure {
    /// Operations in this time.
    Rate { operations: u64, time: Duration },
    /// Cycles that one operation takes.
    Cycles(f64),
}

/// Repeats an operation for `secs` seconds, or measures it in cycles of the clock.
pub(crate) fn measure(
    mut operation: impl FnMut() -> Result<()>,
    secs: f64,
    clock: Option<Clock>,
) -> Result<Measure> {
    let mut run = |n: u64| -> Result<Duration> {
        let start = Instant::now();
        for _ in 0..n {
            operation()?;
        }
        Ok(start.elapsed())
    };
    let grain = grain(&mut run)?;
    if let Some(clock) = clock {
        let mut best = Duration::MAX;
        for _ in 0..ROUNDS {
            best = best.min(run(grain)?);
        }
        return Ok(Measure::Cycles(clock.cycles(best) / grain as f64));
    }
    let start = Instant::now();
    let mut operations = 0;
    loop {
        run(grain)?;
        operations += grain;
        let time = start.elapsed();
        if time.as_secs_f64() >= secs {
            return Ok(Measure::Rate { operations, time });
        }
    }
}

/// How many operations last long enough to be timed; warms up as well.
fn grain(run: &mut impl FnMut(u64) -> Result<Duration>) -> Result<u64> {
    let mut n = 1;
    while run(n)? < GRAIN {
        n *= 2;
    }
    Ok(n)
}
