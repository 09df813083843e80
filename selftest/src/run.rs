//! Testing many drivers at once: everything registered, and the compositions that can be built of it.

use std::collections::{BTreeSet, HashSet};

use kcrypto_core::{Error, Flags, Info, KindTag, Registry, Report, Result, Verdict, Want};

use crate::mode::Mode;
use crate::vectors;

/// What came of the test of one driver or composition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// Its driver name.
    pub driver: String,
    /// Its generic name.
    pub name: String,
    /// Its kind.
    pub kind: KindTag,
    /// Whether it passed.
    pub status: Status,
}

/// Whether a driver passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Every check held.
    Passed(Report),
    /// A check did not hold; the report says which. The driver is in quarantine now.
    Failed(Report),
    /// It cannot run, such as for lack of a CPU feature; the reason.
    Skipped(String),
}

impl Outcome {
    /// What the test reported, if there was one.
    pub fn report(&self) -> Option<&Report> {
        match &self.status {
            Status::Passed(report) | Status::Failed(report) => Some(report),
            Status::Skipped(_) => None,
        }
    }
}

/// A driver or composition to be tested.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target {
    /// Its driver name.
    pub driver: String,
    /// Its generic name.
    pub name: String,
    /// Its kind.
    pub kind: KindTag,
    /// Why it cannot be tested; `None` if it can.
    pub obstacle: Option<String>,
}

/// Everything that these names mean: for a generic name, every driver of it and every composition that can
/// be built; for a driver name, that one. No names mean everything there is and every name with vectors.
///
/// # Errors
/// Those of resolution, for a name that nothing answers.
pub fn targets(registry: &Registry, names: &[String]) -> Result<Vec<Target>> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut add = |target: Target| {
        if seen.insert(target.driver.clone()) {
            found.push(target);
        }
    };
    if names.is_empty() {
        everything(registry).iter().flat_map(|name| answers(registry, name)).for_each(&mut add);
    }
    for name in names {
        let answers = answers(registry, name);
        if answers.is_empty() {
            return Err(refusal(registry, name));
        }
        answers.into_iter().for_each(&mut add);
    }
    Ok(found)
}

/// Every generic name in the registry, single-block ciphers first, then the names with vectors.
fn everything(registry: &Registry) -> Vec<String> {
    let alg = |info: &Info| (info.alg.kind.tag(), info.alg.name.len(), info.alg.name.to_string());
    let present: BTreeSet<_> = registry.list().iter().map(alg).collect();
    let present = present.into_iter().map(|(_, _, name)| name);
    present.chain(vectors::names().map(String::from)).collect()
}

/// The candidates for a name, of every kind.
fn answers(registry: &Registry, name: &str) -> Vec<Target> {
    let mut found = Vec::new();
    for &kind in KindTag::ALL {
        let explanation = registry.explain(name, any_flags(kind));
        let candidates = explanation.candidates.iter();
        found.extend(candidates.filter(|candidate| candidate.alg.kind.tag() == kind).map(|candidate| {
            Target {
                driver: candidate.alg.driver_name.to_string(),
                name: candidate.alg.name.to_string(),
                kind,
                obstacle: match &candidate.verdict {
                    Verdict::Unavailable(_) | Verdict::Denied(_) => Some(candidate.verdict.to_string()),
                    _ => None,
                },
            }
        }));
    }
    found
}

/// Why nothing answers a name: the most telling of the refusals.
fn refusal(registry: &Registry, name: &str) -> Error {
    let refusals =
        KindTag::ALL.iter().filter_map(|&kind| registry.explain(name, any_flags(kind)).outcome.err());
    let vague = |error: &Error| matches!(error, Error::NotFound { .. } | Error::WrongKind { .. });
    refusals.min_by_key(vague).unwrap_or(Error::NotFound { kind: None, name: name.into(), hint: "".into() })
}

fn any_flags(kind: KindTag) -> Want {
    Want::new(kind).either(Flags::ASYNC | Flags::INTERNAL)
}

impl Target {
    /// Builds it if it is a composition that does not exist yet, and tests it.
    ///
    /// The registry draws the consequences: what fails is quarantined.
    pub fn test(&self, registry: &Registry, mode: &Mode) -> Outcome {
        let status = match &self.obstacle {
            Some(reason) => Status::Skipped(reason.clone()),
            None => self.status(registry, mode),
        };
        Outcome { driver: self.driver.clone(), name: self.name.clone(), kind: self.kind, status }
    }

    fn status(&self, registry: &Registry, mode: &Mode) -> Status {
        // A composition comes into being when it is asked for. The test may be what finds its fault.
        match registry.resolve(&self.driver, any_flags(self.kind)) {
            Ok(_) => {}
            Err(Error::SelfTestFailed { driver, .. }) if *driver == *self.driver => {}
            Err(error) => return Status::Skipped(error.to_string()),
        }
        match registry.test(&self.driver, mode) {
            Ok(report) if report.passed() => Status::Passed(report),
            Ok(report) => Status::Failed(report),
            Err(error) => Status::Skipped(error.to_string()),
        }
    }
}

/// Tests [`targets`], one after the other.
///
/// # Errors
/// As [`targets`].
pub fn run(registry: &Registry, names: &[String], mode: &Mode) -> Result<Vec<Outcome>> {
    Ok(targets(registry, names)?.iter().map(|target| target.test(registry, mode)).collect())
}
