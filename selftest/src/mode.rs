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
    /// every time, within a budget that is counted in bytes of messages: some two milliseconds for most drivers of
    /// a release build.
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
            Mode::Lazy => Effort {
                exhaustive: false,
                random: 24,
                max_len: 320,
                budget: 4 << 10,
                shapes: 11 << 10,
                seed: 0x6b63_7279_7074_6f00,
            },
            Mode::Full { seed } => Effort {
                exhaustive: true,
                random: 800,
                max_len: 8192 - 16,
                budget: usize::MAX,
                shapes: usize::MAX,
                seed,
            },
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
    /// Bytes that the random messages may cost in all.
    pub(crate) budget: usize,
    /// Bytes that the marked vectors of a name may cost in other than the plain shapes, in each direction.
    pub(crate) shapes: usize,
    pub(crate) seed: u64,
}

/// What a call costs beside the bytes of its message, in bytes: what begins and ends it.
const CALL: usize = 64;

impl Effort {
    /// For an AEAD, which encrypts and authenticates, and begins and ends each message with some blocks more: fewer
    /// bytes cost as much, and shorter messages make more of them.
    pub(crate) fn of_aead(self) -> Self {
        if self.exhaustive {
            return self;
        }
        Effort { budget: self.budget / 3, shapes: self.shapes / 3, max_len: self.max_len / 2, ..self }
    }

    /// The shapes that one of `marked` vectors, the `nth`, goes through: the first `plain` ones, and of the others
    /// as many as its share of the budget pays for. The vectors take turns, so that together they go through all.
    pub(crate) fn afford<S>(
        self,
        shapes: Vec<S>,
        plain: usize,
        len: usize,
        (nth, marked): (usize, usize),
    ) -> Vec<S> {
        let others = shapes.len().saturating_sub(plain).max(1);
        let affordable = self.shapes / marked.max(1) / (len + CALL);
        let every = others.div_ceil(affordable.clamp(1, others));
        let turn = |at: usize| at < plain || at % every == nth % every;
        shapes.into_iter().enumerate().filter(|&(at, _)| turn(at)).map(|(_, shape)| shape).collect()
    }

    /// Pays for a message of this length, and says whether the budget was enough.
    pub(crate) fn pay(&mut self, len: usize) -> bool {
        let left = self.budget.checked_sub(len + CALL);
        self.budget = left.unwrap_or(0);
        left.is_some()
    }

    /// The pairs of key lengths of which the second is set after the first: all of them, or each length with
    /// itself and the next one.
    pub(crate) fn pairs<T: Copy>(self, lens: &[T]) -> Vec<(T, T)> {
        let near = |a: usize, b: usize| a == b || (a + 1) % lens.len() == b;
        let all = (0..lens.len()).flat_map(|a| (0..lens.len()).map(move |b| (a, b)));
        all.filter(|&(a, b)| self.exhaustive || near(a, b)).map(|(a, b)| (lens[a], lens[b])).collect()
    }

    /// All of these, or the first and the last one.
    pub(crate) fn ends<T: Copy>(self, all: Vec<T>) -> Vec<T> {
        match all.as_slice() {
            [first, .., last] if !self.exhaustive => vec![*first, *last],
            _ => all,
        }
    }
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
