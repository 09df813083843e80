//! The ratios that kcrypto's claims of speed rest on: everyone in one process, in turns, least of all rounds.
//!
//! `cargo bench -p kcrypto-benches --bench ratios` prints each ratio with its goal; with names of sections
//! after `--`, only those: floor, peers, composed, bulk, chain, allocation, and tcrypt, a table of the composed
//! and the fused `cts(cbc(aes))` in the kernel's form, which is printed only on demand.

use std::collections::BTreeMap;
use std::time::Duration;

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

/// Everything but the table in the kernel's form.
const SECTIONS: [(&str, fn(&Ratios)); 6] = [
    ("floor", Ratios::floor),
    ("peers", Ratios::peers),
    ("composed", Ratios::composed),
    ("bulk", Ratios::bulk),
    ("chain", Ratios::chain),
    ("allocation", Ratios::allocation),
];

fn main() {
    restrict::to_aes_ni();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    // Cargo says `--bench` when it means to measure.
    let measures = has("--bench") && !has("--test");
    let all = arguments.iter().all(|argument| argument.starts_with('-'));
    if has("tcrypt") || !measures {
        let time = if measures { Duration::from_secs(1) } else { Duration::ZERO };
        print!("{}", tcrypt::compare(Mode::Cts, [COMPOSED, FUSED], time));
    }
    let sections: &[(&str, fn(&Ratios))] =
        if SOFT_PEER { &[("generic", Ratios::generic)] } else { &SECTIONS };
    let sections: Vec<_> = sections.iter().filter(|(name, _)| all || has(name)).collect();
    if !sections.is_empty() {
        let ratios = Ratios::new(if measures { Plan::FULL } else { Plan::TEST });
        sections.iter().for_each(|(_, section)| section(&ratios));
    }
}

/// What a ratio must be, at most.
#[derive(Clone, Copy)]
enum Goal {
    Ratio(f64),
    /// A tenth or this many nanoseconds over the other, whichever is more.
    Over(f64),
    /// Nanoseconds.
    Time(f64),
    None,
}

/// Prints the table, line by line.
struct Ratios {
    plan: Plan,
    registry: Registry,
}

impl Ratios {
    fn new(plan: Plan) -> Self {
        println!("| what | bytes | ours ns | against | its ns | ratio | median ratio | goal | met |");
        println!("|---|---:|---:|---|---:|---:|---:|---:|---|");
        Ratios { plan, registry: ours::registry() }
    }

    fn line(&self, what: &str, len: usize, ours: &Times, peer: &str, its: &Times, goal: Goal) {
        let (own, other) = (ours.least(), its.least());
        let ratio = own / other;
        let (goal, met) = match goal {
            Goal::Ratio(most) => (format!("{most}"), Some(ratio <= most)),
            Goal::Over(ns) => {
                let most = (other + ns).max(1.1 * other);
                (format!("{most:.1} ns"), Some(own <= most))
            }
            Goal::Time(ns) => (format!("{ns} ns"), Some(own <= ns)),
            Goal::None => (String::new(), None),
        };
        let met = met.map_or("", |met| if met { "yes" } else { "**no**" });
        let median = ours.median_ratio(its);
        println!(
            "| {what} | {len} | {own:.1} | {peer} | {other:.1} | {ratio:.2} | {median:.2} | {goal} | {met} |"
        );
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
                let best = (1..contenders.len())
                    .filter(|&i| contenders[i].aes_ni_only)
                    .min_by(|&a, &b| times[a].least().total_cmp(&times[b].least()));
                let what = format!("{} {} {bits}", contenders[0].name, case.verb());
                for (i, (peer, its)) in contenders.iter().zip(&times).enumerate().skip(1) {
                    let wide = if peer.aes_ni_only { "" } else { " (VAES)" };
                    let goal = if Some(i) == best { Goal::Ratio(1.05) } else { Goal::None };
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
