//! `kcrypto show`: what a name resolves to, and why.

use std::process::ExitCode;

use kcrypto::{Candidate, Explanation, Registry, Verdict};
use serde::Serialize;

use crate::args::Show;
use crate::failure::Failure;
use crate::kinds;
use crate::output::Output;
use crate::record::{Record, Test, effort, first_line, sizes};
use crate::table::Table;

pub(crate) fn run(registry: &Registry, args: &Show, out: &mut Output) -> Result<ExitCode, Failure> {
    let tree = kinds::explain(registry, &args.name, args.kind);
    if args.json {
        out.json(&Node::of(&tree))?;
    } else if tree.outcome.is_ok() || !tree.candidates.is_empty() || !tree.spawns.is_empty() {
        write_tree(&tree, "", "", out)?;
        let mut failures = Vec::new();
        gather(&tree, &mut failures);
        failures.iter().try_for_each(|failure| out.text(&format!("\n{failure}")))?;
    }
    tree.outcome.map(|_| ExitCode::SUCCESS).map_err(Failure::from)
}

/// Writes a request, its candidates, and below them the requests for the children.
fn write_tree(tree: &Explanation, here: &str, below: &str, out: &mut Output) -> Result<(), Failure> {
    let outcome = match &tree.outcome {
        Ok(driver) => driver.clone(),
        Err(error) => format!("nothing: {error}"),
    };
    out.line(format_args!("{here}{} ({}) -> {outcome}", tree.request, tree.want.kind))?;
    let line = if tree.spawns.is_empty() { "  " } else { "│ " };
    for row in candidates(tree).to_string().lines().skip(1) {
        out.line(format_args!("{below}{line}{row}"))?;
    }
    if let (Some(error), false) = (&tree.refusal, tree.candidates.is_empty()) {
        out.line(format_args!("{below}{line}  no other composition: {error}"))?;
    }
    for (i, spawn) in tree.spawns.iter().enumerate() {
        let (here, more) = if i + 1 == tree.spawns.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        write_tree(spawn, &format!("{below}{here}"), &format!("{below}{more}"), out)?;
    }
    Ok(())
}

/// The failed self-tests in a tree, in full, each once.
fn gather<'t>(tree: &'t Explanation, failures: &mut Vec<&'t str>) {
    let reports = tree.candidates.iter().filter_map(|candidate| candidate.test.as_ref()?.report());
    for failure in reports.filter_map(|report| report.failure.as_deref()) {
        if !failures.contains(&failure) {
            failures.push(failure);
        }
    }
    tree.spawns.iter().for_each(|spawn| gather(spawn, failures));
}

fn candidates(tree: &Explanation) -> Table<6> {
    let mut table = Table::new(["", "", "", ">", "", ""]);
    for candidate in &tree.candidates {
        let mark = if candidate.verdict == Verdict::Chosen { "*" } else { " " };
        table.row([
            mark.to_owned(),
            candidate.alg.driver_name.to_string(),
            sizes(&candidate.alg),
            candidate.rank.to_string(),
            state(candidate),
            first_line(&candidate.verdict.to_string()).to_owned(),
        ]);
    }
    table
}

/// Where the self-test stands; a composition that was not asked for yet is only buildable.
fn state(candidate: &Candidate) -> String {
    let Some(test) = &candidate.test else { return "buildable".into() };
    let effort = test.report().map(|report| format!(", {}", effort(report)));
    format!("{}{}", test.as_str(), effort.unwrap_or_default())
}

/// A request for programs.
#[derive(Serialize)]
struct Node {
    request: String,
    #[serde(rename = "type")]
    kind: &'static str,
    driver: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Refusal>,
    candidates: Vec<Choice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<Refusal>,
    spawns: Vec<Node>,
}

#[derive(Serialize)]
struct Refusal {
    errno: &'static str,
    message: String,
}

#[derive(Serialize)]
struct Choice {
    rank: u32,
    chosen: bool,
    composition: bool,
    verdict: &'static str,
    reason: String,
    selftest: Option<Test>,
    #[serde(flatten)]
    record: Option<Record>,
}

impl Node {
    fn of(tree: &Explanation) -> Self {
        let refusal =
            |error: &kcrypto::Error| Refusal { errno: error.errno_name(), message: error.to_string() };
        Node {
            request: tree.request.clone(),
            kind: tree.want.kind.as_str(),
            driver: tree.outcome.clone().ok(),
            error: tree.outcome.as_ref().err().map(refusal),
            candidates: tree.candidates.iter().map(Choice::of).collect(),
            refusal: tree.refusal.as_ref().map(refusal),
            spawns: tree.spawns.iter().map(Node::of).collect(),
        }
    }
}

impl Choice {
    fn of(candidate: &Candidate) -> Self {
        Choice {
            rank: candidate.rank,
            chosen: candidate.verdict == Verdict::Chosen,
            composition: candidate.is_composition(),
            verdict: match &candidate.verdict {
                Verdict::Chosen => "chosen",
                Verdict::Outranked { .. } => "outranked",
                Verdict::Tied { .. } => "tied",
                Verdict::Unavailable(_) => "unavailable",
                Verdict::Quarantined(_) => "quarantined",
                Verdict::Mismatch(_) => "mismatch",
                Verdict::Denied(_) => "denied",
                _ => "other",
            },
            reason: candidate.verdict.to_string(),
            selftest: candidate.test.as_ref().map(Test::of),
            record: Record::of(&candidate.alg),
        }
    }
}
