//! Self-tests: no wrong driver is ever used.
//!
//! A registry tests an algorithm through its hook before the first use. This crate is that hook: known
//! answers from data files, every shape of buffers (in place, apart, misaligned, cut on both sides, streamed,
//! continued, in batches), refusals, what driver and core agree on, and a random comparison with the
//! reference driver of the name. A driver that fails, or panics, is quarantined, and the next one takes over.
//!
//! ```
//! use std::sync::Arc;
//! use kcrypto_core::Registry;
//! use kcrypto_selftest::Mode;
//!
//! let registry = Registry::new();
//! registry.set_self_test(Arc::new(Mode::Lazy)); // each driver on its first use
//! let outcomes = kcrypto_selftest::run(&registry, &[], &Mode::full())?; // all of them, now
//! assert!(outcomes.iter().all(|outcome| outcome.report().is_none_or(|report| report.passed())));
//! # Ok::<(), kcrypto_core::Error>(())
//! ```
//!
//! [`check_driver`] tests a driver in its author's own `cargo test`.
//!
//! # Failures
//! The first line is the kernel's; the rest says where the input comes from and how the result differs:
//!
//! ```text
//! alg: skcipher: mine encryption test failed (wrong result) on test vector 15, cfg="in-place chained"
//! vectors/cbc-aes.txt, line 141
//! first difference at byte 143 of 272
//! 000080  got       5c 0f 94 1b ...
//!         expected  5c 0f 94 1b ...
//!                                ^^
//! ```
//!
//! # Vectors
//! `vectors/` has a file for each algorithm, and `src/vectors.rs` a line for each file: that is all it takes
//! to add an algorithm. A single-block cipher is tested with the blocks of its `ecb(..)`.
//!
//! A file is a list of cases with blank lines between them. A line that starts with `#` is a comment; the
//! comment `# SOURCE: ...` says where the cases below it come from, and a file without one is refused. A
//! case has one field on a line, `NAME = value`, in hex; a line that starts with white space continues the
//! field above it.
//!
//! | field | meaning |
//! |---|---|
//! | `BOOT` | alone on its line: the case goes through every sort of shape in the lazy mode as well |
//! | `KEY` | the key |
//! | `IV` | what the call gets; left out where the mode takes none |
//! | `IV_OUT` | what a chained call leaves there; not checked if left out |
//! | `PTEXT`, `CTEXT` | message and ciphertext; both directions are tested |
//! | `EXPECT` | in the place of `CTEXT`, a refusal: `bad-key`, `bad-iv`, `bad-length` (in both directions), or `weak-key` (only where weak keys are forbidden) |
#![forbid(unsafe_code)]

mod aead;
mod area;
mod cipher;
mod failure;
mod keys;
mod mode;
mod prng;
mod run;
mod sample;
mod shash;
mod skcipher;
mod tally;
mod vector;
mod vectors;

pub use mode::{Mode, check_driver};
pub use run::{Outcome, Status, Target, run, targets};
