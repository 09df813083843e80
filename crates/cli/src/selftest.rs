//! `kcrypto selftest`: tests drivers and compositions now.

use std::process::ExitCode;

use kcrypto::Registry;
use kcrypto::selftest::{Manager, Mode, Outcome, Status, Summary, targets, test_all};
use serde::Serialize;

use crate::args::Selftest;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress;
use crate::record::first_line;
use crate::table::Table;

pub(crate) fn run(
    registry: &Registry,
    hook: Manager,
    args: &Selftest,
    out: &mut Output,
) -> Result<ExitCode, Failure> {
    let hook = hook.with_mode(if args.full { Mode::full() } else { Mode::default() });
    let targets = targets(registry, &args.names)?;
    let bar = progress::steps(targets.len());
    let summary = test_all(registry, &targets, &hook, |outcome| {
        bar.set_message(outcome.driver.clone());
        bar.inc(1);
    });
    bar.finish_and_clear();
    let report = Report::of(&summary);
    if args.json {
        out.json(&report)?;
    } else {
        out.text(&report.table().to_string())?;
        for failure in report.results.iter().filter_map(|line| line.failure.as_deref()) {
            out.text(&format!("\n{failure}"))?;
        }
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
    checks: u64,
    seconds: f64,
    threads: usize,
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
    fn of(summary: &Summary) -> Self {
        Report {
            results: summary.outcomes.iter().map(Line::of).collect(),
            passed: summary.passed(),
            failed: summary.failed(),
            skipped: summary.skipped(),
            checks: summary.checks(),
            seconds: summary.time.as_secs_f64(),
            threads: summary.threads,
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
                first_line(remark).to_owned(),
            ]);
        }
        table
    }

    fn total(&self) -> String {
        let Report { passed, failed, skipped, checks, seconds, threads, .. } = self;
        format!(
            "{passed} passed, {failed} failed, {skipped} skipped; {checks} checks in {seconds:.2} s, {threads} threads"
        )
    }
}
