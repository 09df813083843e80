//! Testing many drivers at once: everything registered, and the compositions that can be built of it.

use core::fmt;
use core::num::NonZero;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::collections::{BTreeSet, HashSet};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use kcrypto_core::{Error, Flags, Info, KindTag, Registry, Report, Result, SelfTest, Verdict, Want};

use crate::vectors;

/// Names that programs are known to ask for, beside those that have vectors. Those that nothing answers are
/// left out of a run.
const ASKED_FOR: [&str; 24] = [
    "lrw(aes)",
    "xctr(aes)",
    "pcbc(fcrypt)",
    "essiv(cbc(aes),sha256)",
    "hctr2(aes)",
    "adiantum(xchacha12,aes)",
    "adiantum(xchacha20,aes)",
    "authenc(hmac(sha1),cbc(aes))",
    "authenc(hmac(sha256),cbc(aes))",
    "authenc(hmac(sha256),cts(cbc(aes)))",
    "authencesn(hmac(sha256),cbc(aes))",
    "echainiv(authenc(hmac(sha256),cbc(aes)))",
    "seqiv(rfc4106(gcm(aes)))",
    "krb5enc(hmac(sha1),cts(cbc(aes)))",
    "essiv(authenc(hmac(sha256),cbc(aes)),sha256)",
    "cbc(sm4)",
    "cts(cbc(sm4))",
    "xts(sm4)",
    "cts(cbc(camellia))",
    "xts(camellia)",
    "cbc(des3_ede)",
    "xts(speck128)",
    "xts(speck64)",
    "cts(cbc(speck128))",
];

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

/// What came of the tests of many drivers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// One for each, in the order in which they were to be tested.
    pub outcomes: Vec<Outcome>,
    /// Time from the start of the first test to the end of the last.
    pub time: Duration,
    /// Threads that tested.
    pub threads: usize,
}

impl Summary {
    /// How many passed.
    pub fn passed(&self) -> usize {
        self.count(|status| matches!(status, Status::Passed(_)))
    }

    /// How many failed, and are in quarantine.
    pub fn failed(&self) -> usize {
        self.count(|status| matches!(status, Status::Failed(_)))
    }

    /// How many could not be tested.
    pub fn skipped(&self) -> usize {
        self.count(|status| matches!(status, Status::Skipped(_)))
    }

    /// Checks made in all.
    pub fn checks(&self) -> u64 {
        self.outcomes.iter().filter_map(Outcome::report).map(|report| report.checks).sum()
    }

    fn count(&self, is: fn(&Status) -> bool) -> usize {
        self.outcomes.iter().filter(|outcome| is(&outcome.status)).count()
    }
}

/// A line for each, the failures in full, and the total.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for outcome in &self.outcomes {
            let Outcome { driver, name, .. } = outcome;
            match &outcome.status {
                Status::Passed(report) => {
                    writeln!(
                        f,
                        "passed   {driver} ({name}): {} checks in {:.2?}",
                        report.checks, report.time
                    )?;
                }
                Status::Failed(report) => {
                    writeln!(
                        f,
                        "failed   {driver} ({name}): {}",
                        report.failure.as_deref().unwrap_or_default()
                    )?;
                }
                Status::Skipped(why) => writeln!(f, "skipped  {driver} ({name}): {why}")?,
            }
        }
        let (passed, failed, skipped) = (self.passed(), self.failed(), self.skipped());
        let (checks, time) = (self.checks(), self.time.as_secs_f64());
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped; {checks} checks in {time:.2} s")
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
/// be built; for a driver name, that one. No names mean everything there is, every name with vectors, and every
/// name that programs are known to ask for.
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

/// Every generic name in the registry, single-block ciphers first, then the names with vectors, then those that
/// programs ask for.
fn everything(registry: &Registry) -> Vec<String> {
    let alg = |info: &Info| (info.alg.kind.tag(), info.alg.name.len(), info.alg.name.to_string());
    let present: BTreeSet<_> = registry.list().iter().map(alg).collect();
    let present = present.into_iter().map(|(_, _, name)| name);
    present.chain(vectors::names().chain(ASKED_FOR).map(String::from)).collect()
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
    pub fn test(&self, registry: &Registry, hook: &dyn SelfTest) -> Outcome {
        let status = match &self.obstacle {
            Some(reason) => Status::Skipped(reason.clone()),
            None => self.status(registry, hook),
        };
        Outcome { driver: self.driver.clone(), name: self.name.clone(), kind: self.kind, status }
    }

    fn status(&self, registry: &Registry, hook: &dyn SelfTest) -> Status {
        // A composition comes into being when it is asked for. The test may be what finds its fault.
        if registry.info(&self.driver).is_none() {
            match registry.resolve(&self.driver, any_flags(self.kind)) {
                Ok(_) => {}
                Err(Error::SelfTestFailed { driver, .. }) if *driver == *self.driver => {}
                Err(error) => return Status::Skipped(error.to_string()),
            }
        }
        match registry.test(&self.driver, hook) {
            Ok(report) if report.passed() => Status::Passed(report),
            Ok(report) => Status::Failed(report),
            Err(error) => Status::Skipped(error.to_string()),
        }
    }
}

/// Tests [`targets`], several at a time.
///
/// # Errors
/// As [`targets`].
pub fn run(registry: &Registry, names: &[String], hook: &dyn SelfTest) -> Result<Vec<Outcome>> {
    Ok(test_all(registry, &targets(registry, names)?, hook, |_| ()).outcomes)
}

/// Installs a hook and tests every registered driver with it, now: what the kernel does at boot.
///
/// Drivers that are registered later, and compositions, are tested when they are first about to be used.
///
/// ```
/// use std::sync::Arc;
/// use kcrypto_core::Registry;
/// use kcrypto_selftest::{Mode, boot};
///
/// let registry = Registry::with(kcrypto_generic::ALGS.iter().take(3).cloned(), []).unwrap();
/// let summary = boot(&registry, Arc::new(Mode::Lazy));
/// assert!(summary.failed() == 0, "{summary}");
/// ```
pub fn boot(registry: &Registry, hook: Arc<dyn SelfTest>) -> Summary {
    registry.set_self_test(Arc::clone(&hook));
    let target = |info: Info| Target {
        driver: info.alg.driver_name.to_string(),
        name: info.alg.name.to_string(),
        kind: info.alg.kind.tag(),
        obstacle: info.unavailable,
    };
    let targets: Vec<Target> = registry.list().into_iter().map(target).collect();
    test_all(registry, &targets, &*hook, |_| ())
}

/// Tests these on as many threads as the process may use CPUs, and tells `done` of each that has ended.
///
/// A hook that panics makes this panic.
pub fn test_all(
    registry: &Registry,
    targets: &[Target],
    hook: &dyn SelfTest,
    done: impl Fn(&Outcome) + Sync,
) -> Summary {
    let start = Instant::now();
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(targets.len().max(1));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut mine = Vec::new();
        while let Some((nth, target)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|nth| Some((nth, targets.get(nth)?)))
        {
            let outcome = target.test(registry, hook);
            done(&outcome);
            mine.push((nth, outcome));
        }
        mine
    };
    let mut numbered: Vec<(usize, Outcome)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ends =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        ends.flatten().collect()
    });
    numbered.sort_by_key(|(nth, _)| *nth);
    let outcomes = numbered.into_iter().map(|(_, outcome)| outcome).collect();
    Summary { outcomes, time: start.elapsed(), threads }
}
