//! Decrypts names, link targets and contents with transforms that the registry allocates by name.

use kcrypto::{Flags, KindTag, Registry, Skcipher, Want};
use sha2::{Digest, Sha256};

use crate::image::Image;
use crate::iv::{Inode, iv};
use crate::keys::MasterKey;
use crate::manifest::{Body, Directory, Entry, Manifest};
use crate::policy::{Mode, Policy};
use crate::{Error, Result};

/// Longest file name in bytes.
const NAME_MAX: usize = 255;

/// Opens the directories of one image.
pub struct Opener<'a> {
    registry: &'a Registry,
    manifest: &'a Manifest,
    key: MasterKey<'a>,
}

/// A directory after decryption.
#[derive(Debug, Clone)]
pub struct OpenedDirectory {
    /// Its plaintext name.
    pub name: String,
    /// Its policy.
    pub policy: Policy,
    /// Driver that decrypts names; `None` if the algorithm is missing.
    pub names_driver: Option<String>,
    /// Driver that decrypts contents; `None` if the algorithm is missing.
    pub contents_driver: Option<String>,
    /// What is in it.
    pub entries: Vec<OpenedEntry>,
}

/// An entry after decryption.
#[derive(Debug, Clone)]
pub struct OpenedEntry {
    /// What it is.
    pub kind: Kind,
    /// Inode number.
    pub ino: u64,
    /// The name that the manifest gives it.
    pub expected: String,
    /// Its name.
    pub name: Part,
    /// Contents of a file, target of a link.
    pub body: Option<Part>,
}

impl OpenedEntry {
    /// Its name, then its body.
    pub fn parts(&self) -> impl Iterator<Item = &Part> + Clone {
        core::iter::once(&self.name).chain(&self.body)
    }
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// A directory.
    Dir,
}

impl Kind {
    /// The manifest's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::File => "file",
            Kind::Link => "symlink",
            Kind::Dir => "dir",
        }
    }
}

/// One decrypted thing and whether it is what the manifest says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// As the manifest says.
    Verified(Vec<u8>),
    /// Something else.
    Mismatch(Vec<u8>),
    /// The registry does not have this algorithm.
    Missing(&'static str),
}

impl Part {
    fn checked(plaintext: Vec<u8>, good: bool) -> Self {
        if good { Part::Verified(plaintext) } else { Part::Mismatch(plaintext) }
    }

    /// What it decrypted to, right or wrong.
    ///
    /// # Errors
    /// The algorithm that is missing.
    pub fn plaintext(&self) -> Result<&[u8], &'static str> {
        match self {
            Part::Verified(plaintext) | Part::Mismatch(plaintext) => Ok(plaintext),
            Part::Missing(algorithm) => Err(algorithm),
        }
    }

    /// `verified`, `mismatch` or `missing`.
    pub fn status(&self) -> &'static str {
        match self {
            Part::Verified(_) => "verified",
            Part::Mismatch(_) => "mismatch",
            Part::Missing(_) => "missing",
        }
    }
}

impl<'a> Opener<'a> {
    /// Prepares the master key.
    pub fn new(registry: &'a Registry, manifest: &'a Manifest) -> Self {
        Opener { registry, manifest, key: MasterKey::new(registry, &manifest.master_key, manifest.fs_uuid) }
    }

    /// Whether the manifest's key identifier belongs to another master key.
    pub fn wrong_key(&self) -> bool {
        self.manifest.v2_key_identifier.is_some_and(|identifier| identifier != self.key.identifier())
    }

    /// Decrypts what is in a directory.
    ///
    /// # Errors
    /// A policy that Linux refuses, blocks outside the image, lengths that cannot be.
    pub fn directory(&self, dir: &Directory, image: &mut Image) -> Result<OpenedDirectory> {
        let policy = Policy::of(dir)?;
        let inode = Inode { number: dir.ino, nonce: dir.nonce };
        let names = self.transform(&policy, policy.names, &inode)?;
        let contents = self.allocate(policy.contents)?;
        let driver = |tfm: Option<&Skcipher>| tfm.map(|tfm| tfm.alg().driver_name.to_string());
        let entries = dir.entries.iter().map(|entry| {
            self.entry(&policy, names.as_ref(), &inode, entry, image)
                .map_err(|error| error.at(format_args!("entry {:?}", entry.name)))
        });
        Ok(OpenedDirectory {
            name: dir.dir.clone(),
            policy,
            entries: entries.collect::<Result<_>>()?,
            names_driver: driver(names.as_ref()),
            contents_driver: driver(contents.as_ref()),
        })
    }

    fn entry(
        &self,
        policy: &Policy,
        names: Option<&Skcipher>,
        parent: &Inode,
        entry: &Entry,
        image: &mut Image,
    ) -> Result<OpenedEntry> {
        let inode = Inode { number: entry.ino, nonce: entry.nonce };
        let name = self.name(policy, names, parent, &entry.encrypted_name, &entry.name, NAME_MAX)?;
        let (kind, body) = match &entry.body {
            Body::Dir => (Kind::Dir, None),
            Body::Symlink { target, encrypted_target } => {
                // A link is a name in its own right, under the key of its own inode; it fits in one block
                // with its length and a NUL.
                let tfm = self.transform(policy, policy.names, &inode)?;
                let max = self.manifest.block_size - 3;
                (Kind::Link, Some(self.name(policy, tfm.as_ref(), &inode, encrypted_target, target, max)?))
            }
            Body::File { size, content_sha256, blocks } => {
                let contents = self.contents(policy, &inode, *size, blocks, image)?;
                let part = match contents {
                    Some(data) => {
                        let good = Sha256::digest(&data)[..] == *content_sha256;
                        Part::checked(data, good)
                    }
                    None => Part::Missing(policy.contents.algorithm),
                };
                (Kind::File, Some(part))
            }
        };
        Ok(OpenedEntry { kind, ino: entry.ino, expected: entry.name.clone(), name, body })
    }

    /// Decrypts a name or link target and takes the padding off.
    fn name(
        &self,
        policy: &Policy,
        tfm: Option<&Skcipher>,
        inode: &Inode,
        encrypted: &[u8],
        expected: &str,
        max: usize,
    ) -> Result<Part> {
        let Some(tfm) = tfm else {
            return Ok(Part::Missing(policy.names.algorithm));
        };
        let iv = iv(policy, &self.key, inode, 0);
        let mut name = encrypted.to_vec();
        tfm.decrypt(&iv[..policy.names.iv_size], &mut name)
            .map_err(|error| Error::from(error).at("encrypted name"))?;
        let len = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
        let padded = name[len..].iter().all(|&byte| byte == 0) && name.len() == policy.padded_len(len, max);
        name.truncate(len);
        let good = padded && name == expected.as_bytes();
        Ok(Part::checked(name, good))
    }

    /// Reads and decrypts a file's blocks; each is a message of its own. `None` if the algorithm is missing.
    fn contents(
        &self,
        policy: &Policy,
        inode: &Inode,
        size: u64,
        blocks: &[u64],
        image: &mut Image,
    ) -> Result<Option<Vec<u8>>> {
        let block_size = self.manifest.block_size;
        if size.div_ceil(block_size as u64) != blocks.len() as u64 {
            return Err(Error(format!("{} blocks of {block_size} bytes for {size} bytes", blocks.len())));
        }
        let mut data = image.read(blocks)?;
        let Some(tfm) = self.transform(policy, policy.contents, inode)? else {
            return Ok(None);
        };
        for (index, block) in (0..).zip(data.chunks_exact_mut(block_size)) {
            let iv = iv(policy, &self.key, inode, index);
            tfm.decrypt(&iv[..policy.contents.iv_size], block)?;
        }
        data.truncate(usize::try_from(size).expect("it is at most the blocks just read"));
        Ok(Some(data))
    }

    /// A transform with the key of one inode; `None` if the registry does not have the algorithm.
    fn transform(&self, policy: &Policy, mode: &Mode, inode: &Inode) -> Result<Option<Skcipher>> {
        let Some(mut tfm) = self.allocate(mode)? else {
            return Ok(None);
        };
        tfm.set_key(&self.key.derive(policy, mode, &inode.nonce)?)?;
        Ok(Some(tfm))
    }

    /// Asks the registry as the kernel's fscrypt asks: for synchronous software.
    fn allocate(&self, mode: &Mode) -> Result<Option<Skcipher>> {
        let software =
            Want::new(KindTag::Skcipher).without(Flags::ALLOCATES_MEMORY | Flags::KERN_DRIVER_ONLY);
        match self.registry.skcipher_with(mode.algorithm, software) {
            Ok(tfm) => Ok(Some(tfm)),
            Err(kcrypto::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
