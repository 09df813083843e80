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

/// How many cases differ on purpose. It depends on the CPU, which may have drivers that the kernel's had not.
fn apart(text: &str) -> usize {
    text.lines().filter_map(|line| line.split_once("counted apart: ")?.1.parse::<usize>().ok()).sum()
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
        for (file, least) in [
            ("ciphers.json", 280),
            ("errors.json", 300),
            ("hashes.json", 350),
            ("aeads.json", 100),
            ("errors-hash-aead.json", 400),
        ] {
            let text = stdout(&[&["check", &data(file)], mask].concat());
            let [passed, failed, skipped] = counts(&text);
            assert_eq!(failed, 0, "{text}");
            assert!(passed >= least, "{text}");
            assert_eq!(passed + skipped + apart(&text), cases(file), "{text}");
        }
    }
}

#[test]
fn files_are_counted_together_and_unknown_names_listed() {
    let text = stdout(&["check", &data("ciphers.json"), &data("errors.json")]);
    let [passed, _, skipped] = counts(&text);
    assert_eq!(passed + skipped + apart(&text), cases("ciphers.json") + cases("errors.json"));
    assert!(text.contains("no algorithm of this name here") && text.contains("cbc(fcrypt)"), "{text}");
    assert!(text.contains("about AF_ALG sockets: a missing IV"), "{text}");
    assert!(text.contains("xts(ecb(aes-generic))"), "{text}");
}

#[test]
fn differences_that_are_meant_are_counted_apart() {
    let text = stdout(&["--cpu", "none", "check", &data("errors-hash-aead.json")]);
    assert!(
        text.contains("beyond Linux (docs/beyond-linux.md), counted apart: 1\n  cmac(cbc(aes))\n"),
        "{text}"
    );
    assert!(text.contains("stricter than Linux (docs/stricter-than-linux.md), counted apart: 2\n"), "{text}");
    assert!(text.contains("request of 65536 bytes, ccm(aes)"), "{text}");
    assert!(text.contains("rfc7539(chacha20,ghash) as a name"), "{text}");
}

#[test]
fn wrong_digests_and_seals_fail() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("vectors.json");
    // FIPS 180-2, B.1; RFC 3610, packet vector 1.
    let hash = json!({
        "type": "hash", "name": "sha256", "op": "update", "input": "616263", "chunks": [1, 0, "2x1"],
        "output": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    });
    let aead = json!({
        "type": "aead", "name": "ccm(aes)", "op": "enc", "key": "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf",
        "authsize": 8, "iv": "0100000003020100a0a1a2a3a4a50000", "aad": "0001020304050607",
        "input": "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
        "output": "588c979a61c663d2f066d0c2c0f989806d5f6b61dac38417e8d12cfdf926e0",
        "dec": "ok", "dec_flip_tag": "EBADMSG", "dec_flip_ct": "EBADMSG", "dec_flip_aad": "EBADMSG",
    });
    let hash_changes = [
        ("op", json!("digest"), true),
        ("output", json!("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ae"), false),
        ("output", json!("ba7816bf"), false),
        ("input", json!("616264"), false),
        ("errno", json!("ENOKEY"), false),
        ("key", json!("00"), false),
    ];
    let aead_changes = [
        ("dec", json!("no"), true),
        ("output", json!("588c979a61c663d2f066d0c2c0f989806d5f6b61dac38417e8d12cfdf926e1"), false),
        ("authsize", json!(16), false),
        ("authsize", json!(5), false),
        ("aad", json!("00"), false),
        ("iv", json!("00"), false),
        ("errno", json!("EINVAL"), false),
        ("dec_flip_tag", json!("ok"), false),
        ("dec_flip_ct", json!("EINVAL"), false),
        ("dec_flip_aad", json!("ok"), false),
    ];
    let all = hash_changes.iter().map(|change| (&hash, change));
    for (vector, (field, value, good)) in all.chain(aead_changes.iter().map(|change| (&aead, change))) {
        let mut vector = vector.clone();
        vector[field] = value.clone();
        if *field == "op" {
            vector["chunks"] = Value::Null;
        }
        fs::write(&path, json!({ "vectors": [vector] }).to_string()).unwrap();
        let output = check(&path);
        let text = String::from_utf8(output.stdout).unwrap();
        let expected = if *good { [1, 0, 0] } else { [0, 1, 0] };
        assert_eq!(counts(&text), expected, "{field} {value}: {text}");
    }
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
        ("bind", json!({"bind_type": "hash", "bind": "hmac(sha256)", "errno": "ENOENT"}), [0, 1, 0]),
        (
            "bind",
            json!({"bind_type": "hash", "bind": "sha256", "driver": "x", "digestsize": "31"}),
            [0, 1, 0],
        ),
        ("bind", json!({"bind_type": "hash", "bind": "hmac(nosuch)", "errno": "ENOENT"}), [1, 0, 0]),
        ("bind", json!({"bind_type": "aead", "bind": "gcm(cbc(aes))", "driver": "x"}), [0, 1, 0]),
        (
            "bind",
            json!({"bind_type": "aead", "bind": "gcm(aes)", "driver": "x", "maxauthsize": 12}),
            [0, 1, 0],
        ),
        ("setkey", json!({"type": "hash", "name": "sha256", "keylen": 4, "errno": "ENOSYS"}), [1, 0, 0]),
        ("setkey", json!({"type": "hash", "name": "cmac(aes)", "keylen": 4, "errno": null}), [0, 1, 0]),
        ("setkey", json!({"type": "aead", "name": "gcm(aes)", "keylen": 16, "errno": "EINVAL"}), [0, 1, 0]),
        ("authsize", json!({"name": "gcm(aes)", "authsize": 4, "errno": null}), [1, 0, 0]),
        ("authsize", json!({"name": "gcm(aes)", "authsize": 4, "errno": "EINVAL"}), [0, 1, 0]),
        ("authsize", json!({"name": "gcm(aes)", "authsize": 5, "errno": null}), [0, 1, 0]),
        (
            "request",
            json!({"type": "aead", "name": "gcm(aes)", "op": "dec", "keylen": 16, "ivlen": 12, "len": 40,
                   "assoclen": 8, "authsize": 16, "errno": "EBADMSG"}),
            [1, 0, 0],
        ),
        (
            "request",
            json!({"type": "aead", "name": "gcm(aes)", "op": "enc", "keylen": 16, "ivlen": 12, "len": 40,
                   "assoclen": 8, "authsize": 16, "errno": null, "returned": 40}),
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
fn a_refusal_for_want_of_a_part_counts_for_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("bind.json");
    let refused = json!({"bind_type": "skcipher", "bind": "cts(ctr(fcrypt))", "errno": "ENOENT"});
    let accepted = json!({"bind_type": "skcipher", "bind": "cbc(fcrypt)", "driver": "cbc(fcrypt-generic)"});
    for (cases, expected) in [(vec![refused.clone()], [1, 0, 0]), (vec![refused, accepted], [0, 0, 2])] {
        fs::write(&path, json!({ "bind": cases }).to_string()).unwrap();
        let text = String::from_utf8(check(&path).stdout).unwrap();
        assert_eq!(counts(&text), expected, "{text}");
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
