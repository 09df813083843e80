//! The hook with its settings.

use core::time::Duration;
use std::collections::BTreeSet;

use kcrypto_core::{Alg, Registry, Report, Result, SelfTest, Subject};

use crate::failure::describe;
use crate::mode::Mode;
use crate::vectors;

/// A self-test hook with settings beyond how thoroughly it tests.
///
/// ```
/// use std::sync::Arc;
/// use kcrypto_core::{Error, Registry};
/// use kcrypto_selftest::{Manager, Mode};
///
/// let registry = Registry::with(kcrypto_generic::ALGS.iter().cloned(), []).unwrap();
/// registry.set_self_test(Arc::new(Manager::new(Mode::Lazy).require_vectors().inject_fault("sha1-generic")));
/// assert!(registry.shash("sha256").is_ok());
/// assert!(matches!(registry.shash("sha1"), Err(Error::SelfTestFailed { .. })));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manager {
    mode: Mode,
    panic_on_fail: bool,
    vectors_required: bool,
    faults: BTreeSet<String>,
}

impl Manager {
    /// A hook that tests as this mode does, with nothing else set.
    pub fn new(mode: Mode) -> Self {
        Manager { mode, ..Manager::default() }
    }

    /// How thoroughly it tests.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The same settings with another mode.
    pub fn with_mode(self, mode: Mode) -> Self {
        Manager { mode, ..self }
    }

    /// Makes the first failure of a self-test a panic of the thread that asked, as the kernel panics in FIPS
    /// mode, for programs that must not run on with the next best driver. The driver is never used then.
    pub fn panic_on_fail(self) -> Self {
        Manager { panic_on_fail: true, ..self }
    }

    /// Lets callers have only algorithms that known answers were checked of. Other requests are refused with
    /// [`Error::Denied`](kcrypto_core::Error::Denied), which names this rule; as parts of an algorithm that has
    /// vectors they stay in use, since its known answers prove them.
    pub fn require_vectors(self) -> Self {
        Manager { vectors_required: true, ..self }
    }

    /// Declares a driver or instance of this driver name faulty: its test fails with `fault injected`, so that a
    /// program can be tried without it. A driver that was tested before is not tested again for this;
    /// [`inject_fault`] puts it into quarantine.
    pub fn inject_fault(mut self, driver: &str) -> Self {
        self.faults.insert(driver.into());
        self
    }

    /// The driver names that were declared faulty, in order.
    pub fn faults(&self) -> impl Iterator<Item = &str> {
        self.faults.iter().map(String::as_str)
    }
}

impl SelfTest for Manager {
    /// # Panics
    /// With [`Manager::panic_on_fail`], if the subject fails.
    fn test(&self, subject: &Subject<'_>) -> Report {
        let alg = subject.alg();
        let report = match self.faults.contains(alg.driver_name.as_ref()) {
            true => Faulty.test(subject),
            false => self.mode.test(subject),
        };
        if let (Some(failure), true) = (&report.failure, self.panic_on_fail) {
            let (driver, name) = (&alg.driver_name, &alg.name);
            panic!("{failure}alg: self-tests for {driver} ({name}) failed, and panic_on_fail is set");
        }
        report
    }

    fn rule_against(&self, alg: &Alg) -> Option<Box<str>> {
        let refused = self.vectors_required && vectors::of(alg).is_none();
        refused.then(|| "only names with self-test vectors".into())
    }
}

/// Puts a driver or instance into quarantine, as if its self-test had failed with `fault injected`.
///
/// What is built over it is retired, and the next best driver takes over. A test that passes, such as one of
/// [`Registry::test`], brings it back.
///
/// # Errors
/// Those of [`Registry::test`].
pub fn inject_fault(registry: &Registry, driver: &str) -> Result<Report> {
    registry.test(driver, &Faulty)
}

/// The hook that everything fails.
struct Faulty;

impl SelfTest for Faulty {
    fn test(&self, subject: &Subject<'_>) -> Report {
        let failure = Some(format!("{}fault injected\n", describe(subject.alg())));
        Report { checks: 0, time: Duration::ZERO, failure, skipped: None }
    }
}
