//! The vector files, by generic name.

use std::sync::OnceLock;

use kcrypto_core::Alg;
use kcrypto_core::KindTag::{self, Aead, Shash, Skcipher};

use crate::failure::Origin;
use crate::vector::{self, Malformed, Vector};

/// The cases of one algorithm.
pub(crate) struct File {
    /// The kind that they are for.
    pub(crate) kind: KindTag,
    /// The generic name that they belong to.
    pub(crate) name: &'static str,
    /// Its name in `selftest/vectors`.
    pub(crate) path: &'static str,
    text: &'static str,
    parsed: OnceLock<Result<Vec<Vector>, Malformed>>,
}

/// A line of the list: `file!(Skcipher, "cbc(aes)", "cbc-aes.txt")`.
macro_rules! file {
    ($kind:ident, $name:literal, $path:literal) => {
        File {
            kind: $kind,
            name: $name,
            path: $path,
            text: include_str!(concat!("../vectors/", $path)),
            parsed: OnceLock::new(),
        }
    };
}

/// One line for each algorithm. A single-block cipher is tested with the blocks of its `ecb(..)`.
static FILES: [File; 60] = [
    file!(Skcipher, "ecb(aes)", "ecb-aes.txt"),
    file!(Skcipher, "cbc(aes)", "cbc-aes.txt"),
    file!(Skcipher, "ctr(aes)", "ctr-aes.txt"),
    file!(Skcipher, "rfc3686(ctr(aes))", "rfc3686-ctr-aes.txt"),
    file!(Skcipher, "cts(cbc(aes))", "cts-cbc-aes.txt"),
    file!(Skcipher, "xts(aes)", "xts-aes.txt"),
    file!(Skcipher, "ecb(speck64)", "ecb-speck64.txt"),
    file!(Skcipher, "ecb(speck128)", "ecb-speck128.txt"),
    file!(Skcipher, "xts(speck64)", "xts-speck64.txt"),
    file!(Skcipher, "xts(speck128)", "xts-speck128.txt"),
    file!(Skcipher, "chacha20", "chacha20.txt"),
    file!(Skcipher, "xchacha20", "xchacha20.txt"),
    file!(Skcipher, "xchacha12", "xchacha12.txt"),
    file!(Shash, "md5", "md5.txt"),
    file!(Shash, "sha1", "sha1.txt"),
    file!(Shash, "sha224", "sha224.txt"),
    file!(Shash, "sha256", "sha256.txt"),
    file!(Shash, "sha384", "sha384.txt"),
    file!(Shash, "sha512", "sha512.txt"),
    file!(Shash, "sha3-224", "sha3-224.txt"),
    file!(Shash, "sha3-256", "sha3-256.txt"),
    file!(Shash, "sha3-384", "sha3-384.txt"),
    file!(Shash, "sha3-512", "sha3-512.txt"),
    file!(Shash, "sm3", "sm3.txt"),
    file!(Shash, "blake2b-160", "blake2b-160.txt"),
    file!(Shash, "blake2b-256", "blake2b-256.txt"),
    file!(Shash, "blake2b-384", "blake2b-384.txt"),
    file!(Shash, "blake2b-512", "blake2b-512.txt"),
    file!(Shash, "rmd160", "rmd160.txt"),
    file!(Shash, "streebog256", "streebog256.txt"),
    file!(Shash, "streebog512", "streebog512.txt"),
    file!(Shash, "wp256", "wp256.txt"),
    file!(Shash, "wp384", "wp384.txt"),
    file!(Shash, "wp512", "wp512.txt"),
    file!(Shash, "crc32", "crc32.txt"),
    file!(Shash, "crc32c", "crc32c.txt"),
    file!(Shash, "xxhash64", "xxhash64.txt"),
    file!(Shash, "michael_mic", "michael_mic.txt"),
    file!(Shash, "ghash", "ghash.txt"),
    file!(Shash, "polyval", "polyval.txt"),
    file!(Shash, "poly1305", "poly1305.txt"),
    file!(Shash, "cmac(aes)", "cmac-aes.txt"),
    file!(Shash, "xcbc(aes)", "xcbc-aes.txt"),
    file!(Shash, "cbcmac(aes)", "cbcmac-aes.txt"),
    file!(Shash, "hmac(md5)", "hmac-md5.txt"),
    file!(Shash, "hmac(sha1)", "hmac-sha1.txt"),
    file!(Shash, "hmac(sha224)", "hmac-sha224.txt"),
    file!(Shash, "hmac(sha256)", "hmac-sha256.txt"),
    file!(Shash, "hmac(sha384)", "hmac-sha384.txt"),
    file!(Shash, "hmac(sha512)", "hmac-sha512.txt"),
    file!(Shash, "hmac(sha3-256)", "hmac-sha3-256.txt"),
    file!(Shash, "hmac(sm3)", "hmac-sm3.txt"),
    file!(Aead, "ccm(aes)", "ccm-aes.txt"),
    file!(Aead, "ccm(speck128)", "ccm-speck128.txt"),
    file!(Aead, "rfc4309(ccm(aes))", "rfc4309-ccm-aes.txt"),
    file!(Aead, "gcm(aes)", "gcm-aes.txt"),
    file!(Aead, "rfc4106(gcm(aes))", "rfc4106-gcm-aes.txt"),
    file!(Aead, "rfc4543(gcm(aes))", "rfc4543-gcm-aes.txt"),
    file!(Aead, "rfc7539(chacha20,poly1305)", "rfc7539-chacha20-poly1305.txt"),
    file!(Aead, "rfc7539esp(chacha20,poly1305)", "rfc7539esp-chacha20-poly1305.txt"),
];

/// The cases of an algorithm.
pub(crate) fn find(kind: KindTag, name: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.kind == kind && file.name == name)
}

/// The cases that an algorithm is tested with; those of a single-block cipher are of its `ecb(..)`.
pub(crate) fn of(alg: &Alg) -> Option<&'static File> {
    match alg.kind.tag() {
        KindTag::Cipher => find(Skcipher, &format!("ecb({})", alg.name)),
        kind => find(kind, &alg.name),
    }
}

/// Every name that has vectors.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.name)
}

impl File {
    /// Its cases; it is parsed once.
    pub(crate) fn vectors(&self) -> Result<&[Vector], &Malformed> {
        self.parsed.get_or_init(|| vector::parse(self.kind, self.text)).as_deref()
    }
}

impl Vector {
    /// Where it is to be found.
    pub(crate) fn origin(&self, file: &File, nth: usize) -> Origin {
        Origin::Vector { path: file.path, line: self.line, nth }
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
            let answered = |v: &&Vector| !matches!(v.answer, Answer::Refusal(_) | Answer::Forged { .. });
            let boot = vectors.iter().filter(|v| v.boot).filter(answered).count();
            assert!((2..=20).contains(&boot), "{path}: a few cases are marked BOOT");
            assert!(vectors.iter().filter(answered).count() >= 8, "{path}: too few cases");
            let refused = |expect| vectors.iter().any(|v| v.answer == Answer::Refusal(expect));
            let any_key = file.kind == Shash && (file.name.starts_with("hmac(") || vectors[0].key.is_none());
            assert!(any_key || refused(Expect::BadKey), "{path}: no bad key");
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
