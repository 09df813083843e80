//! From the master key to the keys of files.
//!
//! Version 2 derives everything by HKDF-SHA512 without salt; the info string is `fscrypt\0`, a context byte, and
//! what the context asks for. Version 1 encrypts the master key with AES-128-ECB under the file's nonce.

use core::hash::Hasher;

use hkdf::Hkdf;
use kcrypto::Registry;
use sha2::Sha512;
use siphasher::sip::SipHasher24;
use zeroize::Zeroizing;

use crate::policy::{Mode, Policy, Separation, Version};
use crate::{Error, Result};

/// A derived key, wiped on drop.
pub type Key = Zeroizing<Vec<u8>>;

/// What a key is derived for: the context byte of HKDF.
#[derive(Debug, Clone, Copy)]
enum Context {
    KeyIdentifier = 1,
    FileKey = 2,
    DirectKey = 3,
    InoLblk64Key = 4,
    InoLblk32Key = 6,
    InodeHashKey = 7,
}

/// A master key of one file system.
pub struct MasterKey<'a> {
    registry: &'a Registry,
    raw: &'a [u8],
    hkdf: Hkdf<Sha512>,
    fs_uuid: [u8; 16],
    inode_hash_key: [u8; 16],
}

impl<'a> MasterKey<'a> {
    /// Prepares a master key; version 1 policies take `ecb(aes)` from the registry.
    pub fn new(registry: &'a Registry, raw: &'a [u8], fs_uuid: [u8; 16]) -> Self {
        let hkdf = Hkdf::new(None, raw);
        let inode_hash_key = expand_array(&hkdf, Context::InodeHashKey);
        MasterKey { registry, raw, hkdf, fs_uuid, inode_hash_key }
    }

    /// What version 2 policies call this key.
    pub fn identifier(&self) -> [u8; 16] {
        expand_array(&self.hkdf, Context::KeyIdentifier)
    }

    /// The key for one mode of one file.
    ///
    /// # Errors
    /// A master key too short for the mode; with version 1, a registry without `ecb(aes)`.
    pub fn derive(&self, policy: &Policy, mode: &Mode, nonce: &[u8; 16]) -> Result<Key> {
        let mut key = Zeroizing::new(vec![0; mode.key_size]);
        let expand = |context, data: &[&[u8]], key: &mut Key| expand(&self.hkdf, context, data, key);
        let (number, uuid) = ([mode.number], self.fs_uuid);
        match (policy.version, policy.separation) {
            (Version::V1, separation) => {
                key.copy_from_slice(self.start(mode)?);
                if separation != Separation::DirectKey {
                    let mut ecb = self.registry.skcipher("ecb(aes)")?;
                    ecb.set_key(nonce)?;
                    ecb.encrypt(&[], &mut key[..])?;
                }
            }
            (Version::V2, Separation::FileKey) => expand(Context::FileKey, &[nonce], &mut key),
            (Version::V2, Separation::DirectKey) => expand(Context::DirectKey, &[&number], &mut key),
            (Version::V2, Separation::InoLblk64) => {
                expand(Context::InoLblk64Key, &[&number, &uuid], &mut key)
            }
            (Version::V2, Separation::InoLblk32) => {
                expand(Context::InoLblk32Key, &[&number, &uuid], &mut key)
            }
        }
        Ok(key)
    }

    /// SipHash-2-4 of an inode number, as `IV_INO_LBLK_32` uses it.
    pub fn hash_inode(&self, ino: u64) -> u32 {
        let mut hasher = SipHasher24::new_with_key(&self.inode_hash_key);
        hasher.write(&ino.to_le_bytes());
        hasher.finish() as u32
    }

    fn start(&self, mode: &Mode) -> Result<&[u8]> {
        self.raw.get(..mode.key_size).ok_or_else(|| {
            let (have, want) = (self.raw.len(), mode.key_size);
            Error(format!(
                "master key of {have} bytes; {} needs {want} with policy version 1",
                mode.algorithm
            ))
        })
    }
}

fn expand(hkdf: &Hkdf<Sha512>, context: Context, data: &[&[u8]], out: &mut [u8]) {
    let head: [&[u8]; 2] = [b"fscrypt\0", &[context as u8]];
    let info: Vec<&[u8]> = head.iter().chain(data).copied().collect();
    hkdf.expand_multi_info(&info, out).expect("HKDF-SHA512 gives up to 16320 bytes");
}

fn expand_array(hkdf: &Hkdf<Sha512>, context: Context) -> [u8; 16] {
    let mut out = [0; 16];
    expand(hkdf, context, &[], &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Mode;

    /// Values of an independent program, over `key[i] = 11 * i + 1`, `nonce[i] = 5 * i + 64`.
    #[test]
    fn version_2_keys() {
        let raw: Vec<u8> = (0..64).map(|i: u8| i.wrapping_mul(11).wrapping_add(1)).collect();
        let nonce = core::array::from_fn(|i| 5 * i as u8 + 64);
        let registry = Registry::new();
        let key = MasterKey::new(&registry, &raw, [0; 16]);
        assert_eq!(hex::encode(key.identifier()), "92850530c71794f15e815a3ccb8e56f0");

        let [contents, names] = [1, 4].map(|number| Mode::of(number).unwrap());
        let (version, separation) = (Version::V2, Separation::FileKey);
        let policy = Policy { version, contents, names, padding: 32, separation };
        let derive = |mode| hex::encode(&key.derive(&policy, mode, &nonce).unwrap()[..]);
        let expected = "786be570406473bfed336f4c812c08fa76d4d6229a1015bdfd26fecb2430a88d\
                        a0359fac8bfef8129e1a9e05cd70fb72584f7d24517b1ef9c284b528563512b5";
        assert_eq!(derive(contents), expected);
        assert_eq!(derive(names), expected[..64]);
    }
}
