//! Documents say what is so: links lead somewhere, and the names in the README's table resolve.

use std::fs;
use std::path::{Path, PathBuf};

use kcrypto::{Defaults, Flags, KindTag, Registry, Want};
use kcrypto_checks::root;

#[test]
fn links_lead_somewhere() {
    for document in documents() {
        let text = fs::read_to_string(&document).expect("it was listed");
        for target in links(&text) {
            let path = target.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains("://") {
                continue;
            }
            let folder = document.parent().expect("a file is in a folder");
            assert!(folder.join(path).exists(), "{}: {target} is not there", document.display());
        }
    }
}

#[test]
fn the_index_names_every_document() {
    let index = fs::read_to_string(root().join("docs/README.md")).expect("the index is there");
    for document in documents().iter().filter(|path| path.parent().is_some_and(|p| p.ends_with("docs"))) {
        let name = document.file_name().and_then(|name| name.to_str()).expect("names are UTF-8");
        assert!(name == "README.md" || index.contains(&format!("]({name})")), "the index lacks {name}");
    }
}

#[test]
fn the_table_of_names_is_true() {
    let text = fs::read_to_string(root().join("README.md")).expect("README.md is there");
    let table = text.split("## What resolves today").nth(1).expect("the README has the table");
    let table = table.split("\n## ").next().unwrap_or_default();
    let registry = Registry::with_defaults();
    let mut names = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].trim_matches('`').replace('C', "aes").replace('H', "sha256");
        assert!(registry.has(&name), "{name} does not resolve");
        names += 1;
        // The third column: `driver` rank, `driver` rank.
        let drivers: Vec<&str> = cells[3].split(", ").filter(|driver| !driver.is_empty()).collect();
        if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
            let said: Vec<String> = drivers.iter().map(|driver| driver.replace('`', "")).collect();
            assert_eq!(said, whole_name_drivers(&registry, &name), "drivers of {name}");
        }
    }
    assert!(names > 5, "the table was not found");
    for template in registry.templates() {
        assert!(table.contains(&format!("`{template}(")), "the README lacks the template {template}");
    }
    for alg in registry.list().iter().map(|info| &info.alg).filter(|alg| !alg.name.contains('(')) {
        assert!(table.contains(&format!("`{}`", alg.name)), "the README lacks {}", alg.name);
    }
}

/// Drivers registered under the whole name, `DRIVER RANK`, the highest rank first.
fn whole_name_drivers(registry: &Registry, name: &str) -> Vec<String> {
    let mut drivers = Vec::new();
    for &kind in KindTag::ALL {
        let any = Want::new(kind).either(Flags::ASYNC | Flags::INTERNAL);
        let candidates = registry.explain(name, any).candidates;
        let whole = candidates.into_iter().filter(|c| !c.is_composition() && c.alg.kind.tag() == kind);
        drivers.extend(whole.map(|c| (c.rank, format!("{} {}", c.alg.driver_name, c.rank))));
    }
    drivers.sort_by_key(|(rank, _)| core::cmp::Reverse(*rank));
    drivers.into_iter().map(|(_, text)| text).collect()
}

/// The Markdown files of the repository's root and of docs/.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in [root(), root().join("docs"), root().join("examples")] {
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    assert!(found.iter().any(|path| path.ends_with(Path::new("docs/README.md"))));
    found
}

/// What stands in parentheses after a bracket.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}
