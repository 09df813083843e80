//! Why a command ends early: one line for standard error, and an exit status.

use core::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is wrong: exit status 2.
    Usage(String),
    /// What it asks for cannot be had: exit status 1.
    Refused(String),
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::Usage(message.into())
    }

    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Failure::Refused(message.into())
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        Failure::Refused(format!("{}: {error}", path.display()))
    }

    pub(crate) fn status(&self) -> ExitCode {
        match self {
            Failure::Usage(_) => ExitCode::from(2),
            Failure::Refused(_) => ExitCode::from(1),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Failure::Usage(message) | Failure::Refused(message)) = self;
        f.write_str(message)
    }
}

impl From<kcrypto::Error> for Failure {
    fn from(error: kcrypto::Error) -> Self {
        match error {
            kcrypto::Error::NotFound { .. } => {
                Failure::Refused(format!("{error}; `kcrypto list` names what there is"))
            }
            _ => Failure::Refused(error.to_string()),
        }
    }
}

/// Writes `kcrypto: message` to standard error, in one line whatever the message holds.
pub(crate) fn say(message: impl fmt::Display) {
    let mut line = String::from("kcrypto: ");
    for c in message.to_string().trim_end().chars() {
        match c {
            '\n' => line.push(' '),
            c if c.is_control() => line.extend(c.escape_default()),
            c => line.push(c),
        }
    }
    // Nobody is left to be told if standard error is closed.
    let _ = writeln!(io::stderr(), "{line}");
}
