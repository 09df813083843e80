//! The AES key schedule (FIPS 197, 5.2), in the form that AES-NI takes.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::fmt;

use kcrypto_core::{Error, KeySizes, Result};
use kcrypto_simd::x86::AesNi;
use zeroize::Zeroize;

/// Most rounds, of a 256-bit key.
const MAX_ROUNDS: usize = 14;
/// Words of the longest schedule.
const MAX_WORDS: usize = 4 * (MAX_ROUNDS + 1);

/// Round keys for both directions. Wiped on drop and before each new key.
pub(crate) struct Schedule {
    /// Of the cipher, in order.
    pub(crate) enc: [__m128i; MAX_ROUNDS + 1],
    /// Of the equivalent inverse cipher (FIPS 197, 5.3.5), in order.
    pub(crate) dec: [__m128i; MAX_ROUNDS + 1],
    pub(crate) rounds: Rounds,
}

/// Rounds by key length, with the proof that the CPU has the instructions.
#[derive(Clone, Copy)]
pub(crate) enum Rounds {
    /// No key.
    None,
    /// 128-bit keys.
    Ten(AesNi),
    /// 192-bit keys.
    Twelve(AesNi),
    /// 256-bit keys.
    Fourteen(AesNi),
}

impl Schedule {
    /// No key.
    pub(crate) fn new() -> Self {
        // SAFETY: every bit pattern is a vector.
        let zero = unsafe { core::mem::zeroed() };
        Schedule { enc: [zero; MAX_ROUNDS + 1], dec: [zero; MAX_ROUNDS + 1], rounds: Rounds::None }
    }

    /// Expands a key of 16, 24 or 32 bytes.
    pub(crate) fn set(&mut self, key: &[u8]) -> Result<()> {
        self.wipe();
        let Some(token) = AesNi::new() else {
            let reason = AesNi::require().err().unwrap_or_default().into();
            return Err(Error::Unavailable { driver: "aes-aesni".into(), reason });
        };
        self.rounds = match key.len() {
            16 => Rounds::Ten(token),
            24 => Rounds::Twelve(token),
            32 => Rounds::Fourteen(token),
            len => return Err(Error::BadKeyLen { len, accepted: KeySizes::AES }),
        };
        // SAFETY: the token proves that the CPU has AES.
        unsafe { self.expand(key.as_chunks().0) };
        Ok(())
    }

    #[target_feature(enable = "aes")]
    fn expand(&mut self, key: &[[u8; 4]]) {
        let last = key.len() + 6;
        let mut words = [0; MAX_WORDS];
        words.iter_mut().zip(key).for_each(|(word, bytes)| *word = u32::from_le_bytes(*bytes));
        let mut constant = 1;
        for i in key.len()..4 * (last + 1) {
            let mut word = words[i - 1];
            if i % key.len() == 0 {
                word = sub_word(word).rotate_right(8) ^ constant;
                constant = if constant < 0x80 { constant << 1 } else { 0x1b };
            } else if key.len() > 6 && i % key.len() == 4 {
                word = sub_word(word);
            }
            words[i] = words[i - key.len()] ^ word;
        }
        for (i, w) in words.as_chunks::<4>().0[..=last].iter().enumerate() {
            let key = _mm_set_epi32(w[3] as i32, w[2] as i32, w[1] as i32, w[0] as i32);
            self.enc[i] = key;
            self.dec[last - i] = if i == 0 || i == last { key } else { _mm_aesimc_si128(key) };
        }
        words.as_mut_slice().zeroize();
    }

    fn wipe(&mut self) {
        self.rounds = Rounds::None;
        self.enc.zeroize();
        self.dec.zeroize();
    }
}

/// SubWord. In a block of four equal columns ShiftRows changes nothing, so the last round is SubBytes.
#[target_feature(enable = "aes")]
fn sub_word(word: u32) -> u32 {
    let columns = _mm_set1_epi32(word as i32);
    _mm_cvtsi128_si32(_mm_aesenclast_si128(columns, _mm_setzero_si128())) as u32
}

impl Drop for Schedule {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Schedule { .. }")
    }
}

#[cfg(test)]
mod tests {
    use core::mem::{MaybeUninit, offset_of};

    use super::*;

    #[test]
    fn nothing_is_left_after_drop() {
        let mut place = MaybeUninit::new(Schedule::new());
        // SAFETY: it was just initialised.
        let schedule = unsafe { place.assume_init_mut() };
        if schedule.set(&[0x5a; 32]).is_err() {
            return;
        }
        // SAFETY: it is initialised, and not used as a schedule after this.
        unsafe { place.assume_init_drop() };
        for field in [offset_of!(Schedule, enc), offset_of!(Schedule, dec)] {
            for i in 0..16 * (MAX_ROUNDS + 1) {
                let byte = place.as_ptr().cast::<u8>().wrapping_add(field + i);
                // SAFETY: the place is still there, and its vectors were last written by the drop.
                assert_eq!(unsafe { byte.read() }, 0, "a round key survives the drop");
            }
        }
    }

    #[test]
    fn a_refused_key_leaves_no_key() {
        let mut schedule = Schedule::new();
        if schedule.set(&[1; 16]).is_err() {
            return;
        }
        assert!(matches!(schedule.set(&[1; 17]), Err(Error::BadKeyLen { len: 17, .. })));
        assert!(matches!(schedule.rounds, Rounds::None));
    }
}
