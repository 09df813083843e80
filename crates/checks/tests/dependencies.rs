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
    ("ring", "the benches compare with AWS-LC, which has the same kernels"),
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
    // The first cell of a row names one crate or several.
    let rows =
        text.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split(" | ").next());
    let told: Vec<&str> = rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    for name in used.iter().filter(|name| !ours.contains(name)) {
        assert!(told.contains(name), "docs/dependencies.md has no line for {name}");
    }
    for name in told {
        assert!(used.contains(&name), "docs/dependencies.md has a line for {name}, which nobody uses");
    }
}

/// Whether an expression can be met by accepted licences alone: OR binds weaker than AND, `/` is an old OR.
fn accepted(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let met = any_of(&mut words);
    assert_eq!(words.next(), None, "malformed: {expression}");
    met
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any_of(words: &mut Words<'_>) -> bool {
    let mut met = all_of(words);
    while words.next_if_eq(&"OR").is_some() {
        met |= all_of(words);
    }
    met
}

fn all_of(words: &mut Words<'_>) -> bool {
    let mut met = one(words);
    while words.next_if_eq(&"AND").is_some() {
        met &= one(words);
    }
    met
}

fn one(words: &mut Words<'_>) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let met = any_of(words);
        assert_eq!(words.next(), Some(")"), "a parenthesis is not closed");
        return met;
    }
    let mut licence = words.next().unwrap_or_default().to_owned();
    if words.next_if_eq(&"WITH").is_some() {
        licence = format!("{licence} WITH {}", words.next().unwrap_or_default());
    }
    LICENCES.contains(&licence.as_str())
}

#[test]
fn licence_expressions_are_understood() {
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0-only", false),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0-only OR MIT", true),
        ("GPL-3.0-only AND MIT", false),
        ("MIT AND (GPL-3.0-only OR ISC) AND BSD-3-Clause", true),
        ("MIT AND (GPL-3.0-only OR AGPL-3.0-only)", false),
        ("Apache-2.0 WITH LLVM-exception OR GPL-3.0-only", true),
    ] {
        assert_eq!(accepted(expression), expected, "{expression}");
    }
}

fn version(text: &str) -> [u64; 3] {
    let mut parts = text.split('.').map(|part| part.parse().expect("rust-version is of numbers"));
    [(); 3].map(|()| parts.next().unwrap_or(0))
}

fn name(package: &Package) -> String {
    format!("{} {}", package.name, package.version)
}
