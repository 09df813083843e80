//! The manifest: where everything is in the image, and what it must decrypt to.
//!
//! A JSON list of images. Byte strings are in hex. Fields that the example does not need are ignored.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Deserializer, de};

use crate::{Error, Result};

/// One image.
#[derive(Debug, Clone, Deserialize)]
pub struct Manifest {
    /// Name of the image file; chooses among several images.
    pub file: String,
    /// Bytes of a file-system block, which is also the unit of contents encryption.
    pub block_size: usize,
    /// UUID of the file system.
    #[serde(deserialize_with = "uuid")]
    pub fs_uuid: [u8; 16],
    /// The master key, 16 to 64 bytes.
    #[serde(with = "hex::serde")]
    pub master_key: Vec<u8>,
    /// Identifier of the master key in version 2 policies, if known.
    #[serde(default, deserialize_with = "optional_identifier")]
    pub v2_key_identifier: Option<[u8; 16]>,
    /// Encrypted directories.
    pub dirs: Vec<Directory>,
}

/// One encrypted directory with its policy.
#[derive(Debug, Clone, Deserialize)]
pub struct Directory {
    /// Its plaintext name.
    pub dir: String,
    /// Policy version: 1 or 2.
    pub version: u8,
    /// Number of the mode for contents.
    pub contents_mode: u8,
    /// Number of the mode for names and link targets.
    pub filenames_mode: u8,
    /// Policy flags.
    pub flags: u8,
    /// Nonce of the directory's inode.
    #[serde(with = "hex::serde")]
    pub nonce: [u8; 16],
    /// Inode number.
    pub ino: u64,
    /// What is in it.
    pub entries: Vec<Entry>,
}

/// One entry of a directory.
#[derive(Debug, Clone, Deserialize)]
pub struct Entry {
    /// Its plaintext name.
    pub name: String,
    /// Its name as stored.
    #[serde(with = "hex::serde")]
    pub encrypted_name: Vec<u8>,
    /// Inode number.
    pub ino: u64,
    /// Nonce of its inode.
    #[serde(with = "hex::serde")]
    pub nonce: [u8; 16],
    /// What it is.
    #[serde(flatten)]
    pub body: Body,
}

/// What an entry is.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Body {
    /// A regular file.
    File {
        /// Length in bytes.
        size: u64,
        /// SHA-256 of the plaintext.
        #[serde(with = "hex::serde")]
        content_sha256: [u8; 32],
        /// Numbers of the blocks that hold the contents, in order.
        blocks: Vec<u64>,
    },
    /// A symbolic link.
    Symlink {
        /// Its plaintext target.
        target: String,
        /// Its target as stored, without the length in front.
        #[serde(with = "hex::serde")]
        encrypted_target: Vec<u8>,
    },
    /// A directory.
    Dir,
}

impl Manifest {
    /// Reads a manifest and finds the image in it: by file name if it describes several.
    ///
    /// # Errors
    /// A file that cannot be read, is not of this form, or does not describe the image.
    pub fn read(path: &Path, image: &Path) -> Result<Manifest> {
        let parse = || {
            let text = fs::read(path).map_err(|error| Error(format!("cannot read the manifest: {error}")))?;
            let images = serde_json::from_slice(&text)
                .map_err(|error| Error(format!("not a manifest of encrypted images: {error}")))?;
            Manifest::choose(images, image)?.validate()
        };
        parse().map_err(|error| error.at(path.display()))
    }

    fn choose(mut images: Vec<Manifest>, image: &Path) -> Result<Manifest> {
        if images.len() == 1 {
            return Ok(images.remove(0));
        }
        let asked = image.file_name().unwrap_or_default().to_string_lossy();
        let asked = asked.strip_suffix(".gz").unwrap_or(&asked);
        let described: Vec<String> = images.iter().map(|one| one.file.clone()).collect();
        images
            .into_iter()
            .find(|one| Path::new(&one.file).file_name().is_some_and(|name| name == asked))
            .ok_or_else(|| Error(format!("it does not describe {asked:?}, only {described:?}")))
    }

    fn validate(self) -> Result<Manifest> {
        if !self.block_size.is_power_of_two() || !(512..=65536).contains(&self.block_size) {
            return Err(Error(format!(
                "block size {}; expected 512 to 65536, a power of two",
                self.block_size
            )));
        }
        if !(16..=64).contains(&self.master_key.len()) {
            return Err(Error(format!("master key of {} bytes; expected 16 to 64", self.master_key.len())));
        }
        Ok(self)
    }
}

fn uuid<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 16], D::Error> {
    let text = String::deserialize(from)?;
    hex::FromHex::from_hex(text.replace('-', ""))
        .map_err(|error| de::Error::custom(format_args!("UUID {text:?}: {error}")))
}

fn optional_identifier<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[u8; 16]>, D::Error> {
    hex::serde::deserialize(from).map(Some)
}
