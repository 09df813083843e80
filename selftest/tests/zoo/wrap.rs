//! Wrappers that hand every call to a right driver, through a fault.

use kcrypto_core::batch::Job;
use kcrypto_core::{
    Alg, CipherDriver, Dir, InOut, Kind, KindTag, Make, Registry, Result, SkcipherAlg, SkcipherDriver, State,
    Want,
};

/// A wrong driver.
pub(crate) struct Specimen {
    /// The name that it answers.
    over: &'static str,
    pub(crate) fault: &'static str,
    /// What the report must say.
    pub(crate) says: &'static str,
    make: Faulty,
    declare: fn(&mut SkcipherAlg),
}

enum Faulty {
    Cipher(fn() -> Box<dyn CipherFault>),
    Skcipher(fn() -> Box<dyn Fault>),
}

impl Specimen {
    pub(crate) fn cipher(
        over: &'static str,
        fault: &'static str,
        says: &'static str,
        make: fn() -> Box<dyn CipherFault>,
    ) -> Self {
        Specimen { over, fault, says, make: Faulty::Cipher(make), declare: |_| {} }
    }

    pub(crate) fn skcipher(
        over: &'static str,
        fault: &'static str,
        says: &'static str,
        make: fn() -> Box<dyn Fault>,
    ) -> Self {
        Specimen { over, fault, says, make: Faulty::Skcipher(make), declare: |_| {} }
    }

    /// Declares other limits than the driver it wraps.
    pub(crate) fn declaring(self, declare: fn(&mut SkcipherAlg)) -> Self {
        Specimen { declare, ..self }
    }

    /// Its description, as its author would register it.
    pub(crate) fn alg(&self, registry: &Registry) -> Alg {
        let kind = match self.make {
            Faulty::Cipher(_) => KindTag::Cipher,
            Faulty::Skcipher(_) => KindTag::Skcipher,
        };
        let right = registry.resolve(self.over, Want::new(kind)).unwrap().alg;
        let kind = match (right.kind.clone(), &self.make) {
            (Kind::Cipher(mut limits), &Faulty::Cipher(fault)) => {
                let inner = limits.make;
                limits.make =
                    Make::cipher(move || Ok(WrappedCipher { inner: inner.call()?, fault: fault() }));
                Kind::Cipher(limits)
            }
            (Kind::Skcipher(mut limits), &Faulty::Skcipher(fault)) => {
                let inner = limits.make;
                limits.make = Make::skcipher(move || Ok(Wrapped { inner: inner.call()?, fault: fault() }));
                (self.declare)(&mut limits);
                Kind::Skcipher(limits)
            }
            _ => unreachable!("the kind was asked for"),
        };
        Alg::new(self.over.into(), "wrong".into(), kind).with_priority(1000)
    }
}

/// What is wrong with a symmetric-key cipher. Each method may be replaced; none is wrong by itself.
pub(crate) trait Fault: Send + Sync {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        right.set_key(key)
    }

    fn check_weak_key(&self, right: &dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        right.check_weak_key(key)
    }

    fn begin(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &[u8], state: &mut State) {
        right.begin(dir, iv, state);
    }

    fn run(&self, right: &dyn SkcipherDriver, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        right.run(dir, state, io, last);
    }

    fn end(&self, right: &dyn SkcipherDriver, dir: Dir, state: &State, iv_out: &mut [u8]) {
        right.end(dir, state, iv_out);
    }

    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        right.crypt(dir, iv, io);
    }

    /// What it leaves undone is done one by one.
    fn crypt_batch(&self, _jobs: &mut [Job<'_>]) {}
}

/// What is wrong with a block cipher.
pub(crate) trait CipherFault: Send + Sync {
    fn block_size(&self, right: &dyn CipherDriver) -> usize {
        right.block_size()
    }

    fn set_key(&mut self, right: &mut dyn CipherDriver, key: &[u8]) -> Result<()> {
        right.set_key(key)
    }

    fn blocks(&self, right: &dyn CipherDriver, dir: Dir, io: InOut<'_>) {
        match dir {
            Dir::Encrypt => right.encrypt_blocks(io),
            Dir::Decrypt => right.decrypt_blocks(io),
        }
    }

    fn cbc(&self, right: &dyn CipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        match dir {
            Dir::Encrypt => right.cbc_encrypt(iv, io),
            Dir::Decrypt => right.cbc_decrypt(iv, io),
        }
    }

    fn ctr(&self, right: &dyn CipherDriver, counter: &mut [u8], io: InOut<'_>) {
        right.ctr(counter, io);
    }
}

/// Nothing is wrong.
pub(crate) struct Right;

impl Fault for Right {}
impl CipherFault for Right {}

/// A symmetric-key cipher with a fault.
pub(crate) struct Wrapped {
    pub(crate) inner: Box<dyn SkcipherDriver>,
    fault: Box<dyn Fault>,
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

struct WrappedCipher {
    inner: Box<dyn CipherDriver>,
    fault: Box<dyn CipherFault>,
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
