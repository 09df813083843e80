//! Wrappers that hand every call to a right driver, through a fault.

use kcrypto_core::batch::Job;
use kcrypto_core::{
    Aad, Aead, AeadAlg, AeadDriver, Alg, CipherDriver, Dir, InOut, Kind, KindTag, Lens, Make, Registry,
    Result, Shash, ShashAlg, ShashDriver, SkcipherAlg, SkcipherDriver, State, Want,
};

/// A wrong driver.
pub(crate) struct Specimen {
    /// The name that it answers.
    pub(crate) over: &'static str,
    pub(crate) fault: &'static str,
    /// What the report must say.
    pub(crate) says: &'static str,
    make: Faulty,
    declare: fn(&mut Kind),
}

enum Faulty {
    Cipher(fn() -> Box<dyn CipherFault>),
    Skcipher(fn() -> Box<dyn Fault>),
    Shash(fn() -> Box<dyn HashFault>),
    Aead(fn() -> Box<dyn AeadFault>),
}

impl Specimen {
    pub(crate) fn cipher(
        over: &'static str,
        fault: &'static str,
        says: &'static str,
        make: fn() -> Box<dyn CipherFault>,
    ) -> Self {
        Specimen::new(over, fault, says, Faulty::Cipher(make))
    }

    pub(crate) fn skcipher(
        over: &'static str,
        fault: &'static str,
        says: &'static str,
        make: fn() -> Box<dyn Fault>,
    ) -> Self {
        Specimen::new(over, fault, says, Faulty::Skcipher(make))
    }

    pub(crate) fn shash(
        over: &'static str,
        fault: &'static str,
        says: &'static str,
        make: fn() -> Box<dyn HashFault>,
    ) -> Self {
        Specimen::new(over, fault, says, Faulty::Shash(make))
    }

    pub(crate) fn aead(
        over: &'static str,
        fault: &'static str,
        says: &'static str,
        make: fn() -> Box<dyn AeadFault>,
    ) -> Self {
        Specimen::new(over, fault, says, Faulty::Aead(make))
    }

    /// One without fault, of whatever kind answers the name.
    pub(crate) fn right(registry: &Registry, over: &'static str) -> Self {
        let is = |&&kind: &&KindTag| registry.resolve(over, Want::new(kind)).is_ok();
        let make = match KindTag::ALL.iter().find(is) {
            Some(KindTag::Cipher) => Faulty::Cipher(|| Box::new(Right)),
            Some(KindTag::Skcipher) => Faulty::Skcipher(|| Box::new(Right)),
            Some(KindTag::Shash) => Faulty::Shash(|| Box::new(Right)),
            Some(KindTag::Aead) => Faulty::Aead(|| Box::new(Right)),
            _ => panic!("nothing answers {over}"),
        };
        Specimen::new(over, "none", "", make)
    }

    fn new(over: &'static str, fault: &'static str, says: &'static str, make: Faulty) -> Self {
        Specimen { over, fault, says, make, declare: |_| {} }
    }

    /// Declares other limits than the driver it wraps.
    pub(crate) fn declaring(self, declare: fn(&mut Kind)) -> Self {
        Specimen { declare, ..self }
    }

    /// Its description, as its author would register it.
    pub(crate) fn alg(&self, registry: &Registry) -> Alg {
        let kind = match self.make {
            Faulty::Cipher(_) => KindTag::Cipher,
            Faulty::Skcipher(_) => KindTag::Skcipher,
            Faulty::Shash(_) => KindTag::Shash,
            Faulty::Aead(_) => KindTag::Aead,
        };
        let right = registry.resolve(self.over, Want::new(kind)).unwrap().alg;
        let mut kind = match (right.kind.clone(), &self.make) {
            (Kind::Cipher(mut limits), &Faulty::Cipher(fault)) => {
                let inner = limits.make;
                limits.make =
                    Make::cipher(move || Ok(WrappedCipher { inner: inner.call()?, fault: fault() }));
                Kind::Cipher(limits)
            }
            (Kind::Skcipher(mut limits), &Faulty::Skcipher(fault)) => {
                let inner = limits.make;
                limits.make = Make::skcipher(move || Ok(Wrapped { inner: inner.call()?, fault: fault() }));
                Kind::Skcipher(limits)
            }
            (Kind::Shash(mut limits), &Faulty::Shash(fault)) => {
                let inner = limits.make;
                limits.make = Make::shash(move || Ok(WrappedHash { inner: inner.call()?, fault: fault() }));
                Kind::Shash(limits)
            }
            (Kind::Aead(mut limits), &Faulty::Aead(fault)) => {
                let inner = limits.make;
                limits.make = Make::aead(move || Ok(WrappedAead { inner: inner.call()?, fault: fault() }));
                Kind::Aead(limits)
            }
            _ => unreachable!("the kind was asked for"),
        };
        (self.declare)(&mut kind);
        Alg::new(self.over.into(), "wrong".into(), kind).with_priority(1000).with_flags(right.flags)
    }
}

/// The limits that a symmetric-key cipher declares.
pub(crate) fn skcipher(kind: &mut Kind) -> &mut SkcipherAlg {
    let Kind::Skcipher(limits) = kind else { unreachable!("not a symmetric-key cipher") };
    limits
}

/// The limits that a hash declares.
pub(crate) fn shash(kind: &mut Kind) -> &mut ShashAlg {
    let Kind::Shash(limits) = kind else { unreachable!("not a hash") };
    limits
}

/// The limits that an AEAD declares.
pub(crate) fn aead(kind: &mut Kind) -> &mut AeadAlg {
    let Kind::Aead(limits) = kind else { unreachable!("not an AEAD") };
    limits
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

/// What is wrong with a hash.
pub(crate) trait HashFault: Send + Sync {
    fn set_key(&mut self, right: &mut dyn ShashDriver, key: &[u8]) -> Result<()> {
        right.set_key(key)
    }

    fn init(&self, right: &dyn ShashDriver, state: &mut [u8]) {
        right.init(state);
    }

    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        right.update(state, blocks);
    }

    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, total, digest);
    }

    fn is_state(&self, right: &dyn ShashDriver, state: &[u8]) -> bool {
        right.is_state(state)
    }

    /// Without a fast path of its own, what is wrong with the others shows in every call.
    fn digest(&self, _right: &dyn ShashDriver, _message: &[u8], _digest: &mut [u8]) -> bool {
        false
    }

    /// What it leaves undone is done one by one.
    fn digest_batch(&self, _jobs: &mut [Job<'_, Shash>]) {}
}

/// What is wrong with an AEAD.
pub(crate) trait AeadFault: Send + Sync {
    fn set_key(&mut self, right: &mut dyn AeadDriver, key: &[u8]) -> Result<()> {
        right.set_key(key)
    }

    fn check(&self, right: &dyn AeadDriver, iv: &[u8], lens: Lens) -> Result<()> {
        right.check(iv, lens)
    }

    fn begin(&self, right: &dyn AeadDriver, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        right.begin(dir, iv, lens, state);
    }

    fn aad(&self, right: &dyn AeadDriver, state: &mut State, run: &[u8], last: bool) {
        right.aad(state, run, last);
    }

    fn run(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        right.run(dir, state, io, last);
    }

    fn end(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, tag: &mut [u8]) {
        right.end(dir, state, tag);
    }

    /// The way through the others, so that what is wrong with them shows in every call.
    fn crypt(
        &self,
        right: &dyn AeadDriver,
        dir: Dir,
        iv: &[u8],
        aad: &Aad<'_>,
        io: InOut<'_>,
        tag: &mut [u8],
    ) {
        let lens = Lens { aad: aad.len(), text: io.len() as u64, tag: tag.len() };
        let mut state = State::new();
        self.begin(right, dir, iv, lens, &mut state);
        aad.runs(512, |run, last| self.aad(right, &mut state, run, last));
        if !io.is_empty() {
            self.run(right, dir, &mut state, io, true);
        }
        self.end(right, dir, &mut state, tag);
    }

    /// What it leaves undone is done one by one.
    fn crypt_batch(&self, _jobs: &mut [Job<'_, Aead>]) {}
}

/// Nothing is wrong.
pub(crate) struct Right;

impl Fault for Right {}
impl CipherFault for Right {}
impl AeadFault for Right {
    fn crypt(
        &self,
        right: &dyn AeadDriver,
        dir: Dir,
        iv: &[u8],
        aad: &Aad<'_>,
        io: InOut<'_>,
        tag: &mut [u8],
    ) {
        right.crypt(dir, iv, aad, io, tag);
    }
}
impl HashFault for Right {
    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        right.digest(message, digest)
    }
}

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

/// A hash with a fault.
pub(crate) struct WrappedHash {
    pub(crate) inner: Box<dyn ShashDriver>,
    fault: Box<dyn HashFault>,
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
    fault: Box<dyn AeadFault>,
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
