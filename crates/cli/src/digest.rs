//! `kcrypto digest` and `kcrypto mac`: digests of files, printed or checked, in constant memory.

mod check;
mod line;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kcrypto::{Error, Registry, Shash};
use zeroize::Zeroizing;

use crate::args::{Digest, Files, Mac};
use crate::failure::{Failure, say};
use crate::output::Output;
use crate::progress::Bytes;
use crate::source::{PIECE, Source};
use crate::tfm;

pub(crate) fn digest(registry: &Registry, args: &Digest, out: &mut Output) -> Result<ExitCode, Failure> {
    let mut tfm: Shash = tfm::allocate(registry, &args.name)?;
    let name = &tfm.alg().name;
    match &args.key {
        Some(_) if tfm.key_sizes().is_none() => {
            return Err(Failure::refused(format!("{name} takes no key: leave --key out")));
        }
        Some(key) => key.set(&mut tfm)?,
        None if tfm.needs_key() => {
            return Err(Failure::usage(format!("{name} takes a key: use `kcrypto mac`")));
        }
        None => {}
    }
    Summer::new(&tfm).run(&args.files, out)
}

pub(crate) fn mac(registry: &Registry, args: &Mac, out: &mut Output) -> Result<ExitCode, Failure> {
    let mut tfm: Shash = tfm::allocate(registry, &args.name)?;
    if tfm.key_sizes().is_none() {
        return Err(Failure::refused(format!("{} takes no key: use `kcrypto digest`", tfm.alg().name)));
    }
    args.key.set(&mut tfm)?;
    Summer::new(&tfm).run(&args.files, out)
}

/// Sums up files, one after the other, with a hash whose key is set.
struct Summer<'a> {
    tfm: &'a Shash,
    /// The algorithm in lines of BSD style.
    label: String,
    buf: Zeroizing<Vec<u8>>,
}

impl<'a> Summer<'a> {
    fn new(tfm: &'a Shash) -> Self {
        Summer { tfm, label: tfm.alg().name.to_ascii_uppercase(), buf: Zeroizing::new(vec![0; PIECE]) }
    }

    fn run(&mut self, args: &Files, out: &mut Output) -> Result<ExitCode, Failure> {
        let stdin = [PathBuf::from("-")];
        let files = if args.files.is_empty() { &stdin } else { &args.files[..] };
        if args.check { self.check(files, out) } else { self.print(files, args.tag, out) }
    }

    /// Prints a line for each file; one that cannot be read does not keep the others from it.
    fn print(&mut self, files: &[PathBuf], tag: bool, out: &mut Output) -> Result<ExitCode, Failure> {
        let mut status = ExitCode::SUCCESS;
        for path in files {
            if out.is_closed() {
                break;
            }
            match self.sum(path) {
                Ok(digest) => {
                    let label = tag.then_some(self.label.as_str());
                    out.bytes(&line::write(path, &digest, label))?;
                }
                Err(failure) => {
                    out.flush()?;
                    say(failure);
                    status = ExitCode::FAILURE;
                }
            }
        }
        Ok(status)
    }

    /// The digest of a file.
    fn sum(&mut self, path: &Path) -> Result<Vec<u8>, Failure> {
        let mut source = Source::open(Some(path))?;
        let mut hashing = self.tfm.hasher()?;
        let mut progress = Bytes::new(source.len());
        loop {
            let n = source.read(&mut self.buf)?;
            hashing.update(&self.buf[..n]);
            progress.add(n);
            if n < self.buf.len() {
                break;
            }
        }
        progress.finish();
        let mut digest = vec![0; self.tfm.digest_size()];
        hashing.finalize(&mut digest).map_err(|error| {
            let why = match error {
                // The hash itself has one, if it takes one.
                Error::NeedKey => "too short for the key that it begins with".into(),
                error => error.to_string(),
            };
            Failure::refused(format!("{}: {why}", path.display()))
        })?;
        Ok(digest)
    }
}
