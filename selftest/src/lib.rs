//! Self-tests: no wrong driver is ever used.
//!
//! A registry tests an algorithm through its hook before the first use. This crate is that hook: known
//! answers from data files, every shape of buffers, refusals, the contract between driver and core, and a
//! random comparison with the reference driver of the name.
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
#![forbid(unsafe_code)]

mod area;
mod batch;
mod chains;
mod cipher;
mod compare;
mod failure;
mod known;
mod mode;
mod prng;
mod refusal;
mod run;
mod shape;
mod sharing;
mod skcipher;
mod tally;
mod vector;
mod vectors;

pub use mode::{Mode, check_driver};
pub use run::{Outcome, Status, Target, run, targets};
