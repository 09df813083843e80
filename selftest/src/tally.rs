//! What is counted while a driver is tested.

use core::cell::{Cell, RefCell};
use core::fmt::Display;
use core::time::Duration;

use kcrypto_core::{Alg, Error, Reference, Report, Subject};

use crate::failure::{Check, Failure, Op, Origin, Site, describe};
use crate::vector::Vector;
use crate::vectors::File;

/// The account of one test; it survives a panic of the driver.
pub(crate) struct Tally<'a> {
    pub(crate) alg: &'a Alg,
    checks: Cell<u64>,
    stage: Cell<&'static str>,
    skipped: RefCell<Vec<String>>,
}

impl<'a> Tally<'a> {
    pub(crate) fn new(alg: &'a Alg) -> Self {
        Tally { alg, checks: Cell::new(0), stage: Cell::new("construction"), skipped: RefCell::default() }
    }

    /// Counts a check about to be made.
    pub(crate) fn count(&self) {
        self.checks.set(self.checks.get() + 1);
    }

    /// Where a check is made, as a failure of it names that.
    pub(crate) fn site<'s>(
        &'s self,
        op: impl Into<Op>,
        origin: &'s Origin,
        cfg: &'s dyn Display,
    ) -> Site<'s> {
        Site { alg: self.alg, op: op.into(), origin, cfg }
    }

    /// Notes what is tested from now on, in the words of a failure.
    pub(crate) fn enter(&self, stage: &'static str) {
        self.stage.set(stage);
    }

    /// Notes something that cannot be tested.
    pub(crate) fn skip(&self, what: String) {
        self.skipped.borrow_mut().push(what);
    }

    /// Notes that there are no vectors, in the kernel's words.
    pub(crate) fn skip_no_vectors(&self) {
        self.skip(format!("No test for {} ({})", self.alg.name, self.alg.driver_name));
    }

    /// Notes that the reference is the one that is wrong.
    pub(crate) fn skip_wrong_reference(&self, reference: &Alg) {
        self.skip(format!("comparison skipped: {} gives wrong answers", reference.driver_name));
    }

    /// What the subject is compared with. If there is nothing, that is noted, unless it is the reference.
    pub(crate) fn reference(&self, subject: &Subject<'_>) -> Option<Reference> {
        match subject.reference() {
            Ok(reference) => Some(reference),
            Err(Error::NotFound { name, .. }) if *name == *self.alg.driver_name => None,
            Err(why) => {
                self.skip(format!("comparison skipped: {why}"));
                None
            }
        }
    }

    /// One of the limits, in the kernel's words.
    pub(crate) fn same_limit<T: PartialEq + Display>(&self, what: &str, ours: T, theirs: T) -> Check {
        self.count();
        if ours == theirs {
            return Ok(());
        }
        let (kind, driver) = (self.alg.kind.tag(), &self.alg.driver_name);
        let text =
            format!("alg: {kind}: {what} for {driver} ({ours}) doesn't match generic impl ({theirs})\n");
        Err(Failure(text))
    }

    /// The cases of a file; a file that cannot be read is a failure of whoever needs it.
    pub(crate) fn read(&self, file: &'static File) -> Check<&'static [Vector]> {
        let unusable =
            |why| Failure(format!("{}has no usable vectors: {}, {why}\n", describe(self.alg), file.path));
        file.vectors().map_err(unusable)
    }

    /// The failure of a driver whose transform cannot be made.
    pub(crate) fn unmade(&self, why: &Error) -> Failure {
        Failure(format!("{}failed to allocate transform: {why}\n", describe(self.alg)))
    }

    /// The failure of a driver that refuses every key.
    pub(crate) fn no_key(&self) -> Failure {
        Failure(format!("{}takes no key of the lengths that it declares\n", describe(self.alg)))
    }

    /// The failure of a driver that panicked.
    pub(crate) fn panicked(&self, message: &str) -> Failure {
        let (checks, stage) = (self.checks.get(), self.stage.get());
        Failure(format!("{}panicked in {stage}, check {checks}: {message}\n", describe(self.alg)))
    }

    pub(crate) fn report(self, result: Result<(), Failure>, time: Duration) -> Report {
        let skipped = self.skipped.into_inner();
        Report {
            checks: self.checks.get(),
            time,
            failure: result.err().map(|failure| failure.0),
            skipped: (!skipped.is_empty()).then(|| skipped.join("; ").into()),
        }
    }
}
