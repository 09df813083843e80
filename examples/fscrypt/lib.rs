//! The parts of the `fscrypt` example: what a file system needs to open files that Linux encrypted.
//!
//! | module | what it knows |
//! |---|---|
//! | [`manifest`] | where everything is: parsed JSON, nothing trusted |
//! | [`image`] | blocks of the file-system image |
//! | [`policy`] | mode numbers, flags, and what the kernel would refuse |
//! | [`keys`] | master key to file keys, versions 1 and 2 |
//! | [`iv`] | which IV belongs to which block or name |
//! | [`open`] | allocates transforms by name and decrypts |
//! | [`report`], [`text`], [`document`] | counts, and prints for people or programs |
#![forbid(unsafe_code)]

pub mod document;
pub mod image;
pub mod iv;
pub mod keys;
pub mod manifest;
pub mod open;
pub mod policy;
pub mod report;
pub mod text;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use kcrypto::Registry;

use crate::image::Image;
use crate::manifest::Manifest;
use crate::open::Opener;
use crate::report::Report;

/// Why the example cannot go on, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(pub String);

/// Result of what depends on input.
pub type Result<T, E = Error> = core::result::Result<T, E>;

impl Error {
    /// The same error, with where it happened in front.
    pub fn at(self, place: impl core::fmt::Display) -> Self {
        Error(format!("{place}: {}", self.0))
    }
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Error {}

impl From<kcrypto::Error> for Error {
    fn from(error: kcrypto::Error) -> Self {
        Error(error.to_string())
    }
}

/// Decrypts the names and contents of an fscrypt image and checks them against its manifest.
#[derive(Debug, Parser)]
#[command(name = "fscrypt")]
struct Args {
    /// File-system image, raw or compressed with gzip [default: the one that comes with the example]
    #[arg(long, value_name = "FILE", requires = "manifest")]
    image: Option<PathBuf>,
    /// Manifest of the image, JSON
    #[arg(long, value_name = "FILE", requires = "image")]
    manifest: Option<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// The image that comes with the example.
pub fn shipped_image() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fscrypt/data/fscrypt-4k.img.gz")
}

/// The manifest of [`shipped_image`].
pub fn shipped_manifest() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fscrypt/data/fscrypt.json")
}

/// The whole program over any registry; returns the exit status.
pub fn run(
    registry: &Registry,
    args: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let outcome = match Args::try_parse_from(args) {
        Ok(args) => check(registry, &args, out),
        Err(usage) => {
            let _ = if usage.use_stderr() { write!(err, "{usage}") } else { write!(out, "{usage}") };
            return u8::try_from(usage.exit_code()).unwrap_or(2);
        }
    };
    match outcome {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(error) => {
            let _ = writeln!(err, "fscrypt: {error}");
            2
        }
    }
}

fn check(registry: &Registry, args: &Args, out: &mut dyn Write) -> Result<bool> {
    let image = args.image.clone().unwrap_or_else(shipped_image);
    let manifest = args.manifest.clone().unwrap_or_else(shipped_manifest);
    let report = open_image(registry, &image, &manifest)?;
    let written = if args.json { document::write(&report, out) } else { text::write(&report, out) };
    written.and_then(|()| out.flush()).map_err(|error| Error(format!("cannot write the output: {error}")))?;
    Ok(report.summary().is_good())
}

/// Opens everything that a manifest describes.
///
/// # Errors
/// Files that cannot be read, a malformed manifest, a policy that Linux refuses, blocks outside the image.
pub fn open_image(registry: &Registry, image: &Path, manifest: &Path) -> Result<Report> {
    let manifest = Manifest::read(manifest, image)?;
    let mut blocks = Image::open(image, manifest.block_size)?;
    let opener = Opener::new(registry, &manifest);
    let directories = manifest.dirs.iter().map(|dir| {
        opener.directory(dir, &mut blocks).map_err(|error| error.at(format_args!("directory {:?}", dir.dir)))
    });
    Ok(Report {
        image: manifest.file.clone(),
        wrong_key: opener.wrong_key(),
        directories: directories.collect::<Result<_>>()?,
    })
}
