//! The rounds and the key schedule (ePrint 2013/404, sections 4.1 and 4.2).

use core::ops::BitXor;

use kcrypto_core::KeySizes;
use zeroize::Zeroize;

/// Round keys of the longest key.
const MOST: usize = 34;

/// A word of the cipher: half a block.
pub(super) trait Word:
    Copy + Default + From<u8> + BitXor<Output = Self> + Zeroize + Send + Sync + 'static
{
    /// Key lengths.
    const KEYS: KeySizes;
    /// Rounds besides one for each word of the key.
    const ROUNDS: usize;

    /// Reads a word.
    fn load(bytes: &[u8]) -> Self;
    /// Writes a word.
    fn store(self, bytes: &mut [u8]);
    /// The sum modulo the word.
    fn plus(self, other: Self) -> Self;
    /// The difference modulo the word.
    fn minus(self, other: Self) -> Self;
    /// Rotated towards the upper bits.
    fn left(self, bits: u32) -> Self;
    /// Rotated towards the lower bits.
    fn right(self, bits: u32) -> Self;
}

/// `word!(type, key lengths, rounds)`.
macro_rules! word {
    ($type:ty, $keys:expr, $rounds:literal) => {
        impl Word for $type {
            const KEYS: KeySizes = $keys;
            const ROUNDS: usize = $rounds;

            #[inline(always)]
            fn load(bytes: &[u8]) -> Self {
                Self::from_le_bytes(*bytes.first_chunk().expect("a whole word"))
            }

            #[inline(always)]
            fn store(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn left(self, bits: u32) -> Self {
                self.rotate_left(bits)
            }

            #[inline(always)]
            fn right(self, bits: u32) -> Self {
                self.rotate_right(bits)
            }
        }
    };
}

word!(u32, KeySizes { min: 12, max: 16, step: 4 }, 23);
word!(u64, KeySizes { min: 16, max: 32, step: 8 }, 30);

/// Round keys, wiped on drop.
pub(super) struct Keys<W: Word> {
    keys: [W; MOST],
    rounds: usize,
}

impl<W: Word> Keys<W> {
    /// Round keys of no key.
    pub(super) fn none() -> Self {
        Keys { keys: [W::default(); MOST], rounds: 0 }
    }

    /// Expands a key of an accepted length.
    pub(super) fn expand(&mut self, key: &[u8]) {
        let words = key.len() / size_of::<W>();
        self.rounds = W::ROUNDS + words;
        let mut schedule = [W::default(); 4];
        for (word, bytes) in schedule.iter_mut().zip(key.chunks_exact(size_of::<W>())) {
            *word = W::load(bytes);
        }
        let [k, l @ ..] = &mut schedule;
        for i in 0..self.rounds {
            self.keys[i] = *k;
            let l = &mut l[i % (words - 1)];
            (*l, *k) = round(*l, *k, W::from(i as u8));
        }
        schedule.zeroize();
    }

    /// Encrypts blocks side by side.
    #[inline]
    pub(super) fn encrypt<const N: usize>(&self, x: &mut [W; N], y: &mut [W; N]) {
        for &key in &self.keys[..self.rounds] {
            for i in 0..N {
                (x[i], y[i]) = round(x[i], y[i], key);
            }
        }
    }

    /// Decrypts blocks side by side.
    #[inline]
    pub(super) fn decrypt<const N: usize>(&self, x: &mut [W; N], y: &mut [W; N]) {
        for &key in self.keys[..self.rounds].iter().rev() {
            for i in 0..N {
                (x[i], y[i]) = inverse(x[i], y[i], key);
            }
        }
    }
}

impl<W: Word> Drop for Keys<W> {
    fn drop(&mut self) {
        self.keys.zeroize();
    }
}

#[inline(always)]
fn round<W: Word>(x: W, y: W, key: W) -> (W, W) {
    let x = x.right(8).plus(y) ^ key;
    (x, y.left(3) ^ x)
}

#[inline(always)]
fn inverse<W: Word>(x: W, y: W, key: W) -> (W, W) {
    let y = (y ^ x).right(3);
    ((x ^ key).minus(y).left(8), y)
}
