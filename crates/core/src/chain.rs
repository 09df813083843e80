//! The modes that every block cipher offers in bulk, written once over an [`Engine`].

mod blocks;
mod mac;

use crate::engine::{Block, Engine, Lanes, Mode, Registers};
use crate::{Dir, InOut};

pub use blocks::{Blocks, Numbers, Runs};
pub use mac::{CbcMac, absorb};

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
