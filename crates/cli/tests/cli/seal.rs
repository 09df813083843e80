//! `seal` and `open`.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::run::{complaint, run, run_with};

const KEY: &str = "000102030405060708090a0b0c0d0e0f";
const NONCE: &str = "000102030405060708090a0b";

fn data(len: usize) -> Vec<u8> {
    (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

fn ok(output: Output) -> Vec<u8> {
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
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
    // RFC 3610, packet vector 1.
    let key = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf";
    let (nonce, aad) = ("00000003020100a0a1a2a3a4a5", "0001020304050607");
    let text = hex::decode("08090a0b0c0d0e0f101112131415161718191a1b1c1d1e").unwrap();
    let sealed = "588c979a61c663d2f066d0c2c0f989806d5f6b61dac38417e8d12cfdf926e0";
    // The nonce alone, and in the block that the kernel takes.
    for nonce in [nonce, &format!("01{nonce}0000")] {
        let args = |verb| {
            [
                verb,
                "ccm(aes)",
                "--key",
                key,
                "--nonce",
                nonce,
                "--aad",
                aad,
                "--tag-len",
                "8",
                "--cpu",
                "none",
            ]
        };
        let output = ok(run_with(&args("seal"), &text));
        assert_eq!(hex::encode(&output), sealed);
        assert_eq!(ok(run_with(&args("open"), &output)), text);
        assert_eq!(ok(run_with(&args("open")[..10], &output)), text);
    }
}

#[test]
fn pipes_and_files_are_the_same_and_every_driver_agrees() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let (text, aad) = (data(300_007), data(100_001));
    fs::write(path("text"), &text).unwrap();
    fs::write(path("aad"), &aad).unwrap();
    let key32 = format!("{KEY}{KEY}");
    for (name, key, nonce) in [
        ("gcm(aes)", KEY, NONCE),
        ("ccm(aes)", KEY, NONCE),
        ("rfc7539(chacha20,poly1305)", key32.as_str(), NONCE),
    ] {
        let aad = format!("@{}", path("aad"));
        let args = |verb| [verb, name, "--key", key, "--nonce", nonce, "--aad", &aad];
        let sealed = ok(run_with(&args("seal"), &text));
        assert_eq!(sealed.len(), text.len() + 16);
        assert_eq!(ok(run(&[&args("seal")[..], &["-i", &path("text"), "--cpu", "none"]].concat())), sealed);
        ok(run(&[&args("seal")[..], &["-i", &path("text"), "-o", &path("sealed")]].concat()));
        assert_eq!(fs::read(path("sealed")).unwrap(), sealed);
        assert_eq!(ok(run_with(&args("open"), &sealed)), text);
        // A file is replaced by what was in it.
        ok(run(&[&args("open")[..], &["-i", &path("sealed"), "-o", &path("sealed")]].concat()));
        assert_eq!(fs::read(path("sealed")).unwrap(), text);
    }
    assert_eq!(files(directory.path()), ["aad", "sealed", "text"]);
}

#[test]
fn empty_messages() {
    let args = |verb| [verb, "gcm(aes)", "--key", KEY, "--nonce", NONCE, "--aad", "00"];
    let sealed = ok(run_with(&args("seal"), b""));
    assert_eq!(sealed.len(), 16);
    assert_eq!(ok(run_with(&args("open"), &sealed)), b"");
}

#[test]
fn nothing_is_written_unless_all_is_authentic() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    for name in ["gcm(aes)", "ccm(aes)"] {
        let args = |verb, aad| [verb, name, "--key", KEY, "--nonce", NONCE, "--aad", aad];
        let sealed = ok(run_with(&args("seal", "aa"), &data(200_003)));
        let flip = |at: usize| {
            let mut wrong = sealed.clone();
            wrong[at] ^= 0x40;
            wrong
        };
        for (wrong, aad) in [
            (flip(0), "aa"),
            (flip(200_002), "aa"),
            (flip(200_003), "aa"),
            (flip(200_018), "aa"),
            (sealed[..200_018].to_vec(), "aa"),
            (sealed.clone(), "ab"),
            (sealed.clone(), "aaaa"),
        ] {
            let open = run_with(&args("open", aad), &wrong);
            assert_eq!(complaint(&open, 1), "kcrypto: authentication failed\n");
            assert!(open.stdout.is_empty());
            fs::write(path("out"), b"precious").unwrap();
            fs::write(path("in"), &wrong).unwrap();
            let open = run(&[&args("open", aad)[..], &["-i", &path("in"), "-o", &path("out")]].concat());
            complaint(&open, 1);
            assert_eq!(fs::read(path("out")).unwrap(), b"precious");
            assert_eq!(files(directory.path()), ["in", "out"]);
        }
    }
}

#[test]
fn refusals_name_what_is_accepted() {
    let seal = |args: &[&str]| run_with(&[&["seal"], args].concat(), &data(16));
    let esp = format!("{KEY}00000000");
    for (args, status, part) in [
        (&["gcm(aes)", "--key", KEY][..], 2, "a nonce of 12 bytes: give --nonce with 24 hex digits"),
        (
            &["gcm(aes)", "--key", KEY, "--nonce", "00"],
            1,
            "IV of 1 bytes; this algorithm takes exactly 12 bytes",
        ),
        (&["ccm(aes)", "--key", KEY], 2, "7 to 13 bytes"),
        (&["ccm(aes)", "--key", KEY, "--nonce", "0011"], 1, "nonce of 2 bytes; ccm(aes) takes 7 to 13 bytes"),
        (&["ccm(aes)", "--key", KEY, "--nonce", KEY], 1, "IV refused"),
        (&["gcm(aes)", "--nonce", NONCE], 2, "--key"),
        (&["gcm(aes)", "--key", "00", "--nonce", NONCE], 1, "accepted: 16, 24 or 32 bytes"),
        (&["gcm(aes)", "--key", KEY, "--nonce", NONCE, "--tag-len", "3"], 1, "accepted: 4, 8, 12"),
        (&["ccm(aes)", "--key", KEY, "--nonce", NONCE, "--tag-len", "17"], 1, "accepted: 4, 6, 8"),
        (&["gcm(aes)", "--key", KEY, "--nonce", NONCE, "--aad", "0x"], 2, "@FILE"),
        (&["gcm(aes)", "--key", KEY, "--nonce", NONCE, "--aad", "@-"], 2, "standard input"),
        (&["gcm(aes)", "--key", KEY, "--nonce", NONCE, "--aad", "@/nonexistent"], 1, "/nonexistent: "),
        (&["gcm(aes)", "--key", KEY, "--nonce", NONCE, "-i", "/nonexistent"], 1, "/nonexistent: "),
        (&["rfc4106(gcm(aes))", "--key", &esp, "--nonce", "0011223344556677"], 1, "accepted: 16 or 20 bytes"),
        (&["cbc(aes)", "--key", KEY], 1, "is a cipher: use `kcrypto encrypt`"),
        (&["hmac(sha256)", "--key", KEY], 1, "is a MAC: use `kcrypto mac`"),
        (&["gcm(sha0)", "--key", KEY], 1, "sha0"),
    ] {
        let line = complaint(&seal(args), status);
        assert!(line.contains(part), "{line}");
    }
    for verb in ["encrypt", "decrypt"] {
        let line = complaint(&run(&[verb, "gcm(aes)", "--key", KEY]), 1);
        assert!(line.contains("is an AEAD: use `kcrypto seal` and `kcrypto open`"), "{line}");
    }
    let short = run_with(&["open", "gcm(aes)", "--key", KEY, "--nonce", NONCE], &data(15));
    assert!(complaint(&short, 1).contains("input of 15 bytes; it must end with a tag of 16 bytes"));
    // A nonce of 13 bytes leaves a length field of 2 bytes.
    let long = run_with(&["seal", "ccm(aes)", "--key", KEY, "--nonce", &format!("{NONCE}00")], &data(65536));
    assert!(complaint(&long, 1).contains("at most 65535 bytes"));
}
