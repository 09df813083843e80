//! The key schedule (FIPS 197, 5.2), kept as bit planes.

use zeroize::Zeroize;

use super::planes::{Block, Slice, broadcast};
use super::sbox::{AFFINE, sub_word};

/// Round keys of AES-256.
const MOST: usize = 15;

/// Round keys as slices, each where the fixsliced state has its bytes in that round; wiped on drop.
pub(super) struct Keys {
    slices: [Slice; MOST],
    rounds: usize,
}

impl Keys {
    /// Round keys of no key.
    pub(super) const fn none() -> Self {
        Keys { slices: [[0; 8]; MOST], rounds: 10 }
    }

    /// Expands a key of 16, 24 or 32 bytes.
    pub(super) fn expand(&mut self, key: &[u8]) {
        let (words, _) = key.as_chunks::<4>();
        let length = words.len();
        let mut schedule = [0u32; 4 * MOST];
        schedule.iter_mut().zip(words).for_each(|(w, &bytes)| *w = u32::from_le_bytes(bytes));
        self.rounds = length + 6;
        let mut constant = 1u32;
        for i in length..4 * (self.rounds + 1) {
            let mut word = schedule[i - 1];
            if i % length == 0 {
                word = sub_word(word.rotate_right(8)) ^ constant;
                constant = (constant << 1) ^ ((constant >> 7) * 0x11b);
            } else if length > 6 && i % length == 4 {
                word = sub_word(word);
            }
            schedule[i] = schedule[i - length] ^ word;
        }
        let (round_keys, _) = schedule.as_chunks::<4>();
        for (round, words) in round_keys.iter().enumerate().take(self.rounds + 1) {
            let left_out = if round == self.rounds { 0 } else { round };
            let mut key = placed(words, left_out);
            self.slices[round] = broadcast(&key);
            key.zeroize();
            if round > 0 {
                add_affine(&mut self.slices[round]);
            }
        }
        schedule.zeroize();
    }

    /// The first round key, those between, and the last.
    #[inline(always)]
    pub(super) fn rounds(&self) -> (&Slice, &[Slice], &Slice) {
        (&self.slices[0], &self.slices[1..self.rounds], &self.slices[self.rounds])
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.slices.zeroize();
    }
}

/// The bytes of a round key where they belong after `k` left out ShiftRows.
fn placed(words: &[u32; 4], k: usize) -> Block {
    core::array::from_fn(|i| {
        let (column, row) = (i / 4, i % 4);
        words[(column + 3 * k * row) % 4].to_le_bytes()[row]
    })
}

/// Adds to every byte what the S-box circuits leave out.
fn add_affine(slice: &mut Slice) {
    for (i, plane) in slice.iter_mut().enumerate() {
        *plane ^= 0u64.wrapping_sub(u64::from(AFFINE >> i & 1));
    }
}
