//! What can be wrong: one method of a driver at a time.

use kcrypto_core::batch::Job;
use kcrypto_core::{
    Aad, Aead, AeadDriver, CipherDriver, Dir, InOut, Lens, Result, Shash, ShashDriver, SkcipherDriver, State,
};

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
