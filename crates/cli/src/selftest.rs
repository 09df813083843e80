//! `kcrypto selftest`: tests drivers and compositions now.

use core::time::Duration;
use std::process::ExitCode;
use std::time::Instant;

use kcrypto::Registry;
use kcrypto::selftest::{Mode, Outcome, Status, targets};
use serde::Serialize;

use crate::args::Selftest;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress;
use crate::table::Table;

pub(crate) fn run(registry: &Registry, args: &Selftest, out: &mut Output) -> Result<ExitCode, Failure> {
    let mode = if args.full { Mode::full() } else { Mode::default() };
    let targets = targets(registry, &args.names)?;
    let start = Instant::now();
    let bar = progress::steps(targets.len());
    let mut outcomes = Vec::with_capacity(targets.len());
    for target in &targets {
        bar.set_message(target.driver.clone());
        outcomes.push(target.test(registry, &mode));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let report = Report::of(&outcomes, start.elapsed());
    if args.json {
        out.json(&report)?;
    } else {
        out.text(&report.table().to_string())?;
        out.line(format_args!("\n{}", report.total()))?;
    }
    Ok(if report.failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

#[derive(Serialize)]
struct Report {
    results: Vec<Line>,
    passed: usize,
    failed: usize,
    skipped: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct Line {
    driver: String,
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    result: &'static str,
    checks: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<String>,
}

impl Line {
    fn of(outcome: &Outcome) -> Self {
        let report = outcome.report();
        let (result, skipped) = match &outcome.status {
            Status::Passed(report) => ("passed", report.skipped.as_deref()),
            Status::Failed(report) => ("failed", report.skipped.as_deref()),
            Status::Skipped(why) => ("skipped", Some(why.as_str())),
        };
        Line {
            driver: outcome.driver.clone(),
            name: outcome.name.clone(),
            kind: outcome.kind.as_str(),
            result,
            checks: report.map_or(0, |report| report.checks),
            seconds: report.map_or(0.0, |report| report.time.as_secs_f64()),
            failure: report.and_then(|report| report.failure.clone()),
            skipped: skipped.map(str::to_owned),
        }
    }
}

impl Report {
    fn of(outcomes: &[Outcome], time: Duration) -> Self {
        let results: Vec<Line> = outcomes.iter().map(Line::of).collect();
        let count = |word| results.iter().filter(|line| line.result == word).count();
        Report {
            passed: count("passed"),
            failed: count("failed"),
            skipped: count("skipped"),
            seconds: time.as_secs_f64(),
            results,
        }
    }

    fn table(&self) -> Table<6> {
        let mut table = Table::new(["DRIVER", "NAME", "RESULT", ">CHECKS", ">TIME", "REMARK"]);
        for line in &self.results {
            let tested = line.result != "skipped";
            let remark = line.failure.as_deref().or(line.skipped.as_deref()).unwrap_or_default();
            table.row([
                line.driver.clone(),
                line.name.clone(),
                line.result.to_owned(),
                if tested { line.checks.to_string() } else { String::new() },
                if tested { format!("{:.2} ms", line.seconds * 1e3) } else { String::new() },
                remark.to_owned(),
            ]);
        }
        table
    }

    fn total(&self) -> String {
        let Report { passed, failed, skipped, seconds, .. } = self;
        format!("{passed} passed, {failed} failed, {skipped} skipped in {seconds:.2} s")
    }
}
