//! `gcm(aes)` beside its peers: everyone in one process, in turns, as in the other tables of ratios.
//!
//! A goal stands at the best peer that is held to the same instructions. Packets and records may take 1.1 times its
//! time, messages of up to 64 bytes no longer than its.

use kcrypto_benches::contender::{self, Contender, Dir};
use kcrypto_benches::gcm::{self, Case};
use kcrypto_benches::interleave::{Flow, Plan, contest};
use kcrypto_benches::{SIZES, ours, restrict};

/// How often everything is measured anew.
const PASSES: usize = 3;

fn main() {
    restrict::to_aes_ni();
    let has = |word: &str| std::env::args().any(|argument| argument == word);
    // Cargo says `--bench` when it means to measure.
    let measures = has("--bench") && !has("--test");
    let (plan, passes) = if measures { (Plan::FULL, PASSES) } else { (Plan::TEST, 1) };
    let registry = ours::registry();
    let mut lines: Vec<(Case, Vec<Contender>, Vec<Vec<f64>>)> = cases()
        .into_iter()
        .map(|case| {
            let mut contenders = gcm::all(&registry, case);
            contender::agree(&mut contenders, case.len);
            (case, contenders, Vec::new())
        })
        .collect();
    for _ in 0..passes {
        for (case, contenders, least) in &mut lines {
            let times = contest(plan, Flow::Independent, case.len, contenders);
            least.push(times.iter().map(|times| times.least()).collect());
        }
    }
    println!("| what | bytes | ours ns | against | its ns | ratio | of each pass | goal | met |");
    println!("|---|---:|---:|---|---:|---:|---|---|---|");
    for (case, contenders, least) in &lines {
        print(*case, contenders, least);
    }
}

/// What is measured: associated data as in ESP with packets of 1424 bytes, else as in TLS records.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (dir, bits) in [(Dir::Encrypt, 128), (Dir::Encrypt, 256), (Dir::Decrypt, 128), (Dir::Decrypt, 256)] {
        cases.extend(SIZES.map(|len| Case { dir, bits, aad: if len == 1424 { 20 } else { 13 }, len }));
    }
    cases
}

/// How many times the time of the best peer a message may take.
fn goal(len: usize) -> Option<f64> {
    match len {
        16..=64 => Some(1.0),
        1424 | 16384 => Some(1.1),
        _ => None,
    }
}

/// One line for each other contender.
fn print(case: Case, contenders: &[Contender], passes: &[Vec<f64>]) {
    let least = |i: usize| passes.iter().map(|times| times[i]).fold(f64::INFINITY, f64::min);
    let restricted = |&i: &usize| contenders[i].aes_ni_only && contenders[i].name != gcm::COMPOSED;
    let best = (1..contenders.len()).filter(restricted).min_by(|&a, &b| least(a).total_cmp(&least(b)));
    for i in 1..contenders.len() {
        let mut ratios: Vec<f64> = passes.iter().map(|times| times[0] / times[i]).collect();
        let each: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
        let goal = goal(case.len).filter(|_| best == Some(i));
        let verdict = goal.map_or("", |goal| {
            let met = ratios.iter().filter(|&&ratio| ratio <= goal).count();
            if 2 * met > ratios.len() { "yes" } else { "**no**" }
        });
        ratios.sort_by(f64::total_cmp);
        let wide = if contenders[i].aes_ni_only { "" } else { " (VAES)" };
        println!(
            "| {} {} {} aad {} | {} | {:.1} | {}{wide} | {:.1} | **{:.2}** | {} | {} | {verdict} |",
            contenders[0].name,
            if case.dir == Dir::Encrypt { "seal" } else { "open" },
            case.bits,
            case.aad,
            case.len,
            least(0),
            contenders[i].name,
            least(i),
            ratios[ratios.len() / 2],
            each.join(" "),
            goal.map_or(String::new(), |goal| goal.to_string()),
        );
    }
}
