//! Any block cipher as an [`Engine`], in portable code.

use zeroize::Zeroize;

use crate::cipher::CipherDriver;
use crate::engine::{Engine, Lanes, Registers};
use crate::{Dir, InOut};

/// Most blocks in one call of a cipher by [`Blocks`].
const LANES: usize = 32;

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
