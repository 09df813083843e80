//! AES on 128-bit registers with AES-NI: single blocks, chains, and eight independent blocks at a time.
//!
//! A chain folds the next plaintext block and the whitening key into the last round, so that between two
//! blocks there is nothing but the rounds. AESENC takes four cycles and two can start in each, so eight
//! independent blocks keep the unit busy.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use kcrypto_core::InOut;
use kcrypto_core::engine::{Engine, Job, Lanes, Registers};
use kcrypto_simd::x86::AesNi;
use zeroize::Zeroize;

use crate::groups::{Group, Groups};
use crate::key::{Rounds, Schedule};
use crate::xmm::{BLOCK, Xmm};

/// Runs a mode under keys of the same length, in one function that has the instructions. Without a key it
/// does nothing.
#[inline(always)]
pub(crate) fn enter<const N: usize, J: Job<N>>(keys: [&Schedule; N], job: J) {
    match keys.first().map_or(Rounds::None, |key| key.rounds) {
        Rounds::None => {}
        // SAFETY: the token proves the features.
        Rounds::Ten(token) => unsafe { run::<10, N, J>(token, keys, job) },
        // SAFETY: the token proves the features.
        Rounds::Twelve(token) => unsafe { run::<12, N, J>(token, keys, job) },
        // SAFETY: the token proves the features.
        Rounds::Fourteen(token) => unsafe { run::<14, N, J>(token, keys, job) },
    }
}

#[target_feature(enable = "aes,sse2,ssse3,sse4.1")]
fn run<const ROUNDS: usize, const N: usize, J: Job<N>>(token: AesNi, keys: [&Schedule; N], job: J) {
    job.run(keys.map(|key| Aes::<ROUNDS> { key, r: Xmm(token) }));
}

/// AES with this many rounds.
#[derive(Clone, Copy)]
struct Aes<'k, const ROUNDS: usize> {
    key: &'k Schedule,
    r: Xmm,
}

impl<const ROUNDS: usize> Aes<'_, ROUNDS> {
    /// All rounds but the last, after whitening, of blocks side by side.
    #[inline(always)]
    fn encrypt_rounds<const N: usize>(self, mut x: [__m128i; N]) -> [__m128i; N] {
        for key in &self.key.enc[1..ROUNDS] {
            for x in &mut x {
                *x = self.r.aesenc(*x, *key);
            }
        }
        x
    }

    #[inline(always)]
    fn encrypt_group<const N: usize>(self, mut x: [__m128i; N]) -> [__m128i; N] {
        for x in &mut x {
            *x = self.r.xor(*x, self.key.enc[0]);
        }
        x = self.encrypt_rounds(x);
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
        }
        for x in &mut x {
            *x = self.r.aesdeclast(*x, self.key.dec[ROUNDS]);
        }
        x
    }

    #[inline(always)]
    fn lanes<const ENCRYPT: bool, L: Lanes<Xmm>>(self, lanes: &mut L, io: InOut<'_>) {
        let (mut groups, mut rest) = Groups::of(io);
        while let Some(group) = groups.next::<8>() {
            self.group::<ENCRYPT, 8, L>(lanes, group);
        }
        if let Some(group) = groups.next::<4>() {
            self.group::<ENCRYPT, 4, L>(lanes, group);
        }
        if let Some(group) = groups.next::<2>() {
            self.group::<ENCRYPT, 2, L>(lanes, group);
        }
        if let Some(group) = groups.next::<1>() {
            self.group::<ENCRYPT, 1, L>(lanes, group);
        }
        if L::PARTIAL && !rest.is_empty() {
            let len = rest.len();
            let mut block = [0; BLOCK];
            block[..len].copy_from_slice(rest.src());
            let (mut groups, _) = Groups::of(InOut::in_place(&mut block));
            if let Some(group) = groups.next::<1>() {
                self.group::<ENCRYPT, 1, L>(lanes, group);
            }
            rest.dst().copy_from_slice(&block[..len]);
            block.as_mut_slice().zeroize();
        }
    }

    #[inline(always)]
    fn group<const ENCRYPT: bool, const N: usize, L: Lanes<Xmm>>(
        self,
        lanes: &mut L,
        mut group: Group<'_, N>,
    ) {
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
        let [out] = self.encrypt_group([block]);
        out
    }

    #[inline(always)]
    fn decrypt(self, block: __m128i) -> __m128i {
        let [out] = self.decrypt_group([block]);
        out
    }

    #[inline(always)]
    fn first(self, chain: __m128i, plain: __m128i) -> __m128i {
        self.r.xor(chain, self.r.xor(plain, self.key.enc[0]))
    }

    #[inline(always)]
    fn link(self, x: __m128i, next: __m128i) -> (__m128i, __m128i) {
        let [x] = self.encrypt_rounds([x]);
        let white = self.r.xor(next, self.key.enc[0]);
        let x = self.r.aesenclast(x, self.r.xor(self.key.enc[ROUNDS], white));
        (self.r.xor(x, white), x)
    }

    #[inline(always)]
    fn last(self, x: __m128i) -> __m128i {
        let [x] = self.encrypt_rounds([x]);
        self.r.aesenclast(x, self.key.enc[ROUNDS])
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
