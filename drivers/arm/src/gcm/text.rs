//! Counter mode and GHASH side by side.

use core::arch::aarch64::uint8x16_t;

use kcrypto_core::engine::Registers;
use kcrypto_core::{Dir, InOut};

use super::GcmCe;
use crate::ce::Ce;
use crate::engine::Aes;
use crate::field::{Sum, reverse};
use crate::key::Rounds;
use crate::vector::{BLOCK, Vector};
use crate::way::{Task, Way};

/// Blocks that go through the rounds side by side.
const GROUP: usize = 8;
/// The same in bytes.
const SPAN: usize = GROUP * BLOCK;

/// Encrypts or decrypts a text, and hashes its ciphertext, zeros up to a whole block, and the block of lengths if
/// there is one. The counter is that of the block before the text, and becomes that block of key stream.
pub(super) fn crypt(
    key: &GcmCe,
    dir: Dir,
    counter: &mut [u8; BLOCK],
    hash: &mut [u8; BLOCK],
    io: InOut<'_>,
    lengths: Option<u128>,
) {
    let text = Text { counter, hash, io, lengths };
    match key.aes.0.rounds {
        Rounds::None => {}
        Rounds::Ten(ce) => enter::<10>(key, ce, dir, text),
        Rounds::Twelve(ce) => enter::<12>(key, ce, dir, text),
        Rounds::Fourteen(ce) => enter::<14>(key, ce, dir, text),
    }
}

/// Each direction is a function of its own: what one needs of registers and stack, the other does not pay for.
fn enter<const ROUNDS: usize>(key: &GcmCe, ce: Ce, dir: Dir, text: Text<'_>) {
    match dir {
        Dir::Encrypt => ce.enter(Crypt::<ROUNDS, true> { both: Both { key, ce }, text }),
        Dir::Decrypt => ce.enter(Crypt::<ROUNDS, false> { both: Both { key, ce }, text }),
    }
}

/// Operands of [`crypt`].
struct Text<'a> {
    counter: &'a mut [u8; BLOCK],
    hash: &'a mut [u8; BLOCK],
    io: InOut<'a>,
    lengths: Option<u128>,
}

struct Crypt<'a, const ROUNDS: usize, const ENCRYPT: bool> {
    both: Both<'a, ROUNDS, ENCRYPT>,
    text: Text<'a>,
}

impl<const ROUNDS: usize, const ENCRYPT: bool> Task for Crypt<'_, ROUNDS, ENCRYPT> {
    #[inline(always)]
    fn run(self) {
        let Crypt { both, text: Text { counter, hash, io, lengths } } = self;
        let v = both.ce.vector();
        let before = Counter(v.reverse_words(v.load(counter)));
        let hashed = reverse(v, v.load(hash));
        // At the end there are 1 to 8 blocks, or none if there is no text.
        let whole = io.len().saturating_sub(1) / SPAN;
        let (groups, rest) = io.split_at(whole * SPAN);
        let first = before.plus(v, 1);
        let hashed = both.groups(first, hashed, groups);
        let next = first.plus(v, (whole * GROUP) as u32);
        let (mask, hashed) = match rest.len().div_ceil(BLOCK) {
            0 => both.last::<1>(before, next, hashed, rest, lengths),
            1 => both.last::<2>(before, next, hashed, rest, lengths),
            2..=4 => both.last::<5>(before, next, hashed, rest, lengths),
            _ => both.last::<9>(before, next, hashed, rest, lengths),
        };
        v.store(mask, counter);
        v.store(reverse(v, hashed), hash);
    }
}

/// Both halves of GCM, in one direction.
#[derive(Clone, Copy)]
struct Both<'k, const ROUNDS: usize, const ENCRYPT: bool> {
    key: &'k GcmCe,
    ce: Ce,
}

impl<'k, const ROUNDS: usize, const ENCRYPT: bool> Both<'k, ROUNDS, ENCRYPT> {
    #[inline(always)]
    fn aes(self) -> Aes<'k, Ce, ROUNDS> {
        Aes::new(&self.key.aes.0, self.ce)
    }

    /// Whole groups from a counter on; returns the hash with all of them.
    #[inline(always)]
    fn groups(self, mut counter: Counter, mut hash: uint8x16_t, mut io: InOut<'_>) -> uint8x16_t {
        let v = self.ce.vector();
        // Encrypted and not hashed yet.
        let mut waiting = None;
        while io.len() >= SPAN {
            let (mut group, rest) = io.split_at(SPAN);
            let mut x = counter.blocks(v);
            match if ENCRYPT { waiting } else { Some(load(v, &group)) } {
                None => x = self.aes().encrypt_group(x),
                Some(cipher) => (x, hash) = self.stitched(x, hash, cipher),
            }
            for (x, text) in x.iter_mut().zip(load(v, &group)) {
                *x = v.xor(*x, text);
            }
            for (x, dst) in x.into_iter().zip(group.dst().as_chunks_mut::<BLOCK>().0) {
                v.store(x, dst);
            }
            waiting = ENCRYPT.then_some(x);
            counter = counter.plus(v, GROUP as u32);
            io = rest;
        }
        let Some(cipher) = waiting else { return hash };
        let mut sum = Sum::after(self.ce, hash);
        for (i, block) in cipher.into_iter().enumerate() {
            sum = sum.add(self.ce, &self.key.ghash, reverse(v, block), GROUP - 1 - i);
        }
        sum.end(self.ce)
    }

    /// Encrypts a group of blocks, and hashes the ciphertext of one.
    #[inline(always)]
    fn stitched(
        self,
        mut x: [uint8x16_t; GROUP],
        hash: uint8x16_t,
        cipher: [uint8x16_t; GROUP],
    ) -> ([uint8x16_t; GROUP], uint8x16_t) {
        let (ce, v, keys) = (self.ce, self.ce.vector(), &self.key.aes.0.enc);
        let mut sum = Sum::after(ce, hash);
        for (i, (block, key)) in cipher.into_iter().zip(keys).enumerate() {
            for x in &mut x {
                *x = ce.mix(ce.sub_shift(*x, *key));
            }
            sum = sum.add(ce, &self.key.ghash, reverse(v, block), GROUP - 1 - i);
        }
        for key in &keys[GROUP..ROUNDS - 1] {
            for x in &mut x {
                *x = ce.mix(ce.sub_shift(*x, *key));
            }
        }
        for x in &mut x {
            *x = v.xor(ce.sub_shift(*x, keys[ROUNDS - 1]), keys[ROUNDS]);
        }
        (x, sum.end(ce))
    }

    /// What is left of a text, at most `LANES - 1` blocks from the counter `next` on, and the lengths. Returns also the
    /// block of key stream `before`.
    #[inline(always)]
    fn last<const LANES: usize>(
        self,
        before: Counter,
        next: Counter,
        hash: uint8x16_t,
        io: InOut<'_>,
        lengths: Option<u128>,
    ) -> (uint8x16_t, uint8x16_t) {
        let (ce, v, ghash) = (self.ce, self.ce.vector(), &self.key.ghash);
        let mut x = [before.block(v); LANES];
        for (i, x) in x[1..].iter_mut().enumerate() {
            *x = next.plus(v, i as u32).block(v);
        }
        let [mask, stream @ ..] = &self.aes().encrypt_group(x)[..] else { unreachable!("it has J0") };
        let mut left = io.len().div_ceil(BLOCK) + usize::from(lengths.is_some());
        let mut sum = Sum::after(ce, hash);
        let whole = io.len() - io.len() % BLOCK;
        let (mut blocks, mut part) = io.split_at(whole);
        for (i, key) in stream.iter().enumerate() {
            let cipher = if i * BLOCK < whole {
                let text = v.load(block(&blocks, i));
                let output = v.xor(text, *key);
                v.store(output, &mut blocks.dst().as_chunks_mut::<BLOCK>().0[i]);
                if ENCRYPT { output } else { text }
            } else if i * BLOCK == whole && !part.is_empty() {
                let text = v.load_part(part.src(), 0);
                let output = v.xor(text, *key);
                let len = part.len();
                v.store_part(output, part.dst());
                if ENCRYPT { v.first(output, len) } else { text }
            } else {
                break;
            };
            left -= 1;
            sum = sum.add(ce, ghash, reverse(v, cipher), left);
        }
        if let Some(lengths) = lengths {
            sum = sum.add(ce, ghash, v.number(lengths), 0);
        }
        (*mask, sum.end(ce))
    }
}

/// A counter block, the bytes of its words in the order of the CPU.
#[derive(Clone, Copy)]
struct Counter(uint8x16_t);

impl Counter {
    /// `n` blocks further: only the last 32 bits count (SP 800-38D, 6.2).
    #[inline(always)]
    fn plus(self, v: Vector, n: u32) -> Self {
        Counter(v.add32(self.0, v.halves(u64::from(n) << 32, 0)))
    }

    #[inline(always)]
    fn block(self, v: Vector) -> uint8x16_t {
        v.reverse_words(self.0)
    }

    /// The blocks of a group from here on.
    #[inline(always)]
    fn blocks(self, v: Vector) -> [uint8x16_t; GROUP] {
        let mut blocks = [self.0; GROUP];
        for (i, block) in blocks.iter_mut().enumerate() {
            *block = self.plus(v, i as u32).block(v);
        }
        blocks
    }
}

/// The `i`th block as it is now.
#[inline(always)]
fn block<'a>(io: &'a InOut<'_>, i: usize) -> &'a [u8; BLOCK] {
    &io.src().as_chunks().0[i]
}

/// The blocks of a group as they are now.
#[inline(always)]
fn load(v: Vector, group: &InOut<'_>) -> [uint8x16_t; GROUP] {
    let mut blocks = [v.number(0); GROUP];
    for (i, loaded) in blocks.iter_mut().enumerate() {
        *loaded = v.load(block(group, i));
    }
    blocks
}
