//! Single-block ciphers: the driver's side and the caller's.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::any::Any;
use core::fmt;

use crate::alg::Alg;
use crate::chain::{self, Blocks};
use crate::engine::Mode;
use crate::limits::KeySizes;
use crate::{Dir, Error, InOut, Result};

/// What the author of a block cipher implements.
///
/// Four methods are required. The others have plain bodies that call these; a driver overrides what it
/// does faster, such as several blocks at a time, or a whole chain without leaving its registers.
///
/// Callers check key and buffer lengths before; a driver must stay sound, but need not be polite, when
/// they are wrong. After [`set_key`](CipherDriver::set_key) the transform is shared by threads.
pub trait CipherDriver: Any + Send + Sync {
    /// Block size in bytes, 1 to 16.
    fn block_size(&self) -> usize;

    /// Expands the key.
    ///
    /// # Errors
    /// [`Error::BadKeyLen`] for a length within the declared range that the cipher does not take.
    fn set_key(&mut self, key: &[u8]) -> Result<()>;

    /// Refuses keys that the cipher's standard calls weak. Only asked where weak keys are forbidden.
    ///
    /// # Errors
    /// [`Error::WeakKey`].
    fn check_weak_key(&self, _key: &[u8]) -> Result<()> {
        Ok(())
    }

    /// Encrypts one block in place.
    fn encrypt_block(&self, block: &mut [u8]);

    /// Decrypts one block in place.
    fn decrypt_block(&self, block: &mut [u8]);

    /// Encrypts a run of whole blocks, each on its own.
    fn encrypt_blocks(&self, mut io: InOut<'_>) {
        io.copy();
        io.dst().chunks_exact_mut(self.block_size()).for_each(|block| self.encrypt_block(block));
    }

    /// Decrypts a run of whole blocks, each on its own.
    fn decrypt_blocks(&self, mut io: InOut<'_>) {
        io.copy();
        io.dst().chunks_exact_mut(self.block_size()).for_each(|block| self.decrypt_block(block));
    }

    /// CBC encryption of whole blocks (SP 800-38A, 6.2); `iv` becomes the last ciphertext block.
    fn cbc_encrypt(&self, iv: &mut [u8], io: InOut<'_>) {
        chain::Cbc::run([Blocks::new(self)], Dir::Encrypt, iv, io);
    }

    /// CBC decryption of whole blocks (SP 800-38A, 6.2); `iv` becomes the last ciphertext block.
    fn cbc_decrypt(&self, iv: &mut [u8], io: InOut<'_>) {
        chain::Cbc::run([Blocks::new(self)], Dir::Decrypt, iv, io);
    }

    /// CBC-MAC of whole blocks: CBC encryption of which only the last block is kept, in `chain`.
    fn cbc_mac(&self, chain: &mut [u8], blocks: &[u8]) {
        for block in blocks.chunks_exact(self.block_size()) {
            match (chain.as_chunks_mut::<16>(), block.as_chunks::<16>()) {
                // As one number: the cipher would wait for single bytes to be stored before it can load words.
                (([sum], []), ([block], [])) => {
                    *sum = (u128::from_le_bytes(*sum) ^ u128::from_le_bytes(*block)).to_le_bytes();
                }
                _ => chain.iter_mut().zip(block).for_each(|(c, b)| *c ^= b),
            }
            self.encrypt_block(chain);
        }
    }

    /// CTR encryption or decryption (SP 800-38A, 6.5) of any length; `counter` is a big-endian number as
    /// wide as the block and advances by the blocks used, a partial one included.
    fn ctr(&self, counter: &mut [u8], io: InOut<'_>) {
        chain::Ctr::run([Blocks::new(self)], Dir::Encrypt, counter, io);
    }
}

/// A block cipher as a caller holds it: checked lengths, typed errors, key wiped on drop.
///
/// ```no_run
/// # fn main() -> kcrypto_core::Result<()> {
/// # let registry = kcrypto_core::Registry::new();
/// let mut aes = registry.cipher("aes")?;
/// aes.set_key(&[0; 16])?;
/// let mut block = [0u8; 16];
/// aes.encrypt(&mut block)?;
/// # Ok(())
/// # }
/// ```
pub struct Cipher {
    tfm: Box<dyn CipherDriver>,
    alg: Arc<Alg>,
    block_size: usize,
    keys: KeySizes,
    min_key: usize,
    keyed: bool,
    forbid_weak_keys: bool,
}

impl Cipher {
    pub(crate) fn new(alg: Arc<Alg>, min_key: usize) -> Result<Self> {
        let crate::Kind::Cipher(limits) = &alg.kind else {
            return Err(Error::NotSupported { what: "use as a block cipher" });
        };
        Ok(Cipher {
            tfm: limits.make.call()?,
            block_size: limits.block_size,
            keys: limits.keys,
            min_key,
            keyed: limits.keys.max == 0,
            alg,
            forbid_weak_keys: false,
        })
    }

    /// The algorithm that was chosen.
    pub fn alg(&self) -> &Alg {
        &self.alg
    }

    /// Block size in bytes.
    pub fn block_size(&self) -> usize {
        self.block_size
    }

    /// Key lengths accepted.
    pub fn key_sizes(&self) -> KeySizes {
        self.keys
    }

    /// From now on refuses keys that the cipher's standard calls weak.
    pub fn forbid_weak_keys(&mut self) {
        self.forbid_weak_keys = true;
    }

    /// Sets the key. After an error no key is set, also if one was before. A cipher that takes none works without.
    ///
    /// # Errors
    /// [`Error::BadKeyLen`], [`Error::WeakKey`]; [`Error::Denied`] for a key shorter than the policy's minimum.
    pub fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.keyed = self.keys.max == 0;
        self.keys.check(key.len())?;
        crate::policy::check_key(self.min_key, key.len())?;
        if self.forbid_weak_keys {
            self.tfm.check_weak_key(key)?;
        }
        self.tfm.set_key(key)?;
        self.keyed = true;
        Ok(())
    }

    /// Encrypts whole blocks, each on its own (ECB).
    ///
    /// # Errors
    /// [`Error::NeedKey`]; [`Error::BadLength`] unless the length is a multiple of the block size.
    pub fn encrypt<'a>(&self, io: impl Into<InOut<'a>>) -> Result<()> {
        let io = io.into();
        self.check(io.len())?;
        self.tfm.encrypt_blocks(io);
        Ok(())
    }

    /// Decrypts whole blocks, each on its own (ECB).
    ///
    /// # Errors
    /// As [`Cipher::encrypt`].
    pub fn decrypt<'a>(&self, io: impl Into<InOut<'a>>) -> Result<()> {
        let io = io.into();
        self.check(io.len())?;
        self.tfm.decrypt_blocks(io);
        Ok(())
    }

    fn check(&self, len: usize) -> Result<()> {
        if !self.keyed {
            return Err(Error::NeedKey);
        }
        if !len.is_multiple_of(self.block_size) {
            return Err(Error::BadLength { len, accepted: crate::Length::blocks(self.block_size) });
        }
        Ok(())
    }
}

impl fmt::Debug for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cipher").field("alg", &self.alg).field("keyed", &self.keyed).finish_non_exhaustive()
    }
}
