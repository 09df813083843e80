//! `check`, on a selection of a kernel's answers.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::run::{complaint, run, stdout};

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).to_str().unwrap().to_owned()
}

/// The counts in the last line.
fn counts(text: &str) -> [usize; 3] {
    let last = text.lines().last().unwrap();
    let count = |word: &str| -> usize {
        let part = last.split(", ").find_map(|part| part.strip_suffix(word)).unwrap();
        part.trim().parse().unwrap()
    };
    [count("passed"), count("failed"), count("skipped")]
}

fn cases(file: &str) -> usize {
    let value: Value = serde_json::from_slice(&fs::read(data(file)).unwrap()).unwrap();
    let lists = value.as_object().unwrap().values().filter_map(Value::as_array);
    lists.map(Vec::len).sum()
}

/// A file with one vector of `cbc(aes)`, changed.
fn file(directory: &Path, change: impl Fn(&mut Value)) -> PathBuf {
    let mut vector = json!({
        "type": "skcipher", "name": "cbc(aes)", "op": "enc",
        "key": "2b7e151628aed2a6abf7158809cf4f3c", "iv": "000102030405060708090a0b0c0d0e0f",
        "input": "6bc1bee22e409f96e93d7e117393172a", "output": "7649abac8119b246cee98e9b12e9197d",
        "dec": "ok",
    });
    change(&mut vector);
    let path = directory.join("vector.json");
    fs::write(&path, json!({ "vectors": [vector] }).to_string()).unwrap();
    path
}

fn check(path: &Path) -> std::process::Output {
    run(&["check".as_ref(), path.as_os_str()])
}

#[test]
fn a_kernels_answers_are_ours() {
    for mask in [&[][..], &["--cpu", "none"]] {
        for file in ["ciphers.json", "errors.json"] {
            let text = stdout(&[&["check", &data(file)], mask].concat());
            let [passed, failed, skipped] = counts(&text);
            assert_eq!(failed, 0, "{text}");
            assert!(passed >= 280, "{text}");
            assert_eq!(passed + skipped, cases(file), "{text}");
        }
    }
}

#[test]
fn files_are_counted_together_and_unknown_names_listed() {
    let text = stdout(&["check", &data("ciphers.json"), &data("errors.json")]);
    let [passed, _, skipped] = counts(&text);
    assert_eq!(passed + skipped, cases("ciphers.json") + cases("errors.json"));
    assert!(text.contains("no algorithm of this name here") && text.contains("cbc(fcrypt)"), "{text}");
    assert!(text.contains("about AF_ALG sockets: a missing IV"), "{text}");
    assert!(text.contains("xts(ecb(aes-generic))"), "{text}");
}

#[test]
fn one_driver_alone() {
    let text = stdout(&["check", &data("ciphers.json"), "--driver", "cts(cbc(aes-generic))"]);
    assert!(text.contains("cts(cbc(aes-generic))") && !text.contains("xts(ecb(aes-generic))"), "{text}");
    assert_eq!(counts(&text)[1], 0);
    let line = complaint(&run(&["check", &data("ciphers.json"), "--driver", "nosuch"]), 1);
    assert!(line.contains("nosuch"), "{line}");
}

#[test]
fn wrong_answers_fail_on_every_driver() {
    let directory = tempfile::tempdir().unwrap();
    let sound = check(&file(directory.path(), |_| {}));
    assert_eq!(counts(&String::from_utf8(sound.stdout).unwrap()), [1, 0, 0]);
    for (field, value) in [
        ("output", json!("7649abac8119b246cee98e9b12e9197e")),
        ("output", json!("7649abac8119b246cee98e9b12e919")),
        ("errno", json!("EINVAL")),
        ("input", json!("6bc1bee22e409f96e93d7e1173931700")),
        ("key", json!("2b7e151628aed2a6abf7158809cf4f")),
        ("iv", json!("00")),
    ] {
        let output = check(&file(directory.path(), |vector| vector[field] = value.clone()));
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        assert_eq!(output.status.code(), Some(1), "{field}: {text}");
        assert_eq!(counts(&text), [0, 1, 0], "{field}: {text}");
        assert!(text.contains("FAILED vector.json vectors[0]: cbc(aes) cbc(aes-generic): "), "{text}");
    }
}

#[test]
fn misuse_is_judged() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("errors.json");
    for (section, case, expected) in [
        ("bind", json!({"bind_type": "skcipher", "bind": "cbc(aes)", "errno": "ENOENT"}), [0, 1, 0]),
        ("bind", json!({"bind_type": "skcipher", "bind": "cbc(aes)\0x", "errno": "EINVAL"}), [1, 0, 0]),
        ("bind", json!({"bind_type": "skcipher", "bind": "cts(ctr(aes))", "driver": "x"}), [0, 1, 0]),
        ("bind", json!({"bind_type": "skcipher", "bind": "nosuch", "driver": "x"}), [0, 0, 1]),
        (
            "bind",
            json!({"bind_type": "skcipher", "bind": "cbc(aes)", "driver": "x", "ivsize": "8"}),
            [0, 1, 0],
        ),
        ("setkey", json!({"type": "skcipher", "name": "cbc(aes)", "keylen": 15, "errno": null}), [0, 1, 0]),
        (
            "setkey",
            json!({"type": "skcipher", "name": "cbc(aes)", "keylen": 16, "errno": "EINVAL"}),
            [0, 1, 0],
        ),
        (
            "request",
            json!({"type": "skcipher", "name": "cbc(aes)", "op": "enc", "keylen": null, "ivlen": 16,
                   "len": 16, "errno": "EINVAL"}),
            [0, 1, 0],
        ),
        (
            "request",
            json!({"type": "skcipher", "name": "cbc(aes)", "op": "dec", "keylen": 16, "ivlen": 16,
                   "len": 16, "errno": null, "returned": 16}),
            [1, 0, 0],
        ),
    ] {
        fs::write(&path, json!({ section: [case] }).to_string()).unwrap();
        let output = check(&path);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(counts(&text), expected, "{case}: {text}");
        assert_eq!(output.status.success(), expected == [1, 0, 0], "{case}");
    }
}

#[test]
fn a_file_in_another_form_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file.json");
    for text in [
        "",
        "{",
        "[]",
        "{}",
        "null",
        "not json",
        "\u{feff}{}",
        "{\"vectors\": {}}",
        "{\"vectors\": [1]}",
        "{\"vectors\": [{}]}",
        "{\"vectors\": [{\"type\": \"skcipher\", \"name\": \"cbc(aes)\"}]}",
        "{\"vectors\": [{\"type\": \"cypher\", \"name\": \"cbc(aes)\", \"op\": \"enc\"}]}",
    ] {
        fs::write(&path, text).unwrap();
        let line = complaint(&check(&path), 1);
        assert!(line.contains("file.json: "), "{text}: {line}");
    }
    fs::write(&path, [0xff, 0xfe]).unwrap();
    complaint(&check(&path), 1);
    complaint(&check(&directory.path().join("absent.json")), 1);
    complaint(&check(directory.path()), 1);
    for (field, value) in [
        ("key", json!("0")),
        ("op", json!("encrypt")),
        ("input", json!(null)),
        ("chunks", json!([1, 2])),
        ("chunks", json!(["1y2"])),
    ] {
        let line = complaint(&check(&file(directory.path(), |vector| vector[field] = value.clone())), 1);
        assert!(line.contains("vectors[0]"), "{field}: {line}");
    }
}

#[test]
fn nothing_passed_is_a_failure() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file.json");
    fs::write(&path, "{\"vectors\": []}").unwrap();
    let line = complaint(&check(&path), 1);
    assert!(line.contains("nothing passed"), "{line}");
    let unknown = check(&file(directory.path(), |vector| vector["name"] = json!("cbc(fcrypt)")));
    complaint(&unknown, 1);
    assert_eq!(counts(&String::from_utf8(unknown.stdout).unwrap()), [0, 0, 1]);
}
