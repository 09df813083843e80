//! Runs the command.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The command, without a mask from outside.
pub(crate) fn command<A: AsRef<OsStr>>(args: &[A]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kcrypto"));
    command.args(args).env_remove("KCRYPTO_CPU").env_remove("KCRYPTO_FAULT").stdin(Stdio::null());
    command
}

/// Runs it to its end.
pub(crate) fn run<A: AsRef<OsStr>>(args: &[A]) -> Output {
    command(args).output().unwrap()
}

/// Runs it with this on standard input.
pub(crate) fn run_with(args: &[&str], input: &[u8]) -> Output {
    let mut child =
        command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // It may end before it has read everything.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap()
    })
}

/// Standard output of a run that succeeds in silence.
pub(crate) fn stdout<A: AsRef<OsStr>>(args: &[A]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Checks that a run fails with this status and one line on standard error; returns the line.
#[track_caller]
pub(crate) fn complaint(output: &Output, status: i32) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert!(text.starts_with("kcrypto: ") && text.ends_with('\n'), "{text:?}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(!text.contains("panicked") && !text.contains("RUST_BACKTRACE"), "{text}");
    text
}
