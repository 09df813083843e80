//! Wrong block ciphers.

use kcrypto_core::{CipherDriver, Dir, Error, InOut, KeySizes, Result};

use crate::wrap::{CipherFault, Specimen};

pub(crate) fn specimens() -> Vec<Specimen> {
    let wrong = |fault, says, make| Specimen::cipher("aes", fault, says, make);
    vec![
        wrong("key schedule of 192 bits", "wrong result", || Box::new(Key192)),
        wrong("key schedule stale after the first key", "wrong result", || Box::new(FirstKey(false))),
        wrong("17 bytes and more at once: the last block", "wrong result", || Box::new(LastOfRun)),
        wrong("eight blocks at a time: the seventh", "wrong result", || Box::new(SeventhOfEight)),
        wrong("decryption encrypts", "decryption test failed (wrong result)", || Box::new(OneWay)),
        wrong("CBC leaves the IV", "wrong output IV", || Box::new(CbcIv)),
        wrong("CBC decryption with IV taken after the overwrite", "wrong output IV", || Box::new(CbcLateIv)),
        wrong("CTR carry in 32 bits", "contract: ctr", || Box::new(CtrCarry)),
        wrong("another block size than declared", "declared blocksize", || Box::new(BlockSize)),
        wrong("panics", "panicked in known answers", || Box::new(Panics)),
    ]
}

/// A fault that everything over the cipher shows.
pub(crate) fn wrong_key() -> Box<dyn CipherFault> {
    Box::new(Key192)
}

/// Refuses every key as one of a wrong length.
pub(crate) fn no_key() -> Box<dyn CipherFault> {
    Box::new(NoKey)
}

struct NoKey;
impl CipherFault for NoKey {
    fn set_key(&mut self, _right: &mut dyn CipherDriver, key: &[u8]) -> Result<()> {
        Err(Error::BadKeyLen { len: key.len(), accepted: KeySizes::AES })
    }
}

struct Key192;
impl CipherFault for Key192 {
    fn set_key(&mut self, right: &mut dyn CipherDriver, key: &[u8]) -> Result<()> {
        let mut key = key.to_vec();
        if key.len() == 24 {
            key[23] ^= 1;
        }
        right.set_key(&key)
    }
}

struct FirstKey(bool);
impl CipherFault for FirstKey {
    fn set_key(&mut self, right: &mut dyn CipherDriver, key: &[u8]) -> Result<()> {
        if core::mem::replace(&mut self.0, true) { Ok(()) } else { right.set_key(key) }
    }
}

struct LastOfRun;
impl CipherFault for LastOfRun {
    fn blocks(&self, right: &dyn CipherDriver, dir: Dir, mut io: InOut<'_>) {
        Plain.blocks(right, dir, io.reborrow());
        if io.len() > 16
            && let Some(byte) = io.dst().last_mut()
        {
            *byte ^= 1;
        }
    }
}

struct SeventhOfEight;
impl CipherFault for SeventhOfEight {
    fn blocks(&self, right: &dyn CipherDriver, dir: Dir, mut io: InOut<'_>) {
        Plain.blocks(right, dir, io.reborrow());
        io.dst().chunks_exact_mut(128).for_each(|group| group[96] ^= 0x80);
    }
}

struct OneWay;
impl CipherFault for OneWay {
    fn blocks(&self, right: &dyn CipherDriver, _dir: Dir, io: InOut<'_>) {
        right.encrypt_blocks(io);
    }
}

struct CbcIv;
impl CipherFault for CbcIv {
    fn cbc(&self, right: &dyn CipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        Plain.cbc(right, dir, &mut iv.to_vec(), io);
    }
}

struct CbcLateIv;
impl CipherFault for CbcLateIv {
    fn cbc(&self, right: &dyn CipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        Plain.cbc(right, dir, iv, io.reborrow());
        if dir == Dir::Decrypt && !io.is_empty() {
            iv.copy_from_slice(&io.src()[io.len() - 16..]);
        }
    }
}

struct CtrCarry;
impl CipherFault for CtrCarry {
    fn ctr(&self, right: &dyn CipherDriver, counter: &mut [u8], io: InOut<'_>) {
        let blocks = io.len().div_ceil(16) as u32;
        let low = u32::from_be_bytes([counter[12], counter[13], counter[14], counter[15]]);
        let until = (low.wrapping_neg() as usize).saturating_mul(16);
        if until > 0 && until < io.len() {
            let (head, tail) = io.split_at(until);
            right.ctr(&mut counter.to_vec(), head);
            counter[12..].fill(0);
            right.ctr(&mut counter.to_vec(), tail);
        } else {
            right.ctr(&mut counter.to_vec(), io);
        }
        counter[12..].copy_from_slice(&low.wrapping_add(blocks).to_be_bytes());
    }
}

struct BlockSize;
impl CipherFault for BlockSize {
    fn block_size(&self, _right: &dyn CipherDriver) -> usize {
        8
    }
}

struct Panics;
impl CipherFault for Panics {
    fn blocks(&self, right: &dyn CipherDriver, dir: Dir, io: InOut<'_>) {
        assert_ne!(io.len(), 64, "four blocks are too many");
        Plain.blocks(right, dir, io);
    }
}

/// The right way.
struct Plain;
impl CipherFault for Plain {}
