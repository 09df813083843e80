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

use kcrypto_core::chain::{self, Numbers};
use kcrypto_core::engine::{Block, Engine, Fused, Mode, Registers};
use kcrypto_core::{
    Alg, CipherDriver, Create, Dir, InOut, Kind, KindTag, Length, Make, Result, SkcipherAlg, SkcipherDriver,
    State, Template,
};
use zeroize::Zeroize;

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
        make: Make::<dyn SkcipherDriver>::instance(move || {
            Ok(Box::new(Cts { cbc: Boxed { block_size, cbc: cbc.make()? } }))
        }),
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
}

/// What [`Cts`] works over: a boxed CBC, or a cipher with everything in one function.
pub trait Cbc: Send + Sync + 'static {
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
        let calls = Calls { cbc: &*self.cbc, numbers: Numbers { size } };
        if io.len().is_multiple_of(size) {
            calls.swap(dir, iv, io);
        } else {
            steal(calls, dir, iv, io);
        }
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

/// More than one block; `iv` becomes Y.
#[inline(always)]
fn steal<C: Chain>(c: C, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
    match dir {
        Dir::Encrypt => encrypt(c, iv, io),
        Dir::Decrypt => decrypt(c, iv, io),
    }
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
    type Registers: Registers;

    fn registers(self) -> Self::Registers;
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
    type Registers = E::Registers;

    #[inline(always)]
    fn registers(self) -> E::Registers {
        self.0.registers()
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

/// The chain of a boxed CBC: two calls a message.
#[derive(Clone, Copy)]
struct Calls<'a> {
    cbc: &'a dyn SkcipherDriver,
    numbers: Numbers,
}

impl Chain for Calls<'_> {
    type Registers = Numbers;

    #[inline(always)]
    fn registers(self) -> Numbers {
        self.numbers
    }

    #[inline(always)]
    fn encrypt(self, iv: &mut [u8], io: InOut<'_>, next: u128) -> (u128, u128) {
        let mut next = next.to_le_bytes();
        self.cbc.crypt(Dir::Encrypt, iv, io);
        let x = self.numbers.load(iv);
        self.cbc.crypt(Dir::Encrypt, iv, InOut::in_place(&mut next[..self.numbers.size]));
        (x, u128::from_le_bytes(next))
    }

    #[inline(always)]
    fn decrypt(self, iv: &mut [u8], mut io: InOut<'_>, before: u128) -> u128 {
        self.cbc.crypt(Dir::Decrypt, iv, io.reborrow());
        let at = io.len() - self.numbers.size;
        self.numbers.load(&io.dst()[at..]) ^ before
    }

    #[inline(always)]
    fn decrypt_one(self, block: u128) -> u128 {
        let mut block = block.to_le_bytes();
        let io = InOut::in_place(&mut block[..self.numbers.size]);
        self.cbc.crypt(Dir::Decrypt, &mut [0; 16][..self.numbers.size], io);
        let plain = u128::from_le_bytes(block);
        block.as_mut_slice().zeroize();
        plain
    }
}

impl Calls<'_> {
    /// Two or more whole blocks: one call of the CBC, whose last two blocks change places.
    #[inline(always)]
    fn swap(self, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        let r = self.numbers;
        let pair = io.len() - 2 * r.size;
        match dir {
            Dir::Encrypt => {
                self.cbc.crypt(dir, iv, io.reborrow());
                let (x, y) = io.dst()[pair..].split_at_mut(r.size);
                x.swap_with_slice(y);
            }
            Dir::Decrypt => {
                let before = if pair == 0 { r.load(iv) } else { r.load(&io.src()[pair - r.size..pair]) };
                let (y, x) = io.src()[pair..].split_at(r.size);
                let (y, x) = (r.load(y), r.load(x));
                self.cbc.crypt(dir, iv, io.reborrow());
                // It has taken Y for what comes before X, and `before` for what comes before Y.
                let (first, second) = io.dst()[pair..].split_at_mut(r.size);
                let (from_y, from_x) = (r.load(first) ^ before, r.load(second) ^ y);
                r.store(from_x ^ before, first);
                r.store(from_y ^ x, second);
                r.store(y, iv);
            }
        }
    }
}
