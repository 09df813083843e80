//! The ratios that kcrypto's claims of speed rest on: everyone in one process, in turns.
//!
//! A round gives everyone one slice of a third of a millisecond; the least of 60 rounds is a pass. Of three
//! passes, with all other sections between them, the middle ratio counts, and a goal is met when two of them meet it.
//!
//! `cargo bench -p kcrypto-benches --bench ratios` prints each ratio with its goal; with names of sections
//! after `--`, only those: floor, peers, composed, bulk, chain, mac, ccm, batch, allocation, and tcrypt, a table of the
//! composed and the fused `cts(cbc(aes))` in the kernel's form, which is printed only on demand.

#[path = "ratios/batches.rs"]
mod batches;
#[path = "ratios/macs.rs"]
mod macs;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use kcrypto::Registry;
use kcrypto_benches::contender::{self, Case, Contender, Dir, Mode};
use kcrypto_benches::interleave::{Flow, Plan, Times, contest, driven, measure, timed};
use kcrypto_benches::message::Message;
use kcrypto_benches::restrict::{self, SOFT_PEER};
use kcrypto_benches::{allocation, floor, ours, peers, tcrypt};

/// The name of the fused driver.
const FUSED: &str = "cts-cbc-aes-aesni";
/// The name of the composition over the fused CBC.
const COMPOSED: &str = "cts(cbc-aes-aesni)";

/// How often everything is measured anew.
const PASSES: usize = 3;

/// A name on the command line, and what it measures.
type Section = (&'static str, fn(&Ratios));

/// Everything but the table in the kernel's form.
const SECTIONS: [Section; 9] = [
    ("floor", Ratios::floor),
    ("peers", Ratios::peers),
    ("composed", Ratios::composed),
    ("bulk", Ratios::bulk),
    ("chain", Ratios::chain),
    ("mac", Ratios::mac),
    ("ccm", Ratios::ccm),
    ("batch", Ratios::batch),
    ("allocation", Ratios::allocation),
];

fn main() {
    restrict::to_aes_ni();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    // Cargo says `--bench` when it means to measure.
    let measures = has("--bench") && !has("--test");
    let all = arguments.iter().all(|argument| argument.starts_with('-'));
    let plan = if measures { Plan::FULL } else { Plan::TEST };
    if has("tcrypt") || !measures {
        print!("{}", tcrypt::compare(plan, Mode::Cts, [COMPOSED, FUSED]));
    }
    let sections: &[Section] = if SOFT_PEER { &[("generic", Ratios::generic)] } else { &SECTIONS };
    let sections: Vec<_> = sections.iter().filter(|(name, _)| all || has(name)).collect();
    if !sections.is_empty() {
        let ratios = Ratios::new(plan);
        for _ in 0..if measures { PASSES } else { 1 } {
            sections.iter().for_each(|(_, section)| section(&ratios));
        }
        ratios.print();
    }
}

/// What a time must be, at most.
#[derive(Clone, Copy, PartialEq)]
enum Goal {
    /// So many times the other's.
    Ratio(f64),
    /// The same, where the other is the best of those with this goal.
    Best(f64),
    /// A tenth or this many nanoseconds over the other's, whichever is more.
    Over(f64),
    /// So many nanoseconds.
    Time(f64),
    None,
}

impl Goal {
    fn met(self, ours: f64, its: f64) -> Option<bool> {
        match self {
            Goal::Ratio(most) | Goal::Best(most) => Some(ours <= most * its),
            Goal::Over(ns) => Some(ours <= (its + ns).max(1.1 * its)),
            Goal::Time(ns) => Some(ours <= ns),
            Goal::None => None,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Ratio(most) | Goal::Best(most) => write!(f, "{most}"),
            Goal::Over(ns) => write!(f, "+{ns} ns or 10 %"),
            Goal::Time(ns) => write!(f, "{ns} ns"),
            Goal::None => Ok(()),
        }
    }
}

/// Two who were measured in turns, in every pass.
struct Line {
    what: String,
    len: usize,
    peer: String,
    goal: Goal,
    passes: Vec<(f64, f64)>,
}

impl Line {
    /// The least of all passes.
    fn least(&self) -> (f64, f64) {
        let least = |(a, b): (f64, f64), &(c, d): &(f64, f64)| (a.min(c), b.min(d));
        self.passes.iter().fold((f64::INFINITY, f64::INFINITY), least)
    }

    /// The ratio of the middle pass.
    fn ratio(&self) -> f64 {
        let mut ratios: Vec<f64> = self.passes.iter().map(|(ours, its)| ours / its).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }

    /// Whether most passes met the goal.
    fn met(&self) -> Option<bool> {
        let met: Option<Vec<bool>> =
            self.passes.iter().map(|&(ours, its)| self.goal.met(ours, its)).collect();
        met.map(|met| 2 * met.iter().filter(|&&met| met).count() > met.len())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { what, len, peer, goal, passes } = self;
        let (ours, its) = self.least();
        let ratios: Vec<String> = passes.iter().map(|(ours, its)| format!("{:.2}", ours / its)).collect();
        let (ratios, ratio) = (ratios.join(" "), self.ratio());
        let verdict = match self.met() {
            None => "",
            Some(true) => "yes",
            Some(false) => "**no**",
        };
        let len = if *len == 0 { String::new() } else { len.to_string() };
        write!(
            f,
            "| {what} | {len} | {ours:.1} | {peer} | {its:.1} | **{ratio:.2}** | {ratios} | {goal} | {verdict} |"
        )
    }
}

/// Collects what is measured.
struct Ratios {
    plan: Plan,
    registry: Registry,
    lines: RefCell<Vec<Line>>,
}

impl Ratios {
    fn new(plan: Plan) -> Self {
        Ratios { plan, registry: ours::registry(), lines: RefCell::default() }
    }

    fn line(&self, what: &str, len: usize, ours: &Times, peer: &str, its: &Times, goal: Goal) {
        let pass = (ours.least(), its.least());
        let mut lines = self.lines.borrow_mut();
        match lines.iter_mut().find(|line| line.what == what && line.len == len && line.peer == peer) {
            Some(line) => line.passes.push(pass),
            None => {
                let (what, peer) = (what.into(), peer.into());
                lines.push(Line { what, len, peer, goal, passes: vec![pass] });
            }
        }
    }

    /// Prints the table.
    fn print(&self) {
        println!("| what | bytes | ours ns | against | its ns | ratio | of each pass | goal | met |");
        println!("|---|---:|---:|---|---:|---:|---|---|---|");
        let mut lines = self.lines.borrow_mut();
        let bests: Vec<bool> = lines
            .iter()
            .map(|line| {
                let rival = |other: &&Line| {
                    other.what == line.what && other.len == line.len && other.goal == line.goal
                };
                lines.iter().filter(rival).all(|other| line.least().1 <= other.least().1)
            })
            .collect();
        for (line, best) in lines.iter_mut().zip(bests) {
            if matches!(line.goal, Goal::Best(_)) && !best {
                line.goal = Goal::None;
            }
            println!("{line}");
        }
    }

    /// Measures everyone after checking that they compute the same.
    fn contest(&self, flow: Flow, len: usize, contenders: &mut [Contender]) -> Vec<Times> {
        contender::agree(contenders, len);
        contest(self.plan, flow, len, contenders)
    }

    fn ours(&self, name: &str, case: Case) -> Contender {
        ours::driver(&self.registry, name, case)
    }

    /// The fused driver over the hand-written function.
    fn floor(&self) {
        for flow in [Flow::Independent, Flow::Dependent] {
            for dir in Dir::BOTH {
                let case = Case { mode: Mode::Cts, dir, bits: 128 };
                for len in [16, 24, 32, 60, 64, 100, 128, 250, 256, 1024, 4096] {
                    let mut contenders = [self.ours(FUSED, case), floor::cts(dir)];
                    let times = self.contest(flow, len, &mut contenders);
                    let counts = matches!(len, 32 | 64 | 128 | 256);
                    let goal = if counts { Goal::Over(3.0) } else { Goal::None };
                    let flow = if flow == Flow::Independent { "" } else { ", latency" };
                    let what = format!("{FUSED} {}{flow}", case.verb());
                    self.line(&what, len, &times[0], "floor", &times[1], goal);
                }
            }
        }
    }

    /// The fused driver beside everyone else's stealing.
    fn peers(&self) {
        for dir in Dir::BOTH {
            for bits in [128, 256] {
                let case = Case { mode: Mode::Cts, dir, bits };
                for len in [16, 32, 64, 128, 256, 1024, 4096] {
                    let mut contenders = vec![self.ours(FUSED, case)];
                    contenders.extend(peers::all(case).into_iter().filter(|peer| peer.shortest <= len));
                    let times = self.contest(Flow::Independent, len, &mut contenders);
                    let what = format!("{FUSED} {} {bits}", case.verb());
                    for (peer, its) in contenders.iter().zip(&times).skip(1) {
                        let goal = match (peer.name.as_str(), bits, len) {
                            ("openssl", 128, 32..=128) => Goal::Ratio(0.5),
                            ("openssl", 128, 256) => Goal::Ratio(0.7),
                            _ => Goal::None,
                        };
                        self.line(&what, len, &times[0], &peer.name, its, goal);
                    }
                }
            }
        }
    }

    /// The composition beside the fused driver, each message depending on the one before.
    fn composed(&self) {
        for dir in Dir::BOTH {
            for bits in [128, 192, 256] {
                let case = Case { mode: Mode::Cts, dir, bits };
                for len in [32, 64, 128, 256, 1024, 4096] {
                    let mut contenders = [self.ours(COMPOSED, case), self.ours(FUSED, case)];
                    let times = self.contest(Flow::Dependent, len, &mut contenders);
                    let goal = match (len, dir) {
                        (1024, _) => Goal::None,
                        (4096, _) => Goal::Ratio(1.05),
                        (_, Dir::Encrypt) => Goal::Ratio(1.35),
                        (_, Dir::Decrypt) => Goal::Ratio(2.5),
                    };
                    let what = format!("{COMPOSED} {} {bits}, latency", case.verb());
                    self.line(&what, len, &times[0], FUSED, &times[1], goal);
                }
            }
        }
    }

    /// Whole pages beside the best peer that is held to AES-NI; who takes VAES is shown without a goal.
    fn bulk(&self) {
        let len = 4096;
        for (mode, dir) in [
            (Mode::Cbc, Dir::Decrypt),
            (Mode::Ctr, Dir::Encrypt),
            (Mode::Xts, Dir::Encrypt),
            (Mode::Xts, Dir::Decrypt),
            (Mode::Ecb, Dir::Encrypt),
            (Mode::Ecb, Dir::Decrypt),
        ] {
            for bits in [128, 192, 256] {
                let case = Case { mode, dir, bits };
                let mut contenders = vec![self.ours(ours::fused(mode), case)];
                contenders.extend(peers::all(case));
                if contenders.len() == 1 {
                    continue;
                }
                let times = self.contest(Flow::Independent, len, &mut contenders);
                let what = format!("{} {} {bits}", contenders[0].name, case.verb());
                for (peer, its) in contenders.iter().zip(&times).skip(1) {
                    let wide = if peer.aes_ni_only { "" } else { " (VAES)" };
                    let goal = if peer.aes_ni_only { Goal::Best(1.05) } else { Goal::None };
                    self.line(&what, len, &times[0], &format!("{}{wide}", peer.name), its, goal);
                }
            }
        }
    }

    /// CBC encryption beside nothing but its rounds.
    fn chain(&self) {
        for len in [256, 1024, 4096, 16384] {
            let case = Case { mode: Mode::Cbc, dir: Dir::Encrypt, bits: 128 };
            let mut ours = self.ours("cbc-aes-aesni", case);
            let mut message = Message::new(len);
            let blocks = len as u64 / 16;
            let times = measure(
                self.plan,
                &mut [driven(Flow::Dependent, &mut ours, &mut message), timed(|n| floor::chain(n * blocks))],
            );
            let goal = if len == 4096 { Goal::Ratio(1.03) } else { Goal::None };
            self.line("cbc-aes-aesni encrypt 128", len, &times[0], "AESENC chain", &times[1], goal);
        }
    }

    /// Portable CTR beside RustCrypto's software AES.
    fn generic(&self) {
        for (mode, dir, goal) in [
            (Mode::Ctr, Dir::Encrypt, Goal::Ratio(1.0)),
            (Mode::Ecb, Dir::Decrypt, Goal::None),
            (Mode::Cbc, Dir::Encrypt, Goal::None),
            (Mode::Cbc, Dir::Decrypt, Goal::None),
        ] {
            let name = mode.name().replace("(aes)", "(aes-generic)");
            for bits in [128, 192, 256] {
                let case = Case { mode, dir, bits };
                for len in [64, 4096] {
                    let mut contenders = vec![self.ours(&name, case)];
                    contenders.extend(peers::rustcrypto(case));
                    let times = self.contest(Flow::Independent, len, &mut contenders);
                    let goal = if len == 4096 { goal } else { Goal::None };
                    let what = format!("{name} {} {bits}", case.verb());
                    self.line(&what, len, &times[0], "RustCrypto software", &times[1], goal);
                }
            }
        }
    }

    /// Allocation of a resolved name, alone, in a crowd, and on two threads.
    fn allocation(&self) {
        let (small, crowded) = (allocation::small(), allocation::crowded());
        let times = measure(
            self.plan,
            &mut [
                timed(|n| allocation::allocate(&small, n)),
                timed(|n| allocation::allocate(&crowded, n)),
                Box::new(|n| allocation::allocate_on_two(&small, n)),
                Box::new(|n| allocation::allocate_on_two(&crowded, n)),
            ],
        );
        let named = ["alone", "among 10,000 others", "alone, 2 threads", "among 10,000 others, 2 threads"];
        let times: BTreeMap<&str, &Times> = named.into_iter().zip(&times).collect();
        let one = times["alone"];
        for (what, goal) in [
            ("alone", Goal::Time(150.0)),
            // Not slower; the rest is what two runs of the same differ by.
            ("among 10,000 others", Goal::Ratio(1.05)),
            ("alone, 2 threads", Goal::None),
            ("among 10,000 others, 2 threads", Goal::None),
        ] {
            self.line(&format!("allocation, {what}"), 0, times[what], "alone", one, goal);
        }
    }
}
