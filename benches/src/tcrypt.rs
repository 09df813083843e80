//! Operations per second in the line format of the kernel's benchmark module.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::contender::{Case, Contender, Dir, Mode};
use crate::interleave::Flow;
use crate::message::Message;
use crate::ours;

/// Message sizes of the kernel's table.
pub const SIZES: [usize; 6] = [16, 64, 256, 1024, 1424, 4096];

/// Compares two drivers of a name: each measurement lasts `time`, in slices that take turns.
pub fn compare(mode: Mode, drivers: [&str; 2], time: Duration) -> String {
    let registry = ours::registry();
    let mut lines: [String; 2] = Default::default();
    let mut table = String::from("| direction | key | bytes | ");
    let _ = writeln!(table, "{} | {} | gain |\n|---|---:|---:|---:|---:|---:|", drivers[0], drivers[1]);
    for dir in Dir::BOTH {
        let verb = if dir == Dir::Encrypt { "encryption" } else { "decryption" };
        for (lines, driver) in lines.iter_mut().zip(drivers) {
            let _ = writeln!(lines, "\ntcrypt: testing speed of sync {} ({driver}) {verb}", mode.name());
        }
        let mut nth = 0;
        for bits in [128, 192, 256] {
            let case = Case { mode, dir, bits };
            for len in SIZES {
                let mut contenders = drivers.map(|name| ours::driver(&registry, name, case));
                let counts = count(time, len, &mut contenders);
                for (lines, (ops, spent)) in lines.iter_mut().zip(counts) {
                    let seconds = spent.as_secs_f64().round().max(1.0) as u64;
                    let bytes = ops * len as u64;
                    let _ = writeln!(
                        lines,
                        "tcrypt: test {nth} ({bits} bit key, {len} byte blocks): {ops} operations in \
                         {seconds} seconds ({bytes} bytes)"
                    );
                }
                let rate = counts.map(|(ops, spent)| ops as f64 / spent.as_secs_f64());
                let _ = writeln!(
                    table,
                    "| {verb} | {bits} | {len} | {:.0} | {:.0} | {:.2} |",
                    rate[0],
                    rate[1],
                    rate[1] / rate[0]
                );
                nth += 1;
            }
        }
    }
    format!("{}{}\n{table}", lines[0], lines[1])
}

/// Operations of each within `time` of its own, and that time.
fn count(time: Duration, len: usize, contenders: &mut [Contender; 2]) -> [(u64, Duration); 2] {
    let slice = time / 100;
    let mut counts = [(0, Duration::ZERO); 2];
    let mut messages = [Message::new(len), Message::new(len)];
    while counts.iter().any(|(ops, spent)| *ops == 0 || *spent < time) {
        for ((contender, message), (ops, spent)) in contenders.iter_mut().zip(&mut messages).zip(&mut counts)
        {
            let start = Instant::now();
            loop {
                contender.drive(Flow::Independent, 64, message);
                *ops += 64;
                if start.elapsed() >= slice {
                    break;
                }
            }
            *spent += start.elapsed();
        }
    }
    counts
}
