//! The AES key schedule (FIPS 197, 5.2), in the form that both ways of doing AES take.

use core::arch::aarch64::uint8x16_t;
use core::fmt;

use kcrypto_core::engine::Registers;
use kcrypto_core::{Error, KeySizes, Result};
use zeroize::Zeroize;

use crate::vector::BLOCK;
use crate::way::{Task, Way};

/// Most rounds, of a 256-bit key.
const MAX_ROUNDS: usize = 14;
/// Words of the longest schedule.
const MAX_WORDS: usize = 4 * (MAX_ROUNDS + 1);

/// Round keys of one direction.
type RoundKeys = [uint8x16_t; MAX_ROUNDS + 1];

/// Round keys for both directions. Wiped on drop and before each new key.
pub(crate) struct Schedule<W> {
    /// Of the cipher, in order.
    pub(crate) enc: RoundKeys,
    /// Of the equivalent inverse cipher (FIPS 197, 5.3.5), in order.
    pub(crate) dec: RoundKeys,
    pub(crate) rounds: Rounds<W>,
}

/// Rounds by key length, with the proof that the CPU has the instructions.
#[derive(Clone, Copy)]
pub(crate) enum Rounds<W> {
    /// No key.
    None,
    /// 128-bit keys.
    Ten(W),
    /// 192-bit keys.
    Twelve(W),
    /// 256-bit keys.
    Fourteen(W),
}

impl<W> Schedule<W> {
    /// No key.
    pub(crate) fn new() -> Self {
        Schedule { enc: zero(), dec: zero(), rounds: Rounds::None }
    }

    fn wipe(&mut self) {
        self.rounds = Rounds::None;
        self.enc.zeroize();
        self.dec.zeroize();
    }
}

impl<W: Way> Schedule<W> {
    /// Expands a key of 16, 24 or 32 bytes.
    pub(crate) fn set(&mut self, key: &[u8]) -> Result<()> {
        self.wipe();
        let Some(way) = W::new() else {
            let reason = W::require().err().unwrap_or_default().into();
            return Err(Error::Unavailable { driver: W::CIPHER.into(), reason });
        };
        self.rounds = match key.len() {
            16 => Rounds::Ten(way),
            24 => Rounds::Twelve(way),
            32 => Rounds::Fourteen(way),
            len => return Err(Error::BadKeyLen { len, accepted: KeySizes::AES }),
        };
        way.enter(Expand { way, key: key.as_chunks().0, enc: &mut self.enc, dec: &mut self.dec });
        Ok(())
    }
}

/// Vectors of zeros.
pub(crate) fn zero<const N: usize>() -> [uint8x16_t; N] {
    // SAFETY: every bit pattern is a vector.
    unsafe { core::mem::zeroed() }
}

/// KeyExpansion.
struct Expand<'a, W> {
    way: W,
    key: &'a [[u8; 4]],
    enc: &'a mut RoundKeys,
    dec: &'a mut RoundKeys,
}

impl<W: Way> Task for Expand<'_, W> {
    #[inline(always)]
    fn run(self) {
        let Expand { way, key, enc, dec } = self;
        let last = key.len() + 6;
        let mut words = [0; MAX_WORDS];
        words.iter_mut().zip(key).for_each(|(word, bytes)| *word = u32::from_le_bytes(*bytes));
        let mut constant = 1;
        for i in key.len()..4 * (last + 1) {
            let mut word = words[i - 1];
            if i % key.len() == 0 {
                word = sub_word(way, word).rotate_right(8) ^ constant;
                constant = if constant < 0x80 { constant << 1 } else { 0x1b };
            } else if key.len() > 6 && i % key.len() == 4 {
                word = sub_word(way, word);
            }
            words[i] = words[i - key.len()] ^ word;
        }
        for (i, columns) in words.as_chunks::<4>().0[..=last].iter().enumerate() {
            let number = columns.iter().rev().fold(0, |number, word| number << 32 | u128::from(*word));
            let key = way.vector().number(number);
            enc[i] = key;
            dec[last - i] = if i == 0 || i == last { key } else { way.inv_mix(key) };
        }
        words.as_mut_slice().zeroize();
    }
}

/// SubWord. In a block of four equal columns ShiftRows changes nothing.
#[inline(always)]
fn sub_word<W: Way>(way: W, word: u32) -> u32 {
    let v = way.vector();
    let columns = v.number(u128::from(word) * 0x0000_0001_0000_0001_0000_0001_0000_0001);
    let mut out = [0; BLOCK];
    v.store(way.sub_shift(columns, v.number(0)), &mut out);
    let word = u32::from_le_bytes([out[0], out[1], out[2], out[3]]);
    out.as_mut_slice().zeroize();
    word
}

impl<W> Drop for Schedule<W> {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl<W> fmt::Debug for Schedule<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Schedule { .. }")
    }
}

#[cfg(test)]
mod tests {
    use core::mem::{MaybeUninit, offset_of};

    use super::*;
    use crate::ce::Ce;
    use crate::neon::Lookup;

    fn nothing_is_left<W: Way>() {
        let mut place = MaybeUninit::new(Schedule::<W>::new());
        // SAFETY: it was just initialised.
        let schedule = unsafe { place.assume_init_mut() };
        if schedule.set(&[0x5a; 32]).is_err() {
            return;
        }
        // SAFETY: it is initialised, and not used as a schedule after this.
        unsafe { place.assume_init_drop() };
        for field in [offset_of!(Schedule<W>, enc), offset_of!(Schedule<W>, dec)] {
            for i in 0..BLOCK * (MAX_ROUNDS + 1) {
                let byte = place.as_ptr().cast::<u8>().wrapping_add(field + i);
                // SAFETY: the place is still there, and its vectors were last written by the drop.
                assert_eq!(unsafe { byte.read() }, 0, "a round key survives the drop");
            }
        }
    }

    fn a_refused_key_leaves_none<W: Way>() {
        let mut schedule = Schedule::<W>::new();
        if schedule.set(&[1; 16]).is_err() {
            return;
        }
        assert!(matches!(schedule.set(&[1; 17]), Err(Error::BadKeyLen { len: 17, .. })));
        assert!(matches!(schedule.rounds, Rounds::None));
    }

    #[test]
    fn nothing_is_left_after_drop() {
        nothing_is_left::<Ce>();
        nothing_is_left::<Lookup>();
    }

    #[test]
    fn a_refused_key_leaves_no_key() {
        a_refused_key_leaves_none::<Ce>();
        a_refused_key_leaves_none::<Lookup>();
    }
}
