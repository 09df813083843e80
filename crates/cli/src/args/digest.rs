//! The command lines of `digest` and `mac`.

use std::path::PathBuf;

use clap::Args as Group;

use crate::key::Key;

#[derive(Debug, Group)]
pub(crate) struct Digest {
    /// Generic name such as `sha256`, or driver name.
    pub(crate) name: String,
    /// The key in hex, which others may see in the list of processes, or `@FILE` with its raw bytes; for
    /// hashes that take one.
    #[arg(long, value_name = "HEX|@FILE", value_parser = Key::parse)]
    pub(crate) key: Option<Key>,
    #[command(flatten)]
    pub(crate) files: Files,
}

#[derive(Debug, Group)]
pub(crate) struct Mac {
    /// Generic name such as `hmac(sha256)` or `cmac(aes)`, or driver name.
    pub(crate) name: String,
    /// The key in hex, which others may see in the list of processes, or `@FILE` with its raw bytes.
    #[arg(long, value_name = "HEX|@FILE", value_parser = Key::parse)]
    pub(crate) key: Key,
    #[command(flatten)]
    pub(crate) files: Files,
}

/// What to print or to check.
#[derive(Debug, Group)]
pub(crate) struct Files {
    /// Files; standard input if absent or `-`.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print lines in BSD style, `SHA256 (name) = hex`, instead of `hex  name`.
    #[arg(long)]
    pub(crate) tag: bool,
    /// Read lines of both styles from the files, and check the files that they name. The exit status is 1 if
    /// one differs or cannot be read, or if there is no line for this algorithm.
    #[arg(short, long, conflicts_with = "tag")]
    pub(crate) check: bool,
}
