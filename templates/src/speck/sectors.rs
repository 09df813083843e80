//! Sectors under Speck: XTS in groups of blocks that fill a driver's vectors.
//!
//! Of some blocks one vector has the words y and another the words x, and four such pairs side by side hide the
//! latency of a round. Tweaks are made in vectors too. What is left over goes through the template's portable code,
//! block by block, with the tweak carried on.

use alloc::boxed::Box;

use kcrypto_core::chain::Numbers;
use kcrypto_core::engine::Registers;
use kcrypto_core::{Dir, InOut, Make, Result, SkcipherAlg, SkcipherDriver};
use zeroize::Zeroize;

use super::{RoundKeys, Word, Words};
use crate::xts::{self, Xts};

/// A vector of words, with the tweaks of XTS.
pub trait Vector: Words<Word: Word> {
    /// Proves that the CPU has the instructions.
    type Token: Copy;
    /// The tweaks of a pair of vectors.
    type Tweaks: Copy;
    /// Bytes of a message that a pair of vectors holds.
    const PAIR: usize;

    /// Those that begin with these four.
    fn tweaks(token: Self::Token, first: &[u128; 4]) -> Self::Tweaks;
    /// Those of the blocks that follow.
    fn next(tweaks: Self::Tweaks) -> Self::Tweaks;
    /// The first of them.
    fn running(tweaks: Self::Tweaks) -> u128;
    /// The words x and y of `PAIR` bytes under their tweaks.
    fn load(token: Self::Token, src: &[u8], tweaks: Self::Tweaks) -> (Self, Self);
    /// The reverse.
    fn store(x: Self, y: Self, tweaks: Self::Tweaks, dst: &mut [u8]);
}

/// The instructions of a CPU for blocks of these words, with the proof that they may be used.
pub trait Kernel<W: Word>: Copy + Send + Sync + 'static {
    /// Its vectors.
    type Vector: Vector<Word = W>;

    /// The proof.
    ///
    /// # Errors
    /// [`Unavailable`](kcrypto_core::Error::Unavailable), with what the CPU lacks.
    fn prove() -> Result<Self>;
    /// [`groups`], compiled with the instructions.
    fn groups(self, keys: &RoundKeys<W>, dir: Dir, tweak: &mut [u8], io: InOut<'_>);
}

/// Any number of pairs of vectors, in groups of four, two and one, from this tweak on, which becomes that of the
/// block after them. A last part that does not fill a pair stays as it is.
#[inline(always)]
pub fn groups<V: Vector, const ENCRYPT: bool>(
    token: V::Token,
    keys: &RoundKeys<V::Word>,
    tweak: &mut [u8],
    mut io: InOut<'_>,
) {
    let r = Numbers { size: tweak.len() };
    let mut first = [r.load(tweak); 4];
    for i in 1..4 {
        first[i] = r.double(first[i - 1]);
    }
    let mut tweaks = V::tweaks(token, &first);
    while io.len() >= 4 * V::PAIR {
        let (group, rest) = io.split_at(4 * V::PAIR);
        tweaks = side_by_side::<V, 4, ENCRYPT>(token, keys, tweaks, group);
        io = rest;
    }
    if io.len() >= 2 * V::PAIR {
        let (group, rest) = io.split_at(2 * V::PAIR);
        tweaks = side_by_side::<V, 2, ENCRYPT>(token, keys, tweaks, group);
        io = rest;
    }
    if io.len() >= V::PAIR {
        tweaks = side_by_side::<V, 1, ENCRYPT>(token, keys, tweaks, io);
    }
    r.store(V::running(tweaks), tweak);
    first.zeroize();
}

/// A group of `N` pairs of vectors; returns the tweaks after it.
#[inline(always)]
fn side_by_side<V: Vector, const N: usize, const ENCRYPT: bool>(
    token: V::Token,
    keys: &RoundKeys<V::Word>,
    mut tweaks: V::Tweaks,
    mut io: InOut<'_>,
) -> V::Tweaks {
    let mut kept = [tweaks; N];
    let src = &io.src()[..N * V::PAIR];
    let (first_x, first_y) = V::load(token, &src[..V::PAIR], tweaks);
    let (mut x, mut y) = ([first_x; N], [first_y; N]);
    for i in 1..N {
        tweaks = V::next(tweaks);
        kept[i] = tweaks;
        (x[i], y[i]) = V::load(token, &src[i * V::PAIR..(i + 1) * V::PAIR], tweaks);
    }
    if ENCRYPT {
        keys.encrypt(&mut x, &mut y);
    } else {
        keys.decrypt(&mut x, &mut y);
    }
    let dst = &mut io.dst()[..N * V::PAIR];
    for i in 0..N {
        V::store(x[i], y[i], kept[i], &mut dst[i * V::PAIR..(i + 1) * V::PAIR]);
    }
    V::next(tweaks)
}

/// Limits of a driver of `xts(speck64)` or `xts(speck128)`, by the words, and what makes its transforms.
pub const fn limits<W: Word, K: Kernel<W>>() -> SkcipherAlg {
    let make: Make<dyn SkcipherDriver> = Make::Static(|| Box::new(Xts::over(Sectors::<W, K>::new())));
    xts::limits(2 * size_of::<W>(), W::KEYS, make)
}

/// The keys of both halves. Without a key it leaves its buffers alone.
struct Sectors<W: Word, K> {
    data: RoundKeys<W>,
    tweak: RoundKeys<W>,
    kernel: Option<K>,
}

impl<W: Word, K: Kernel<W>> Sectors<W, K> {
    fn new() -> Self {
        Sectors { data: RoundKeys::none(), tweak: RoundKeys::none(), kernel: None }
    }
}

impl<W: Word, K: Kernel<W>> xts::Keys for Sectors<W, K> {
    fn block_size(&self) -> usize {
        2 * size_of::<W>()
    }

    fn set_keys(&mut self, data: &[u8], tweak: &[u8]) -> Result<()> {
        *self = Sectors::new();
        let kernel = K::prove()?;
        self.tweak.expand(tweak)?;
        self.data.expand(data)?;
        self.kernel = Some(kernel);
        Ok(())
    }

    fn check_weak_keys(&self, _data: &[u8], _tweak: &[u8]) -> Result<()> {
        Ok(())
    }

    fn start(&self, iv: &mut [u8]) {
        self.tweak.encrypt_block(iv);
    }

    fn run(&self, dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
        let Some(kernel) = self.kernel else { return };
        let size = 2 * size_of::<W>();
        let part = io.len() % size;
        // The last whole block belongs to the part after it.
        let whole = io.len() - part - if part == 0 { 0 } else { size };
        let (pairs, rest) = io.split_at(whole - whole % K::Vector::PAIR);
        if !pairs.is_empty() {
            kernel.groups(&self.data, dir, tweak, pairs);
        }
        if !rest.is_empty() {
            xts::run(&self.data, dir, tweak, rest);
        }
    }
}
