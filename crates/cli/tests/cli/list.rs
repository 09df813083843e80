//! `list`, `show` and `selftest`.

use serde_json::Value;

use crate::run::{complaint, run, stdout};

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(args)).unwrap()
}

fn drivers(list: &Value) -> Vec<&str> {
    list["algorithms"].as_array().unwrap().iter().map(|alg| alg["driver"].as_str().unwrap()).collect()
}

#[test]
fn the_table_has_every_driver_and_template() {
    let text = stdout(&["list"]);
    assert!(text.starts_with("NAME "), "{text}");
    assert!(text.contains("aes-generic") && text.contains("templates: "), "{text}");
    for template in ["cbc", "ctr", "cts", "ecb", "rfc3686", "xts"] {
        assert!(text.lines().last().unwrap().contains(template), "{text}");
    }
}

#[test]
fn patterns_and_types_select() {
    assert_eq!(drivers(&json(&["list", "aes-generic", "--json"])), ["aes-generic"]);
    assert_eq!(drivers(&json(&["list", "a*-generic", "--type", "cipher", "--json"])), ["aes-generic"]);
    let ciphers = json(&["list", "--type", "cipher", "--json"]);
    assert!(ciphers["algorithms"].as_array().unwrap().iter().all(|alg| alg["type"] == "cipher"));
    complaint(&run(&["list", "nosuch"]), 1);
    let line = complaint(&run(&["list", "--type", "hsah"]), 2);
    assert!(line.contains("skcipher"), "{line}");
}

#[test]
fn proc_is_the_kernels_record_format() {
    let text = stdout(&["list", "--proc"]);
    assert!(text.ends_with("\n\n"), "records are followed by an empty line");
    for record in text.trim_end().split("\n\n") {
        let lines: Vec<(&str, &str)> = record.lines().map(|line| line.split_once(": ").unwrap()).collect();
        assert!(lines.iter().all(|(label, _)| label.len() == 13), "{record}");
        let labels: Vec<&str> = lines.iter().map(|(label, _)| label.trim_end()).collect();
        let common = ["name", "driver", "module", "priority", "refcnt", "selftest", "internal", "type"];
        assert_eq!(labels[..8], common, "{record}");
        let rest: &[&str] = match lines[7].1 {
            "cipher" => &["blocksize", "min keysize", "max keysize"],
            "skcipher" => &[
                "async",
                "blocksize",
                "min keysize",
                "max keysize",
                "ivsize",
                "chunksize",
                "walksize",
                "statesize",
            ],
            "shash" => &["blocksize", "digestsize"],
            "aead" => &["async", "blocksize", "ivsize", "maxauthsize", "geniv"],
            other => panic!("type {other}"),
        };
        assert_eq!(labels[8..], *rest, "{record}");
        assert!(["passed", "unknown"].contains(&lines[5].1), "{record}");
    }
}

#[test]
fn records_of_hashes_and_aeads() {
    let common = "module       : generic\npriority     : 100\nrefcnt       : 1\nselftest     : unknown\n\
        internal     : no\ntype         : shash\n";
    assert_eq!(
        stdout(&["list", "--proc", "sha3-256"]),
        format!(
            "name         : sha3-256\ndriver       : sha3-256-generic\n{common}blocksize    : 136\ndigestsize   : 32\n\n"
        )
    );
    let hash = &json(&["list", "--json", "blake2b-160"])["algorithms"][0];
    assert_eq!(
        (&hash["type"], &hash["digest_size"], &hash["block_size"]),
        (&"shash".into(), &20.into(), &128.into())
    );
    assert_eq!((&hash["max_key_size"], &hash["key_optional"]), (&64.into(), &true.into()));
    assert!(json(&["list", "--json", "md5"])["algorithms"][0].get("min_key_size").is_none());
    let hmac = &json(&["show", "--json", "hmac(md5)"])["candidates"][0];
    assert_eq!((&hmac["min_key_size"], &hmac["max_key_size"]), (&0.into(), &Value::Null));
    let aead = &json(&["show", "--json", "ccm(aes)"])["candidates"][0];
    assert_eq!(aead["tag_sizes"], serde_json::json!([4, 6, 8, 10, 12, 14, 16]));
    assert_eq!((&aead["type"], &aead["iv_size"]), (&"aead".into(), &16.into()));
}

#[test]
fn sizes_are_shown() {
    let text = stdout(&["show", "gcm(aes)", "--cpu", "none"]);
    assert!(text.starts_with("gcm(aes) (aead) -> gcm_base(ctr(aes-generic),ghash-generic)\n"), "{text}");
    assert!(text.lines().nth(1).unwrap().contains("iv 12, tag 4, 8, 12, 13, 14, 15 or 16"), "{text}");
    assert!(text.contains("digest 16") && text.contains("block 16"), "{text}");
    let list = stdout(&["list", "--type", "shash"]);
    assert!(list.lines().any(|line| line.starts_with("sha512 ") && line.contains("digest 64")), "{list}");
    assert!(!list.contains("aes-generic"), "{list}");
}

#[test]
fn masked_drivers_are_listed_with_the_reason() {
    let masked = json(&["list", "--json", "--cpu", "none"]);
    for alg in masked["algorithms"].as_array().unwrap() {
        let needs_cpu = !alg["cpu"].as_array().unwrap().is_empty();
        assert_eq!(alg["available"].as_bool().unwrap(), !needs_cpu, "{alg}");
        assert_eq!(alg["unavailable"].is_string(), needs_cpu, "{alg}");
    }
    let proc = stdout(&["list", "--proc", "--cpu", "none"]);
    assert!(proc.contains("aes-generic") && !proc.contains("aesni"), "{proc}");
}

#[test]
fn show_explains_every_candidate() {
    let text = stdout(&["show", "cts(cbc(aes))", "--cpu", "none"]);
    assert!(text.starts_with("cts(cbc(aes)) (skcipher) -> cts(cbc(aes-generic))\n"), "{text}");
    assert!(text.contains("└─ cbc(aes) (skcipher) -> cbc(aes-generic)"), "{text}");
    let chosen = text.lines().nth(1).unwrap();
    assert!(chosen.contains("100") && chosen.contains("passed") && chosen.ends_with("chosen"), "{text}");
    if cfg!(target_arch = "x86_64") {
        assert!(text.contains("unavailable: aes is masked"), "{text}");
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn the_fused_driver_wins_over_compositions() {
    if !std::arch::is_x86_feature_detected!("aes") {
        return;
    }
    let tree = json(&["show", "cts(cbc(aes))", "--json"]);
    assert_eq!(tree["driver"], "cts-cbc-aes-aesni");
    let candidates = tree["candidates"].as_array().unwrap();
    for (driver, verdict) in [
        ("cts-cbc-aes-aesni", "chosen"),
        ("cts(cbc-aes-aesni)", "tied"),
        ("cts(cbc(aes-generic))", "outranked"),
    ] {
        let found = candidates.iter().find(|candidate| candidate["driver"] == driver).unwrap();
        assert_eq!(found["verdict"], verdict, "{found}");
        assert_eq!(found["chosen"], verdict == "chosen");
    }
    assert_eq!(candidates[0]["selftest"]["state"], "passed");
    let buildable = |line: &str| line.contains("cts(cbc(aes-generic))") && line.contains("buildable");
    assert!(stdout(&["show", "cts(cbc(aes))"]).lines().any(buildable));
    assert_eq!(tree["spawns"][0]["request"], "cbc(aes)");
}

#[test]
fn show_of_a_block_cipher_needs_no_type() {
    assert!(stdout(&["show", "aes"]).starts_with("aes (cipher) -> aes-"));
    complaint(&run(&["show", "aes", "--type", "skcipher"]), 1);
}

#[test]
fn show_fails_when_nothing_answers() {
    for (name, part) in [
        ("nosuch", "no driver \"nosuch\""),
        ("cbc(nosuch)", "no cipher algorithm \"nosuch\""),
        ("hmac(nosuch)", "no shash algorithm \"nosuch\""),
        ("hmac(hmac(sha256))", "hmac"),
        ("cts(ctr(aes))", "cts(ctr(aes))"),
        ("cbc(aes)x", "after the closing parenthesis"),
        ("cbc(aes", "not closed"),
        ("", "empty"),
        ("cbc(\n)", "\\n"),
    ] {
        let line = complaint(&run(&["show", name]), 1);
        assert!(line.contains(part), "{line}");
    }
    let line = complaint(&run(&["show", &"x".repeat(128)]), 1);
    assert!(line.contains("128 bytes"), "{line}");
    let refused = run(&["show", "nosuch", "--json"]);
    complaint(&refused, 1);
    let tree: Value = serde_json::from_slice(&refused.stdout).unwrap();
    assert_eq!(tree["error"]["errno"], "ENOENT");
}

#[test]
fn self_tests_pass_and_are_timed() {
    let report = json(&["selftest", "--json"]);
    assert_eq!(report["failed"], 0);
    let results = report["results"].as_array().unwrap();
    let of = |driver: &str| results.iter().find(|line| line["driver"] == driver).unwrap();
    assert_eq!(of("xts(ecb(aes-generic))")["result"], "passed");
    assert!(of("cbc(aes-generic)")["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(of("aes-generic")["type"], "cipher");
}

#[test]
fn self_tests_of_names() {
    let text = stdout(&["selftest", "cbc(aes)", "ctr(aes-generic)", "--cpu", "none"]);
    let total = text.lines().last().unwrap();
    assert!(total.starts_with("2 passed, 0 failed, "), "{text}");
    assert!(!text.contains("xts"), "{text}");
    complaint(&run(&["selftest", "nosuch"]), 1);
}
