//! Why a request resolves as it does.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::alg::Alg;
use crate::plan::Plan;
use crate::selftest::TestState;
use crate::want::Want;
use crate::{Error, Result};

/// The whole resolution tree of a request.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Explanation {
    /// What was asked for.
    pub request: String,
    /// Kind and flags that were asked for.
    pub want: Want,
    /// Driver name of the winner, or why there is none.
    pub outcome: Result<String>,
    /// Every driver of the name and every composition that can be built, the winner first.
    pub candidates: Vec<Candidate>,
    /// Why nothing, or nothing more, could be composed.
    pub refusal: Option<Error>,
    /// The requests that the best composition makes for its children.
    pub spawns: Vec<Explanation>,
}

/// One candidate.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Candidate {
    /// Its description.
    pub alg: Arc<Alg>,
    /// What it competes with: its priority, or the lowest priority among a composition's leaves.
    pub rank: u32,
    /// Where its self-test stands; `None` for a composition that was not built yet.
    pub test: Option<TestState>,
    /// Whether it won, and if not, why.
    pub verdict: Verdict,
}

impl Candidate {
    /// Whether it is composed by a template.
    pub fn is_composition(&self) -> bool {
        !self.alg.children().is_empty()
    }
}

/// Whether a candidate won, and if not, why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It wins.
    Chosen,
    /// Another one has a higher rank.
    Outranked {
        /// The winner's driver name.
        by: Box<str>,
        /// The winner's rank.
        rank: u32,
    },
    /// Another one of equal rank goes first.
    Tied {
        /// The winner's driver name.
        by: Box<str>,
        /// The rule that broke the tie.
        why: &'static str,
    },
    /// This CPU, or a mask, does not allow it.
    Unavailable(Box<str>),
    /// It failed its self-test.
    Quarantined(Box<str>),
    /// It is of another kind, or its flags were excluded.
    Mismatch(Box<str>),
    /// The policy forbids it.
    Denied(Box<str>),
}

impl Verdict {
    /// Whether it could be used, and only lost to a better one.
    pub fn is_relative(&self) -> bool {
        matches!(self, Verdict::Outranked { .. } | Verdict::Tied { .. })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Chosen => f.write_str("chosen"),
            Verdict::Outranked { by, rank } => write!(f, "outranked by {by} ({rank})"),
            Verdict::Tied { by, why } => write!(f, "tied with {by}: {why}"),
            Verdict::Unavailable(why) => write!(f, "unavailable: {why}"),
            Verdict::Quarantined(why) => write!(f, "quarantined: {why}"),
            Verdict::Mismatch(why) => write!(f, "not asked for: {why}"),
            Verdict::Denied(rule) => write!(f, "denied by policy: {rule}"),
        }
    }
}

impl Explanation {
    pub(crate) fn of(plan: &Plan) -> Self {
        let candidates = plan.candidates.iter().map(|candidate| Candidate {
            alg: Arc::clone(candidate.node.alg()),
            rank: candidate.node.rank,
            test: candidate.node.entry.as_ref().map(|entry| entry.test.lock().clone()),
            verdict: candidate.verdict.clone(),
        });
        Explanation {
            request: plan.request.as_ref().into(),
            want: plan.want,
            outcome: plan.best().map(|node| node.alg().driver_name.as_ref().into()),
            candidates: candidates.collect(),
            refusal: plan.refusal.clone(),
            spawns: plan.spawns.iter().map(|spawn| Explanation::of(spawn)).collect(),
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tree(f, 0)
    }
}

impl Explanation {
    fn write_tree(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let indent = depth * 2;
        write!(f, "{:indent$}{} ({}) -> ", "", self.request, self.want.kind)?;
        match &self.outcome {
            Ok(driver) => writeln!(f, "{driver}")?,
            Err(error) => writeln!(f, "{error}")?,
        }
        for candidate in &self.candidates {
            let mark = if candidate.verdict == Verdict::Chosen { '*' } else { ' ' };
            let test = candidate.test.as_ref().map_or("not built", TestState::as_str);
            let rank = candidate.rank;
            let name = &candidate.alg.driver_name;
            let verdict = &candidate.verdict;
            writeln!(f, "{:indent$}{mark} {name:<32} rank {rank:<5} {test:<10} {verdict}", "")?;
        }
        self.spawns.iter().try_for_each(|spawn| spawn.write_tree(f, depth + 1))
    }
}
