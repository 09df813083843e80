//! The one error type: every refusal says what was given and what would be accepted.

use alloc::boxed::Box;
use core::fmt;

use crate::limits::{AadLength, KeySizes, Length, TagSizes};
use crate::want::KindTag;

/// Result of every fallible call in kcrypto.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Why a request was refused. [`Error::errno`] gives the number that the Linux kernel would return.
///
/// Nothing of the caller's has been written when a call returns one of these.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The string is not an algorithm name: grammar violated, or text after the closing parenthesis.
    #[error("malformed name {name:?}: {why}; expected IDENT or IDENT(ARG,...) of A-Z a-z 0-9 - _")]
    BadName {
        /// The string as asked for.
        name: Box<str>,
        /// What the parser objected to.
        why: &'static str,
    },
    /// The name, or a name composed for an instance, has more than 127 bytes.
    #[error("name of {len} bytes is too long; at most 127 bytes are allowed")]
    NameTooLong {
        /// Length in bytes.
        len: usize,
    },
    /// No algorithm, driver or template answers the name.
    #[error("no {}{name:?}{}", Kind(.kind), Hint(.hint))]
    NotFound {
        /// The kind that was asked for, if one was.
        kind: Option<KindTag>,
        /// The name, or the part of it, that nothing answers.
        name: Box<str>,
        /// What would help, possibly empty.
        hint: Box<str>,
    },
    /// A template makes another kind than the one asked for.
    #[error("template {template:?} makes {makes}, not {asked}")]
    WrongKind {
        /// The template.
        template: Box<str>,
        /// What it makes.
        makes: KindTag,
        /// What was asked for.
        asked: KindTag,
    },
    /// The request builds an algorithm whose own names both differ from the request.
    #[error("{requested:?} is not a name of what it builds; ask for {name:?} or for the driver {driver:?}")]
    NameMismatch {
        /// The string as asked for.
        requested: Box<str>,
        /// Generic name of what it would build.
        name: Box<str>,
        /// Driver name of what it would build.
        driver: Box<str>,
    },
    /// A registration conflicts with a live entry of that name.
    #[error("{name:?} is already registered")]
    Exists {
        /// The name in conflict.
        name: Box<str>,
    },
    /// A description that cannot be registered.
    #[error("algorithm {driver:?} cannot be registered: {why}")]
    BadAlg {
        /// Its driver name.
        driver: Box<str>,
        /// Which rule it breaks.
        why: &'static str,
    },
    /// The driver exists, but this CPU (or a CPU mask) does not allow it.
    #[error("driver {driver:?} is unavailable: {reason}")]
    Unavailable {
        /// Its driver name.
        driver: Box<str>,
        /// The missing feature or the mask.
        reason: Box<str>,
    },
    /// Every candidate failed its self-test.
    #[error("driver {driver:?} failed its self-test: {reason}")]
    SelfTestFailed {
        /// The quarantined driver.
        driver: Box<str>,
        /// The first failure.
        reason: Box<str>,
    },
    /// A template cannot be built over this child.
    #[error("{template}({child}): {why}")]
    BadChild {
        /// The template.
        template: Box<str>,
        /// The child as asked for.
        child: Box<str>,
        /// The property that the child lacks.
        why: &'static str,
    },
    /// The registry's policy forbids it.
    #[error("denied by policy: {rule}")]
    Denied {
        /// The rule that refused.
        rule: Box<str>,
    },
    /// The entry is being built or tested by somebody else, and waiting is not possible here.
    #[error("{name:?} is being built or tested")]
    Busy {
        /// What is being waited for.
        name: Box<str>,
    },
    /// Operation before a key was set, or after a failed `set_key`.
    #[error("no key is set")]
    NeedKey,
    /// Key of a length that the algorithm does not take.
    #[error("key of {len} bytes; accepted: {accepted} bytes")]
    BadKeyLen {
        /// Length given, in bytes.
        len: usize,
        /// Lengths accepted, in bytes.
        accepted: KeySizes,
    },
    /// A weak key was given where weak keys are forbidden.
    #[error("weak key refused: {why}")]
    WeakKey {
        /// What makes it weak.
        why: &'static str,
    },
    /// IV of the wrong length.
    #[error("IV of {len} bytes; this algorithm takes exactly {want} bytes")]
    BadIvLen {
        /// Length given, in bytes.
        len: usize,
        /// Length wanted, in bytes.
        want: usize,
    },
    /// Message of a length that the mode does not take.
    #[error("message of {len} bytes; accepted: {accepted}")]
    BadLength {
        /// Length given, in bytes.
        len: usize,
        /// The mode's rule.
        accepted: Length,
    },
    /// Tag of a length that the algorithm does not make.
    #[error("tag of {len} bytes; accepted: {accepted} bytes")]
    BadTagLen {
        /// Length given, in bytes.
        len: usize,
        /// Lengths accepted, in bytes.
        accepted: TagSizes,
    },
    /// Associated data of a length that the algorithm does not take.
    #[error("associated data of {len} bytes; accepted: {accepted}")]
    BadAadLen {
        /// Length given, in bytes.
        len: u64,
        /// The algorithm's rule.
        accepted: AadLength,
    },
    /// An IV of the right length with a content that the algorithm refuses.
    #[error("IV refused: {why}")]
    BadIv {
        /// What is wrong with it.
        why: &'static str,
    },
    /// The message is longer than the algorithm, or its length field, allows.
    #[error("message of {len} bytes is too long; at most {max} bytes are allowed")]
    TooLong {
        /// Length given, in bytes.
        len: u64,
        /// Longest accepted, in bytes.
        max: u64,
    },
    /// Authentication failed. Nothing more is said, and no plaintext is left.
    #[error("authentication failed")]
    BadTag,
    /// An exported hash state that cannot be imported.
    #[error("hash state refused: {why}")]
    BadState {
        /// What is wrong with it.
        why: &'static str,
    },
    /// Source and destination, or input and output, differ in length.
    #[error("destination of {dst} bytes for {src} bytes; they must have the same length")]
    LengthMismatch {
        /// Bytes to be processed.
        src: usize,
        /// Room given.
        dst: usize,
    },
    /// The driver needs more room per request than synchronous use allows (512 bytes).
    #[error("driver {driver:?} needs {size} bytes of request state; synchronous use allows 512")]
    TooBig {
        /// Its driver name.
        driver: Box<str>,
        /// What it declares, in bytes.
        size: usize,
    },
    /// The algorithm does not support the operation.
    #[error("{what} is not supported by this algorithm")]
    NotSupported {
        /// The operation.
        what: &'static str,
    },
}

impl Error {
    /// The kernel's error number, positive: `EINVAL` is 22.
    ///
    /// Numbers are those of Linux on most CPUs (asm-generic); `names-and-lookup.md` section 4 of the
    /// kernel reference lists which case gives which.
    pub const fn errno(&self) -> i32 {
        match self {
            Error::BadName { .. } | Error::NotFound { .. } | Error::Unavailable { .. } => 2,
            Error::NameTooLong { .. } => 36,
            Error::NameMismatch { .. } | Error::Exists { .. } => 17,
            Error::SelfTestFailed { .. } => 80,
            Error::Denied { .. } => 1,
            Error::Busy { .. } => 16,
            Error::NeedKey => 126,
            Error::TooBig { .. } => 7,
            Error::NotSupported { .. } => 38,
            Error::BadTag => 74,
            Error::BadState { .. } | Error::TooLong { .. } => 75,
            Error::WrongKind { .. }
            | Error::BadAlg { .. }
            | Error::BadChild { .. }
            | Error::BadKeyLen { .. }
            | Error::WeakKey { .. }
            | Error::BadIvLen { .. }
            | Error::BadIv { .. }
            | Error::BadLength { .. }
            | Error::BadTagLen { .. }
            | Error::BadAadLen { .. }
            | Error::LengthMismatch { .. } => 22,
        }
    }

    /// The kernel's symbol for [`Error::errno`], such as `"EINVAL"`.
    pub const fn errno_name(&self) -> &'static str {
        match self.errno() {
            1 => "EPERM",
            2 => "ENOENT",
            7 => "E2BIG",
            16 => "EBUSY",
            17 => "EEXIST",
            36 => "ENAMETOOLONG",
            38 => "ENOSYS",
            74 => "EBADMSG",
            75 => "EOVERFLOW",
            80 => "ELIBBAD",
            126 => "ENOKEY",
            _ => "EINVAL",
        }
    }
}

/// Prints what kind of algorithm was asked for.
struct Kind<'a>(&'a Option<KindTag>);

impl fmt::Display for Kind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(kind) => write!(f, "{kind} algorithm "),
            None => f.write_str("driver "),
        }
    }
}

/// Prints `; hint` unless the hint is empty.
struct Hint<'a>(&'a str);

impl fmt::Display for Hint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "; {}", self.0) }
    }
}
