//! The floor: what the same instructions do without any framework.

use std::arch::x86_64::*;

use kcrypto::Dir;

use crate::contender::{Case, Cipher, Contender, Mode};

/// Rounds of a 128-bit key.
const ROUNDS: usize = 10;

/// `cts(cbc(aes))` with a 128-bit key, each direction one function.
struct Cts {
    enc: [__m128i; ROUNDS + 1],
    dec: [__m128i; ROUNDS + 1],
    dir: Dir,
}

/// The floor of a direction of `cts(cbc(aes))` with a 128-bit key.
pub fn cts(dir: Dir) -> Contender {
    assert!(has_aes(), "this CPU has no AES-NI");
    let key = Case { mode: Mode::Cts, dir, bits: 128 }.key();
    // SAFETY: the features were just checked.
    let (enc, dec) = unsafe { expand(key[..].try_into().expect("16 bytes")) };
    Contender::new("floor", Cts { enc, dec, dir })
}

/// Nothing but `blocks` times the ten rounds of a 128-bit key, each on the result of the one before.
pub fn chain(blocks: u64) {
    assert!(has_aes(), "this CPU has no AES-NI");
    // SAFETY: the features were just checked.
    unsafe { chain_rounds(blocks) }
}

fn has_aes() -> bool {
    is_x86_feature_detected!("aes") && is_x86_feature_detected!("sse4.1")
}

#[target_feature(enable = "aes")]
fn chain_rounds(blocks: u64) {
    let (enc, _) = expand(&[7; 16]);
    let keys = std::hint::black_box(enc);
    let mut x = keys[0];
    for _ in 0..blocks {
        for key in &keys[1..ROUNDS] {
            x = _mm_aesenc_si128(x, *key);
        }
        x = _mm_aesenclast_si128(x, keys[ROUNDS]);
    }
    std::hint::black_box(x);
}

impl Cipher for Cts {
    #[inline(always)]
    fn apart(&mut self, iv: &[u8; 16], src: &[u8], dst: &mut [u8]) {
        assert!(src.len() == dst.len() && src.len() >= 16);
        // SAFETY: `cts` checked the features; both buffers have this length, at least one block.
        unsafe { self.crypt(iv, src.as_ptr(), dst.as_mut_ptr(), src.len()) }
    }

    #[inline(always)]
    fn in_place(&mut self, iv: &[u8; 16], buf: &mut [u8]) {
        assert!(buf.len() >= 16);
        let at = buf.as_mut_ptr();
        // SAFETY: `cts` checked the features; the buffer has this length, at least one block.
        unsafe { self.crypt(iv, at, at, buf.len()) }
    }
}

/// Read at `32 - n`, indices that move the last `n` bytes to the front; read at `n`, the reverse.
static SHIFT: [u8; 48] = {
    let mut table = [0x80; 48];
    let mut i = 0;
    while i < 16 {
        table[16 + i] = i as u8;
        i += 1;
    }
    table
};

/// Read at `16 - n`, a mask of all bytes from the `n`th on.
static FROM: [u8; 32] = {
    let mut table = [0xff; 32];
    let mut i = 0;
    while i < 16 {
        table[i] = 0;
        i += 1;
    }
    table
};

impl Cts {
    /// # Safety
    /// The CPU has the features; `src` is readable and `dst` writable for `len` bytes, at least 16; they are
    /// equal or do not overlap.
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    unsafe fn crypt(&self, iv: &[u8; 16], src: *const u8, dst: *mut u8, len: usize) {
        match self.dir {
            // SAFETY: the caller's promise is the callee's.
            Dir::Encrypt => unsafe { self.encrypt(iv, src, dst, len) },
            // SAFETY: the caller's promise is the callee's.
            Dir::Decrypt => unsafe { self.decrypt(iv, src, dst, len) },
        }
    }

    /// # Safety
    /// As [`Cts::crypt`].
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    unsafe fn encrypt(&self, iv: &[u8; 16], src: *const u8, dst: *mut u8, len: usize) {
        let key = &self.enc;
        let n = (len - 1) % 16 + 1;
        // SAFETY: every access lies in the first `len` bytes, the IV, or a table.
        unsafe {
            let chain = load(iv.as_ptr());
            let mut x = _mm_xor_si128(chain, _mm_xor_si128(load(src), key[0]));
            if len == 16 {
                return store(dst, _mm_aesenclast_si128(rounds(x, key), key[ROUNDS]));
            }
            // Before anything is written: the last block shares bytes with the one before.
            let mut tail = load(src.add(len - 16));
            if n != 16 {
                tail = _mm_shuffle_epi8(tail, load(SHIFT.as_ptr().add(32 - n)));
            }
            let whole = len - n;
            let mut at = 16;
            while at < whole {
                let next = _mm_xor_si128(load(src.add(at)), key[0]);
                x = _mm_aesenclast_si128(rounds(x, key), _mm_xor_si128(key[ROUNDS], next));
                store(dst.add(at - 16), _mm_xor_si128(x, next));
                at += 16;
            }
            let next = _mm_xor_si128(tail, key[0]);
            x = _mm_aesenclast_si128(rounds(x, key), _mm_xor_si128(key[ROUNDS], next));
            let mut last = _mm_xor_si128(x, next);
            let y = _mm_aesenclast_si128(rounds(x, key), key[ROUNDS]);
            if n != 16 {
                last = _mm_shuffle_epi8(last, load(SHIFT.as_ptr().add(n)));
            }
            store(dst.add(len - 16), last);
            store(dst.add(whole - 16), y);
        }
    }

    /// # Safety
    /// As [`Cts::crypt`].
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    unsafe fn decrypt(&self, iv: &[u8; 16], src: *const u8, dst: *mut u8, len: usize) {
        let n = (len - 1) % 16 + 1;
        // SAFETY: every access lies in the first `len` bytes, the IV, or a table.
        unsafe {
            let mut chain = load(iv.as_ptr());
            if len == 16 {
                let [x] = self.unroll([load(src)]);
                return store(dst, _mm_xor_si128(x, chain));
            }
            let window = load(src.add(len - 16));
            // Whole blocks are CBC with the last two in the other order; else the last two are apart.
            let whole = n == 16;
            let mut left = (len - n) / 16 + usize::from(whole);
            let (mut from, mut to) = (src, dst);
            while left > 9 || left == 9 && !whole {
                chain = self.group::<8>(from, to, chain);
                (from, to, left) = (from.add(128), to.add(128), left - 8);
            }
            let (d, before) = match left {
                1 => self.last::<1>(from, to, chain),
                2 if whole => return self.swapped::<2>(from, to, chain, window),
                2 => self.last::<2>(from, to, chain),
                3 if whole => return self.swapped::<3>(from, to, chain, window),
                3 => self.last::<3>(from, to, chain),
                4 if whole => return self.swapped::<4>(from, to, chain, window),
                4 => self.last::<4>(from, to, chain),
                5 if whole => return self.swapped::<5>(from, to, chain, window),
                5 => self.last::<5>(from, to, chain),
                6 if whole => return self.swapped::<6>(from, to, chain, window),
                6 => self.last::<6>(from, to, chain),
                7 if whole => return self.swapped::<7>(from, to, chain, window),
                7 => self.last::<7>(from, to, chain),
                8 if whole => return self.swapped::<8>(from, to, chain, window),
                _ if whole => return self.swapped::<9>(from, to, chain, window),
                _ => self.last::<8>(from, to, chain),
            };
            let tail = _mm_shuffle_epi8(window, load(SHIFT.as_ptr().add(32 - n)));
            let [x] = self.unroll([_mm_or_si128(tail, _mm_and_si128(d, load(FROM.as_ptr().add(16 - n))))]);
            let last = _mm_shuffle_epi8(_mm_xor_si128(d, tail), load(SHIFT.as_ptr().add(n)));
            store(dst.add(len - 16), last);
            store(dst.add(len - n - 16), _mm_xor_si128(x, before));
        }
    }

    /// `N` whole blocks, at least two, of which the last two, `Y` and `x`, have changed places.
    ///
    /// # Safety
    /// As [`Cts::crypt`] with a length of `16 N`.
    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    unsafe fn swapped<const N: usize>(&self, src: *const u8, dst: *mut u8, chain: __m128i, x: __m128i) {
        let mut c = [chain; N];
        for (i, c) in c.iter_mut().enumerate() {
            // SAFETY: within `16 N` bytes.
            *c = unsafe { load(src.add(16 * i)) };
        }
        c[N - 1] = c[N - 2];
        c[N - 2] = x;
        let p = self.unroll(c);
        for i in 0..N {
            let before = if i == 0 { chain } else { c[i - 1] };
            // SAFETY: within `16 N` bytes.
            unsafe { store(dst.add(16 * i), _mm_xor_si128(p[i], before)) };
        }
    }

    /// CBC of `N` blocks; returns the last ciphertext block.
    ///
    /// # Safety
    /// As [`Cts::crypt`] with a length of `16 N`.
    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    unsafe fn group<const N: usize>(&self, src: *const u8, dst: *mut u8, chain: __m128i) -> __m128i {
        let mut c = [chain; N];
        for (i, c) in c.iter_mut().enumerate() {
            // SAFETY: within `16 N` bytes.
            *c = unsafe { load(src.add(16 * i)) };
        }
        let x = self.unroll(c);
        for i in 0..N {
            let before = if i == 0 { chain } else { c[i - 1] };
            // SAFETY: within `16 N` bytes.
            unsafe { store(dst.add(16 * i), _mm_xor_si128(x[i], before)) };
        }
        c[N - 1]
    }

    /// CBC of all but the last of `N` blocks; returns the last one deciphered and the ciphertext before it.
    ///
    /// # Safety
    /// As [`Cts::crypt`] with a length of `16 N`.
    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    unsafe fn last<const N: usize>(
        &self,
        src: *const u8,
        dst: *mut u8,
        chain: __m128i,
    ) -> (__m128i, __m128i) {
        let mut c = [chain; N];
        for (i, c) in c.iter_mut().enumerate() {
            // SAFETY: within `16 N` bytes.
            *c = unsafe { load(src.add(16 * i)) };
        }
        let x = self.unroll(c);
        let mut before = chain;
        for i in 0..N - 1 {
            // SAFETY: within `16 N` bytes.
            unsafe { store(dst.add(16 * i), _mm_xor_si128(x[i], before)) };
            before = c[i];
        }
        (x[N - 1], before)
    }

    /// The inverse cipher of blocks side by side.
    #[inline]
    #[target_feature(enable = "aes,sse4.1,ssse3")]
    fn unroll<const N: usize>(&self, mut x: [__m128i; N]) -> [__m128i; N] {
        x.iter_mut().for_each(|x| *x = _mm_xor_si128(*x, self.dec[0]));
        for key in &self.dec[1..ROUNDS] {
            x.iter_mut().for_each(|x| *x = _mm_aesdec_si128(*x, *key));
            keep_order(&mut x);
        }
        x.iter_mut().for_each(|x| *x = _mm_aesdeclast_si128(*x, self.dec[ROUNDS]));
        x
    }
}

/// Holds the compiler to rounds across blocks, where it would finish one block after the other.
#[inline(always)]
fn keep_order<const N: usize>(x: &mut [__m128i; N]) {
    for x in x {
        // SAFETY: it holds no instruction.
        unsafe { std::arch::asm!("/* {} */", inout(xmm_reg) * x, options(nomem, nostack, preserves_flags)) }
    }
}

/// All rounds of the cipher but the last.
#[inline]
#[target_feature(enable = "aes")]
fn rounds(mut x: __m128i, key: &[__m128i; ROUNDS + 1]) -> __m128i {
    for key in &key[1..ROUNDS] {
        x = _mm_aesenc_si128(x, *key);
    }
    x
}

/// # Safety
/// 16 bytes are readable there.
#[inline(always)]
unsafe fn load(at: *const u8) -> __m128i {
    // SAFETY: the caller's promise.
    unsafe { _mm_loadu_si128(at.cast()) }
}

/// # Safety
/// 16 bytes are writable there.
#[inline(always)]
unsafe fn store(at: *mut u8, x: __m128i) {
    // SAFETY: the caller's promise.
    unsafe { _mm_storeu_si128(at.cast(), x) }
}

/// Round keys of the cipher, and of the equivalent inverse cipher (FIPS 197, 5.2 and 5.3.5).
#[target_feature(enable = "aes")]
fn expand(key: &[u8; 16]) -> ([__m128i; ROUNDS + 1], [__m128i; ROUNDS + 1]) {
    macro_rules! next {
        ($key:expr, $constant:literal) => {{
            let word = _mm_shuffle_epi32::<0xff>(_mm_aeskeygenassist_si128::<$constant>($key));
            let mut x = _mm_xor_si128($key, _mm_slli_si128::<4>($key));
            x = _mm_xor_si128(x, _mm_slli_si128::<8>(x));
            _mm_xor_si128(x, word)
        }};
    }
    // SAFETY: the key has 16 bytes.
    let first = unsafe { load(key.as_ptr()) };
    let mut enc = [first; ROUNDS + 1];
    enc[1] = next!(enc[0], 0x01);
    enc[2] = next!(enc[1], 0x02);
    enc[3] = next!(enc[2], 0x04);
    enc[4] = next!(enc[3], 0x08);
    enc[5] = next!(enc[4], 0x10);
    enc[6] = next!(enc[5], 0x20);
    enc[7] = next!(enc[6], 0x40);
    enc[8] = next!(enc[7], 0x80);
    enc[9] = next!(enc[8], 0x1b);
    enc[10] = next!(enc[9], 0x36);
    let mut dec = enc;
    dec.reverse();
    dec[1..ROUNDS].iter_mut().for_each(|key| *key = _mm_aesimc_si128(*key));
    (enc, dec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::agree;
    use crate::ours;

    #[test]
    fn computes_what_the_drivers_compute() {
        let registry = ours::registry();
        for dir in Dir::BOTH {
            let case = Case { mode: Mode::Cts, dir, bits: 128 };
            let mut contenders = [ours::driver(&registry, "cts(cbc(aes-generic))", case), cts(dir)];
            for len in 16..600 {
                agree(&mut contenders, len);
            }
        }
    }
}
