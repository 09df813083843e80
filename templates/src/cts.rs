//! `cts(cbc(cipher))`: CBC with ciphertext stealing (SP 800-38A addendum, CBC-CS3; RFC 3962, 5).
//!
//! ```text
//!   plaintext   P1 ... Pm-1            ‖ Pm (1 to b bytes)
//!               │ CBC                    │ padded with zeros
//!               X1 ... Xm-1 ───────────▶ ⊕ ─▶ E ─▶ Y
//!   ciphertext  X1 ... Xm-2 ‖ Y        ‖ Xm-1, cut to the length of Pm
//! ```
//!
//! The child is a CBC whose IV is one block of 1 to 16 bytes. The last two blocks change places even where
//! the length is a multiple of the block; a message of exactly one block is plain CBC. The IV becomes Y.
//! Messages have at least one block.

use alloc::boxed::Box;

use kcrypto_core::batch::Job;
use kcrypto_core::chain::{self, Numbers};
use kcrypto_core::engine::{Block, Engine, Fused, Mode, Registers};
use kcrypto_core::{
    Alg, CipherDriver, Create, Dir, InOut, Kind, KindTag, Length, Make, Result, SkcipherAlg, SkcipherDriver,
    State, Template,
};
use zeroize::Zeroize;

use crate::cbc::encryptions;
use crate::lanes::{self, Message, Parallel};

/// The template.
pub const CTS: Template = Template { name: "cts", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static CTS_LINK: Template = CTS;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Skcipher)?;
    let cbc = c.skcipher(c.arg(0)?)?;
    let block_size = cbc.limits.block_size;
    if cbc.limits.iv_size != block_size {
        return Err(c.bad_child(&cbc.alg, "the IV must be one block"));
    }
    if !cbc.alg.name.starts_with("cbc(") {
        return Err(c.bad_child(&cbc.alg, "it must be a cbc(..)"));
    }
    if block_size > 16 {
        return Err(c.bad_child(&cbc.alg, "the block size must be at most 16 bytes"));
    }
    c.instance(Kind::Skcipher(SkcipherAlg {
        block_size,
        iv_size: block_size,
        chunk_size: cbc.limits.chunk_size,
        walk_size: cbc.limits.chunk_size,
        tail: block_size + 1,
        length: Length::at_least(block_size),
        keys: cbc.limits.keys,
        state_size: block_size,
        make: Make::skcipher(move || Ok(Cts { cbc: Boxed { block_size, cbc: cbc.make()? } })),
    }))
}

/// Stealing over a CBC. Its state is the chaining block.
pub struct Cts<C> {
    cbc: C,
}

impl<F: Fused + CipherDriver> Cts<F> {
    /// Over a cipher that compiles CBC and stealing into one function.
    pub fn fused(cipher: F) -> Self {
        Cts { cbc: cipher }
    }
}

impl<C: Cbc> SkcipherDriver for Cts<C> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.cbc.set_key(key)
    }

    fn check_weak_key(&self, key: &[u8]) -> Result<()> {
        self.cbc.check_weak_key(key)
    }

    fn begin(&self, _dir: Dir, iv: &[u8], state: &mut State) {
        state.bytes_mut()[..iv.len()].copy_from_slice(iv);
    }

    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        let iv = &mut state.bytes_mut()[..self.cbc.block_size()];
        if last {
            self.cbc.finish(dir, iv, io);
        } else {
            self.cbc.chain(dir, iv, io);
        }
    }

    fn end(&self, _dir: Dir, state: &State, iv_out: &mut [u8]) {
        iv_out.copy_from_slice(&state.bytes()[..iv_out.len()]);
    }

    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        self.cbc.finish(dir, iv, io);
    }

    fn crypt_batch(&self, jobs: &mut [Job<'_>]) {
        lanes::chains(
            encryptions(jobs, |mode: &Self| mode.cbc.goes_with(&self.cbc))
                .map(|(mode, job)| Stolen { cbc: &mode.cbc, job }),
        );
    }
}

/// What [`Cts`] works over: a boxed CBC, or a cipher with everything in one function.
pub trait Cbc: Parallel + Send + Sync {
    /// Block size in bytes.
    fn block_size(&self) -> usize;
    /// As [`SkcipherDriver::set_key`].
    ///
    /// # Errors
    /// Those of the cipher.
    fn set_key(&mut self, key: &[u8]) -> Result<()>;
    /// As [`SkcipherDriver::check_weak_key`].
    ///
    /// # Errors
    /// Those of the cipher.
    fn check_weak_key(&self, key: &[u8]) -> Result<()>;
    /// CBC of whole blocks.
    fn chain(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>);
    /// The end of a message, or a whole one, of at least one block.
    fn finish(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>);
}

/// Any CBC that was chosen at run time.
struct Boxed {
    cbc: Box<dyn SkcipherDriver>,
    block_size: usize,
}

impl Parallel for Boxed {}

impl Cbc for Boxed {
    fn block_size(&self) -> usize {
        self.block_size
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.cbc.set_key(key)
    }

    fn check_weak_key(&self, key: &[u8]) -> Result<()> {
        self.cbc.check_weak_key(key)
    }

    fn chain(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        self.cbc.crypt(dir, iv, io);
    }

    fn finish(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        match self.block_size {
            size if io.len() <= size => self.chain(dir, iv, io),
            // The same with a constant, which makes copies of blocks single moves.
            16 => self.steal(16, dir, iv, io),
            size => self.steal(size, dir, iv, io),
        }
    }
}

impl Boxed {
    #[inline(always)]
    fn steal(&self, size: usize, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        steal(Calls { cbc: &*self.cbc, numbers: Numbers { size } }, dir, iv, io);
    }
}

impl<F: Fused + CipherDriver> Cbc for F {
    fn block_size(&self) -> usize {
        CipherDriver::block_size(self)
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        CipherDriver::set_key(self, key)
    }

    fn check_weak_key(&self, key: &[u8]) -> Result<()> {
        CipherDriver::check_weak_key(self, key)
    }

    fn chain(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        F::enter::<1, chain::Cbc>([self], dir, iv, io);
    }

    fn finish(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        F::enter::<1, Finish>([self], dir, iv, io);
    }
}

/// [`Cbc::finish`] inside a fused driver.
enum Finish {}

impl Mode<1> for Finish {
    #[inline(always)]
    fn run<E: Engine>([e]: [E; 1], dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        if io.len() <= e.registers().block_size() {
            chain::Cbc::run([e], dir, iv, io);
        } else {
            steal(Inline(e), dir, iv, io);
        }
    }
}

/// A message to be encrypted beside others: CBC of the whole blocks before its end, which is padded, chained as well
/// and changes places with the block before it.
struct Stolen<'j, 'a, C> {
    cbc: &'a C,
    job: &'j mut Job<'a>,
}

impl<C: Cbc> Message for Stolen<'_, '_, C> {
    type Key = C;
    type Text<'l>
        = InOut<'l>
    where
        Self: 'l;

    fn block_size(&self) -> usize {
        self.cbc.block_size()
    }

    fn start(&mut self) -> (usize, bool) {
        let (size, len) = (self.cbc.block_size(), self.job.parts().2.len());
        if len > size { (len - last_pair(len, size).1, true) } else { (len, false) }
    }

    fn parts(&mut self) -> (&C, &mut [u8], InOut<'_>) {
        let (_, iv, io) = self.job.parts();
        (self.cbc, iv, io)
    }

    fn last(&mut self, block: &mut [u8]) {
        let (whole, _) = self.start();
        let (.., io) = self.job.parts();
        let tail = &io.src()[whole..];
        block[..tail.len()].copy_from_slice(tail);
    }

    fn end(&mut self) {
        if let (whole, true) = self.start() {
            let (_, y, mut io) = self.job.parts();
            let (blocks, tail) = io.dst().split_at_mut(whole);
            let x = &mut blocks[whole - y.len()..];
            tail.copy_from_slice(&x[..tail.len()]);
            x.copy_from_slice(y);
        }
        self.job.complete();
    }
}

/// More than one block; `iv` becomes Y.
#[inline(always)]
fn steal<C: Chain>(c: C, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
    let whole = io.len().is_multiple_of(c.registers().block_size());
    match dir {
        Dir::Encrypt if whole && C::CALLS => encrypt_whole(c, iv, io),
        Dir::Encrypt => encrypt(c, iv, io),
        Dir::Decrypt if whole => decrypt_whole(c, iv, io),
        Dir::Decrypt => decrypt(c, iv, io),
    }
}

/// Encryption of whole blocks: plain CBC whose last two blocks change places.
#[inline(always)]
fn encrypt_whole<C: Chain>(c: C, iv: &mut [u8], mut io: InOut<'_>) {
    let size = c.registers().block_size();
    c.cbc(Dir::Encrypt, iv, io.reborrow());
    let pair = io.len() - 2 * size;
    let (x, y) = io.dst()[pair..].split_at_mut(size);
    x.swap_with_slice(y);
}

/// Decryption of whole blocks: as plain CBC, so that no block waits for another; then the last two are moved and
/// chained as they should have been.
#[inline(always)]
fn decrypt_whole<C: Chain>(c: C, iv: &mut [u8], mut io: InOut<'_>) {
    let r = c.registers();
    let size = r.block_size();
    let pair = io.len() - 2 * size;
    let before = if pair == 0 { r.load(iv) } else { r.load(&io.src()[pair - size..pair]) };
    let (y, x) = io.src()[pair..].split_at(size);
    let (y, x) = (r.load(y), r.load(x));
    let from_x = c.decrypt(iv, io.reborrow(), y);
    let (first, second) = io.dst()[pair..].split_at_mut(size);
    let from_y = r.xor(r.load(first), before);
    r.store(r.xor(from_x, before), first);
    r.store(r.xor(from_y, x), second);
    r.store(y, iv);
}

/// CBC-CS3 encryption; the last two blocks are `pair`, the second of `n` bytes.
#[inline(always)]
fn encrypt<C: Chain>(c: C, iv: &mut [u8], mut io: InOut<'_>) {
    let r = c.registers();
    let (pair, n) = last_pair(io.len(), r.block_size());
    // Read the tail before anything is written: it shares its load with the block before.
    let tail = r.load_tail(&io.src()[pair..]);
    let whole = io.len() - n;
    let (x, y) = c.encrypt(iv, io.reborrow().split_at(whole).0, tail);
    r.store_tail(y, x, &mut io.dst()[pair..]);
}

/// CBC-CS3 decryption; the last two blocks are `pair`, the second of `n` bytes.
#[inline(always)]
fn decrypt<C: Chain>(c: C, iv: &mut [u8], mut io: InOut<'_>) {
    let r = c.registers();
    let size = r.block_size();
    let (pair, n) = last_pair(io.len(), size);
    let tail = r.load_tail(&io.src()[pair..]);
    let before = if pair == 0 { r.load(iv) } else { r.load(&io.src()[pair - size..pair]) };
    // 1. CBC up to Y, of which D(Y) is taken before it is unchained.
    let whole = io.len() - n;
    let d = c.decrypt(iv, io.reborrow().split_at(whole).0, before);
    // 2. D(Y) is the padded tail XOR X: its end completes what was cut off X.
    let x = r.splice(tail, n, d);
    // 3. The whole block is CBC again.
    let plain = r.xor(c.decrypt_one(x), before);
    r.store_tail(plain, r.xor(d, tail), &mut io.dst()[pair..]);
}

/// Where the last two blocks begin, and how many bytes the last one has: 1 to `size`.
#[inline(always)]
fn last_pair(len: usize, size: usize) -> (usize, usize) {
    let n = (len - 1) % size + 1;
    (len - n - size, n)
}

/// A keyed CBC with its registers.
trait Chain: Copy {
    /// Whether each use of it is a call, so that fewer are better.
    const CALLS: bool;
    type Registers: Registers;

    fn registers(self) -> Self::Registers;
    /// CBC of `io`.
    fn cbc(self, dir: Dir, iv: &mut [u8], io: InOut<'_>);
    /// CBC of `io` and of `next` after it; returns the last two ciphertext blocks, of which `iv` becomes the
    /// second. The first need not be written.
    fn encrypt(self, iv: &mut [u8], io: InOut<'_>, next: BlockOf<Self>) -> (BlockOf<Self>, BlockOf<Self>);
    /// CBC of `io`, whose last ciphertext block comes after `before` and becomes `iv`; returns what it decrypts to
    /// before it is unchained.
    fn decrypt(self, iv: &mut [u8], io: InOut<'_>, before: BlockOf<Self>) -> BlockOf<Self>;
    /// One block by itself.
    fn decrypt_one(self, block: BlockOf<Self>) -> BlockOf<Self>;
}

type BlockOf<C> = <<C as Chain>::Registers as Registers>::Block;

/// The chain of an engine.
#[derive(Clone, Copy)]
struct Inline<E>(E);

impl<E: Engine> Chain for Inline<E> {
    const CALLS: bool = false;
    type Registers = E::Registers;

    #[inline(always)]
    fn registers(self) -> E::Registers {
        self.0.registers()
    }

    #[inline(always)]
    fn cbc(self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        chain::Cbc::run([self.0], dir, iv, io);
    }

    #[inline(always)]
    fn encrypt(self, iv: &mut [u8], io: InOut<'_>, next: Block<E>) -> (Block<E>, Block<E>) {
        let r = self.registers();
        let link = self.0.chain(r.load(iv), io);
        let (x, link) = self.0.link(link, next);
        let y = self.0.last(link);
        r.store(y, iv);
        (x, y)
    }

    #[inline(always)]
    fn decrypt(self, iv: &mut [u8], io: InOut<'_>, _before: Block<E>) -> Block<E> {
        let r = self.registers();
        let (y, decrypted) = chain::cbc_decrypt(self.0, r.load(iv), io);
        r.store(y, iv);
        decrypted
    }

    #[inline(always)]
    fn decrypt_one(self, block: Block<E>) -> Block<E> {
        self.0.decrypt(block)
    }
}

/// The chain of a boxed CBC: two calls a message, one for whole blocks.
#[derive(Clone, Copy)]
struct Calls<'a> {
    cbc: &'a dyn SkcipherDriver,
    numbers: Numbers,
}

impl Chain for Calls<'_> {
    const CALLS: bool = true;
    type Registers = Numbers;

    #[inline(always)]
    fn registers(self) -> Numbers {
        self.numbers
    }

    #[inline(always)]
    fn cbc(self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        self.cbc.crypt(dir, iv, io);
    }

    #[inline(always)]
    fn encrypt(self, iv: &mut [u8], io: InOut<'_>, next: u128) -> (u128, u128) {
        let mut next = next.to_le_bytes();
        self.cbc(Dir::Encrypt, iv, io);
        let x = self.numbers.load(iv);
        self.cbc(Dir::Encrypt, iv, InOut::in_place(&mut next[..self.numbers.size]));
        (x, u128::from_le_bytes(next))
    }

    #[inline(always)]
    fn decrypt(self, iv: &mut [u8], mut io: InOut<'_>, before: u128) -> u128 {
        self.cbc(Dir::Decrypt, iv, io.reborrow());
        let at = io.len() - self.numbers.size;
        self.numbers.load(&io.dst()[at..]) ^ before
    }

    #[inline(always)]
    fn decrypt_one(self, block: u128) -> u128 {
        let mut block = block.to_le_bytes();
        let io = InOut::in_place(&mut block[..self.numbers.size]);
        self.cbc(Dir::Decrypt, &mut [0; 16][..self.numbers.size], io);
        let plain = u128::from_le_bytes(block);
        block.as_mut_slice().zeroize();
        plain
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use kcrypto_core::{Dir, Error, InOut, Skcipher};

    use crate::toy::{bytes, crypt, keyed, refusal, registry};

    #[test]
    fn refuses_children() {
        for name in ["cts(ctr(toy16))", "cts(ecb(toy16))", "cts(xts(toy16))", "cts(cts(cbc(toy16)))"] {
            assert!(matches!(refusal(name), Error::BadChild { .. }), "{name}");
        }
        assert!(matches!(refusal("cts(toy16)"), Error::NotFound { .. }));
    }

    #[test]
    fn refuses_less_than_a_block() {
        let tfm = keyed(&registry(), "cts(cbc(toy16))");
        for len in [0, 1, 15] {
            let refused = tfm.encrypt(&bytes(16), InOut::in_place(&mut bytes(len)));
            assert!(matches!(refused, Err(Error::BadLength { .. })), "{len}");
        }
    }

    /// Against the definition, spelled out over the CBC, for every block size and length.
    #[test]
    fn is_cbc_with_the_last_two_blocks_changed() {
        let registry = registry();
        for size in [1usize, 2, 4, 8, 16] {
            let cbc = keyed(&registry, &std::format!("cbc(toy{size})"));
            let cts = keyed(&registry, &std::format!("cts(cbc(toy{size}))"));
            for len in size..7 * size + 1 {
                let (iv, plain) = (bytes(size), bytes(len));
                let (cipher, iv_out) = definition(&cbc, size, &iv, &plain);
                let encrypted = crypt(&cts, Dir::Encrypt, &iv, &plain);
                assert_eq!(encrypted, (cipher.clone(), iv_out.clone()), "{size} {len}");
                assert_eq!(crypt(&cts, Dir::Decrypt, &iv, &cipher), (plain, iv_out), "{size} {len}");
            }
        }
    }

    fn definition(cbc: &Skcipher, size: usize, iv: &[u8], plain: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let mut padded = plain.to_vec();
        padded.resize(plain.len().next_multiple_of(size), 0);
        let (mut cipher, _) = crypt(cbc, Dir::Encrypt, iv, &padded);
        if cipher.len() > size {
            let pair = cipher.len() - 2 * size;
            cipher[pair..].rotate_left(size);
        }
        cipher.truncate(plain.len());
        let y = plain.len().next_multiple_of(size).saturating_sub(2 * size);
        let iv_out = cipher[y..y + size].to_vec();
        (cipher, iv_out)
    }
}
