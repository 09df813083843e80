//! `digest` and `mac`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::run::{command, complaint, run, run_with};

/// FIPS 180-2, appendix B.1, and RFC 1321, A.5: of `abc`.
const SHA256: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const MD5: &str = "900150983cd24fb0d6963f7d28e17f72";

fn text(output: Output, status: i32) -> (String, String) {
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// Standard output of a run that succeeds in silence.
fn ok(output: Output) -> String {
    let (out, err) = text(output, 0);
    assert_eq!(err, "");
    out
}

fn write(directory: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// A run in a directory.
fn run_in(directory: &Path, args: &[&str]) -> Output {
    command(args).current_dir(directory).output().unwrap()
}

#[test]
fn published_answers() {
    assert_eq!(ok(run_with(&["digest", "sha256"], b"abc")), format!("{SHA256}  -\n"));
    assert_eq!(ok(run_with(&["digest", "md5", "--tag", "-"], b"abc")), format!("MD5 (-) = {MD5}\n"));
    assert_eq!(ok(run_with(&["digest", "sha256-generic"], b"abc")), format!("{SHA256}  -\n"));
    // RFC 2202, case 2; RFC 4493, example 2.
    for (name, key, message, mac) in [
        ("hmac(md5)", "4a656665", "what do ya want for nothing?", "750c783e6ab0b503eaa86e310a5db738"),
        (
            "cmac(aes)",
            "2b7e151628aed2a6abf7158809cf4f3c",
            "6bc1bee22e409f96e93d7e117393172a",
            "070a16b46b4d4144f79bdd9dd04a287c",
        ),
    ] {
        let message = if name == "cmac(aes)" { hex::decode(message).unwrap() } else { message.into() };
        let args = ["mac", name, "--key", key];
        assert_eq!(ok(run_with(&args, &message)), format!("{mac}  -\n"));
        let generic = [&args[..], &["--tag", "--cpu", "none"]].concat();
        let label = name.to_uppercase();
        assert_eq!(ok(run_with(&generic, &message)), format!("{label} (-) = {mac}\n"));
    }
}

#[test]
fn long_files_are_read_in_pieces() {
    let directory = tempfile::tempdir().unwrap();
    // FIPS 180-2, appendix B.3: a million times the letter a.
    let path = write(directory.path(), "a", &vec![b'a'; 1_000_000]);
    let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    let path = path.to_str().unwrap();
    assert_eq!(ok(run(&["digest", "sha256", path])), format!("{digest}  {path}\n"));
}

#[test]
fn names_are_escaped_and_lists_check_in_both_styles() {
    let directory = tempfile::tempdir().unwrap();
    let names =
        if cfg!(unix) { ["plain", "two words", "back\\slash", "line\nfeed"] } else { ["a", "b c", "d", "e"] };
    for name in names {
        write(directory.path(), name, b"abc");
    }
    let lines =
        |style: &[&str]| ok(run_in(directory.path(), &[&["digest", "sha256"], style, &names].concat()));
    let (plain, bsd) = (lines(&[]), lines(&["--tag"]));
    if cfg!(unix) {
        assert!(
            plain.contains(&format!("\n\\{SHA256}  back\\\\slash\n\\{SHA256}  line\\nfeed\n")),
            "{plain}"
        );
        assert!(bsd.contains(&format!("\\SHA256 (line\\nfeed) = {SHA256}\n")), "{bsd}");
    }
    let list = write(directory.path(), "list", format!("# a remark\n{plain}\n{bsd}").as_bytes());
    let checked = ok(run_in(directory.path(), &["digest", "sha256", "--check", list.to_str().unwrap()]));
    assert_eq!(checked.lines().count(), 8);
    assert!(checked.lines().all(|line| line.ends_with(": OK")), "{checked}");
}

#[test]
fn a_check_tells_what_differs() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "good", b"abc");
    write(directory.path(), "bad", b"abd");
    let list = format!("{SHA256}  good\n{SHA256} *bad\n{SHA256}  absent\nsha256\nMD5 (good) = {MD5}\n");
    write(directory.path(), "list", list.as_bytes());
    let check = |args: &[&str]| run_in(directory.path(), &[&["digest", "sha256", "-c"], args].concat());
    let (out, err) = text(check(&["list"]), 1);
    assert_eq!(out, "good: OK\nbad: FAILED\nabsent: FAILED open or read\n");
    for part in [
        "kcrypto: absent: ",
        "WARNING: 2 lines are improperly formatted",
        "WARNING: 1 listed file could not be read",
        "WARNING: 1 computed digest did NOT match",
    ] {
        assert!(err.contains(part), "{err}");
    }
    // Lines of other algorithms are no failure, but nothing checked is one.
    write(directory.path(), "list", format!("{SHA256}  good\n{MD5}  good\n").as_bytes());
    let (out, err) = text(check(&["list"]), 0);
    assert_eq!((out.as_str(), err.lines().count()), ("good: OK\n", 1));
    for nothing in ["", "# remark\n", "no such line\n", &format!("{MD5}  good\n")] {
        write(directory.path(), "list", nothing.as_bytes());
        let line = complaint(&check(&["list"]), 1);
        assert!(line.contains("list: no line with a digest of sha256"), "{line}");
    }
    write(directory.path(), "list", &vec![b'0'; 100_000]);
    assert!(complaint(&check(&["list"]), 1).contains("more than 65536 bytes"));
    complaint(&check(&["nosuch"]), 1);
    complaint(&check(&["/"]), 1);
    complaint(&run(&["digest", "sha256", "--check", "--tag"]), 2);
}

#[test]
fn a_mac_checks_under_its_key_only() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "file", b"message");
    write(directory.path(), "key", &[7; 2000]);
    for style in [&[][..], &["--tag"]] {
        let args = ["mac", "hmac(sha1)", "--key", "@key"];
        let line = ok(run_in(directory.path(), &[&args[..], style, &["file"]].concat()));
        write(directory.path(), "list", line.as_bytes());
        assert_eq!(ok(run_in(directory.path(), &[&args[..], &["--check", "list"]].concat())), "file: OK\n");
        let wrong = ["mac", "hmac(sha1)", "--key", "0707", "--check", "list"];
        assert_eq!(text(run_in(directory.path(), &wrong), 1).0, "file: FAILED\n");
    }
}

#[test]
fn keys_that_may_be_left_out() {
    let with = ok(run_with(&["digest", "blake2b-256", "--key", "00"], b"abc"));
    let without = ok(run_with(&["digest", "blake2b-256"], b"abc"));
    // A kernel's answer.
    assert_eq!(without, "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319  -\n");
    assert_ne!(with, without);
    assert_eq!(ok(run_with(&["mac", "blake2b-256", "--key", "00"], b"abc")), with);
}

#[test]
fn one_file_that_is_not_there_stops_no_other() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "there", b"abc");
    let (out, err) = text(run_in(directory.path(), &["digest", "md5", "absent", "there", "."]), 1);
    assert_eq!(out, format!("{MD5}  there\n"));
    assert_eq!(err.lines().count(), 2, "{err}");
}

#[test]
fn refusals_name_what_would_do() {
    for (args, status, part) in [
        (&["digest", "hmac(sha256)"][..], 2, "takes a key: use `kcrypto mac`"),
        (&["digest", "sha256", "--key", "00"], 1, "takes no key"),
        (&["mac", "sha256", "--key", "00"], 1, "takes no key: use `kcrypto digest`"),
        (&["mac", "sha256"], 2, "--key"),
        (&["mac", "cmac(aes)", "--key", "00"], 1, "key of 1 bytes; accepted: 16, 24 or 32"),
        (&["mac", "cmac(aes)", "--key", "0"], 2, "pairs of hex digits"),
        (&["digest", "cbc(aes)"], 1, "is a cipher: use `kcrypto encrypt`"),
        (&["digest", "gcm(aes)"], 1, "is an AEAD: use `kcrypto seal`"),
        (&["digest", "aes"], 1, "single-block cipher"),
        (&["encrypt", "sha256", "--key", "00"], 1, "is a hash: use `kcrypto digest`"),
        (&["decrypt", "hmac(sha256)", "--key", "00"], 1, "is a MAC: use `kcrypto mac`"),
        (&["digest", "sha0"], 1, "sha0"),
        (&["digest", "hmac(hmac(sha256))"], 1, "hmac"),
        (&["digest", "poly1305"], 1, "key that it begins with"),
    ] {
        let line = complaint(&run(args), status);
        assert!(line.contains(part), "{line}");
    }
}
