//! `KCRYPTO_FAULT`: what happens without a driver.

use serde_json::Value;

use crate::run::{command, complaint};

/// Standard output and exit status with these drivers faulty.
fn faulty(drivers: &str, args: &[&str]) -> (String, Option<i32>) {
    let output = command(args).env("KCRYPTO_FAULT", drivers).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[cfg(target_arch = "x86_64")]
#[test]
fn the_next_driver_takes_over_and_show_says_why() {
    if !std::arch::is_x86_feature_detected!("aes") {
        return;
    }
    let fused = "cts-cbc-aes-aesni";
    let (text, status) = faulty(fused, &["show", "cts(cbc(aes))"]);
    let first = text.lines().next().unwrap();
    assert!(status == Some(0) && !first.ends_with(fused) && first.contains(" -> cts"), "{text}");
    let lost = text.lines().find(|line| line.contains(fused)).unwrap();
    assert!(lost.contains("failed") && lost.contains("quarantined: alg: skcipher: "), "{text}");
    assert!(text.ends_with("\nalg: skcipher: cts-cbc-aes-aesni fault injected\n"), "{text}");

    // Without every driver of AES-NI there is still the portable one.
    let (list, _) = faulty("", &["list", "*aes*aesni*", "--json"]);
    let list: Value = serde_json::from_str(&list).unwrap();
    let all = list["algorithms"].as_array().unwrap().iter().map(|alg| alg["driver"].as_str().unwrap());
    let all: Vec<&str> = all.collect();
    assert!(["aes-aesni", "cbc-aes-aesni", fused].iter().all(|driver| all.contains(driver)), "{all:?}");
    let wide = "-vaes";
    let (text, status) = faulty(&all.join(","), &["show", "cts(cbc(aes))", "--cpu", wide]);
    assert!(text.starts_with("cts(cbc(aes)) (skcipher) -> cts(cbc(aes-generic))\n"), "{text}");
    assert_eq!((status, text.matches("fault injected").count() >= 6), (Some(0), true), "{text}");
    let (text, status) = faulty(&all.join(","), &["selftest", "cts(cbc(aes))", "--cpu", wide]);
    assert!(status == Some(1) && text.contains("alg: skcipher: cts-cbc-aes-aesni fault injected"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("1 passed, 1 failed, "), "{text}");
}

#[test]
fn a_faulty_driver_is_refused_by_its_name() {
    let args = ["encrypt", "cbc(aes-generic)", "--key", &"00".repeat(16), "--iv", &"00".repeat(16)];
    for faulty in ["cbc(aes-generic)", "aes-generic"] {
        let line = complaint(&command(&args).env("KCRYPTO_FAULT", faulty).output().unwrap(), 1);
        assert!(line.contains("failed its self-test") && line.contains("fault injected"), "{line}");
    }
    let composed = "gcm_base(ctr(aes-generic),ghash-generic)";
    let (text, status) = faulty(composed, &["selftest", composed]);
    assert!(status == Some(1) && text.contains("fault injected"), "{text}");
}

#[test]
fn a_name_that_no_driver_has_is_a_mistake() {
    for wrong in ["nosuch", "aes", "cbc(aes)", "aes-generic,cbc(aes"] {
        let line = complaint(&command(&["list"]).env("KCRYPTO_FAULT", wrong).output().unwrap(), 2);
        assert!(line.contains("KCRYPTO_FAULT: no driver"), "{line}");
    }
}
