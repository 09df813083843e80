//! Keys.

use kcrypto_core::{Error, KeySizes, Result, ShashDriver};

use crate::registry;
use crate::wrap::HashFault;

pub(super) struct KeyRefused;
impl HashFault for KeyRefused {
    fn set_key(&mut self, _right: &mut dyn ShashDriver, key: &[u8]) -> Result<()> {
        Err(Error::BadKeyLen { len: key.len(), accepted: KeySizes::exactly(0) })
    }
}

/// Makes another key of each.
pub(super) struct Key(pub(super) fn(&[u8]) -> Vec<u8>);
impl HashFault for Key {
    fn set_key(&mut self, right: &mut dyn ShashDriver, key: &[u8]) -> Result<()> {
        right.set_key(&(self.0)(key))
    }
}

pub(super) fn cut(key: &[u8]) -> Vec<u8> {
    key[..key.len().min(64)].to_vec()
}

fn hashed(name: &str, key: &[u8]) -> Vec<u8> {
    let hash = registry().shash(name).unwrap();
    let mut digest = vec![0; hash.digest_size()];
    hash.digest(key, &mut digest).unwrap();
    digest
}

pub(super) fn early(key: &[u8]) -> Vec<u8> {
    if key.len() > 64 { hashed("sha512", key) } else { key.into() }
}

pub(super) fn eager(key: &[u8]) -> Vec<u8> {
    if key.len() >= 64 { hashed("sha1", key) } else { key.into() }
}

pub(super) fn last_byte(key: &[u8]) -> Vec<u8> {
    let mut key = key.to_vec();
    if let Some(byte) = key.get_mut(63) {
        *byte = 0;
    }
    key
}

pub(super) struct FirstKey(pub(super) bool);
impl HashFault for FirstKey {
    fn set_key(&mut self, right: &mut dyn ShashDriver, key: &[u8]) -> Result<()> {
        if core::mem::replace(&mut self.0, true) { Ok(()) } else { right.set_key(key) }
    }
}

pub(super) struct NoKey;
impl HashFault for NoKey {
    fn set_key(&mut self, _right: &mut dyn ShashDriver, _key: &[u8]) -> Result<()> {
        Ok(())
    }
}
