//! `michael_mic-generic`: Michael, the message integrity code of TKIP (IEEE 802.11-2020, 12.5.2.3).
//!
//! It is weak by design, made for the Wi-Fi cards of 2002. The key has 8 bytes, the digest 8.

use alloc::boxed::Box;

use kcrypto_core::{Alg, Error, KeySizes, Result, ShashDriver};
use zeroize::Zeroize;

use super::{entry, limits, one_shot, words};

pub(crate) const MICHAEL_MIC: Alg = {
    let mut limits = limits(SIZE, SIZE, SIZE, || Box::new(Michael { key: [0; SIZE] }));
    limits.keys = Some(KeySizes::exactly(SIZE));
    entry("michael_mic", "michael_mic-generic", "generic", limits)
};

/// Bytes of the key, the digest, the state and, as in the kernel, of a block.
const SIZE: usize = 8;

/// Michael; the state before the first word is the key.
struct Michael {
    key: [u8; SIZE],
}

impl ShashDriver for Michael {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let accepted = KeySizes::exactly(SIZE);
        self.key = key.try_into().map_err(|_| Error::BadKeyLen { len: key.len(), accepted })?;
        Ok(())
    }

    fn init(&self, state: &mut [u8]) {
        state.copy_from_slice(&self.key);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        let both = blocks.as_chunks().0.iter().fold(words::le32(state), |both, word| mix(both, *word));
        words::put_le32(&both, state);
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], _total: u64, digest: &mut [u8]) {
        // 5a, then zeros: at least four, up to a whole word.
        let (whole, rest) = tail.as_chunks::<4>();
        let mut padded = [0; 4];
        padded[..rest.len()].copy_from_slice(rest);
        padded[rest.len()] = 0x5a;
        self.update(state, whole.as_flattened());
        self.update(state, &padded);
        self.update(state, &[0; 4]);
        digest.copy_from_slice(state);
        padded.zeroize();
    }

    fn digest(&self, message: &[u8], digest: &mut [u8]) -> bool {
        one_shot::<SIZE, SIZE, 0>(self, message, digest)
    }
}

impl Drop for Michael {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

/// Takes one word, then the block function.
#[inline(always)]
fn mix([left, mut right]: [u32; 2], word: [u8; 4]) -> [u32; 2] {
    let mut left = left ^ u32::from_le_bytes(word);
    right ^= left.rotate_left(17);
    left = left.wrapping_add(right);
    right ^= (left & 0xff00_ff00) >> 8 | (left & 0x00ff_00ff) << 8;
    left = left.wrapping_add(right);
    right ^= left.rotate_left(3);
    left = left.wrapping_add(right);
    right ^= left.rotate_right(2);
    [left.wrapping_add(right), right]
}
