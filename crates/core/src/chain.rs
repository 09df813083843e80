//! The modes that every block cipher offers in bulk, written once over an [`Engine`].

use zeroize::Zeroize;

use crate::cipher::CipherDriver;
use crate::engine::{Block, Engine, Lanes, Mac, Masks, Mode, Registers};
use crate::{Dir, InOut};

/// Most blocks in one call of a cipher by [`Blocks`].
const LANES: usize = 32;

/// Whole blocks, each on its own (SP 800-38A, 6.1).
#[derive(Debug)]
pub enum Ecb {}

impl Mode<1> for Ecb {
    #[inline(always)]
    fn run<E: Engine>([e]: [E; 1], dir: Dir, _iv: &mut [u8], io: InOut<'_>) {
        match dir {
            Dir::Encrypt => e.encrypt_lanes(&mut Plain, io),
            Dir::Decrypt => e.decrypt_lanes(&mut Plain, io),
        }
    }
}

/// Whole blocks, chained (SP 800-38A, 6.2); the IV becomes the last ciphertext block.
#[derive(Debug)]
pub enum Cbc {}

impl Mode<1> for Cbc {
    #[inline(always)]
    fn run<E: Engine>([e]: [E; 1], dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        if io.is_empty() {
            return;
        }
        let r = e.registers();
        let first = r.load(iv);
        let last = match dir {
            Dir::Encrypt => cbc_encrypt(e, first, io),
            Dir::Decrypt => cbc_decrypt(e, first, io).0,
        };
        r.store(last, iv);
    }
}

/// Any length under a key stream of encrypted counters (SP 800-38A, 6.5).
///
/// The IV is one block, a big-endian number, and advances by the blocks used, a partial one included. Both
/// directions are the same.
#[derive(Debug)]
pub enum Ctr {}

impl Mode<1> for Ctr {
    #[inline(always)]
    fn run<E: Engine>([e]: [E; 1], _dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        let size = e.registers().block_size();
        let mut lanes = Count::new(e.registers(), read_counter(iv));
        // Lanes never carry out of the low 64 bits: where they would, the message is cut.
        let until_carry = (lanes.value as u64).wrapping_neg();
        if until_carry != 0 && until_carry < io.len().div_ceil(size) as u64 {
            let (head, rest) = io.split_at(until_carry as usize * size);
            e.encrypt_lanes(&mut lanes, head);
            io = rest;
        }
        e.encrypt_lanes(&mut lanes, io);
        iv.copy_from_slice(&lanes.value.to_be_bytes()[16 - size..]);
    }
}

/// CBC encryption of whole blocks of which only the last one is kept, in the place of the chain before.
#[derive(Debug)]
pub enum CbcMac {}

impl Mac for CbcMac {
    #[inline(always)]
    fn run<E: Engine>(e: E, _masks: &Masks, blocks: &[u8], chain: &mut [u8]) {
        let r = e.registers();
        if let Some((first, rest)) = blocks.split_at_checked(r.block_size()) {
            let x = e.start(r.load(chain), r.load(first));
            r.store(e.last(absorb(e, x, rest)), chain);
        }
    }
}

/// Goes on in a CBC-MAC with whole blocks.
#[inline(always)]
pub fn absorb<E: Engine>(e: E, mut x: E::Link, blocks: &[u8]) -> E::Link {
    let r = e.registers();
    for block in blocks.chunks_exact(r.block_size()) {
        x = e.link(x, r.load(block)).1;
    }
    x
}

/// CBC encryption of at least one block; returns the last ciphertext block.
#[inline(always)]
pub fn cbc_encrypt<E: Engine>(e: E, iv: Block<E>, mut io: InOut<'_>) -> Block<E> {
    let size = e.registers().block_size();
    let chain = e.last(e.chain(iv, io.reborrow()));
    let at = io.len() - size;
    e.registers().store(chain, &mut io.dst()[at..]);
    chain
}

/// CBC decryption; returns the last ciphertext block, and what that decrypts to before it is unchained. Both
/// are `iv` if there is no block.
#[inline(always)]
pub fn cbc_decrypt<E: Engine>(e: E, iv: Block<E>, io: InOut<'_>) -> (Block<E>, Block<E>) {
    let mut lanes = Unchain { chain: iv, decrypted: iv };
    e.decrypt_lanes(&mut lanes, io);
    (lanes.chain, lanes.decrypted)
}

/// ECB: nothing around the cipher.
struct Plain;

impl<R: Registers> Lanes<R> for Plain {
    type Keep = ();

    #[inline(always)]
    fn before(&mut self, r: R, _lane: usize, src: &[u8]) -> (R::Block, ()) {
        (r.load(src), ())
    }

    #[inline(always)]
    fn after(&mut self, _r: R, (): (), _src: &[u8], out: R::Block) -> R::Block {
        out
    }

    #[inline(always)]
    fn advance(&mut self, _r: R, _blocks: usize) {}
}

/// CBC decryption: XOR with the ciphertext block before.
struct Unchain<B> {
    chain: B,
    decrypted: B,
}

impl<R: Registers> Lanes<R> for Unchain<R::Block> {
    type Keep = R::Block;

    #[inline(always)]
    fn before(&mut self, r: R, _lane: usize, src: &[u8]) -> (R::Block, R::Block) {
        let cipher = r.load(src);
        (cipher, core::mem::replace(&mut self.chain, cipher))
    }

    #[inline(always)]
    fn after(&mut self, r: R, before: R::Block, _src: &[u8], out: R::Block) -> R::Block {
        self.decrypted = out;
        r.xor(out, before)
    }

    #[inline(always)]
    fn advance(&mut self, _r: R, _blocks: usize) {}
}

/// CTR: encrypts counters, XORs the message.
struct Count<R: Registers> {
    value: u128,
    counter: R::Counter,
}

impl<R: Registers> Count<R> {
    #[inline(always)]
    fn new(r: R, value: u128) -> Self {
        Count { value, counter: r.counter(value) }
    }
}

impl<R: Registers> Lanes<R> for Count<R> {
    const PARTIAL: bool = true;
    type Keep = ();

    #[inline(always)]
    fn before(&mut self, r: R, lane: usize, _src: &[u8]) -> (R::Block, ()) {
        (r.counter_block(self.counter, lane), ())
    }

    #[inline(always)]
    fn after(&mut self, r: R, (): (), src: &[u8], out: R::Block) -> R::Block {
        r.xor(out, r.load(src))
    }

    #[inline(always)]
    fn advance(&mut self, r: R, blocks: usize) {
        *self = Count::new(r, self.value.wrapping_add(blocks as u128));
    }
}

/// A big-endian number of 1 to 16 bytes.
#[inline(always)]
fn read_counter(bytes: &[u8]) -> u128 {
    let mut wide = [0; 16];
    wide[16 - bytes.len()..].copy_from_slice(bytes);
    u128::from_be_bytes(wide)
}

/// Blocks of 1 to 16 bytes as numbers whose least significant byte comes first.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    /// Block size in bytes.
    pub size: usize,
}

impl Registers for Numbers {
    type Block = u128;
    type Counter = u128;
    type Doubling = u128;

    #[inline(always)]
    fn block_size(self) -> usize {
        self.size
    }

    #[inline(always)]
    fn load(self, src: &[u8]) -> u128 {
        if let Ok(whole) = src.try_into() {
            return u128::from_le_bytes(whole);
        }
        let mut wide = [0; 16];
        wide[..src.len()].copy_from_slice(src);
        u128::from_le_bytes(wide)
    }

    #[inline(always)]
    fn store(self, block: u128, dst: &mut [u8]) {
        match <&mut [u8; 16]>::try_from(&mut *dst) {
            Ok(whole) => *whole = block.to_le_bytes(),
            Err(_) => dst.copy_from_slice(&block.to_le_bytes()[..dst.len()]),
        }
    }

    #[inline(always)]
    fn number(self, value: u128) -> u128 {
        value
    }

    #[inline(always)]
    fn xor(self, a: u128, b: u128) -> u128 {
        a ^ b
    }

    #[inline(always)]
    fn splice(self, head: u128, n: usize, rest: u128) -> u128 {
        head | (rest & u128::MAX.checked_shl(8 * n as u32).unwrap_or(0))
    }

    #[inline(always)]
    fn load_tail(self, pair: &[u8]) -> u128 {
        self.load(&pair[self.size..])
    }

    #[inline(always)]
    fn store_tail(self, block: u128, tail: u128, pair: &mut [u8]) {
        let (whole, part) = pair.split_at_mut(self.size);
        self.store(block, whole);
        self.store(tail, part);
    }

    #[inline(always)]
    fn counter(self, value: u128) -> u128 {
        value
    }

    #[inline(always)]
    fn counter_block(self, counter: u128, n: usize) -> u128 {
        (counter.wrapping_add(n as u128) << (8 * (16 - self.size))).swap_bytes()
    }

    #[inline(always)]
    fn doubling(self, block: u128) -> u128 {
        block
    }

    #[inline(always)]
    fn double(self, block: u128) -> u128 {
        if self.size == 8 {
            return u128::from((block as u64) << 1 ^ (0x1b & (block as u64 >> 63).wrapping_neg()));
        }
        (block << 1) ^ (0x87 & (block >> 127).wrapping_neg())
    }

    #[inline(always)]
    fn doubled(self, block: u128) -> u128 {
        block
    }
}

/// Something that takes runs of whole blocks, each block on its own.
pub trait Runs: Copy {
    /// Block size in bytes, 1 to 16.
    fn block_size(self) -> usize;
    /// Encrypts a run.
    fn encrypt_blocks(self, io: InOut<'_>);
    /// Decrypts a run.
    fn decrypt_blocks(self, io: InOut<'_>);
}

impl<C: CipherDriver + ?Sized> Runs for &C {
    #[inline]
    fn block_size(self) -> usize {
        CipherDriver::block_size(self)
    }

    #[inline]
    fn encrypt_blocks(self, io: InOut<'_>) {
        CipherDriver::encrypt_blocks(self, io);
    }

    #[inline]
    fn decrypt_blocks(self, io: InOut<'_>) {
        CipherDriver::decrypt_blocks(self, io);
    }
}

/// Any block cipher as an [`Engine`]: lanes are runs of up to 512 bytes in a buffer that is wiped.
#[derive(Debug, Clone, Copy)]
pub struct Blocks<C> {
    cipher: C,
    numbers: Numbers,
}

impl<C: Runs> Blocks<C> {
    /// The cipher, with its block size read once.
    #[inline]
    pub fn new(cipher: C) -> Self {
        Blocks { cipher, numbers: Numbers { size: cipher.block_size() } }
    }

    #[inline]
    fn call(self, dir: Dir, io: InOut<'_>) {
        match dir {
            Dir::Encrypt => self.cipher.encrypt_blocks(io),
            Dir::Decrypt => self.cipher.decrypt_blocks(io),
        }
    }

    #[inline]
    fn one(self, dir: Dir, block: u128) -> u128 {
        let mut bytes = block.to_le_bytes();
        self.call(dir, InOut::in_place(&mut bytes[..self.numbers.size]));
        let out = u128::from_le_bytes(bytes);
        bytes.as_mut_slice().zeroize();
        out
    }

    #[inline]
    fn lanes<L: Lanes<Numbers>>(self, dir: Dir, lanes: &mut L, io: InOut<'_>) {
        match self.numbers.size {
            // The same with constants, which make copies of blocks single moves.
            16 => self.runs(16, dir, lanes, io),
            8 => self.runs(8, dir, lanes, io),
            size => self.runs(size, dir, lanes, io),
        }
    }

    /// Runs of blocks of this size through the buffer, one call of the cipher for each.
    #[inline(always)]
    fn runs<L: Lanes<Numbers>>(self, size: usize, dir: Dir, lanes: &mut L, mut io: InOut<'_>) {
        let mut scratch = [0; 16 * LANES];
        let used = io.len().next_multiple_of(size).min(LANES * size);
        while !io.is_empty() {
            let len = io.len().min(LANES * size);
            let (run, rest) = io.split_at(len);
            let padded = len.next_multiple_of(size);
            self.run(Numbers { size }, dir, lanes, run, &mut scratch[..padded]);
            io = rest;
        }
        scratch[..used].zeroize();
    }

    #[inline(always)]
    fn run<L: Lanes<Numbers>>(
        self,
        r: Numbers,
        dir: Dir,
        lanes: &mut L,
        mut io: InOut<'_>,
        scratch: &mut [u8],
    ) {
        let mut keep = None;
        for (i, (src, block)) in io.src().chunks(r.size).zip(scratch.chunks_exact_mut(r.size)).enumerate() {
            let (input, kept) = lanes.before(r, i, src);
            keep.get_or_insert([kept; LANES])[i] = kept;
            r.store(input, block);
        }
        let Some(mut keep) = keep else { return };
        self.call(dir, InOut::in_place(scratch));
        let (mut at, mut blocks) = (0, 0);
        for block in scratch.chunks_exact(r.size) {
            let end = io.len().min(at + r.size);
            let out = lanes.after(r, keep[blocks], &io.src()[at..end], r.load(block));
            r.store(out, &mut io.dst()[at..end]);
            (at, blocks) = (end, blocks + 1);
        }
        keep[..blocks].iter_mut().zeroize();
        lanes.advance(r, blocks);
    }
}

impl<C: Runs> Engine for Blocks<C> {
    type Registers = Numbers;
    type Link = u128;

    #[inline]
    fn registers(self) -> Numbers {
        self.numbers
    }

    #[inline]
    fn encrypt(self, block: u128) -> u128 {
        self.one(Dir::Encrypt, block)
    }

    #[inline]
    fn decrypt(self, block: u128) -> u128 {
        self.one(Dir::Decrypt, block)
    }

    #[inline]
    fn chain(self, iv: u128, mut io: InOut<'_>) -> u128 {
        let r = self.numbers;
        let mut link = r.xor(iv, r.load(&io.src()[..r.size]));
        for at in (r.size..io.len()).step_by(r.size) {
            let next = r.load(&io.src()[at..at + r.size]);
            let (cipher, following) = self.link(link, next);
            r.store(cipher, &mut io.dst()[at - r.size..at]);
            link = following;
        }
        link
    }

    #[inline]
    fn start(self, chain: u128, block: u128) -> u128 {
        chain ^ block
    }

    #[inline]
    fn pending(self, x: u128) -> u128 {
        x
    }

    #[inline]
    fn link(self, x: u128, next: u128) -> (u128, u128) {
        let chain = self.encrypt(x);
        (chain, chain ^ next)
    }

    #[inline]
    fn last(self, x: u128) -> u128 {
        self.encrypt(x)
    }

    #[inline]
    fn encrypt_lanes<L: Lanes<Numbers>>(self, lanes: &mut L, io: InOut<'_>) {
        self.lanes(Dir::Encrypt, lanes, io);
    }

    #[inline]
    fn decrypt_lanes<L: Lanes<Numbers>>(self, lanes: &mut L, io: InOut<'_>) {
        self.lanes(Dir::Decrypt, lanes, io);
    }
}
