//! Self-tests: no wrong driver is ever used.
//!
//! A registry tests an algorithm through its hook before the first use. This crate is that hook: known
//! answers from data files, every shape of buffers (in place, apart, misaligned, cut on both sides, streamed,
//! continued, in batches, hashed in pieces, exported and imported), forgeries, refusals, what driver and core
//! agree on, a random comparison with the reference driver of the name, and the same inside of what is built
//! over it; in full, also between inaccessible pages. A driver that fails, or panics, is quarantined, and the
//! next one takes over.
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
//! [`check_driver`] tests a driver in its author's own `cargo test`, [`boot`] all that is registered, and
//! [`Manager`] is a hook with settings.
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
//! | `BOOT` | alone on its line: the case has its turns at every sort of shape in the lazy mode as well |
//! | `KEY` | the key; a case of a hash without it is hashed without key |
//! | `IV` | what the call gets; left out where the mode takes none |
//! | `IV_OUT` | what a chained call of a symmetric-key cipher leaves there; not checked if left out |
//! | `AAD` | associated data of an AEAD |
//! | `PTEXT`, `CTEXT` | message and ciphertext; both directions are tested |
//! | `TAG` | the tag of an AEAD; its length is the transform's tag size |
//! | `MSG`, `DIGEST` | what is hashed, and the digest |
//! | `STATE` | the state that is exported when all of `MSG` was hashed; not checked if left out |
//! | `EXPECT` | a refusal, in the place of `CTEXT` or `DIGEST` |
//!
//! | refusal | of what |
//! |---|---|
//! | `bad-key` | a key of this length |
//! | `weak-key` | this key, where weak keys are forbidden; elsewhere it is accepted |
//! | `need-key` | a message that should begin with its key, and is too short for that |
//! | `bad-iv` | an IV of this length, or with this content |
//! | `bad-length` | a message of this length, in both directions |
//! | `too-long N` | a message of N bytes, in both directions |
//! | `bad-aad` | associated data of this length, in both directions |
//! | `bad-tag-size N` | tags of N bytes |
//! | `bad-tag` | to open this `CTEXT` with this `TAG` |
//!
//! `90+03*65280` in the place of hex digits stands for 65280 bytes, the first 90, each 03 more than the one
//! before.
#![forbid(unsafe_code)]

mod aead;
mod area;
mod cipher;
mod failure;
#[cfg(unix)]
mod fence;
mod inside;
mod keys;
mod manager;
mod mode;
mod prng;
mod run;
mod sample;
mod shash;
mod skcipher;
mod smallest;
mod tally;
mod threads;
mod vector;
mod vectors;

pub use manager::{Manager, inject_fault};
pub use mode::{Mode, check_driver};
pub use run::{Outcome, Status, Summary, Target, boot, run, targets, test_all};
