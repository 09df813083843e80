//! What is said when a check does not hold: the kernel's line first, then everything needed to see why.

use core::fmt::{self, Display, Write};

use kcrypto_core::{Alg, Dir, Error, Result};

/// A check that did not hold, in full.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

/// Result of a check.
pub(crate) type Check<T = ()> = Result<T, Failure>;

/// Where an input comes from.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    /// A case of a vector file.
    Vector {
        /// The file's name.
        path: &'static str,
        /// Where in it.
        line: usize,
        /// Its place among the file's cases, from 0.
        nth: usize,
    },
    /// Made up from a seed.
    Random {
        /// Its lengths, as the kernel writes them.
        what: String,
        /// The seed of the whole run.
        seed: u64,
        /// Its place in the run, from 0.
        nth: usize,
    },
    /// Made for what driver and core agree on: limits, keys, sharing, batches.
    Contract(String),
}

/// As the kernel names it.
impl Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Vector { nth, .. } => write!(f, "{nth}"),
            Origin::Random { what, .. } => write!(f, "\"random: {what}\""),
            Origin::Contract(what) => write!(f, "\"contract: {what}\""),
        }
    }
}

impl Origin {
    /// Where to find it again.
    fn trace(&self, to: &mut String) {
        let _ = match self {
            Origin::Vector { path, line, .. } => writeln!(to, "vectors/{path}, line {line}"),
            Origin::Random { seed, nth, .. } => writeln!(to, "seed {seed:#018x}, case {nth}"),
            Origin::Contract(_) => Ok(()),
        };
    }
}

/// What a driver was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Encrypt,
    Decrypt,
    Digest,
}

impl From<Dir> for Op {
    fn from(dir: Dir) -> Self {
        match dir {
            Dir::Encrypt => Op::Encrypt,
            Dir::Decrypt => Op::Decrypt,
        }
    }
}

impl Op {
    fn name(self) -> &'static str {
        match self {
            Op::Encrypt => "encryption",
            Op::Decrypt => "decryption",
            Op::Digest => "digest",
        }
    }
}

/// One operation of one driver on one input: what a failure names.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) alg: &'a Alg,
    pub(crate) op: Op,
    pub(crate) origin: &'a Origin,
    pub(crate) cfg: &'a dyn Display,
}

impl Site<'_> {
    /// `encryption WHAT on test vector N, cfg="..."`; the kernel does not name what a hash does.
    pub(crate) fn failure(&self, what: impl Display) -> Failure {
        let (origin, cfg) = (self.origin, self.cfg);
        let mut text = describe(self.alg);
        if self.op != Op::Digest {
            let _ = write!(text, "{} ", self.op.name());
        }
        let _ = writeln!(text, "{what} on test vector {origin}, cfg=\"{cfg}\"");
        origin.trace(&mut text);
        Failure(text)
    }

    /// Refuses bytes that differ.
    pub(crate) fn same(&self, what: &str, got: &[u8], expected: &[u8]) -> Check {
        if got == expected {
            return Ok(());
        }
        let mut failure = self.failure(format_args!("test failed ({what})"));
        compare(&mut failure.0, got, expected);
        Err(failure)
    }

    /// Refuses a result other than the expected one. Errors must be equal in every detail.
    pub(crate) fn result<T>(&self, got: Result<T>, expected: Result<()>) -> Check {
        self.outcome(self.op.name(), got, expected)
    }

    /// What a call that must succeed returns.
    pub(crate) fn value<T>(&self, got: Result<T>) -> Check<T> {
        got.map_err(|error| self.unexpected(self.op.name(), Err(error), Ok(())))
    }

    /// The same for a key.
    pub(crate) fn set_key(&self, got: Result<()>, expected: Result<()>) -> Check {
        self.outcome("setkey", got, expected)
    }

    fn outcome<T>(&self, operation: &str, got: Result<T>, expected: Result<()>) -> Check {
        let got = got.map(drop);
        if got == expected { Ok(()) } else { Err(self.unexpected(operation, got, expected)) }
    }

    fn unexpected(&self, operation: &str, got: Result<()>, expected: Result<()>) -> Failure {
        let (origin, cfg) = (self.origin, self.cfg);
        let mut text = describe(self.alg);
        let what = if got.is_ok() { "unexpectedly succeeded" } else { "failed" };
        let (want_errno, got_errno) = (errno(&expected), errno(&got));
        let _ = write!(text, "{operation} {what} on test vector {origin}; expected_error={want_errno}");
        let _ = writeln!(text, ", actual_error={got_errno}, cfg=\"{cfg}\"");
        origin.trace(&mut text);
        let say = |result: Result<()>| result.map_or_else(|error| error.to_string(), |()| "success".into());
        let _ = writeln!(text, "got       {}\nexpected  {}", say(got), say(expected));
        Failure(text)
    }
}

/// How every line about a driver starts.
pub(crate) fn describe(alg: &Alg) -> String {
    format!("alg: {}: {} ", alg.kind.tag(), alg.driver_name)
}

/// As the kernel returns it.
fn errno(result: &Result<()>) -> i32 {
    result.as_ref().map_or_else(|error: &Error| -error.errno(), |()| 0)
}

/// Bytes in a row.
const ROW: usize = 16;
/// Rows shown from the first difference on.
const ROWS: usize = 4;

/// Shows what differs, the first differing byte marked.
fn compare(text: &mut String, got: &[u8], expected: &[u8]) {
    let common = got.iter().zip(expected).take_while(|(a, b)| a == b).count();
    let len = got.len().max(expected.len());
    let _ = writeln!(text, "first difference at byte {common} of {len}");
    let first = common / ROW;
    for row in first..len.div_ceil(ROW).min(first + ROWS) {
        let at = row * ROW;
        let _ = writeln!(text, "{at:06x}  got       {}", hex(got, at));
        let _ = writeln!(text, "        expected  {}", hex(expected, at));
        if row == first {
            let _ = writeln!(text, "{:1$}^^", "", 18 + 3 * (common % ROW));
        }
    }
}

fn hex(bytes: &[u8], at: usize) -> String {
    let row = bytes.get(at..bytes.len().min(at + ROW)).unwrap_or_default();
    row.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_marked() {
        let expected: Vec<u8> = (0..40).collect();
        let mut got = expected.clone();
        got[18] = 0xff;
        let mut text = String::new();
        compare(&mut text, &got, &expected);
        assert_eq!(
            text,
            "first difference at byte 18 of 40\n\
             000010  got       10 11 ff 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f\n        \
                     expected  10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f\n                        \
                                     ^^\n\
             000020  got       20 21 22 23 24 25 26 27\n        \
                     expected  20 21 22 23 24 25 26 27\n"
        );
    }

    #[test]
    fn lengths_may_differ() {
        let mut text = String::new();
        compare(&mut text, &[1], &[1, 2]);
        assert_eq!(
            text,
            "first difference at byte 1 of 2\n000000  got       01\n        expected  01 02\n                     ^^\n"
        );
    }
}
