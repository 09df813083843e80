//! `encrypt` and `decrypt`.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::run::{command, complaint, run, run_with};

const KEY: &str = "000102030405060708090a0b0c0d0e0f";
const KEYS: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const IV: &str = "ff0102030405060708090a0b0c0d0e0f";

/// Bytes without a pattern of short period.
fn data(len: usize) -> Vec<u8> {
    (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

fn ok(output: Output) -> Vec<u8> {
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    output.stdout
}

fn files(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_published_answer() {
    // SP 800-38A, F.2.1, first block.
    let plain = hex::decode("6bc1bee22e409f96e93d7e117393172a").unwrap();
    let key = "2b7e151628aed2a6abf7158809cf4f3c";
    let iv = "000102030405060708090a0b0c0d0e0f";
    let cipher = ok(run_with(&["encrypt", "cbc(aes)", "--key", key, "--iv", iv], &plain));
    assert_eq!(hex::encode(&cipher), "7649abac8119b246cee98e9b12e9197d");
    assert_eq!(ok(run_with(&["decrypt", "cbc(aes)", "--key", key, "--iv", iv], &cipher)), plain);
}

#[test]
fn long_messages_stream_on_every_driver() {
    let plain = data(300_007);
    for name in ["cts(cbc(aes))", "ctr(aes)", "xts(aes)"] {
        let args = |verb| [verb, name, "--key", KEYS, "--iv", IV];
        let cipher = ok(run_with(&args("encrypt"), &plain));
        assert_ne!(cipher, plain);
        assert_eq!(ok(run_with(&args("decrypt"), &cipher)), plain, "{name}");
        let generic = [&args("encrypt")[..], &["--cpu", "none"]].concat();
        assert_eq!(ok(run_with(&generic, &plain)), cipher, "{name}");
    }
}

#[test]
fn modes_without_an_iv() {
    let plain = data(32);
    let cipher = ok(run_with(&["encrypt", "ecb(aes)", "--key", KEY], &plain));
    assert_eq!(ok(run_with(&["decrypt", "ecb(aes)", "--key", KEY], &cipher)), plain);
    let line = complaint(&run_with(&["encrypt", "ecb(aes)", "--key", KEY, "--iv", IV], &plain), 1);
    assert!(line.contains("exactly 0 bytes"), "{line}");
}

#[test]
fn files_are_replaced_as_a_whole() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let file = path.to_str().unwrap();
    fs::write(&path, data(100_001)).unwrap();
    let args = |verb| [verb, "ctr(aes)", "--key", KEY, "--iv", IV, "-i", file, "-o", file];
    ok(run(&args("encrypt")));
    assert_ne!(fs::read(&path).unwrap(), data(100_001));
    ok(run(&args("decrypt")));
    assert_eq!(fs::read(&path).unwrap(), data(100_001));
    assert_eq!(files(directory.path()), ["file"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let directory = tempfile::tempdir().unwrap();
    let (target, link) = (directory.path().join("target"), directory.path().join("link"));
    fs::write(&target, b"old").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("target", &link).unwrap();
    ok(run_with(&["encrypt", "ecb(aes)", "--key", KEY, "-o", link.to_str().unwrap()], &data(16)));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&target).unwrap().len(), 16);
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_yet_stays_and_its_target_is_made() {
    use std::os::unix::fs::symlink;

    let directory = tempfile::tempdir().unwrap();
    let inner = directory.path().join("inner");
    fs::create_dir(&inner).unwrap();
    symlink("inner/second", directory.path().join("first")).unwrap();
    symlink("target", inner.join("second")).unwrap();
    let out = directory.path().join("first");
    let args = ["encrypt", "ecb(aes)", "--key", KEY, "-o", out.to_str().unwrap()];
    ok(run_with(&args, &data(16)));
    assert!(fs::symlink_metadata(&out).unwrap().is_symlink());
    assert_eq!(files(directory.path()), ["first", "inner"]);
    assert_eq!(files(&inner), ["second", "target"]);
    assert_eq!(fs::read(inner.join("target")).unwrap().len(), 16);
    // Also from the directory itself, by a name without one, and nowhere else if the link leads nowhere.
    symlink("bare-target", inner.join("bare")).unwrap();
    symlink("no/such/directory", inner.join("lost")).unwrap();
    let from_inner = |out: &str| {
        let args = ["encrypt", "ecb(aes)", "--key", KEY, "-i", "target", "-o", out];
        command(&args).current_dir(&inner).output().unwrap()
    };
    ok(from_inner("bare"));
    assert_eq!(fs::read(inner.join("bare-target")).unwrap().len(), 16);
    let line = complaint(&from_inner("lost"), 1);
    assert!(line.starts_with("kcrypto: lost: "), "{line}");
    assert_eq!(files(&inner), ["bare", "bare-target", "lost", "second", "target"]);
}

#[test]
fn a_read_only_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    fs::write(&path, b"precious").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let args = ["encrypt", "ecb(aes)", "--key", KEY, "-o", path.to_str().unwrap()];
    let line = complaint(&run_with(&args, &data(16)), 1);
    assert!(line.contains("file: permission denied"), "{line}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    assert_eq!(files(directory.path()), ["file"]);
}

#[test]
fn failures_leave_no_output() {
    let directory = tempfile::tempdir().unwrap();
    let (input, output) = (directory.path().join("in"), directory.path().join("out"));
    fs::write(&input, data(200_001)).unwrap();
    let (file, out) = (input.to_str().unwrap(), output.to_str().unwrap());
    // From a file the wrong length is seen at once, from a pipe only at the end.
    let args = ["encrypt", "cbc(aes)", "--key", KEY, "--iv", IV, "-o", out];
    complaint(&run(&[&args[..], &["-i", file]].concat()), 1);
    let line = complaint(&run_with(&args, &data(200_001)), 1);
    assert!(line.contains("message of 200001 bytes; accepted: multiples of 16 bytes"), "{line}");
    assert_eq!(files(directory.path()), ["in"]);
    // What was there before stays.
    fs::write(&output, b"precious").unwrap();
    complaint(&run_with(&args, &data(17)), 1);
    assert_eq!(fs::read(&output).unwrap(), b"precious");
    assert_eq!(files(directory.path()), ["in", "out"]);
}

#[test]
fn refusals_name_what_is_accepted() {
    let encrypt = |args: &[&str]| run_with(&[&["encrypt"], args].concat(), &data(16));
    for (args, status, part) in [
        (&["cbc(aes)", "--key", KEY][..], 2, "an IV of 16 bytes: give --iv with 32 hex digits"),
        (&["cbc(aes)", "--key", KEY, "--iv", "00"], 1, "exactly 16 bytes"),
        (&["cbc(aes)", "--key", KEY, "--iv", "0g"], 2, "hex"),
        (&["cbc(aes)", "--key", &KEY[2..], "--iv", IV], 1, "key of 15 bytes; accepted: 16, 24 or 32"),
        (&["cbc(aes)", "--key", "", "--iv", IV], 1, "key of 0 bytes; accepted: 16, 24 or 32"),
        (&["cbc(aes)", "--key", "@", "--iv", IV], 2, "file name"),
        (&["cbc(aes)", "--key", "@/nonexistent/key", "--iv", IV], 1, "/nonexistent/key: "),
        (&["cbc(aes)", "--key", KEY, "--iv", IV, "-i", "/nonexistent/in"], 1, "/nonexistent/in: "),
        (&["cbc(aes)", "--key", KEY, "--iv", IV, "-o", "/nonexistent/out"], 1, "/nonexistent/out: "),
        (&["cbc(aes)", "--key", KEY, "--iv", IV, "-i", "/"], 1, "/: "),
        (&["cbc(aes)", "--key", KEY, "--iv", IV, "-o", "/"], 1, "/: "),
        (&["cbc(aes)", "--iv", IV], 2, "--key"),
        (&["cbc(sha0)", "--key", KEY, "--iv", IV], 1, "sha0"),
        (&["xts(aes)", "--key", KEYS, "--sector-size", "512"], 2, "--iv-mode"),
        (&["xts(aes)", "--key", KEYS, "--sector-size", "8", "--iv-mode", "plain64"], 2, "16 bytes or more"),
        (&["xts(aes)", "--key", KEYS, "--sector-size", "0", "--iv-mode", "plain64"], 2, "--sector-size"),
        (&["xts(aes)", "--key", KEYS, "--sector-size", "512", "--iv-mode", "null"], 2, "plain64"),
        (&["ecb(aes)", "--key", KEY, "--sector-size", "512", "--iv-mode", "plain64"], 1, "IV of 0 bytes"),
    ] {
        let line = complaint(&encrypt(args), status);
        assert!(line.contains(part), "{line}");
    }
    let short = run_with(&["encrypt", "cts(cbc(aes))", "--key", KEY, "--iv", IV], &data(15));
    assert!(complaint(&short, 1).contains("16 bytes or more"));
}

#[test]
fn key_files_are_raw_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("key");
    let key = format!("@{}", path.to_str().unwrap());
    let encrypt = || run_with(&["encrypt", "ecb(aes)", "--key", &key], &data(16));
    fs::write(&path, hex::decode(KEY).unwrap()).unwrap();
    assert_eq!(ok(encrypt()), ok(run_with(&["encrypt", "ecb(aes)", "--key", KEY], &data(16))));
    fs::write(&path, format!("{KEY}\n")).unwrap();
    assert!(complaint(&encrypt(), 1).contains("hex digits"));
    fs::write(&path, "sixteen letters!\n").unwrap();
    assert!(complaint(&encrypt(), 1).contains("white space"));
    fs::write(&path, "").unwrap();
    assert!(complaint(&encrypt(), 1).contains("accepted: 16, 24 or 32 bytes"));
    fs::write(&path, data(10_000)).unwrap();
    assert!(complaint(&encrypt(), 1).contains("accepted: 16, 24 or 32 bytes"));
}

#[test]
fn messages_do_not_repeat_keys() {
    let secret = "00112233445566778899aabbccddee";
    let line = complaint(&run(&["encrypt", "ecb(aes)", "--key", &format!("{secret}fg")]), 2);
    assert!(!line.contains(&secret[..8]), "{line}");
}

#[test]
fn sectors_have_their_number_as_iv() {
    let plain = data(512 * 300);
    let args = |verb| [verb, "xts(aes)", "--key", KEYS, "--sector-size", "512", "--iv-mode", "plain64"];
    let cipher = ok(run_with(&args("encrypt"), &plain));
    assert_eq!(ok(run_with(&args("decrypt"), &cipher)), plain);
    for sector in [0usize, 1, 299] {
        let iv = hex::encode([&(sector as u64).to_le_bytes()[..], &[0; 8]].concat());
        let at = 512 * sector..512 * (sector + 1);
        let alone = ok(run_with(&["encrypt", "xts(aes)", "--key", KEYS, "--iv", &iv], &plain[at.clone()]));
        assert_eq!(alone, cipher[at], "sector {sector}");
    }
    let line = complaint(&run_with(&args("encrypt"), &plain[1..]), 1);
    assert!(line.contains("multiples of the sector size, 512 bytes"), "{line}");
    assert!(ok(run_with(&args("encrypt"), &[])).is_empty());
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_one_line() {
    use std::process::Stdio;

    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("in");
    fs::write(&path, data(1 << 20)).unwrap();
    let args = ["encrypt", "ctr(aes)", "--key", KEY, "--iv", IV, "-i", path.to_str().unwrap()];
    let child = command(&args).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    let line = complaint(&child.wait_with_output().unwrap(), 1);
    assert!(line.contains("standard output"), "{line}");
}
