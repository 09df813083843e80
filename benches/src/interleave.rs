//! Measures contenders in turns, so that what the machine does meanwhile falls on all of them alike.

use std::time::{Duration, Instant};

use crate::contender::Contender;
use crate::message::Message;

/// Does something `n` times and tells how long that took.
pub type Run<'a> = Box<dyn FnMut(u64) -> Duration + 'a>;

/// A [`Run`] of a loop.
pub fn timed<'a>(mut run: impl FnMut(u64) + 'a) -> Run<'a> {
    Box::new(move |n| {
        let start = Instant::now();
        run(n);
        start.elapsed()
    })
}

/// How long and how often to measure.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Rounds; in each, everyone has one slice.
    pub rounds: usize,
    /// Length of a slice.
    pub slice: Duration,
}

impl Plan {
    /// Slices short enough to fit between two turns of the scheduler on a busy machine.
    pub const FULL: Plan = Plan { rounds: 60, slice: Duration::from_micros(300) };
    /// Only shows that everything runs.
    pub const TEST: Plan = Plan { rounds: 1, slice: Duration::ZERO };
}

/// Nanoseconds per operation, of each round.
#[derive(Debug, Clone)]
pub struct Times(Vec<f64>);

impl Times {
    /// The least of the rounds.
    pub fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The median over rounds of the ratio to the same round of another.
    pub fn median_ratio(&self, other: &Times) -> f64 {
        let mut ratios: Vec<f64> = self.0.iter().zip(&other.0).map(|(a, b)| a / b).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }
}

/// Measures everyone in turns; who begins changes from round to round.
pub fn measure(plan: Plan, runs: &mut [Run<'_>]) -> Vec<Times> {
    let counts: Vec<u64> = runs.iter_mut().map(|run| calibrate(plan, run)).collect();
    let mut times = vec![Times(Vec::with_capacity(plan.rounds)); runs.len()];
    for round in 0..plan.rounds {
        for turn in 0..runs.len() {
            let i = (turn + round) % runs.len();
            times[i].0.push(runs[i](counts[i]).as_nanos() as f64 / counts[i] as f64);
        }
    }
    times
}

/// How many operations fill a slice.
fn calibrate(plan: Plan, run: &mut Run<'_>) -> u64 {
    let mut n = 1;
    while run(n) < plan.slice {
        n *= 2;
    }
    n
}

/// Whether messages depend on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Throughput: they do not, and the CPU overlaps them.
    Independent,
    /// Latency: each one's input is the output of the one before.
    Dependent,
}

impl Contender {
    /// `n` messages.
    #[inline]
    pub fn drive(&mut self, flow: Flow, n: u64, message: &mut Message) {
        match flow {
            Flow::Independent => self.loops.independent(n, message),
            Flow::Dependent => self.loops.dependent(n, message),
        }
    }
}

/// A [`Run`] of a contender, each time in another place of memory.
pub fn driven<'a>(flow: Flow, contender: &'a mut Contender, message: &'a mut Message) -> Run<'a> {
    timed(move |n| {
        message.move_on();
        contender.drive(flow, n, message);
    })
}

/// Measures contenders on messages of `len` bytes.
pub fn contest(plan: Plan, flow: Flow, len: usize, contenders: &mut [Contender]) -> Vec<Times> {
    let mut messages: Vec<Message> = contenders.iter().map(|_| Message::new(len)).collect();
    let mut runs: Vec<Run<'_>> = contenders
        .iter_mut()
        .zip(&mut messages)
        .map(|(contender, message)| driven(flow, contender, message))
        .collect();
    measure(plan, &mut runs)
}
