//! The mode, over any engine.

use kcrypto_core::engine::{Block, Engine, Lanes, Mode, Registers};
use kcrypto_core::{Dir, InOut};

/// [`Keys::run`](super::Keys::run).
pub(super) enum Run {}

impl Mode<1> for Run {
    #[inline(always)]
    fn run<E: Engine>([e]: [E; 1], dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
        let r = e.registers();
        let following = crypt(e, dir, r.load(tweak), io);
        r.store(following, tweak);
    }
}

/// [`Keys::crypt`](super::Keys::crypt) inside a fused driver.
pub(super) enum Crypt {}

impl Mode<2> for Crypt {
    #[inline(always)]
    fn run<E: Engine>([data, tweak]: [E; 2], dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let first = tweak.encrypt(tweak.registers().load(iv));
        crypt(data, dir, first, io);
    }
}

/// At least one block (IEEE 1619, 5.3.2 and 5.4.2); returns the tweak after the last whole block.
#[inline(always)]
fn crypt<E: Engine>(e: E, dir: Dir, tweak: Block<E>, mut io: InOut<'_>) -> Block<E> {
    let r = e.registers();
    // A power of two.
    let size = r.block_size();
    let n = io.len() & (size - 1);
    if n == 0 {
        return blocks(e, dir, tweak, io);
    }
    // All but the last whole block, then that and the part after it.
    let pair = io.len() - n - size;
    let tweak = blocks(e, dir, tweak, io.reborrow().split_at(pair).0);
    let following = r.doubled(r.double(r.doubling(tweak)));
    let (t1, t2) = match dir {
        Dir::Encrypt => (tweak, following),
        Dir::Decrypt => (following, tweak),
    };
    let tail = r.load_tail(&io.src()[pair..]);
    let stolen = one(e, dir, t1, r.load(&io.src()[pair..pair + size]));
    let last = one(e, dir, t2, r.splice(tail, n, stolen));
    r.store_tail(last, stolen, &mut io.dst()[pair..]);
    following
}

/// Whole blocks; returns the tweak of the next one.
#[inline(always)]
fn blocks<E: Engine>(e: E, dir: Dir, tweak: Block<E>, io: InOut<'_>) -> Block<E> {
    let r = e.registers();
    let mut lanes = Tweaked::<E::Registers> { tweak: r.doubling(tweak) };
    match dir {
        Dir::Encrypt => e.encrypt_lanes(&mut lanes, io),
        Dir::Decrypt => e.decrypt_lanes(&mut lanes, io),
    }
    r.doubled(lanes.tweak)
}

/// One block under its tweak.
#[inline(always)]
fn one<E: Engine>(e: E, dir: Dir, tweak: Block<E>, block: Block<E>) -> Block<E> {
    let r = e.registers();
    let x = r.xor(block, tweak);
    let y = match dir {
        Dir::Encrypt => e.encrypt(x),
        Dir::Decrypt => e.decrypt(x),
    };
    r.xor(y, tweak)
}

/// The tweak on both sides of the cipher.
struct Tweaked<R: Registers> {
    tweak: R::Doubling,
}

impl<R: Registers> Lanes<R> for Tweaked<R> {
    type Keep = R::Block;

    #[inline(always)]
    fn before(&mut self, r: R, lane: usize, src: &[u8]) -> (R::Block, R::Block) {
        let tweak = r.doubled(self.tweak);
        if lane.is_multiple_of(16) {
            self.tweak = r.doubling(tweak);
        }
        self.tweak = r.double(self.tweak);
        (r.xor(r.load(src), tweak), tweak)
    }

    #[inline(always)]
    fn after(&mut self, r: R, tweak: R::Block, _src: &[u8], out: R::Block) -> R::Block {
        r.xor(out, tweak)
    }

    #[inline(always)]
    fn advance(&mut self, _r: R, _blocks: usize) {}
}
