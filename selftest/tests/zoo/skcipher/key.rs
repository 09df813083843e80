//! Keys.

use std::sync::Mutex;

use kcrypto_core::{Dir, Error, InOut, KeySizes, Result, SkcipherDriver};

use crate::wrap::Fault;

pub(super) struct NoKey(pub(super) fn(usize) -> Error);
impl Fault for NoKey {
    fn set_key(&mut self, _right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        Err((self.0)(key.len()))
    }
}

pub(super) struct Key192;
impl Fault for Key192 {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        let mut key = key.to_vec();
        if key.len() == 24 {
            key[0] ^= 0x80;
        }
        right.set_key(&key)
    }
}

/// Decrypts with the first key for ever: what it did before the new key is replayed.
#[derive(Default)]
pub(super) struct Stale {
    first: Option<Vec<u8>>,
    other: Mutex<Vec<u8>>,
}
impl Fault for Stale {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        right.set_key(key)?;
        if self.first.get_or_insert_with(|| key.to_vec()) != key {
            *self.other.lock().unwrap() = key.to_vec();
        }
        Ok(())
    }

    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        if dir == Dir::Decrypt && !self.other.lock().unwrap().is_empty() {
            io.dst()[0] ^= 1;
        }
    }
}

pub(super) struct KeyError;
impl Fault for KeyError {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        if KeySizes::AES.contains(key.len()) { right.set_key(key) } else { Err(Error::NeedKey) }
    }
}

pub(super) struct Weak;
impl Fault for Weak {
    fn check_weak_key(&self, _right: &dyn SkcipherDriver, _key: &[u8]) -> Result<()> {
        Ok(())
    }
}

pub(super) struct ShortKeys;
impl Fault for ShortKeys {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        if key.len() == 32 {
            return Err(Error::BadKeyLen { len: 32, accepted: KeySizes { max: 24, ..KeySizes::AES } });
        }
        right.set_key(key)
    }
}
