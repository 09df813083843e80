//! The command line itself.

use crate::run::{command, complaint, run, stdout};

#[test]
fn help_and_version() {
    assert!(stdout(&["--help"]).contains("Usage: kcrypto"));
    assert!(stdout(&["encrypt", "--help"]).contains("--sector-size"));
    assert!(stdout(&["digest", "--help"]).contains("--check"));
    let seal = stdout(&["seal", "--help"]);
    assert!(seal.contains("--tag-len") && seal.contains("14 - n"), "{seal}");
    assert_eq!(stdout(&["--version"]), concat!("kcrypto ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn bad_usage_is_one_line_and_status_2() {
    let line = complaint(&run::<&str>(&[]), 2);
    assert!(line.contains("list, show, selftest"), "{line}");
    for args in [
        &["lst"][..],
        &["show"],
        &["show", "a", "b"],
        &["list", "--json", "--proc"],
        &["list", "--colour"],
        &["check"],
        &["encrypt", "cbc(aes)"],
        &["seal", "gcm(aes)"],
        &["mac", "cmac(aes)"],
        &["digest"],
    ] {
        complaint(&run(args), 2);
    }
}

#[test]
fn masks() {
    let line = complaint(&run(&["list", "--cpu", "bogus"]), 2);
    assert!(line.contains("bogus") && line.contains("none"), "{line}");
    let output = command(&["list"]).env("KCRYPTO_CPU", "bogus").output().unwrap();
    assert!(complaint(&output, 2).contains("KCRYPTO_CPU"));
    let output = command(&["show", "cbc(aes)"]).env("KCRYPTO_CPU", "none").output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("cbc(aes) (skcipher) -> cbc(aes-generic)"));
}

#[cfg(unix)]
#[test]
fn names_that_are_not_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let name = OsStr::from_bytes(b"cbc(\xff)");
    complaint(&run(&[OsStr::new("show"), name]), 2);
    complaint(&run(&[OsStr::new("list"), name]), 2);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_it_quietly() {
    for args in [
        &["list"][..],
        &["list", "--json"],
        &["show", "xts(aes)"],
        &["digest", "md5"],
        &["selftest", "aes"],
        &["--help"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command(args).stdout(writer).stderr(std::process::Stdio::piped()).spawn().unwrap();
        let output = output.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_one_line() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command(&["list"]).stdout(full).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let line = complaint(&output.wait_with_output().unwrap(), 1);
    assert!(line.contains("standard output"), "{line}");
}
