//! Drivers that hand every call to a right one, through a fault.

use kcrypto_core::batch::Job;
use kcrypto_core::{
    Aad, Aead, AeadDriver, CipherDriver, Dir, InOut, Lens, Result, Shash, ShashDriver, SkcipherDriver, State,
};

use crate::wrap::{AeadFault, CipherFault, Fault, HashFault};

/// A symmetric-key cipher with a fault.
pub(crate) struct Wrapped {
    pub(crate) inner: Box<dyn SkcipherDriver>,
    pub(super) fault: Box<dyn Fault>,
}

impl SkcipherDriver for Wrapped {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.fault.set_key(&mut *self.inner, key)
    }

    fn check_weak_key(&self, key: &[u8]) -> Result<()> {
        self.fault.check_weak_key(&*self.inner, key)
    }

    fn begin(&self, dir: Dir, iv: &[u8], state: &mut State) {
        self.fault.begin(&*self.inner, dir, iv, state);
    }

    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        self.fault.run(&*self.inner, dir, state, io, last);
    }

    fn end(&self, dir: Dir, state: &State, iv_out: &mut [u8]) {
        self.fault.end(&*self.inner, dir, state, iv_out);
    }

    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        self.fault.crypt(&*self.inner, dir, iv, io);
    }

    fn crypt_batch(&self, jobs: &mut [Job<'_>]) {
        self.fault.crypt_batch(jobs);
    }
}

/// A block cipher with a fault.
pub(crate) struct WrappedCipher {
    pub(crate) inner: Box<dyn CipherDriver>,
    pub(super) fault: Box<dyn CipherFault>,
}

impl CipherDriver for WrappedCipher {
    fn block_size(&self) -> usize {
        self.fault.block_size(&*self.inner)
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.fault.set_key(&mut *self.inner, key)
    }

    fn encrypt_block(&self, block: &mut [u8]) {
        self.inner.encrypt_block(block);
    }

    fn decrypt_block(&self, block: &mut [u8]) {
        self.inner.decrypt_block(block);
    }

    fn encrypt_blocks(&self, io: InOut<'_>) {
        self.fault.blocks(&*self.inner, Dir::Encrypt, io);
    }

    fn decrypt_blocks(&self, io: InOut<'_>) {
        self.fault.blocks(&*self.inner, Dir::Decrypt, io);
    }

    fn cbc_encrypt(&self, iv: &mut [u8], io: InOut<'_>) {
        self.fault.cbc(&*self.inner, Dir::Encrypt, iv, io);
    }

    fn cbc_decrypt(&self, iv: &mut [u8], io: InOut<'_>) {
        self.fault.cbc(&*self.inner, Dir::Decrypt, iv, io);
    }

    fn ctr(&self, counter: &mut [u8], io: InOut<'_>) {
        self.fault.ctr(&*self.inner, counter, io);
    }
}

/// A hash with a fault.
pub(crate) struct WrappedHash {
    pub(crate) inner: Box<dyn ShashDriver>,
    pub(super) fault: Box<dyn HashFault>,
}

impl ShashDriver for WrappedHash {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.fault.set_key(&mut *self.inner, key)
    }

    fn init(&self, state: &mut [u8]) {
        self.fault.init(&*self.inner, state);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        self.fault.update(&*self.inner, state, blocks);
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        self.fault.finish(&*self.inner, state, tail, total, digest);
    }

    fn check_total(&self, total: u64) -> Result<()> {
        self.inner.check_total(total)
    }

    fn is_state(&self, state: &[u8]) -> bool {
        self.fault.is_state(&*self.inner, state)
    }

    fn digest(&self, message: &[u8], digest: &mut [u8]) -> bool {
        self.fault.digest(&*self.inner, message, digest)
    }

    fn digest_batch(&self, jobs: &mut [Job<'_, Shash>]) {
        self.fault.digest_batch(jobs);
    }
}

/// An AEAD with a fault.
pub(crate) struct WrappedAead {
    pub(crate) inner: Box<dyn AeadDriver>,
    pub(super) fault: Box<dyn AeadFault>,
}

impl AeadDriver for WrappedAead {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.fault.set_key(&mut *self.inner, key)
    }

    fn check(&self, iv: &[u8], lens: Lens) -> Result<()> {
        self.fault.check(&*self.inner, iv, lens)
    }

    fn begin(&self, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        self.fault.begin(&*self.inner, dir, iv, lens, state);
    }

    fn aad(&self, state: &mut State, run: &[u8], last: bool) {
        self.fault.aad(&*self.inner, state, run, last);
    }

    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        self.fault.run(&*self.inner, dir, state, io, last);
    }

    fn end(&self, dir: Dir, state: &mut State, tag: &mut [u8]) {
        self.fault.end(&*self.inner, dir, state, tag);
    }

    fn crypt(&self, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) {
        self.fault.crypt(&*self.inner, dir, iv, aad, io, tag);
    }

    fn crypt_batch(&self, jobs: &mut [Job<'_, Aead>]) {
        self.fault.crypt_batch(jobs);
    }
}

/// An AEAD through a fault, for those who make their descriptions themselves.
pub(crate) fn wrapped_aead(inner: Box<dyn AeadDriver>, fault: Box<dyn AeadFault>) -> WrappedAead {
    WrappedAead { inner, fault }
}
