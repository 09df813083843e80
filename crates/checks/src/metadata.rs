//! What `cargo metadata` says of this workspace.

use std::collections::BTreeSet;
use std::process::Command;

use serde::Deserialize;

/// The part of `cargo metadata` that the tests read.
#[derive(Debug, Deserialize)]
pub struct Metadata {
    /// Every package in the build, ours and others'.
    pub packages: Vec<Package>,
    /// Identifiers of our own packages.
    pub workspace_members: Vec<String>,
    /// Who uses whom.
    pub resolve: Resolve,
}

/// A package.
#[derive(Debug, Deserialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its identifier in this output.
    pub id: String,
    /// Licence expression.
    pub license: Option<String>,
    /// The oldest compiler that it says it needs.
    pub rust_version: Option<String>,
    /// Where it comes from; `None` for our own.
    pub source: Option<String>,
    /// What its manifest asks for.
    pub dependencies: Vec<Dependency>,
    /// Path of its manifest.
    pub manifest_path: String,
}

/// A line under `[dependencies]` or the like.
#[derive(Debug, Deserialize)]
pub struct Dependency {
    /// The package asked for.
    pub name: String,
    /// Which table it stands in.
    pub kind: Option<Role>,
    /// Whether a feature must ask for it.
    pub optional: bool,
}

/// The table that a dependency stands in, other than `[dependencies]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// `[dev-dependencies]`
    Dev,
    /// `[build-dependencies]`
    Build,
}

/// The graph.
#[derive(Debug, Deserialize)]
pub struct Resolve {
    /// Every package.
    pub nodes: Vec<Node>,
}

/// A package in the graph.
#[derive(Debug, Deserialize)]
pub struct Node {
    /// Its identifier.
    pub id: String,
    /// What it uses.
    pub deps: Vec<NodeDep>,
}

/// An edge of the graph.
#[derive(Debug, Deserialize)]
pub struct NodeDep {
    /// The identifier of what is used.
    pub pkg: String,
}

impl Metadata {
    /// Asks cargo about this workspace, for the machine that runs it.
    ///
    /// # Panics
    /// If cargo fails.
    pub fn read() -> Self {
        let version = crate::run(Command::new("rustc").arg("-vV").current_dir(crate::root()));
        let host =
            version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
        let text = crate::run(crate::cargo().args([
            "metadata",
            "--format-version=1",
            "--locked",
            "--filter-platform",
            host,
        ]));
        serde_json::from_str(&text).expect("cargo writes JSON")
    }

    /// Our own packages.
    pub fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }

    /// One of our own packages.
    ///
    /// # Panics
    /// If there is none of that name.
    pub fn member(&self, name: &str) -> &Package {
        self.members().find(|package| package.name == name).unwrap_or_else(|| panic!("no package {name}"))
    }

    /// The packages of others that are in the build of this machine.
    pub fn foreign(&self) -> impl Iterator<Item = &Package> {
        let used: BTreeSet<&str> = self.resolve.nodes.iter().map(|node| node.id.as_str()).collect();
        self.packages
            .iter()
            .filter(move |package| package.source.is_some() && used.contains(package.id.as_str()))
    }
}

impl Package {
    /// What it uses when it is built as a dependency, features included.
    pub fn uses(&self) -> BTreeSet<&str> {
        let normal = |dependency: &&Dependency| dependency.kind != Some(Role::Dev);
        self.dependencies.iter().filter(normal).map(|dependency| dependency.name.as_str()).collect()
    }
}
