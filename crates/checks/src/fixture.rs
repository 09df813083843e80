//! Small crates of an imagined user, built outside the workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of a fixture in a folder where it may be built.
///
/// It is built as a user's crate is: a workspace of its own, with its own features and profiles. The versions of
/// other crates are those of our lock file, and the products go where ours are, so that what is there already is
/// neither fetched nor built again.
#[derive(Debug)]
pub struct Fixture {
    folder: PathBuf,
    target: PathBuf,
}

impl Fixture {
    /// Copies `fixtures/NAME` to `scratch/NAME`, for which a test passes `env!("CARGO_TARGET_TMPDIR")`.
    ///
    /// # Panics
    /// If the files cannot be copied.
    pub fn new(name: &str, scratch: &str) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
        let folder = Path::new(scratch).join(name);
        copy(&source, &folder);
        let manifest = folder.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).expect("it was copied");
        let here = format!("path = \"{}/../", source.display());
        fs::write(&manifest, text.replace("path = \"../", &here)).expect("it was copied");
        fs::copy(crate::root().join("Cargo.lock"), folder.join("Cargo.lock"))
            .expect("the lock file is there");
        let target =
            Path::new(scratch).parent().expect("the scratch folder is in the target folder").to_path_buf();
        Fixture { folder, target }
    }

    /// A file of it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Cargo for it, with a command and what follows, in words.
    pub fn cargo(&self, words: &str) -> Command {
        let mut cargo = crate::cargo();
        cargo.current_dir(&self.folder).args(words.split_whitespace());
        cargo.env("CARGO_TARGET_DIR", &self.target);
        cargo
    }

    /// Something that cargo made of it, such as `debug/list`.
    pub fn product(&self, path: &str) -> PathBuf {
        self.target.join(path)
    }

    /// Compiles C files of it into a program.
    ///
    /// # Panics
    /// If the compiler fails.
    pub fn cc(&self, program: &str, arguments: &[&str]) -> PathBuf {
        let program = self.folder.join(program);
        let cc = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        crate::run(Command::new(cc).current_dir(&self.folder).arg("-o").arg(&program).args(arguments));
        program
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap_or_else(|error| panic!("{}: {error}", to.display()));
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let path = entry.expect("the folder can be read").path();
        let target = to.join(path.file_name().expect("an entry has a name"));
        if path.is_dir() {
            // What somebody built in the fixture itself stays there.
            if !path.ends_with("target") {
                copy(&path, &target);
            }
        } else if fs::read(&path).ok() != fs::read(&target).ok() {
            fs::copy(&path, &target).unwrap_or_else(|error| panic!("{}: {error}", target.display()));
        }
    }
}
