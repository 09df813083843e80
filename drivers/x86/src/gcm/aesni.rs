//! Counter mode and GHASH side by side.
//!
//! AESENC and PCLMULQDQ keep different units of the CPU busy, and a group of either leaves the other's idle. So eight
//! blocks of ciphertext are hashed beside the rounds over eight counter blocks. The compiler is held to the order of the
//! rounds and places the multiplications: held between the rounds as well, they were no faster over
//! 16384 bytes (shorter messages were tried once only).

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use kcrypto_core::engine::{Engine, Registers, read_part};
use kcrypto_core::{Aad, Dir, InOut};
use kcrypto_simd::x86::AesNi;

use super::GcmAesni;
use crate::aesni::{Aes, keep_order, with_rounds};
use crate::blocks::Blocks;
use crate::clmul::{Field, Powers, Sum};
use crate::key::{Rounds, Schedule};
use crate::xmm::{BLOCK, Xmm};

/// Blocks that go through the rounds side by side.
const GROUP: usize = 8;

/// Encrypts a block, both given as big-endian numbers.
pub(super) fn encrypt(key: &Schedule, block: u128) -> u128 {
    with_rounds!(key.rounds, encrypt_block(key, block))
}

#[target_feature(enable = "aes,sse2,ssse3,sse4.1")]
fn encrypt_block<const ROUNDS: usize>(token: AesNi, key: &Schedule, block: u128) -> u128 {
    let aes = Aes::<ROUNDS> { key, r: Xmm(token) };
    let mut out = [0; BLOCK];
    aes.r.store(aes.encrypt(aes.r.number(block.swap_bytes())), &mut out);
    u128::from_be_bytes(out)
}

/// A run of text, as [`Galois::crypt`](kcrypto_templates::gcm::Galois::crypt) has it.
pub(super) fn crypt(
    key: &GcmAesni,
    dir: Dir,
    counter: &mut [u8; BLOCK],
    hash: &mut [u8; BLOCK],
    io: InOut<'_>,
) {
    let Some(f) = key.ghash.field() else { return };
    match dir {
        Dir::Encrypt => with_rounds!(key.aes.rounds, encrypt_run(key, f, counter, hash, io)),
        Dir::Decrypt => with_rounds!(key.aes.rounds, decrypt_run(key, f, counter, hash, io)),
    }
}

/// A whole message, as [`Galois::message`](kcrypto_templates::gcm::Galois::message) has it.
pub(super) fn message(
    key: &GcmAesni,
    dir: Dir,
    j0: u128,
    aad: &Aad<'_>,
    io: InOut<'_>,
    lengths: u128,
) -> [u8; BLOCK] {
    let Some(f) = key.ghash.field() else { return [0; BLOCK] };
    match dir {
        Dir::Encrypt => with_rounds!(key.aes.rounds, seal(key, f, j0, aad, io, lengths)),
        Dir::Decrypt => with_rounds!(key.aes.rounds, open(key, f, j0, aad, io, lengths)),
    }
}

// Each direction is a function of its own: what one needs of registers and stack, the other does not pay for.

#[target_feature(enable = "aes,pclmulqdq,sse2,ssse3,sse4.1")]
fn encrypt_run<const ROUNDS: usize>(
    token: AesNi,
    key: &GcmAesni,
    f: Field,
    counter: &mut [u8; BLOCK],
    hash: &mut [u8; BLOCK],
    io: InOut<'_>,
) {
    Both::<ROUNDS, true>::new(token, key, f).run(counter, hash, io);
}

#[target_feature(enable = "aes,pclmulqdq,sse2,ssse3,sse4.1")]
fn decrypt_run<const ROUNDS: usize>(
    token: AesNi,
    key: &GcmAesni,
    f: Field,
    counter: &mut [u8; BLOCK],
    hash: &mut [u8; BLOCK],
    io: InOut<'_>,
) {
    Both::<ROUNDS, false>::new(token, key, f).run(counter, hash, io);
}

#[target_feature(enable = "aes,pclmulqdq,sse2,ssse3,sse4.1")]
fn seal<const ROUNDS: usize>(
    token: AesNi,
    key: &GcmAesni,
    f: Field,
    j0: u128,
    aad: &Aad<'_>,
    io: InOut<'_>,
    lengths: u128,
) -> [u8; BLOCK] {
    Both::<ROUNDS, true>::new(token, key, f).message(j0, aad, io, lengths)
}

#[target_feature(enable = "aes,pclmulqdq,sse2,ssse3,sse4.1")]
fn open<const ROUNDS: usize>(
    token: AesNi,
    key: &GcmAesni,
    f: Field,
    j0: u128,
    aad: &Aad<'_>,
    io: InOut<'_>,
    lengths: u128,
) -> [u8; BLOCK] {
    Both::<ROUNDS, false>::new(token, key, f).message(j0, aad, io, lengths)
}

/// Both halves of GCM, in one direction.
#[derive(Clone, Copy)]
struct Both<'k, const ROUNDS: usize, const ENCRYPT: bool> {
    aes: Aes<'k, ROUNDS>,
    ghash: &'k Powers,
    f: Field,
}

/// How a text is cut: whole groups, and 1 to 8 blocks after them, or none if there is no text.
struct Cut {
    groups: usize,
    /// A partial block counts.
    last: usize,
}

impl Cut {
    #[inline(always)]
    fn new(len: usize) -> Self {
        let groups = len.saturating_sub(1) / (GROUP * BLOCK);
        Cut { groups, last: (len - groups * GROUP * BLOCK).div_ceil(BLOCK) }
    }
}

impl<'k, const ROUNDS: usize, const ENCRYPT: bool> Both<'k, ROUNDS, ENCRYPT> {
    #[inline(always)]
    fn new(token: AesNi, key: &'k GcmAesni, f: Field) -> Self {
        Both { aes: Aes { key: &key.aes, r: Xmm(token) }, ghash: &key.ghash, f }
    }

    #[inline(always)]
    fn run(self, counter: &mut [u8; BLOCK], hash: &mut [u8; BLOCK], io: InOut<'_>) {
        let f = self.f;
        let cut = Cut::new(io.len());
        let first = f.reverse(f.load(counter));
        let used = io.len().div_ceil(BLOCK);
        let blocks = if cut.groups == 0 { cut.last } else { 0 };
        let sum = self.ghash.begin(f, f.reverse(f.load(hash)), blocks as u64);
        let (_, sum) = self.text(self.advanced(first, u32::MAX), sum, cut, io, 0);
        f.store(f.reverse(self.advanced(first, used as u32)), counter);
        f.store(f.reverse(sum.end(f)), hash);
    }

    #[inline(always)]
    fn message(self, j0: u128, aad: &Aad<'_>, io: InOut<'_>, lengths: u128) -> [u8; BLOCK] {
        let f = self.f;
        let cut = Cut::new(io.len());
        let beside = if cut.groups == 0 { cut.last as u64 + 1 } else { 0 };
        let sum = self.ghash.begin(f, f.number(0), aad.len().div_ceil(BLOCK as u64) + beside);
        let sum = self.associated(sum, aad);
        let (mask, sum) = self.text(f.number(j0), sum, cut, io, 1);
        let [power] = self.ghash.window(0);
        let hash = sum.add(f, f.number(lengths), power).end(f);
        let mut tag = [0; BLOCK];
        f.store(f.xor(f.reverse(hash), mask), &mut tag);
        tag
    }

    /// Hashes associated data.
    #[inline(always)]
    fn associated(self, mut sum: Sum, aad: &Aad<'_>) -> Sum {
        let f = self.f;
        let (mut held, mut held_len) = (0, 0);
        for piece in aad.pieces() {
            let (head, rest) = piece.split_at(piece.len().min((BLOCK - held_len) % BLOCK));
            held |= read_part(head) << (8 * held_len);
            held_len += head.len();
            if held_len == BLOCK {
                sum = self.ghash.hash(f, sum, f.reverse(f.number(held)));
                (held, held_len) = (0, 0);
            }
            let (blocks, tail) = rest.as_chunks();
            for block in blocks {
                sum = self.ghash.hash(f, sum, f.reverse(f.load(block)));
            }
            if !tail.is_empty() {
                (held, held_len) = (read_part(tail), tail.len());
            }
        }
        if held_len > 0 { self.ghash.hash(f, sum, f.reverse(f.number(held))) } else { sum }
    }

    /// Encrypts or decrypts a text and hashes its ciphertext, `after` blocks of which no reduction separates what is
    /// hashed after it. If the text has whole groups, `sum` is complete; else it goes on in the text. Returns also the
    /// encrypted `counter`, after which the text begins.
    #[inline(always)]
    fn text(
        self,
        counter: __m128i,
        mut sum: Sum,
        cut: Cut,
        mut io: InOut<'_>,
        after: usize,
    ) -> (__m128i, Sum) {
        let mut blocks = Blocks::of(&mut io);
        let mut next = self.advanced(counter, 1);
        if cut.groups > 0 {
            let mut hash = sum.end(self.f);
            let mut before = None;
            for _ in 0..cut.groups {
                let Some(group) = blocks.take(GROUP) else { break };
                (hash, before) = self.group(next, hash, before, group);
                next = self.advanced(next, GROUP as u32);
            }
            let waiting = if ENCRYPT { GROUP } else { 0 };
            sum = self.ghash.begin(self.f, hash, (waiting + cut.last + after) as u64);
            if let Some(mut group) = before {
                for i in 0..GROUP {
                    sum = self.ghash.hash(self.f, sum, self.ciphertext(&mut group, i));
                }
            }
        }
        let mut rest = io.split_at(cut.groups * GROUP * BLOCK).1;
        let (mask, key, sum) = match cut.last {
            0 => return (self.aes.encrypt(self.f.reverse(counter)), sum),
            1 => self.last::<2>(counter, next, sum, &mut rest, after),
            2 => self.last::<3>(counter, next, sum, &mut rest, after),
            3 => self.last::<4>(counter, next, sum, &mut rest, after),
            4 => self.last::<5>(counter, next, sum, &mut rest, after),
            5 => self.last::<6>(counter, next, sum, &mut rest, after),
            6 => self.last::<7>(counter, next, sum, &mut rest, after),
            7 => self.last::<8>(counter, next, sum, &mut rest, after),
            _ => self.last::<9>(counter, next, sum, &mut rest, after),
        };
        let cipher = self.last_block(key, rest.split_at((cut.last - 1) * BLOCK).1);
        let [power] = self.ghash.window(after);
        (mask, sum.add(self.f, cipher, power))
    }

    /// A whole group after `before`, which was encrypted and is not hashed yet. Returns the group if that is so for
    /// it too.
    #[inline(always)]
    fn group<'b>(
        self,
        counter: __m128i,
        hash: __m128i,
        before: Option<Blocks<'b>>,
        mut group: Blocks<'b>,
    ) -> (__m128i, Option<Blocks<'b>>) {
        let r = self.aes.r;
        let counters = self.counters(counter);
        let (x, hash) = if !ENCRYPT {
            self.stitched(counters, hash, &mut group)
        } else if let Some(mut before) = before {
            self.stitched(counters, hash, &mut before)
        } else {
            (self.aes.encrypt_group(counters), hash)
        };
        for (i, key) in x.into_iter().enumerate() {
            let block = r.xor(r.load(group.src(i)), key);
            r.store(block, group.dst(i));
        }
        (hash, if ENCRYPT { Some(group) } else { None })
    }

    /// Encrypts a group of blocks, and hashes the ciphertext of one.
    #[inline(always)]
    fn stitched(
        self,
        mut x: [__m128i; GROUP],
        hash: __m128i,
        hashed: &mut Blocks<'_>,
    ) -> ([__m128i; GROUP], __m128i) {
        let (r, f, key) = (self.aes.r, self.f, &self.aes.key.enc);
        let powers = self.ghash.window::<GROUP>(0);
        let mut sum = self.ghash.begin(f, hash, GROUP as u64);
        for x in &mut x {
            *x = r.xor(*x, key[0]);
        }
        for (round, key) in key[1..ROUNDS].iter().enumerate() {
            for x in &mut x {
                *x = r.aesenc(*x, *key);
            }
            if round < GROUP {
                sum = sum.add(f, self.ciphertext(hashed, round), &powers[GROUP - 1 - round]);
            }
            keep_order(&mut x);
        }
        for x in &mut x {
            *x = r.aesenclast(*x, key[ROUNDS]);
        }
        (x, sum.end(f))
    }

    /// What is left of a text, but for its last block, which may be a partial one: its key is returned, and before
    /// that the encrypted `counter`.
    #[inline(always)]
    fn last<const LANES: usize>(
        self,
        counter: __m128i,
        next: __m128i,
        mut sum: Sum,
        io: &mut InOut<'_>,
        after: usize,
    ) -> (__m128i, __m128i, Sum) {
        let (r, f) = (self.aes.r, self.f);
        let mut x = [f.reverse(counter); LANES];
        for (i, x) in x[1..].iter_mut().enumerate() {
            *x = f.reverse(self.advanced(next, i as u32));
        }
        x = self.aes.encrypt_group(x);
        let powers = self.ghash.window::<LANES>(after);
        let mut blocks = Blocks::of(io);
        for i in 0..LANES - 2 {
            let input = r.load(blocks.src(i));
            let output = r.xor(input, x[i + 1]);
            r.store(output, blocks.dst(i));
            let cipher = if ENCRYPT { output } else { input };
            sum = sum.add(f, f.reverse(cipher), &powers[LANES - 2 - i]);
        }
        (x[0], x[LANES - 1], sum)
    }

    /// Encrypts or decrypts the last block of a text; returns its ciphertext, padded, as GHASH takes it.
    #[inline(always)]
    fn last_block(self, key: __m128i, mut io: InOut<'_>) -> __m128i {
        let (r, len) = (self.aes.r, io.len());
        let input = if len == BLOCK { r.load(io.src()) } else { r.load_part(io.src(), 0) };
        let output = r.xor(input, key);
        if len == BLOCK {
            r.store(output, io.dst())
        } else {
            r.store_part(output, io.dst())
        }
        self.f.reverse(if ENCRYPT { r.first(output, len) } else { input })
    }

    /// A block of ciphertext as GHASH takes it.
    #[inline(always)]
    fn ciphertext(self, group: &mut Blocks<'_>, i: usize) -> __m128i {
        self.f.reverse(self.f.load(if ENCRYPT { group.dst(i) } else { group.src(i) }))
    }

    /// The blocks of a group's counters.
    #[inline(always)]
    fn counters(self, first: __m128i) -> [__m128i; GROUP] {
        let mut counters = [first; GROUP];
        for (i, counter) in counters.iter_mut().enumerate() {
            *counter = self.f.reverse(self.advanced(first, i as u32));
        }
        counters
    }

    /// A counter as a number, `n` blocks further: only its last 32 bits count (SP 800-38D, 6.2).
    #[inline(always)]
    fn advanced(self, counter: __m128i, n: u32) -> __m128i {
        self.aes.r.add32(counter, self.f.number(n.into()))
    }
}
