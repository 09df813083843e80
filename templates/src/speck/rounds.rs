//! The rounds over words and over vectors of words, and the key schedule (ePrint 2013/404, sections 4.1 and 4.2).

use kcrypto_core::chain::Runs;
use kcrypto_core::{InOut, KeySizes, Result};
use zeroize::Zeroize;

/// Round keys of the longest key.
const MOST: usize = 34;

/// Words side by side: one of each of some blocks.
pub trait Words: Copy {
    /// One of them.
    type Word: Copy;

    /// This word in all places.
    fn splat(self, word: Self::Word) -> Self;
    /// Sums modulo the word.
    fn plus(self, other: Self) -> Self;
    /// Differences modulo the word.
    fn minus(self, other: Self) -> Self;
    /// Exclusive or.
    fn xor(self, other: Self) -> Self;
    /// Rotated towards the upper bits by three.
    fn left3(self) -> Self;
    /// Rotated towards the upper bits by eight.
    fn left8(self) -> Self;
    /// Rotated towards the lower bits by three.
    fn right3(self) -> Self;
    /// Rotated towards the lower bits by eight.
    fn right8(self) -> Self;
}

/// One word, which is half a block.
pub trait Word: Words<Word = Self> + Default + From<u8> + Zeroize + Send + Sync + 'static {
    /// Key lengths.
    const KEYS: KeySizes;
    /// Rounds besides one for each word of the key.
    const ROUNDS: usize;

    /// Reads a word.
    fn load(bytes: &[u8]) -> Self;
    /// Writes a word.
    fn store(self, bytes: &mut [u8]);
}

/// `word!(type, key lengths, rounds)`.
macro_rules! word {
    ($type:ty, $keys:expr, $rounds:literal) => {
        impl Words for $type {
            type Word = Self;

            #[inline(always)]
            fn splat(self, word: Self) -> Self {
                word
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
            fn xor(self, other: Self) -> Self {
                self ^ other
            }

            #[inline(always)]
            fn left3(self) -> Self {
                self.rotate_left(3)
            }

            #[inline(always)]
            fn left8(self) -> Self {
                self.rotate_left(8)
            }

            #[inline(always)]
            fn right3(self) -> Self {
                self.rotate_right(3)
            }

            #[inline(always)]
            fn right8(self) -> Self {
                self.rotate_right(8)
            }
        }

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
        }
    };
}

word!(u32, KeySizes { min: 12, max: 16, step: 4 }, 23);
word!(u64, KeySizes { min: 16, max: 32, step: 8 }, 30);

/// Round keys, wiped on drop.
pub struct RoundKeys<W: Word> {
    keys: [W; MOST],
    rounds: usize,
}

impl<W: Word> RoundKeys<W> {
    /// Those of no key.
    pub fn none() -> Self {
        RoundKeys { keys: [W::default(); MOST], rounds: 0 }
    }

    /// Expands a key.
    ///
    /// # Errors
    /// [`BadKeyLen`](kcrypto_core::Error::BadKeyLen).
    pub fn expand(&mut self, key: &[u8]) -> Result<()> {
        W::KEYS.check(key.len())?;
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
        Ok(())
    }

    /// Encrypts blocks side by side.
    #[inline(always)]
    pub fn encrypt<V: Words<Word = W>, const N: usize>(&self, x: &mut [V; N], y: &mut [V; N]) {
        for &key in &self.keys[..self.rounds] {
            for i in 0..N {
                (x[i], y[i]) = round(x[i], y[i], x[i].splat(key));
            }
        }
    }

    /// Decrypts blocks side by side.
    #[inline(always)]
    pub fn decrypt<V: Words<Word = W>, const N: usize>(&self, x: &mut [V; N], y: &mut [V; N]) {
        for &key in self.keys[..self.rounds].iter().rev() {
            for i in 0..N {
                (x[i], y[i]) = inverse(x[i], y[i], x[i].splat(key));
            }
        }
    }

    /// Encrypts one block in place.
    #[inline]
    pub fn encrypt_block(&self, block: &mut [u8]) {
        self.one(block, Self::encrypt);
    }

    /// Decrypts one block in place.
    #[inline]
    pub fn decrypt_block(&self, block: &mut [u8]) {
        self.one(block, Self::decrypt);
    }

    #[inline(always)]
    fn one(&self, block: &mut [u8], cipher: impl Fn(&Self, &mut [W; 1], &mut [W; 1])) {
        let (low, high) = block.split_at_mut(size_of::<W>());
        let (mut y, mut x) = ([W::load(low)], [W::load(high)]);
        cipher(self, &mut x, &mut y);
        y[0].store(low);
        x[0].store(high);
    }
}

impl<W: Word> Runs for &RoundKeys<W> {
    fn block_size(self) -> usize {
        2 * size_of::<W>()
    }

    fn encrypt_blocks(self, mut io: InOut<'_>) {
        io.copy();
        io.dst().chunks_exact_mut(2 * size_of::<W>()).for_each(|block| self.encrypt_block(block));
    }

    fn decrypt_blocks(self, mut io: InOut<'_>) {
        io.copy();
        io.dst().chunks_exact_mut(2 * size_of::<W>()).for_each(|block| self.decrypt_block(block));
    }
}

impl<W: Word> Drop for RoundKeys<W> {
    fn drop(&mut self) {
        self.keys.zeroize();
    }
}

#[inline(always)]
fn round<V: Words>(x: V, y: V, key: V) -> (V, V) {
    let x = x.right8().plus(y).xor(key);
    (x, y.left3().xor(x))
}

#[inline(always)]
fn inverse<V: Words>(x: V, y: V, key: V) -> (V, V) {
    let y = y.xor(x).right3();
    (x.xor(key).minus(y).left8(), y)
}
