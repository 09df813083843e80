//! Tests of the repository as a whole, and what they share.
//!
//! `tests/floors.rs` states who may use whom and where unsafe code may be, `tests/dependencies.rs` which
//! crates of others there are and under which licences, `tests/linkage.rs` that no driver is lost on the way
//! into a program, `tests/byte_order.rs` that portable code does not see the machine's, `tests/no_std.rs` that the lower floors do without std, `tests/documents.rs` that links lead
//! somewhere. The code in README.md and in docs/ is doc-tested here.
#![forbid(unsafe_code)]

mod fixture;
mod metadata;
mod source;

pub use fixture::Fixture;
pub use metadata::{Dependency, Metadata, Node, NodeDep, Package, Resolve, Role};
pub use source::{code, files};

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The repository's root.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("crates/checks is two levels below the root").to_path_buf()
}

/// Cargo, as the one that runs this test.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Runs a command to its end and gives what it printed.
///
/// # Panics
/// If it cannot be started or fails; the message holds the command and what it printed.
pub fn run(command: &mut Command) -> String {
    let Output { status, stdout, stderr } =
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let stdout = String::from_utf8_lossy(&stdout).into_owned();
    assert!(status.success(), "{command:?}: {status}\n{stdout}{}", String::from_utf8_lossy(&stderr));
    stdout
}

#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../CONTRIBUTING.md")]
    struct Contributing;
    #[doc = include_str!("../../../docs/architecture.md")]
    struct Architecture;
    #[doc = include_str!("../../../docs/names.md")]
    struct Names;
    #[doc = include_str!("../../../docs/self-tests.md")]
    struct SelfTests;
    #[doc = include_str!("../../../docs/static-linking.md")]
    struct StaticLinking;
}
