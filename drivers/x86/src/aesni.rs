//! AES on 128-bit registers with AES-NI: single blocks, chains, and eight independent blocks at a time.
//!
//! A chain folds the next plaintext block and the whitening key into the last round, so that between two
//! blocks there is nothing but the rounds. AESENC takes four cycles and two can start in each, so eight
//! independent blocks keep the unit busy.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use kcrypto_core::engine::{Engine, Lanes, Mac, Masks, Mode, Registers, Seal, Work};
use kcrypto_core::{Aad, Dir, InOut};
use kcrypto_simd::x86::AesNi;
use zeroize::Zeroize;

use crate::blocks::Blocks;
use crate::key::{Rounds, Schedule};
use crate::xmm::{BLOCK, Xmm};

/// Calls a function that has the instructions, for the number of rounds of a key. Without a key nothing is done.
macro_rules! with_rounds {
    ($rounds:expr, $function:ident $(::<$($generic:ident),+>)?($($arg:expr),+)) => {
        match $rounds {
            Rounds::None => Default::default(),
            // SAFETY: the token proves the features.
            Rounds::Ten(token) => unsafe { $function::<10 $(, $($generic),+)?>(token, $($arg),+) },
            // SAFETY: the token proves the features.
            Rounds::Twelve(token) => unsafe { $function::<12 $(, $($generic),+)?>(token, $($arg),+) },
            // SAFETY: the token proves the features.
            Rounds::Fourteen(token) => unsafe { $function::<14 $(, $($generic),+)?>(token, $($arg),+) },
        }
    };
}
pub(crate) use with_rounds;

/// Runs a mode under keys of the same length, in one function that has the instructions. Without a key it
/// does nothing.
#[inline(always)]
pub(crate) fn enter<const N: usize, M: Mode<N>>(
    keys: [&Schedule; N],
    dir: Dir,
    iv: &mut [u8],
    io: InOut<'_>,
) {
    let rounds = keys.first().map_or(Rounds::None, |key| key.rounds);
    match dir {
        Dir::Encrypt => with_rounds!(rounds, encrypt::<N, M>(keys, iv, io)),
        Dir::Decrypt => with_rounds!(rounds, decrypt::<N, M>(keys, iv, io)),
    }
}

// Each direction is a function of its own: what one needs of registers and stack, the other does not pay for.

#[target_feature(enable = "aes,sse2,ssse3,sse4.1")]
fn encrypt<const ROUNDS: usize, const N: usize, M: Mode<N>>(
    token: AesNi,
    keys: [&Schedule; N],
    iv: &mut [u8],
    io: InOut<'_>,
) {
    M::run(keys.map(|key| Aes::<ROUNDS> { key, r: Xmm(token) }), Dir::Encrypt, iv, io);
}

#[target_feature(enable = "aes,sse2,ssse3,sse4.1")]
fn decrypt<const ROUNDS: usize, const N: usize, M: Mode<N>>(
    token: AesNi,
    keys: [&Schedule; N],
    iv: &mut [u8],
    io: InOut<'_>,
) {
    M::run(keys.map(|key| Aes::<ROUNDS> { key, r: Xmm(token) }), Dir::Decrypt, iv, io);
}

/// As [`enter`], for a MAC.
#[inline(always)]
pub(crate) fn enter_mac<M: Mac>(key: &Schedule, masks: &Masks, message: &[u8], out: &mut [u8]) {
    with_rounds!(key.rounds, mac::<M>(key, masks, message, out));
}

#[target_feature(enable = "aes,sse2,ssse3,sse4.1")]
fn mac<const ROUNDS: usize, M: Mac>(
    token: AesNi,
    key: &Schedule,
    masks: &Masks,
    message: &[u8],
    out: &mut [u8],
) {
    M::run(Aes::<ROUNDS> { key, r: Xmm(token) }, masks, message, out);
}

/// As [`enter`], for a mode that authenticates.
#[inline(always)]
pub(crate) fn enter_seal<S: Seal>(
    key: &Schedule,
    dir: Dir,
    iv: &[u8],
    aad: &Aad<'_>,
    io: InOut<'_>,
    tag: &mut [u8],
) {
    with_rounds!(key.rounds, seal::<S>(key, dir, iv, aad, io, tag));
}

#[target_feature(enable = "aes,sse2,ssse3,sse4.1")]
fn seal<const ROUNDS: usize, S: Seal>(
    token: AesNi,
    key: &Schedule,
    dir: Dir,
    iv: &[u8],
    aad: &Aad<'_>,
    io: InOut<'_>,
    tag: &mut [u8],
) {
    S::run(Aes::<ROUNDS> { key, r: Xmm(token) }, dir, iv, aad, io, tag);
}

/// As [`enter`], for work that brings its operands.
#[inline(always)]
pub(crate) fn enter_work<const N: usize, W: Work<N>>(keys: [&Schedule; N], job: W) {
    let rounds = keys.first().map_or(Rounds::None, |key| key.rounds);
    with_rounds!(rounds, work::<N, W>(keys, job));
}

#[target_feature(enable = "aes,sse2,ssse3,sse4.1")]
fn work<const ROUNDS: usize, const N: usize, W: Work<N>>(token: AesNi, keys: [&Schedule; N], job: W) {
    job.run(keys.map(|key| Aes::<ROUNDS> { key, r: Xmm(token) }));
}

/// AES with this many rounds.
#[derive(Clone, Copy)]
pub(crate) struct Aes<'k, const ROUNDS: usize> {
    pub(crate) key: &'k Schedule,
    pub(crate) r: Xmm,
}

impl<const ROUNDS: usize> Aes<'_, ROUNDS> {
    /// The rounds of one block between the whitening and the last round.
    #[inline(always)]
    fn encrypt_rounds(self, mut x: __m128i) -> __m128i {
        for key in &self.key.enc[1..ROUNDS] {
            x = self.r.aesenc(x, *key);
        }
        x
    }

    #[inline(always)]
    pub(crate) fn encrypt_group<const N: usize>(self, mut x: [__m128i; N]) -> [__m128i; N] {
        for x in &mut x {
            *x = self.r.xor(*x, self.key.enc[0]);
        }
        for key in &self.key.enc[1..ROUNDS] {
            for x in &mut x {
                *x = self.r.aesenc(*x, *key);
            }
            keep_order(&mut x);
        }
        for x in &mut x {
            *x = self.r.aesenclast(*x, self.key.enc[ROUNDS]);
        }
        x
    }

    #[inline(always)]
    fn decrypt_group<const N: usize>(self, mut x: [__m128i; N]) -> [__m128i; N] {
        for x in &mut x {
            *x = self.r.xor(*x, self.key.dec[0]);
        }
        for key in &self.key.dec[1..ROUNDS] {
            for x in &mut x {
                *x = self.r.aesdec(*x, *key);
            }
            keep_order(&mut x);
        }
        for x in &mut x {
            *x = self.r.aesdeclast(*x, self.key.dec[ROUNDS]);
        }
        x
    }

    #[inline(always)]
    fn lanes<const ENCRYPT: bool, L: Lanes<Xmm>>(self, lanes: &mut L, mut io: InOut<'_>) {
        let mut blocks = Blocks::of(&mut io);
        while blocks.left() > 8 {
            self.group::<ENCRYPT, 8, L>(lanes, &mut blocks);
        }
        // What is left goes side by side as well: in groups of powers of two, one would wait for the other.
        match blocks.left() {
            1 => self.group::<ENCRYPT, 1, L>(lanes, &mut blocks),
            2 => self.group::<ENCRYPT, 2, L>(lanes, &mut blocks),
            3 => self.group::<ENCRYPT, 3, L>(lanes, &mut blocks),
            4 => self.group::<ENCRYPT, 4, L>(lanes, &mut blocks),
            5 => self.group::<ENCRYPT, 5, L>(lanes, &mut blocks),
            6 => self.group::<ENCRYPT, 6, L>(lanes, &mut blocks),
            7 => self.group::<ENCRYPT, 7, L>(lanes, &mut blocks),
            8 => self.group::<ENCRYPT, 8, L>(lanes, &mut blocks),
            _ => {}
        }
        let part = io.len() % BLOCK;
        if L::PARTIAL && part != 0 {
            let at = io.len() - part;
            let mut block = [0; BLOCK];
            block[..part].copy_from_slice(&io.src()[at..]);
            self.group::<ENCRYPT, 1, L>(lanes, &mut Blocks::of(&mut InOut::in_place(&mut block)));
            io.dst()[at..].copy_from_slice(&block[..part]);
            block.as_mut_slice().zeroize();
        }
    }

    #[inline(always)]
    fn group<const ENCRYPT: bool, const N: usize, L: Lanes<Xmm>>(
        self,
        lanes: &mut L,
        blocks: &mut Blocks<'_>,
    ) {
        let Some(mut group) = blocks.take(N) else { return };
        let r = self.r;
        let (first, kept) = lanes.before(r, 0, group.src(0));
        let (mut x, mut keep) = ([first; N], [kept; N]);
        for i in 1..N {
            (x[i], keep[i]) = lanes.before(r, i, group.src(i));
        }
        x = if ENCRYPT { self.encrypt_group(x) } else { self.decrypt_group(x) };
        for i in 0..N {
            x[i] = lanes.after(r, keep[i], group.src(i), x[i]);
        }
        for (i, block) in x.into_iter().enumerate() {
            r.store(block, group.dst(i));
        }
        lanes.advance(r, N);
    }
}

impl<const ROUNDS: usize> Engine for Aes<'_, ROUNDS> {
    type Registers = Xmm;
    type Link = __m128i;

    #[inline(always)]
    fn registers(self) -> Xmm {
        self.r
    }

    #[inline(always)]
    fn encrypt(self, block: __m128i) -> __m128i {
        self.last(self.r.xor(block, self.key.enc[0]))
    }

    #[inline(always)]
    fn decrypt(self, block: __m128i) -> __m128i {
        let mut x = self.r.xor(block, self.key.dec[0]);
        for key in &self.key.dec[1..ROUNDS] {
            x = self.r.aesdec(x, *key);
        }
        self.r.aesdeclast(x, self.key.dec[ROUNDS])
    }

    #[inline(always)]
    fn chain(self, iv: __m128i, mut io: InOut<'_>) -> __m128i {
        let mut blocks = Blocks::of(&mut io);
        let mut x = self.start(iv, self.r.load(blocks.src(0)));
        for i in 1..blocks.left() {
            let next = self.r.load(blocks.src(i));
            let (cipher, following) = self.link(x, next);
            self.r.store(cipher, blocks.dst(i - 1));
            x = following;
        }
        x
    }

    #[inline(always)]
    fn start(self, chain: __m128i, block: __m128i) -> __m128i {
        self.r.xor(chain, self.r.xor(block, self.key.enc[0]))
    }

    #[inline(always)]
    fn pending(self, x: __m128i) -> __m128i {
        self.r.xor(x, self.key.enc[0])
    }

    #[inline(always)]
    fn link(self, x: __m128i, next: __m128i) -> (__m128i, __m128i) {
        let x = self.encrypt_rounds(x);
        let white = self.r.xor(next, self.key.enc[0]);
        let x = self.r.aesenclast(x, self.r.xor(self.key.enc[ROUNDS], white));
        (self.r.xor(x, white), x)
    }

    #[inline(always)]
    fn link_beside(self, x: __m128i, next: __m128i, beside: __m128i) -> (__m128i, __m128i) {
        let mut pair = [x, self.r.xor(beside, self.key.enc[0])];
        for key in &self.key.enc[1..ROUNDS] {
            for x in &mut pair {
                *x = self.r.aesenc(*x, *key);
            }
            keep_order(&mut pair);
        }
        let white = self.r.xor(next, self.key.enc[0]);
        let last = self.key.enc[ROUNDS];
        (self.r.aesenclast(pair[0], self.r.xor(last, white)), self.r.aesenclast(pair[1], last))
    }

    #[inline(always)]
    fn last(self, x: __m128i) -> __m128i {
        let x = self.encrypt_rounds(x);
        self.r.aesenclast(x, self.key.enc[ROUNDS])
    }

    #[inline(always)]
    fn encrypt_each<const N: usize>(engines: [Self; N], mut blocks: [__m128i; N]) -> [__m128i; N] {
        for (Aes { key, r }, x) in engines.iter().zip(&mut blocks) {
            *x = r.xor(*x, key.enc[0]);
        }
        for round in 1..ROUNDS {
            for (Aes { key, r }, x) in engines.iter().zip(&mut blocks) {
                *x = r.aesenc(*x, key.enc[round]);
            }
            keep_order(&mut blocks);
        }
        for (Aes { key, r }, x) in engines.iter().zip(&mut blocks) {
            *x = r.aesenclast(*x, key.enc[ROUNDS]);
        }
        blocks
    }

    #[inline(always)]
    fn encrypt_lanes<L: Lanes<Xmm>>(self, lanes: &mut L, io: InOut<'_>) {
        self.lanes::<true, L>(lanes, io);
    }

    #[inline(always)]
    fn decrypt_lanes<L: Lanes<Xmm>>(self, lanes: &mut L, io: InOut<'_>) {
        self.lanes::<false, L>(lanes, io);
    }
}

/// Holds the compiler to rounds across the blocks of a group. Else it takes the blocks one after the other, and the
/// AES unit waits.
#[inline(always)]
pub(crate) fn keep_order<const N: usize>(x: &mut [__m128i; N]) {
    if N > 1 {
        for x in x {
            // SAFETY: no instruction is in it.
            unsafe {
                core::arch::asm!("/* {0} */", inout(xmm_reg) * x, options(nomem, nostack, preserves_flags));
            }
        }
    }
}
