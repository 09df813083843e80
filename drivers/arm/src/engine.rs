//! AES as an engine for modes, over the steps of either way: single blocks, chains, and groups of blocks.
//!
//! The first step of a block begins with the XOR of its two operands, so a chain needs nothing between two blocks: the
//! last substitution of the one is an operand of the other's first, and everything else, the last round key, the next
//! plaintext block and the first round key, is summed in the other operand while the rounds go on.

use core::arch::aarch64::uint8x16_t;

use kcrypto_core::InOut;
use kcrypto_core::engine::{Engine, Lanes, Registers};
use zeroize::Zeroize;

use crate::key::Schedule;
use crate::vector::{BLOCK, Vector};
use crate::way::Way;

/// AES with this many rounds.
#[derive(Clone, Copy)]
pub(crate) struct Aes<'k, W, const ROUNDS: usize> {
    schedule: &'k Schedule<W>,
    way: W,
}

/// A block between two ciphers: the operands of the next one's first step.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    x: uint8x16_t,
    key: uint8x16_t,
}

impl<'k, W: Way, const ROUNDS: usize> Aes<'k, W, ROUNDS> {
    /// Under this key, which has as many rounds.
    #[inline(always)]
    pub(crate) fn new(schedule: &'k Schedule<W>, way: W) -> Self {
        Aes { schedule, way }
    }

    /// Everything but the XOR of the last round key.
    #[inline(always)]
    fn substitute<const N: usize>(self, x: [uint8x16_t; N], first: [uint8x16_t; N]) -> [uint8x16_t; N] {
        self.way.encrypt(x, first, &self.schedule.enc[1..ROUNDS])
    }

    /// Encrypts blocks side by side.
    #[inline(always)]
    pub(crate) fn encrypt_group<const N: usize>(self, x: [uint8x16_t; N]) -> [uint8x16_t; N] {
        let mut x = self.substitute(x, [self.schedule.enc[0]; N]);
        for x in &mut x {
            *x = self.registers().xor(*x, self.schedule.enc[ROUNDS]);
        }
        x
    }

    #[inline(always)]
    fn decrypt_group<const N: usize>(self, x: [uint8x16_t; N]) -> [uint8x16_t; N] {
        let mut x = self.way.decrypt(x, &self.schedule.dec[..ROUNDS]);
        for x in &mut x {
            *x = self.registers().xor(*x, self.schedule.dec[ROUNDS]);
        }
        x
    }

    #[inline(always)]
    fn lanes<const ENCRYPT: bool, L: Lanes<Vector>>(self, lanes: &mut L, io: InOut<'_>) {
        let whole = io.len() - io.len() % BLOCK;
        let (mut blocks, mut part) = io.split_at(whole);
        while blocks.len() > W::LANES * BLOCK {
            let (group, rest) = blocks.split_at(W::LANES * BLOCK);
            match W::LANES {
                4 => self.group::<ENCRYPT, 4, L>(lanes, group),
                _ => self.group::<ENCRYPT, 8, L>(lanes, group),
            }
            blocks = rest;
        }
        // What is left goes side by side as well.
        match blocks.len() / BLOCK {
            1 => self.group::<ENCRYPT, 1, L>(lanes, blocks),
            2 => self.group::<ENCRYPT, 2, L>(lanes, blocks),
            3 => self.group::<ENCRYPT, 3, L>(lanes, blocks),
            4 => self.group::<ENCRYPT, 4, L>(lanes, blocks),
            5 if W::LANES >= 5 => self.group::<ENCRYPT, 5, L>(lanes, blocks),
            6 if W::LANES >= 6 => self.group::<ENCRYPT, 6, L>(lanes, blocks),
            7 if W::LANES >= 7 => self.group::<ENCRYPT, 7, L>(lanes, blocks),
            8 if W::LANES >= 8 => self.group::<ENCRYPT, 8, L>(lanes, blocks),
            _ => {}
        }
        if L::PARTIAL && !part.is_empty() {
            let mut block = [0; BLOCK];
            block[..part.len()].copy_from_slice(part.src());
            self.group::<ENCRYPT, 1, L>(lanes, InOut::in_place(&mut block));
            let len = part.len();
            part.dst().copy_from_slice(&block[..len]);
            block.as_mut_slice().zeroize();
        }
    }

    /// `N` blocks side by side.
    #[inline(always)]
    fn group<const ENCRYPT: bool, const N: usize, L: Lanes<Vector>>(self, lanes: &mut L, mut io: InOut<'_>) {
        let r = self.registers();
        let (first, kept) = lanes.before(r, 0, source(&io, 0));
        let (mut x, mut keep) = ([first; N], [kept; N]);
        for i in 1..N {
            (x[i], keep[i]) = lanes.before(r, i, source(&io, i));
        }
        x = if ENCRYPT { self.encrypt_group(x) } else { self.decrypt_group(x) };
        for i in 0..N {
            x[i] = lanes.after(r, keep[i], source(&io, i), x[i]);
        }
        for (block, dst) in x.into_iter().zip(io.dst().as_chunks_mut::<BLOCK>().0) {
            r.store(block, dst);
        }
        lanes.advance(r, N);
    }
}

/// The `i`th block as it is now.
#[inline(always)]
fn source<'a>(io: &'a InOut<'_>, i: usize) -> &'a [u8; BLOCK] {
    &io.src().as_chunks().0[i]
}

impl<W: Way, const ROUNDS: usize> Engine for Aes<'_, W, ROUNDS> {
    type Registers = Vector;
    type Link = Link;

    #[inline(always)]
    fn registers(self) -> Vector {
        self.way.vector()
    }

    #[inline(always)]
    fn encrypt(self, block: uint8x16_t) -> uint8x16_t {
        let [block] = self.encrypt_group([block]);
        block
    }

    #[inline(always)]
    fn decrypt(self, block: uint8x16_t) -> uint8x16_t {
        let [block] = self.decrypt_group([block]);
        block
    }

    #[inline(always)]
    fn chain(self, iv: uint8x16_t, mut io: InOut<'_>) -> Link {
        let r = self.registers();
        let mut x = self.start(iv, r.load(source(&io, 0)));
        for i in 1..io.len() / BLOCK {
            let next = r.load(source(&io, i));
            let (cipher, following) = self.link(x, next);
            r.store(cipher, &mut io.dst().as_chunks_mut::<BLOCK>().0[i - 1]);
            x = following;
        }
        x
    }

    #[inline(always)]
    fn start(self, chain: uint8x16_t, block: uint8x16_t) -> Link {
        Link { x: chain, key: self.registers().xor(block, self.schedule.enc[0]) }
    }

    #[inline(always)]
    fn pending(self, link: Link) -> uint8x16_t {
        let r = self.registers();
        r.xor(link.x, r.xor(link.key, self.schedule.enc[0]))
    }

    #[inline(always)]
    fn link(self, link: Link, next: uint8x16_t) -> (uint8x16_t, Link) {
        let [x] = self.substitute([link.x], [link.key]);
        (self.registers().xor(x, self.schedule.enc[ROUNDS]), self.following(x, next))
    }

    #[inline(always)]
    fn link_beside(self, link: Link, next: uint8x16_t, beside: uint8x16_t) -> (Link, uint8x16_t) {
        let [x, beside] = self.substitute([link.x, beside], [link.key, self.schedule.enc[0]]);
        (self.following(x, next), self.registers().xor(beside, self.schedule.enc[ROUNDS]))
    }

    #[inline(always)]
    fn last(self, link: Link) -> uint8x16_t {
        let [x] = self.substitute([link.x], [link.key]);
        self.registers().xor(x, self.schedule.enc[ROUNDS])
    }

    #[inline(always)]
    fn encrypt_each<const N: usize>(engines: [Self; N], blocks: [uint8x16_t; N]) -> [uint8x16_t; N] {
        let Some(Aes { way, .. }) = engines.first() else { return blocks };
        let mut keys: [&[uint8x16_t]; N] = [&[]; N];
        for (keys, engine) in keys.iter_mut().zip(&engines) {
            *keys = &engine.schedule.enc[..ROUNDS];
        }
        let mut x = way.encrypt_each(blocks, keys);
        for (x, engine) in x.iter_mut().zip(&engines) {
            *x = engine.registers().xor(*x, engine.schedule.enc[ROUNDS]);
        }
        x
    }

    #[inline(always)]
    fn encrypt_lanes<L: Lanes<Vector>>(self, lanes: &mut L, io: InOut<'_>) {
        self.lanes::<true, L>(lanes, io);
    }

    #[inline(always)]
    fn decrypt_lanes<L: Lanes<Vector>>(self, lanes: &mut L, io: InOut<'_>) {
        self.lanes::<false, L>(lanes, io);
    }
}

impl<W: Way, const ROUNDS: usize> Aes<'_, W, ROUNDS> {
    /// The link from a block without its last round key to the next one.
    #[inline(always)]
    fn following(self, x: uint8x16_t, next: uint8x16_t) -> Link {
        let r = self.registers();
        let keys = r.xor(self.schedule.enc[0], self.schedule.enc[ROUNDS]);
        Link { x, key: r.xor(next, keys) }
    }
}
