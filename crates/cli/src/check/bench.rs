//! Runs a case on every driver that answers a name.

use std::collections::{BTreeMap, HashMap};

use kcrypto::{Error, KindTag, Registry, Result, Verdict, Want};

use super::exceptions::{Exceptions, Step};
use super::outcome::{Outcome, Problem, Skip};
use super::words::Words;
use crate::tfm::Tfm;

/// How a driver fared.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Score {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

/// Scores by generic name and driver name.
pub(crate) type Scores = BTreeMap<(String, String), Score>;

/// A registry with what is known of its drivers.
pub(crate) struct Bench<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) exceptions: Exceptions,
    /// What names are made of in Linux.
    linux: Words,
    /// What names are made of here.
    ours: Words,
    /// The only driver to be tried.
    only: Option<&'a str>,
    answers: HashMap<(KindTag, String), Result<Vec<String>>>,
    scores: Scores,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(
        registry: &'a Registry,
        exceptions: Exceptions,
        linux: Words,
        only: Option<&'a str>,
    ) -> Self {
        let (answers, scores) = (HashMap::new(), BTreeMap::new());
        Bench { registry, exceptions, linux, ours: Words::of(registry), only, answers, scores }
    }

    pub(crate) fn scores(&self) -> &Scores {
        &self.scores
    }

    /// Runs a case on a new transform of every driver of the name. `step` and `bytes` say what a refusal
    /// would be about.
    pub(crate) fn run<T: Tfm>(
        &mut self,
        name: &str,
        step: Step,
        bytes: usize,
        test: impl Fn(&mut T) -> Result<(), Problem>,
    ) -> Outcome {
        let drivers = match self.drivers(name, T::KIND) {
            Ok(drivers) => drivers,
            Err(error) => return self.no_answer(name, error),
        };
        if drivers.is_empty() {
            return Outcome::Skipped(Skip::Because(format!(
                "not a name of {}",
                self.only.unwrap_or_default()
            )));
        }
        let mut problems = Vec::new();
        for driver in drivers {
            let score = self.scores.entry((name.to_owned(), driver.clone())).or_default();
            match run(self.registry, &driver, &test) {
                Ok(()) => score.passed += 1,
                Err(problem) => {
                    score.failed += 1;
                    problems.push((driver, problem));
                }
            }
        }
        let refused = problems.iter().all(|(_, problem)| matches!(problem, Problem::Refused(..)));
        if problems.is_empty() {
            Outcome::Passed
        } else if refused && self.exceptions.stricter(name, step, bytes) {
            for (driver, _) in problems {
                self.scores.entry((name.to_owned(), driver)).or_default().failed -= 1;
            }
            Outcome::Stricter(format!("{} of {bytes} bytes, {name}", step.word()))
        } else {
            let line = |(driver, problem)| format!("{name} {driver}: {problem}");
            Outcome::Failed(problems.into_iter().map(line).collect())
        }
    }

    /// Whether a part of a name is something that Linux has and that is not here.
    pub(crate) fn is_incomplete(&self, name: &str) -> bool {
        self.linux.parts(name).any(|part| !self.ours.has(part))
    }

    /// The case's outcome if nothing answers a name that Linux resolves.
    pub(crate) fn no_answer(&self, name: &str, error: Error) -> Outcome {
        match error {
            Error::NotFound { .. } if self.is_incomplete(name) => {
                Outcome::Skipped(Skip::Unknown(name.into()))
            }
            Error::Unavailable { .. } => Outcome::Skipped(Skip::Because(error.to_string())),
            _ if self.exceptions.stricter(name, Step::Bind, name.len()) => {
                Outcome::Stricter(format!("{name} as a name"))
            }
            error => Outcome::Failed(vec![format!("{name} is refused: {error}")]),
        }
    }

    /// Driver names of every candidate that is usable, the winner first.
    fn drivers(&mut self, name: &str, kind: KindTag) -> Result<Vec<String>> {
        let key = (kind, name.to_owned());
        if let Some(answer) = self.answers.get(&key) {
            return answer.clone();
        }
        let tree = self.registry.explain(name, Want::new(kind));
        let usable = tree
            .candidates
            .iter()
            .filter(|candidate| candidate.verdict == Verdict::Chosen || candidate.verdict.is_relative());
        let mut drivers: Vec<String> =
            usable.map(|candidate| candidate.alg.driver_name.to_string()).collect();
        if let Some(only) = self.only {
            drivers.retain(|driver| driver == only);
            let named = |alg: &kcrypto::Alg| alg.name == name && alg.driver_name == only;
            let found = self.registry.explain(only, Want::new(kind)).candidates.into_iter();
            if drivers.is_empty() && found.filter(|c| c.verdict == Verdict::Chosen).any(|c| named(&c.alg)) {
                drivers.push(only.to_owned());
            }
        }
        let answer = tree.outcome.map(|_| drivers);
        self.answers.insert(key, answer.clone());
        answer
    }
}

fn run<T: Tfm>(
    registry: &Registry,
    driver: &str,
    test: impl Fn(&mut T) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut tfm = T::allocate(registry, driver).map_err(Problem::refused("allocation"))?;
    if tfm.alg().driver_name != driver {
        return Err(Problem::Wrong(format!("allocation gives {}", tfm.alg().driver_name)));
    }
    test(&mut tfm)
}

#[cfg(test)]
mod tests {
    use kcrypto::{Defaults, KindTag, Registry, Skcipher};

    use super::*;
    use crate::check::bind;

    /// A bench to which it is documented that `name` is beyond Linux, and that messages of 17 bytes and
    /// the name `cts(ctr(aes))` are refused.
    fn bench(registry: &Registry) -> Bench<'_> {
        let beyond = "| `cbc(*)` | |";
        let stricter = "| `cbc(aes)` | request | 17 | |\n| `cts(ctr(aes))` | bind | any | |";
        Bench::new(registry, Exceptions::parse(beyond, stricter), Words::default(), None)
    }

    fn encrypt(bench: &mut Bench<'_>, len: usize) -> Outcome {
        bench.run("cbc(aes)", Step::Request, len, |tfm: &mut Skcipher| {
            tfm.set_key(&[1; 16]).map_err(Problem::refused("the key"))?;
            tfm.encrypt(&[0; 16], &mut vec![0; len]).map_err(Problem::refused("encryption"))
        })
    }

    #[test]
    fn documented_differences_are_counted_apart() {
        let registry = Registry::with_defaults();
        let mut bench = bench(&registry);
        assert!(matches!(encrypt(&mut bench, 16), Outcome::Passed));
        assert!(matches!(encrypt(&mut bench, 17), Outcome::Stricter(_)));
        assert!(matches!(encrypt(&mut bench, 18), Outcome::Failed(_)));
        assert!(bench.scores().values().all(|score| (score.passed, score.failed) == (1, 1)));
        let refused = |name| bind::refused(name, KindTag::Skcipher, &bench);
        assert!(matches!(refused("cbc(aes)"), Outcome::Beyond(_)));
        assert!(matches!(refused("ctr(aes)"), Outcome::Failed(_)));
        assert!(matches!(refused("cts(ctr(aes))"), Outcome::Passed));
        let error = registry.skcipher("cts(ctr(aes))").unwrap_err();
        assert!(matches!(bench.no_answer("cts(ctr(aes))", error.clone()), Outcome::Stricter(_)));
        assert!(matches!(bench.no_answer("cts(xts(aes))", error), Outcome::Failed(_)));
    }

    #[test]
    fn one_driver_alone_answers_only_its_names() {
        let registry = Registry::with_defaults();
        let mut bench =
            Bench::new(&registry, Exceptions::documented(), Words::default(), Some("cbc(aes-generic)"));
        assert!(matches!(encrypt(&mut bench, 16), Outcome::Passed));
        assert_eq!(bench.scores().len(), 1);
        let other = bench.run("ctr(aes)", Step::Request, 0, |_: &mut Skcipher| Ok(()));
        assert!(matches!(other, Outcome::Skipped(Skip::Because(_))));
    }
}
