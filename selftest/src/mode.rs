//! How thoroughly drivers are tested; the hook.

use core::any::Any;
use core::hash::BuildHasher;
use core::panic::AssertUnwindSafe;
use std::hash::RandomState;
use std::panic::catch_unwind;
use std::time::Instant;

use kcrypto_core::{Alg, Kind, Registry, Report, SelfTest, Subject};

#[cfg(unix)]
use crate::fence;
use crate::tally::Tally;
use crate::{aead, cipher, shash, skcipher};

/// How thoroughly an algorithm is tested. It is the hook that [`Registry::set_self_test`] takes.
///
/// A driver that panics fails its test and the process lives, where panics unwind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Mode {
    /// Known answers, the shapes of buffers, refusals and a short comparison with fixed inputs: the same
    /// every time, about two milliseconds for a driver of a release build.
    #[default]
    Lazy,
    /// All of that with every cut of every vector and a long random comparison, and, on Unix, whole messages
    /// between inaccessible pages in a child process: up to seconds for a driver.
    Full {
        /// What the random inputs are made from. A failure prints it.
        seed: u64,
    },
}

impl Mode {
    /// [`Mode::Full`] with a seed that differs from run to run.
    pub fn full() -> Self {
        Mode::Full { seed: RandomState::new().hash_one("kcrypto-selftest") }
    }

    fn effort(self) -> Effort {
        match self {
            Mode::Lazy => Effort { exhaustive: false, random: 24, max_len: 320, seed: 0x6b63_7279_7074_6f00 },
            Mode::Full { seed } => Effort { exhaustive: true, random: 800, max_len: 8192 - 16, seed },
        }
    }
}

/// A mode in numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// Every vector in every shape.
    pub(crate) exhaustive: bool,
    /// Random cases.
    pub(crate) random: usize,
    /// Longest random message in bytes.
    pub(crate) max_len: usize,
    pub(crate) seed: u64,
}

impl SelfTest for Mode {
    fn test(&self, subject: &Subject<'_>) -> Report {
        let start = Instant::now();
        let tally = Tally::new(subject.alg());
        let effort = self.effort();
        let checks = || {
            match &subject.alg().kind {
                Kind::Cipher(limits) => cipher::test(subject, limits, effort, &tally)?,
                Kind::Skcipher(limits) => skcipher::test(subject, limits, effort, &tally)?,
                Kind::Shash(limits) => shash::test(subject, limits, effort, &tally)?,
                Kind::Aead(limits) => aead::test(subject, limits, effort, &tally)?,
                _ => {
                    tally.skip_no_vectors();
                    return Ok(());
                }
            }
            #[cfg(unix)]
            fence::test(subject, effort, &tally)?;
            Ok(())
        };
        // A driver under test is dropped when it panics; nothing that it left half done is used again.
        let result = catch_unwind(AssertUnwindSafe(checks));
        let result = result.unwrap_or_else(|panic| Err(tally.panicked(message(&*panic))));
        tally.report(result, start.elapsed())
    }
}

/// What a panic says.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref().copied()).unwrap_or("no message")
}

/// Tests a driver that need not be registered, as [`Mode::full`] does: for its author's own `cargo test`.
///
/// The reference that it is compared with is composed of what `registry` has: a driver with `-generic` in its
/// name for each leaf. A failure of a random case prints the seed; `Mode::Full { seed }` brings it back.
///
/// ```
/// # use kcrypto_core::Registry;
/// use kcrypto_selftest::check_driver;
///
/// # let registry = Registry::with(kcrypto_generic::ALGS.iter().cloned(), []).unwrap();
/// # let my_driver = &kcrypto_generic::ALGS[0];
/// let report = check_driver(&registry, my_driver);
/// assert!(report.passed(), "{}", report.failure.unwrap_or_default());
/// ```
pub fn check_driver(registry: &Registry, alg: &Alg) -> Report {
    Mode::full().test(&Subject::of(registry, alg))
}
