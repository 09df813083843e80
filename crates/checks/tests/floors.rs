//! Who may use whom, and where unsafe code may be.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use kcrypto_checks::{Metadata, cargo, code, files, root, run};

const CORE: &str = "kcrypto-core";
const SIMD: &str = "kcrypto-simd";
const TEMPLATES: &str = "kcrypto-templates";
const GENERIC: &str = "kcrypto-generic";
const ARM: &str = "kcrypto-arm";
const X86: &str = "kcrypto-x86";
const SELFTEST: &str = "kcrypto-selftest";
const GUARD: &str = "kcrypto-guard";
const FACADE: &str = "kcrypto";

/// Each package of ours with those of ours that it may use; tests may use more. There is one way: down.
const FLOORS: &[(&str, &[&str])] = &[
    // Programs and edges: no crypto of their own.
    ("kcrypto-cli", &[FACADE]),
    ("kcrypto-examples", &[FACADE]),
    ("kcrypto-checks", &[FACADE]),
    // Benches measure parts by themselves, without self-tests on the way.
    ("kcrypto-benches", &[FACADE, CORE, SIMD, TEMPLATES, GENERIC, X86]),
    // What drivers are tested with: everything that is not a CPU family's.
    ("kcrypto-driver-tests", &[CORE, TEMPLATES, GENERIC]),
    // The facade links the default set.
    (FACADE, &[CORE, SIMD, TEMPLATES, GENERIC, ARM, X86, SELFTEST]),
    // Templates know no driver, drivers not each other, and self-tests neither.
    (TEMPLATES, &[CORE]),
    (GENERIC, &[CORE, SIMD, TEMPLATES]),
    (ARM, &[CORE, SIMD, TEMPLATES]),
    (X86, &[CORE, SIMD, TEMPLATES]),
    (SELFTEST, &[CORE, GUARD]),
    // CPU features and vectors.
    (SIMD, &[]),
    // Pages and processes of Unix.
    (GUARD, &[]),
    // Names, registry, kinds.
    (CORE, &[]),
];

/// The folders whose code is free of unsafe, tests aside; the compiler enforces what the attribute says.
const FORBID_UNSAFE: &[&str] = &[
    "crates/core",
    "templates",
    "selftest",
    "crates/kcrypto",
    "crates/cli",
    "crates/driver-tests",
    "drivers/generic",
];

/// The driver crates that deny unsafe code, and allow it for the modules of kernels alone.
const DENY_UNSAFE: &[&str] = &["drivers/arm", "drivers/x86"];

#[test]
fn each_package_uses_only_what_is_below_it() {
    let metadata = Metadata::read();
    let floors: BTreeMap<&str, &[&str]> = FLOORS.iter().copied().collect();
    for package in metadata.members() {
        let name = package.name.as_str();
        let allowed =
            floors.get(name).unwrap_or_else(|| panic!("{name} stands on no floor: add it to FLOORS"));
        for used in package.uses().into_iter().filter(|used| floors.contains_key(used)) {
            assert!(allowed.contains(&used), "{name} uses {used}; it may use {allowed:?}");
        }
    }
    let members: BTreeSet<&str> = metadata.members().map(|package| package.name.as_str()).collect();
    for (name, _) in FLOORS {
        assert!(members.contains(name), "{name} is on a floor, but in no manifest");
    }
}

#[test]
fn core_has_at_most_six_dependencies() {
    let metadata = Metadata::read();
    let used = metadata.member(CORE).uses();
    assert!(used.len() <= 6, "{used:?}");
}

#[test]
fn the_facade_brings_no_parser_no_serializer_and_no_runtime() {
    let unwanted = "clap indicatif serde serde_core serde_json tokio async-std smol async-executor futures \
                    futures-executor futures-util pollster rayon";
    let tree = "tree --locked --package kcrypto --edges normal,build --prefix none --format {p}";
    let tree = run(cargo().args(tree.split(' ')));
    let tree: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(tree.contains(CORE) && tree.contains(GENERIC), "this is not the facade's tree: {tree:?}");
    for name in unwanted.split_whitespace() {
        assert!(!tree.contains(name), "{FACADE} depends on {name}");
    }
}

#[test]
fn unsafe_code_is_forbidden_above_the_kernels() {
    for folder in FORBID_UNSAFE {
        let roots = roots(folder);
        assert!(!roots.is_empty(), "{folder} has no crate");
        for path in roots {
            let text = code(&fs::read_to_string(&path).expect("it was listed"));
            assert!(text.contains("#![forbid(unsafe_code)]"), "{} must forbid unsafe code", path.display());
        }
    }
}

#[test]
fn drivers_allow_unsafe_code_for_kernel_modules_alone() {
    for folder in DENY_UNSAFE {
        for path in roots(folder) {
            let text = code(&fs::read_to_string(&path).expect("it was listed"));
            assert!(text.contains("#![deny(unsafe_code)]"), "{} must deny unsafe code", path.display());
        }
        for path in files(&root().join(folder).join("src")) {
            let text = code(&fs::read_to_string(&path).expect("it was listed"));
            let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            while let Some(line) = lines.next() {
                if !line.contains("unsafe_code") || line == "#![deny(unsafe_code)]" {
                    continue;
                }
                // The attribute may have a reason, over several lines.
                let module = lines.find(|line| !line.starts_with("reason") && !line.starts_with(')'));
                let module = module.unwrap_or_default();
                let is_module = ["mod ", "pub mod ", "pub(crate) mod "].iter().any(|m| module.starts_with(m));
                assert!(
                    is_module && module.ends_with(';'),
                    "{}: unsafe code is allowed on the `mod` line of a kernel file, not on {module:?}",
                    path.display()
                );
            }
        }
    }
}

/// The root files of a package's library and programs.
fn roots(folder: &str) -> Vec<PathBuf> {
    let folder: &Path = &root().join(folder).join("src");
    let roots = [folder.join("lib.rs"), folder.join("main.rs")];
    roots.into_iter().filter(|path| path.exists()).collect()
}
