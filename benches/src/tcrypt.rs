//! Cycles per operation in the line format of the kernel's benchmark module.

use std::arch::x86_64::_rdtsc;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::contender::{Case, Dir, Mode};
use crate::interleave::{Flow, Plan, contest};
use crate::ours;

/// Message sizes of the kernel's table.
pub const SIZES: [usize; 6] = [16, 64, 256, 1024, 1424, 4096];

/// Compares two drivers of a name, which take turns. As in the kernel, each message is the output of the one
/// before, and cycles are those of the time stamp counter.
pub fn compare(plan: Plan, mode: Mode, drivers: [&str; 2]) -> String {
    let rate = counter_rate();
    let registry = ours::registry();
    let mut lines: [String; 2] = Default::default();
    let mut table = format!("| direction | key | bytes | {} ns | {} ns | ratio |\n", drivers[0], drivers[1]);
    table.push_str("|---|---:|---:|---:|---:|---:|\n");
    for dir in Dir::BOTH {
        let verb = if dir == Dir::Encrypt { "encryption" } else { "decryption" };
        for (lines, driver) in lines.iter_mut().zip(drivers) {
            let _ = writeln!(lines, "\ntcrypt: testing speed of sync {} ({driver}) {verb}", mode.name());
        }
        let tests = [128, 192, 256].into_iter().flat_map(|bits| SIZES.map(|len| (bits, len)));
        for (nth, (bits, len)) in tests.enumerate() {
            let case = Case { mode, dir, bits };
            let mut contenders = drivers.map(|name| ours::driver(&registry, name, case));
            let times = contest(plan, Flow::Dependent, len, &mut contenders);
            for (lines, times) in lines.iter_mut().zip(&times) {
                let cycles = times.least() * rate;
                let _ = writeln!(
                    lines,
                    "tcrypt: test {nth} ({bits} bit key, {len} byte blocks): 1 operation in {cycles:.0} cycles \
                     ({len} bytes)"
                );
            }
            let [first, second] = [times[0].least(), times[1].least()];
            let ratio = first / second;
            let _ = writeln!(table, "| {verb} | {bits} | {len} | {first:.1} | {second:.1} | {ratio:.2} |");
        }
    }
    format!("{}{}\n{table}", lines[0], lines[1])
}

/// Cycles of the time stamp counter in a nanosecond.
fn counter_rate() -> f64 {
    let now = || {
        // SAFETY: every x86-64 has the counter.
        unsafe { _rdtsc() }
    };
    let (start, first) = (Instant::now(), now());
    while start.elapsed() < Duration::from_millis(20) {}
    let last = now();
    (last - first) as f64 / start.elapsed().as_nanos() as f64
}
