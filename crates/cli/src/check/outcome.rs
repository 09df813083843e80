//! What can become of a case.

use kcrypto::Error;

/// What became of a case.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// Every driver did as Linux does.
    Passed,
    /// Some driver did not; one line for each.
    Failed(Vec<String>),
    /// It was not tried.
    Skipped(Skip),
    /// A name that we resolve and Linux refuses, as documented.
    Beyond(String),
    /// Something that we refuse and Linux accepts, as documented.
    Stricter(String),
}

/// Why a case was not tried.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Skip {
    /// There is no algorithm of this name here.
    Unknown(String),
    /// Some other reason.
    Because(String),
}

impl Skip {
    /// A case about the kernel's socket interface rather than an algorithm.
    pub(crate) fn socket(what: &str) -> Outcome {
        Outcome::Skipped(Skip::Because(format!("about AF_ALG sockets: {what}")))
    }
}

/// How a driver failed a case.
#[derive(Debug)]
pub(crate) enum Problem {
    /// It refused what Linux accepts.
    Refused(&'static str, Error),
    /// It gave another answer.
    Wrong(String),
}

impl Problem {
    /// Marks a refusal of what Linux accepts.
    pub(crate) fn refused(what: &'static str) -> impl Fn(Error) -> Problem {
        move |error| Problem::Refused(what, error)
    }
}

impl core::fmt::Display for Problem {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Problem::Refused(what, error) => write!(f, "{what} is refused: {error}"),
            Problem::Wrong(what) => f.write_str(what),
        }
    }
}

/// Checks that something fails with the errno that Linux gives, or succeeds where that is `None`.
pub(crate) fn same_errno(
    what: &'static str,
    result: kcrypto::Result<()>,
    errno: Option<&str>,
) -> Result<(), Problem> {
    match (result, errno) {
        (Ok(()), None) => Ok(()),
        (Ok(()), Some(errno)) => Err(Problem::Wrong(format!("{what} succeeds; expected {errno}"))),
        (Err(error), None) => Err(Problem::Refused(what, error)),
        (Err(error), Some(errno)) if error.errno_name() == errno => Ok(()),
        // Linux took the message, and found that the tag is wrong.
        (Err(error), Some("EBADMSG")) => Err(Problem::Refused(what, error)),
        (Err(error), Some(errno)) => Err(Problem::Wrong(format!(
            "{what} fails with {} ({error}); expected {errno}",
            error.errno_name()
        ))),
    }
}
