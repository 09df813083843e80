//! Masks of a process, each in a child process of its own.
#![cfg(feature = "std")]

use std::ffi::OsStr;
use std::process::Command;

use kcrypto_simd::{environment_error, features, mask, require};

/// Set in a child to what it masks by a call.
const CALL: &str = "KCRYPTO_TEST_CALL";

/// Set where an emulator runs this program: that emulator and its arguments, which a child needs as well.
const RUNNER: &str = "KCRYPTO_TEST_RUNNER";

/// This program again.
fn this_program() -> Command {
    // Not the path of the process, which may be that of a loader.
    let program = std::env::args_os().next().unwrap();
    let runner = std::env::var(RUNNER).unwrap_or_default();
    let mut words = runner.split_whitespace();
    match words.next() {
        Some(emulator) => {
            let mut command = Command::new(emulator);
            command.args(words).arg(program);
            command
        }
        None => Command::new(program),
    }
}

/// What a child reports: usable features, the environment's error, and why each other feature is missing.
#[test]
fn report() {
    let Ok(call) = std::env::var(CALL) else { return };
    if !call.is_empty() {
        mask(&call).unwrap();
    }
    let usable = features().filter(|f| require(&[f.name]).is_ok()).map(|f| f.name);
    // On a line of its own, whatever the harness has begun to print.
    println!("\nusable={}", usable.collect::<Vec<_>>().join(" "));
    println!("error={}", environment_error().map_or(String::new(), |e| e.to_string()));
    for feature in features() {
        let reason = require(&[feature.name]).err();
        let expected = feature.detected && feature.masked.is_none();
        assert_eq!(reason.is_none(), expected, "{feature:?}: {reason:?}");
        println!("{}={}", feature.name, reason.unwrap_or_default());
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    for Token { name, exists, required, .. } in tokens() {
        assert_eq!(exists, required, "{name}");
        println!("{name}={exists}");
    }
}

/// A token, and whether the process has it.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
struct Token {
    name: &'static str,
    features: &'static [&'static str],
    exists: bool,
    required: bool,
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn tokens() -> Vec<Token> {
    use kcrypto_simd::x86::{AesClmul, AesNi, Avx2, Clmul, ShaNi};
    macro_rules! tokens {
        ($($name:ident)+) => { vec![$(Token {
            name: stringify!($name),
            features: $name::FEATURES,
            exists: $name::new().is_some(),
            required: $name::require().is_ok(),
        }),+] };
    }
    tokens!(AesClmul AesNi Avx2 Clmul ShaNi)
}

struct Report(String);

impl Report {
    fn of(environment: impl AsRef<OsStr>, call: &str) -> Self {
        let output = this_program()
            .args(["--exact", "report", "--nocapture"])
            .env(kcrypto_simd::VARIABLE, environment)
            .env(CALL, call)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        Report(text)
    }

    fn line(&self, key: &str) -> &str {
        let mut lines = self.0.lines();
        lines.find_map(|line| line.strip_prefix(key)?.strip_prefix('=')).unwrap_or_else(|| panic!("{key}"))
    }

    fn usable(&self) -> Vec<&str> {
        self.line("usable").split_whitespace().collect()
    }
}

fn detected() -> Vec<&'static str> {
    features().filter(|f| f.detected).map(|f| f.name).collect()
}

#[test]
fn without_a_mask_all_that_is_detected() {
    let report = Report::of("", "");
    assert_eq!(report.usable(), detected());
    assert_eq!(report.line("error"), "");
}

#[test]
fn none_removes_everything() {
    assert!(Report::of("none", "").usable().is_empty());
    assert!(Report::of("", "none").usable().is_empty());
}

#[test]
fn an_unparsable_environment_removes_everything_and_says_so() {
    let report = Report::of("-sse9,-aes", "");
    assert!(report.usable().is_empty());
    assert!(report.line("error").contains("`sse9`"), "{}", report.0);
    assert!(Report::of("aes", "").line("error").contains("`aes`"));
}

#[test]
#[cfg(unix)]
fn an_environment_that_is_not_text_removes_everything() {
    let report = Report::of(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"-\xff"), "");
    assert!(report.usable().is_empty());
    assert!(report.line("error").contains("text"), "{}", report.0);
}

#[test]
fn one_feature_and_what_depends_on_it() {
    for name in detected() {
        let removal = format!("-{name}");
        let (by_environment, by_call) = (Report::of(&removal, ""), Report::of("", &removal));
        assert_eq!(by_environment.usable(), by_call.usable());
        assert!(!by_call.usable().contains(&name));
        assert_eq!(by_environment.line(name), format!("{name} is masked by KCRYPTO_CPU"));
        assert_eq!(by_call.line(name), format!("{name} is masked by --cpu or mask()"));
    }
}

#[test]
fn masks_add_up() {
    if let [first, .., last] = detected()[..] {
        let report = Report::of(format!("-{last}"), &format!("-{first}"));
        assert!(!report.usable().contains(&first) && !report.usable().contains(&last));
        assert!(report.line(last).ends_with("KCRYPTO_CPU"), "{}", report.0);
    }
}

#[test]
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn a_token_needs_each_of_its_features() {
    for Token { name, features, .. } in tokens() {
        let present = features.iter().all(|feature| detected().contains(feature));
        assert_eq!(Report::of("", "").line(name), present.to_string(), "{name}");
        for feature in features {
            assert_eq!(Report::of(format!("-{feature}"), "").line(name), "false", "{name} without {feature}");
        }
    }
    if !detected().contains(&"sse4.1") {
        return;
    }
    let report = Report::of("-sse4.1", "");
    assert_eq!(report.line("sse4.1"), "sse4.1 is masked by KCRYPTO_CPU");
    if detected().contains(&"avx") {
        assert_eq!(report.line("avx"), "avx needs sse4.2, which is masked by KCRYPTO_CPU");
    }
}

#[test]
fn a_refused_mask_removes_nothing() {
    let before = features().collect::<Vec<_>>();
    assert!(mask("-sse9").is_err() && mask("neither").is_err());
    assert_eq!(features().collect::<Vec<_>>(), before);
}
