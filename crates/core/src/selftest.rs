//! The hook through which a registry has its drivers tested.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use core::time::Duration;

use crate::aead::Aead;
use crate::alg::Alg;
use crate::cipher::Cipher;
use crate::registry::Registry;
use crate::shash::Shash;
use crate::skcipher::Skcipher;
use crate::{Error, Result};

/// Tests drivers for a registry; `kcrypto-selftest` implements it.
///
/// A registry without a hook uses every driver untested. With one, an algorithm is tested when it is first
/// about to be used, once, however many threads ask; one that fails is quarantined.
pub trait SelfTest: Send + Sync {
    /// Tests one algorithm. It must not ask the registry for the subject by name: that would wait for itself.
    fn test(&self, subject: &Subject<'_>) -> Report;
}

/// One algorithm under test.
pub struct Subject<'r> {
    registry: &'r Registry,
    alg: Arc<Alg>,
}

impl<'r> Subject<'r> {
    pub(crate) fn new(registry: &'r Registry, alg: Arc<Alg>) -> Self {
        Subject { registry, alg }
    }

    /// A subject of one's own, for driver authors' tests: an algorithm that need not be registered.
    ///
    /// The reference is composed of what `registry` has.
    pub fn of(registry: &'r Registry, alg: &Alg) -> Self {
        Subject { registry, alg: Arc::new(alg.clone()) }
    }

    /// Its description.
    pub fn alg(&self) -> &Alg {
        &self.alg
    }

    /// The reference to compare it with: the same generic name composed of `-generic` leaves, or a driver
    /// of that name itself. It is not registered, and not tested as a whole.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none, or if the subject is the reference.
    pub fn reference(&self) -> Result<Reference> {
        let alg = self.registry.reference(&self.alg.name, self.alg.kind.tag())?;
        if alg.driver_name == self.alg.driver_name {
            return Err(Error::NotFound {
                kind: Some(self.alg.kind.tag()),
                name: self.alg.driver_name.as_ref().into(),
                hint: "it is the reference".into(),
            });
        }
        Ok(Reference { alg })
    }
}

impl fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subject").field("alg", &self.alg).finish_non_exhaustive()
    }
}

/// What a subject is compared with.
#[derive(Debug, Clone)]
pub struct Reference {
    alg: Arc<Alg>,
}

impl Reference {
    /// Its description.
    pub fn alg(&self) -> &Alg {
        &self.alg
    }
}

/// The transforms of a type that has an algorithm.
macro_rules! transforms {
    ($($owner:ty),*) => { $(impl $owner {
        /// A new transform of it, if it is a block cipher.
        ///
        /// # Errors
        /// Those of its constructor.
        pub fn cipher(&self) -> Result<Cipher> {
            Cipher::new(Arc::clone(&self.alg), 0)
        }

        /// A new transform of it, if it is an skcipher.
        ///
        /// # Errors
        /// Those of its constructor; [`Error::TooBig`].
        pub fn skcipher(&self) -> Result<Skcipher> {
            Skcipher::new(Arc::clone(&self.alg), 0)
        }

        /// A new transform of it, if it is a hash or MAC.
        ///
        /// # Errors
        /// Those of its constructor.
        pub fn shash(&self) -> Result<Shash> {
            Shash::new(Arc::clone(&self.alg), 0)
        }

        /// A new transform of it, if it is an AEAD.
        ///
        /// # Errors
        /// Those of its constructor; [`Error::TooBig`].
        pub fn aead(&self) -> Result<Aead> {
            Aead::new(Arc::clone(&self.alg), 0)
        }
    })* };
}

transforms!(Subject<'_>, Reference);

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Checks made.
    pub checks: u64,
    /// Time spent.
    pub time: Duration,
    /// The first failure, in full; `None` if the subject passed.
    pub failure: Option<String>,
    /// What could not be tested, such as an algorithm without vectors or a missing reference.
    pub skipped: Option<Box<str>>,
}

impl Report {
    /// Whether the subject may be used.
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }
}

/// Where an entry stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TestState {
    /// Not tested yet.
    #[default]
    Untested,
    /// Being tested by some thread.
    Running,
    /// Passed.
    Passed(Report),
    /// Failed, and is in quarantine.
    Failed(Report),
    /// Not tested because the registry has no hook.
    Exempt,
}

impl TestState {
    /// Whether lookups may return the entry without a test.
    pub fn is_eligible(&self) -> bool {
        matches!(self, TestState::Passed(_) | TestState::Exempt)
    }

    /// One word: `passed`, `failed`, `untested`, `running` or `exempt`.
    pub fn as_str(&self) -> &'static str {
        match self {
            TestState::Untested => "untested",
            TestState::Running => "running",
            TestState::Passed(_) => "passed",
            TestState::Failed(_) => "failed",
            TestState::Exempt => "exempt",
        }
    }

    /// The report of a finished test.
    pub fn report(&self) -> Option<&Report> {
        match self {
            TestState::Passed(report) | TestState::Failed(report) => Some(report),
            _ => None,
        }
    }

    pub(crate) fn quarantine(&self) -> Option<&str> {
        match self {
            TestState::Failed(report) => Some(report.failure.as_deref().unwrap_or("no reason given")),
            _ => None,
        }
    }
}

/// The reference's name: `-generic` appended to every leaf.
pub(crate) fn reference_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 16);
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        let in_ident = c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if in_ident && matches!(chars.peek(), None | Some(',' | ')')) {
            out.push_str("-generic");
        }
    }
    out
}
