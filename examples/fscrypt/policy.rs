//! Encryption policies: mode numbers, flags, and the combinations that exist.

use core::fmt;

use crate::manifest::Directory;
use crate::{Error, Result};

/// One encryption mode of fscrypt.
#[derive(Debug, PartialEq, Eq)]
pub struct Mode {
    /// Its number in a policy.
    pub number: u8,
    /// What the kernel asks its crypto API for, and this example the registry.
    pub algorithm: &'static str,
    /// Key length in bytes.
    pub key_size: usize,
    /// IV length in bytes.
    pub iv_size: usize,
}

/// All modes, in the order of their numbers.
pub const MODES: [Mode; 8] = [
    Mode::new(1, "xts(aes)", 64, 16),
    Mode::new(4, "cts(cbc(aes))", 32, 16),
    Mode::new(5, "essiv(cbc(aes),sha256)", 16, 16),
    Mode::new(6, "cts(cbc(aes))", 16, 16),
    Mode::new(7, "xts(sm4)", 32, 16),
    Mode::new(8, "cts(cbc(sm4))", 16, 16),
    Mode::new(9, "adiantum(xchacha12,aes)", 32, 32),
    Mode::new(10, "hctr2(aes)", 32, 32),
];

impl Mode {
    const fn new(number: u8, algorithm: &'static str, key_size: usize, iv_size: usize) -> Self {
        Mode { number, algorithm, key_size, iv_size }
    }

    /// The mode of this number.
    ///
    /// # Errors
    /// A number that stands for nothing.
    pub fn of(number: u8) -> Result<&'static Mode> {
        MODES
            .iter()
            .find(|mode| mode.number == number)
            .ok_or_else(|| Error(format!("no encryption mode {number}; expected 1, 4 to 10")))
    }
}

/// Version of a policy: how file keys are derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// AES-128-ECB under the nonce.
    V1,
    /// HKDF-SHA512.
    V2,
}

/// Which keys and IVs keep files apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separation {
    /// A key for each file.
    FileKey,
    /// `DIRECT_KEY`: one key for each mode, the nonce in the IV.
    DirectKey,
    /// `IV_INO_LBLK_64`: one key for each mode and file system, the inode number in the IV.
    InoLblk64,
    /// `IV_INO_LBLK_32`: the same in 32 bits, the inode number hashed.
    InoLblk32,
}

/// A policy that Linux accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// How file keys are derived.
    pub version: Version,
    /// For contents.
    pub contents: &'static Mode,
    /// For names and link targets.
    pub names: &'static Mode,
    /// Names are padded to multiples of this many bytes.
    pub padding: usize,
    /// Which keys and IVs keep files apart.
    pub separation: Separation,
}

impl Policy {
    /// The policy of a directory.
    ///
    /// # Errors
    /// Versions, modes, flags and combinations that Linux refuses.
    pub fn of(dir: &Directory) -> Result<Policy> {
        let refuse = |why: &str| Err(Error(format!("policy flags {:#04x}: {why}", dir.flags)));
        let version = match dir.version {
            1 => Version::V1,
            2 => Version::V2,
            other => return Err(Error(format!("no policy version {other}; expected 1 or 2"))),
        };
        let separation = match dir.flags & !3 {
            0 => Separation::FileKey,
            4 => Separation::DirectKey,
            8 => Separation::InoLblk64,
            16 => Separation::InoLblk32,
            _ => return refuse("at most one of DIRECT_KEY (4), IV_INO_LBLK_64 (8), IV_INO_LBLK_32 (16)"),
        };
        let policy = Policy {
            version,
            contents: Mode::of(dir.contents_mode)?,
            names: Mode::of(dir.filenames_mode)?,
            padding: 4 << (dir.flags & 3),
            separation,
        };
        match separation {
            Separation::DirectKey if policy.contents != policy.names || policy.names.iv_size < 24 => {
                refuse("DIRECT_KEY needs one mode for both, with IVs of at least 24 bytes")
            }
            Separation::InoLblk64 | Separation::InoLblk32 if version == Version::V1 => {
                refuse("IV_INO_LBLK_64 and IV_INO_LBLK_32 need a policy of version 2")
            }
            _ => Ok(policy),
        }
    }

    /// Bytes that a name of `len` bytes takes when encrypted, of at most `max`.
    pub fn padded_len(&self, len: usize, max: usize) -> usize {
        len.max(16).next_multiple_of(self.padding).min(max)
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = match self.version {
            Version::V1 => 1,
            Version::V2 => 2,
        };
        let separation = match self.separation {
            Separation::FileKey => "a key for each file",
            Separation::DirectKey => "DIRECT_KEY",
            Separation::InoLblk64 => "IV_INO_LBLK_64",
            Separation::InoLblk32 => "IV_INO_LBLK_32",
        };
        write!(f, "policy version {version}, {separation}, names padded to {} bytes", self.padding)
    }
}
