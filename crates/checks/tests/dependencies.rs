//! The crates of others: sources, licences, compilers, and a word on each.

use std::fs;

use kcrypto_checks::{Metadata, Package, root};

/// Licences that may stand alone. An expression is fine if one of its alternatives needs no other.
/// `deny.toml` has the same list.
const LICENCES: &[&str] = &[
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "OpenSSL",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that must not come in, with the reason. `deny.toml` has the same list.
const BANNED: &[(&str, &str)] = &[
    ("lazy_static", "std has OnceLock and LazyLock"),
    ("ctor", "link-time registration is linkme's; nothing runs before main"),
    ("inventory", "link-time registration is linkme's; nothing runs before main"),
    ("openssl-sys", "only the benches compare with OpenSSL"),
    ("aws-lc-sys", "only the benches compare with AWS-LC"),
    ("ring", "only the benches compare with ring"),
];

#[test]
fn every_crate_comes_from_the_registry() {
    for package in Metadata::read().foreign() {
        let source = package.source.as_deref().unwrap_or_default();
        assert!(source.starts_with("registry+"), "{}: {source}", name(package));
    }
}

#[test]
fn every_licence_is_accepted() {
    for package in Metadata::read().foreign() {
        let licence = package.license.as_deref();
        let licence = licence.unwrap_or_else(|| panic!("{} states no licence", name(package)));
        assert!(accepted(licence), "{}: {licence}", name(package));
    }
    let text = fs::read_to_string(root().join("deny.toml")).expect("deny.toml is there");
    for licence in LICENCES {
        assert!(text.contains(&format!("\"{licence}\"")), "deny.toml does not list {licence}");
    }
}

#[test]
fn banned_crates_stay_out() {
    let metadata = Metadata::read();
    let benches = metadata.member("kcrypto-benches").id.as_str();
    let reached = reached(&metadata, |id| id != benches);
    for package in metadata.foreign().filter(|package| reached.contains(&package.id.as_str())) {
        if let Some((_, reason)) = BANNED.iter().find(|(banned, _)| package.name == *banned) {
            panic!("{} is banned: {reason}", name(package));
        }
    }
    let text = fs::read_to_string(root().join("deny.toml")).expect("deny.toml is there");
    for (banned, _) in BANNED {
        assert!(text.contains(&format!("\"{banned}\"")), "deny.toml does not ban {banned}");
    }
}

/// Everything reached from those of our packages that `keep` accepts.
fn reached(metadata: &Metadata, keep: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut reached: Vec<&str> = metadata.members().map(|p| p.id.as_str()).filter(|id| keep(id)).collect();
    let mut next = 0;
    while let Some(&id) = reached.get(next) {
        next += 1;
        let node = metadata.resolve.nodes.iter().find(|node| node.id == id).expect("the graph is closed");
        for dep in &node.deps {
            if !reached.contains(&dep.pkg.as_str()) {
                reached.push(&dep.pkg);
            }
        }
    }
    reached
}

#[test]
fn no_crate_needs_a_newer_compiler_than_we_promise() {
    let metadata = Metadata::read();
    let ours = metadata.member("kcrypto-core").rust_version.as_deref().map(version);
    let ours = ours.expect("the workspace states its rust-version");
    for package in metadata.packages.iter() {
        let needs = package.rust_version.as_deref().map(version);
        assert!(needs.is_none_or(|needs| needs <= ours), "{} needs Rust {needs:?}", name(package));
    }
    let minor = |[major, minor, _]: [u64; 3]| format!("Rust {major}.{minor}");
    for document in ["README.md", "CONTRIBUTING.md", "docs/dependencies.md"] {
        let text = fs::read_to_string(root().join(document)).expect("it is there");
        assert!(text.contains(&minor(ours)), "{document} does not say {}", minor(ours));
    }
}

#[test]
fn every_direct_dependency_has_its_line() {
    let text =
        fs::read_to_string(root().join("docs/dependencies.md")).expect("docs/dependencies.md is there");
    let metadata = Metadata::read();
    let ours: Vec<&str> = metadata.members().map(|package| package.name.as_str()).collect();
    let mut used: Vec<&str> = Vec::new();
    for package in metadata.members() {
        used.extend(package.dependencies.iter().map(|dependency| dependency.name.as_str()));
    }
    used.sort();
    used.dedup();
    for name in used.iter().filter(|name| !ours.contains(name)) {
        assert!(text.contains(&format!("| `{name}` |")), "docs/dependencies.md has no line for {name}");
    }
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let name = line.split('`').nth(1).unwrap_or_default();
        assert!(used.contains(&name), "docs/dependencies.md has a line for {name}, which nobody uses");
    }
}

/// Whether one alternative of an expression needs accepted licences only.
fn accepted(expression: &str) -> bool {
    let plain = expression.replace('/', " OR ").replace(['(', ')'], " ");
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    // With parentheses, and AND binding tighter than OR, every licence named must be accepted to be sure.
    if expression.contains('(') {
        return words.split(" OR ").flat_map(|part| part.split(" AND ")).all(|one| LICENCES.contains(&one));
    }
    words.split(" OR ").any(|part| part.split(" AND ").all(|one| LICENCES.contains(&one)))
}

fn version(text: &str) -> [u64; 3] {
    let mut parts = text.split('.').map(|part| part.parse().expect("rust-version is of numbers"));
    [(); 3].map(|()| parts.next().unwrap_or(0))
}

fn name(package: &Package) -> String {
    format!("{} {}", package.name, package.version)
}
