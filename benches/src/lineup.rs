//! Entrants that turn a message into an output of fixed length, measured in turns: hashes, MACs, AEADs.

use std::hint::black_box;

use crate::interleave::{Plan, Times, measure, timed};
use crate::message::Message;

/// Does it `n` times, to the same message.
type Loop = Box<dyn FnMut(u64, &[u8], &mut [u8])>;

/// Someone who takes part.
pub struct Entrant {
    name: String,
    run: Loop,
}

impl Entrant {
    /// A function from a message to an output. The loop is compiled around it, so that nobody pays for being boxed.
    pub fn new(name: impl Into<String>, mut function: impl FnMut(&[u8], &mut [u8]) + 'static) -> Self {
        let run = move |n, message: &[u8], output: &mut [u8]| {
            for _ in 0..n {
                function(black_box(message), black_box(&mut *output));
            }
        };
        Entrant { name: name.into(), run: Box::new(run) }
    }
}

impl std::fmt::Debug for Entrant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entrant").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Full measurement if cargo says that it measures, else one pass that shows that everything runs.
pub fn plan() -> Plan {
    let has = |word: &str| std::env::args().any(|argument| argument == word);
    if has("--bench") && !has("--test") { Plan::FULL } else { Plan::TEST }
}

/// Measures everyone on messages of each length and prints a table: the least time of each, and the median over
/// the rounds of the ratio of the first entrant's to it.
///
/// # Panics
/// If two do not compute the same.
pub fn table(what: &str, lens: &[usize], output_len: impl Fn(usize) -> usize, entrants: &mut [Entrant]) {
    println!("\n{what}\n");
    println!("| bytes | {} |", entrants.iter().map(|e| &*e.name).collect::<Vec<_>>().join(" | "));
    println!("| ---: |{}", " ---: |".repeat(entrants.len()));
    for &len in lens {
        agree(what, len, output_len(len), entrants);
        let times = run(len, output_len(len), entrants);
        let cells = times.iter().enumerate().map(|(i, time)| match i {
            0 => format!("{:.1} ns", time.least()),
            _ => format!("{:.1} ns ({:.2})", time.least(), times[0].median_ratio(time)),
        });
        println!("| {len} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
}

fn agree(what: &str, len: usize, output_len: usize, entrants: &mut [Entrant]) {
    let mut message = Message::new(len);
    let outputs: Vec<Vec<u8>> = entrants
        .iter_mut()
        .map(|entrant| {
            let mut output = vec![0; output_len];
            (entrant.run)(1, message.in_place(), &mut output);
            output
        })
        .collect();
    for (entrant, output) in entrants.iter().zip(&outputs) {
        assert_eq!(output, &outputs[0], "{what}: {} differs at {len} bytes", entrant.name);
    }
}

fn run(len: usize, output_len: usize, entrants: &mut [Entrant]) -> Vec<Times> {
    let mut runs: Vec<_> = entrants
        .iter_mut()
        .map(|entrant| {
            // Source and destination of a message of the longer length do not overlap in a page.
            let mut message = Message::new(len.max(output_len));
            timed(move |n| {
                message.move_on();
                let (source, output) = message.apart();
                (entrant.run)(n, &source[..len], &mut output[..output_len]);
            })
        })
        .collect();
    measure(plan(), &mut runs)
}
