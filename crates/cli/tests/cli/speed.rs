//! `speed`.

use serde_json::Value;

use crate::run::{complaint, run, stdout};

const QUICK: [&str; 4] = ["--secs", "0.001", "--cpu", "none"];

fn speed(args: &[&str]) -> String {
    stdout(&[&["speed"], args, &QUICK[..]].concat())
}

#[test]
fn tcrypt_lines_are_the_kernels() {
    let text = speed(&["cbc(aes)", "--format", "tcrypt", "--size", "16,64", "--keylen", "16,32"]);
    let mut lines = text.lines();
    for direction in ["encryption", "decryption"] {
        let header = format!("tcrypt: testing speed of sync cbc(aes) (cbc(aes-generic)) {direction}");
        assert_eq!(lines.next(), Some(header.as_str()), "{text}");
        for (test, (bits, bytes)) in [(128, 16), (128, 64), (256, 16), (256, 64)].into_iter().enumerate() {
            let line = lines.next().unwrap();
            let start = format!("tcrypt: test {test} ({bits} bit key, {bytes} byte blocks): ");
            let rest = line.strip_prefix(&start).unwrap_or_else(|| panic!("{line}"));
            let words: Vec<&str> = rest.split(' ').collect();
            let [operations, "operations", "in", _, "seconds", total, "bytes)"] = words[..] else {
                panic!("{line}");
            };
            let (operations, total): (u64, u64) =
                (operations.parse().unwrap(), total.trim_start_matches('(').parse().unwrap());
            assert_eq!(operations * bytes, total, "{line}");
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn the_defaults_are_the_kernels_sizes_and_all_key_lengths() {
    let records: Value = serde_json::from_str(&speed(&["xts(aes)", "--format", "json"])).unwrap();
    let records = records.as_array().unwrap();
    let of = |key: &str, wanted: u64| records.iter().filter(|record| record[key] == wanted).count();
    assert_eq!(records.len(), 2 * 3 * 6);
    assert!([256, 384, 512].iter().all(|&bits| of("key_bits", bits) == 12));
    assert!([16, 64, 256, 1024, 1424, 4096].iter().all(|&bytes| of("bytes", bytes) == 6));
    assert!(records.iter().all(|record| record["bytes_per_second"].as_f64().unwrap() > 0.0));
}

#[test]
fn the_table_is_for_people() {
    let text = speed(&["cts(cbc(aes))", "--size", "15,16", "--keylen", "16"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "cts(cbc(aes)) (cts(cbc(aes-generic)))");
    assert!(lines[1].contains("ENCRYPT NS") && lines[1].contains("MB/S"), "{text}");
    assert!(lines[2].contains("15") && lines[2].contains("refused"), "{text}");
    assert!(lines[3].contains("16") && !lines[3].contains("refused"), "{text}");
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn zero_seconds_count_cycles() {
    let args = ["speed", "ctr(aes)", "--secs", "0", "--format", "tcrypt", "--size", "16", "--keylen", "16"];
    let text = stdout(&args);
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("tcrypt: a cycle is "), "{text}");
    assert!(lines.next().unwrap().ends_with(" encryption"), "{text}");
    let line = lines.next().unwrap();
    let rest = line.strip_prefix("tcrypt: test 0 (128 bit key, 16 byte blocks): 1 operation in ").unwrap();
    assert!(rest.strip_suffix(" cycles (16 bytes)").unwrap().parse::<u64>().unwrap() > 0, "{line}");
}

#[test]
fn hashes_are_measured_by_block_and_update() {
    let text = speed(&["hmac(md5)", "--format", "tcrypt"]);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("tcrypt: testing speed of sync hmac(md5) (hmac(md5-generic))"));
    let line = lines.nth(1).unwrap();
    let start = "tcrypt: test  1 (   64 byte blocks,   16 bytes per update,   4 updates): ";
    let rest = line.strip_prefix(start).unwrap_or_else(|| panic!("{line}"));
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [operations, "opers/sec,", bytes, "bytes/sec"] = words[..] else { panic!("{line}") };
    let (operations, bytes): (u64, u64) = (operations.parse().unwrap(), bytes.parse().unwrap());
    assert!(bytes.abs_diff(operations * 64) <= 64, "{line}");
    assert_eq!(lines.count(), 20);
    let records: Value =
        serde_json::from_str(&speed(&["sha1", "--size", "100", "--format", "json"])).unwrap();
    assert_eq!((&records[0]["bytes"], &records[0]["bytes_per_update"]), (&100.into(), &100.into()));
    assert!(records[0].get("direction").is_none() && records[0]["key_bits"] == 0);
    let table = speed(&["sha1", "--size", "64"]);
    assert!(table.contains("PER UPDATE") && table.starts_with("sha1 (sha1-generic)\n"), "{table}");
}

#[test]
fn aeads_are_measured_in_both_directions() {
    let text = speed(&["ccm(aes)", "--keylen", "16", "--format", "tcrypt"]);
    let driver = "ccm_base(ctr(aes-generic),cbcmac(aes-generic))";
    for direction in ["encryption", "decryption"] {
        assert!(
            text.contains(&format!("tcrypt: testing speed of sync ccm(aes) ({driver}) {direction}\n")),
            "{text}"
        );
    }
    assert_eq!(text.lines().count(), 2 * 9);
    assert!(text.contains("test 7 (128 bit key, 8192 byte blocks): ") && !text.contains("refused"), "{text}");
}

#[test]
fn refusals() {
    let line = complaint(&run(&["speed", "aes"]), 1);
    assert!(line.contains("single-block cipher"), "{line}");
    let line = complaint(&run(&["speed", "cbc(aes)", "--keylen", "17"]), 1);
    assert!(line.contains("16, 24 or 32"), "{line}");
    complaint(&run(&["speed", "nosuch"]), 1);
    for args in [
        ["--secs", "-1"],
        ["--secs", "nan"],
        ["--size", "x"],
        ["--size", "1000000000000"],
        ["--keylen", "1000000000000"],
        ["--format", "xml"],
    ] {
        complaint(&run(&[&["speed", "cbc(aes)"], &args[..]].concat()), 2);
    }
}
