//! Counting outcomes, and the report.

use std::collections::BTreeMap;

use super::bench::Scores;
use super::outcome::{Outcome, Skip};
use crate::failure::Failure;
use crate::output::Output;
use crate::table::Table;

/// Failures that are written out; more are only counted.
const SHOWN: usize = 100;
/// Width of a list of names.
const WIDTH: usize = 100;

/// Outcomes so far.
#[derive(Default)]
pub(crate) struct Tally {
    passed: usize,
    failed: usize,
    skipped: BTreeMap<Skip, usize>,
    beyond: BTreeMap<String, usize>,
    stricter: BTreeMap<String, usize>,
    failures: Vec<String>,
}

impl Tally {
    pub(crate) fn passed(&self) -> usize {
        self.passed
    }

    pub(crate) fn failed(&self) -> usize {
        self.failed
    }

    /// Counts the outcome of the case at `place`.
    pub(crate) fn count(&mut self, place: &str, outcome: Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed(lines) => {
                self.failed += 1;
                self.failures.extend(lines.iter().map(|line| format!("{place}: {line}")));
            }
            Outcome::Skipped(skip) => *self.skipped.entry(skip).or_default() += 1,
            Outcome::Beyond(what) => *self.beyond.entry(what).or_default() += 1,
            Outcome::Stricter(what) => *self.stricter.entry(what).or_default() += 1,
        }
    }

    /// Writes everything; the last line counts passed, failed and skipped cases.
    pub(crate) fn report(&self, scores: &Scores, out: &mut Output) -> Result<(), Failure> {
        if !scores.is_empty() {
            let mut table = Table::new(["NAME", "DRIVER", ">PASSED", ">FAILED"]);
            for ((name, driver), score) in scores {
                let (passed, failed) = (score.passed.to_string(), score.failed.to_string());
                table.row([name.clone(), driver.clone(), passed, failed]);
            }
            out.line(table)?;
        }
        let unknown = self.skipped.iter().filter_map(|(skip, n)| match skip {
            Skip::Unknown(name) => Some((name, n)),
            Skip::Because(_) => None,
        });
        list("skipped, no algorithm of this name here", unknown, out)?;
        for (skip, n) in &self.skipped {
            if let Skip::Because(why) = skip {
                out.line(format_args!("skipped, {why}: {n}"))?;
            }
        }
        list("beyond Linux (docs/beyond-linux.md), counted apart", self.beyond.iter(), out)?;
        list("stricter than Linux (docs/stricter-than-linux.md), counted apart", self.stricter.iter(), out)?;
        for line in self.failures.iter().take(SHOWN) {
            out.line(format_args!("FAILED {}", line.escape_debug()))?;
        }
        if self.failures.len() > SHOWN {
            out.line(format_args!("and {} failures more", self.failures.len() - SHOWN))?;
        }
        let skipped: usize = self.skipped.values().sum();
        out.line(format_args!("{} passed, {} failed, {skipped} skipped", self.passed, self.failed))
    }
}

/// Writes a title with the sum, and below it every name with its count.
fn list<'a>(
    title: &str,
    names: impl Iterator<Item = (&'a String, &'a usize)>,
    out: &mut Output,
) -> Result<(), Failure> {
    let names: Vec<(&String, &usize)> = names.collect();
    if names.is_empty() {
        return Ok(());
    }
    let sum: usize = names.iter().map(|(_, n)| **n).sum();
    out.line(format_args!("{title}: {sum}"))?;
    let mut line = String::from(" ");
    for (name, n) in names {
        let name = short(name);
        let item = if *n == 1 { format!(" {name}") } else { format!(" {name} ({n})") };
        if line.len() + item.len() > WIDTH && line.len() > 1 {
            out.line(&line)?;
            line = String::from(" ");
        }
        line += &item;
    }
    out.line(format_args!("{line}\n"))
}

/// A name for a list: without control characters, and not endless.
fn short(name: &str) -> String {
    let printable = name.escape_debug().to_string();
    match printable.char_indices().nth(WIDTH / 2) {
        Some((at, _)) => format!("{}...", &printable[..at]),
        None => printable,
    }
}
