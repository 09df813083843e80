//! The vector files, by generic name.

use std::sync::OnceLock;

use crate::vector::{self, Malformed, Vector};

/// The cases of one algorithm.
pub(crate) struct File {
    /// The generic name that they belong to.
    pub(crate) name: &'static str,
    /// Its name in `selftest/vectors`.
    pub(crate) path: &'static str,
    text: &'static str,
    parsed: OnceLock<Result<Vec<Vector>, Malformed>>,
}

/// A line of the list: `file!("cbc(aes)", "cbc-aes.txt")`.
macro_rules! file {
    ($name:literal, $path:literal) => {
        File {
            name: $name,
            path: $path,
            text: include_str!(concat!("../vectors/", $path)),
            parsed: OnceLock::new(),
        }
    };
}

/// One line for each algorithm. A single-block cipher is tested with the blocks of its `ecb(..)`.
static FILES: [File; 6] = [
    file!("ecb(aes)", "ecb-aes.txt"),
    file!("cbc(aes)", "cbc-aes.txt"),
    file!("ctr(aes)", "ctr-aes.txt"),
    file!("rfc3686(ctr(aes))", "rfc3686-ctr-aes.txt"),
    file!("cts(cbc(aes))", "cts-cbc-aes.txt"),
    file!("xts(aes)", "xts-aes.txt"),
];

/// The cases of an algorithm.
pub(crate) fn find(name: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.name == name)
}

/// Every name that has vectors.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.name)
}

impl File {
    /// Its cases; it is parsed once.
    pub(crate) fn vectors(&self) -> Result<&[Vector], &Malformed> {
        self.parsed.get_or_init(|| vector::parse(self.text)).as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{Answer, Expect};

    #[test]
    fn every_file_parses_and_says_enough() {
        for file in &FILES {
            let path = file.path;
            let vectors = file.vectors().unwrap_or_else(|why| panic!("{path}: {why}"));
            let boot = vectors.iter().filter(|v| v.boot && matches!(v.answer, Answer::Ciphertext(_)));
            assert!((5..=20).contains(&boot.count()), "{path}: a few cases are marked BOOT");
            let refused = |expect| vectors.iter().any(|v| v.answer == Answer::Refusal(expect));
            assert!(refused(Expect::BadKey), "{path}: no bad key");
        }
    }

    #[test]
    fn every_file_is_listed_once() {
        let mut listed: Vec<_> = FILES.iter().map(|file| file.path.to_owned()).collect();
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors");
        let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
        let mut present: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
        listed.sort();
        present.sort();
        assert_eq!(listed, present);
        let mut names: Vec<_> = names().collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), FILES.len());
    }
}
