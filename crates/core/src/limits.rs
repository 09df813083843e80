//! Lengths that an algorithm takes: of keys and of messages.

use core::fmt;

use crate::{Error, Result};

/// Key lengths in bytes: `min`, `min + step`, and so on up to `max`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeySizes {
    /// Shortest.
    pub min: usize,
    /// Longest.
    pub max: usize,
    /// Distance between accepted lengths; 1 for a range.
    pub step: usize,
}

impl KeySizes {
    /// AES: 16, 24 and 32 bytes.
    pub const AES: KeySizes = KeySizes { min: 16, max: 32, step: 8 };

    /// Every length, zero included: HMAC.
    pub const ANY: KeySizes = KeySizes { min: 0, max: usize::MAX, step: 1 };

    /// Exactly `n` bytes.
    pub const fn exactly(n: usize) -> Self {
        KeySizes { min: n, max: n, step: 1 }
    }

    /// Whether the description accepts nothing, or makes no sense.
    pub(crate) const fn is_empty(&self) -> bool {
        self.step == 0 || self.max < self.min
    }

    /// Whether a key of `len` bytes is accepted.
    #[inline]
    pub const fn contains(&self, len: usize) -> bool {
        len >= self.min && len <= self.max && (len - self.min).is_multiple_of(self.step)
    }

    /// The accepted lengths, shortest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        (self.min..=self.max).step_by(self.step)
    }

    /// The lengths of a key followed by `n` more bytes.
    pub const fn plus(self, n: usize) -> Self {
        KeySizes { min: self.min.saturating_add(n), max: self.max.saturating_add(n), step: self.step }
    }

    /// The lengths of two keys of one length.
    pub const fn doubled(self) -> Self {
        KeySizes {
            min: self.min.saturating_mul(2),
            max: self.max.saturating_mul(2),
            step: self.step.saturating_mul(2),
        }
    }

    /// Refuses a key of another length.
    ///
    /// # Errors
    /// [`Error::BadKeyLen`].
    #[inline]
    pub const fn check(&self, len: usize) -> Result<()> {
        if self.contains(len) { Ok(()) } else { Err(Error::BadKeyLen { len, accepted: *self }) }
    }
}

impl fmt::Display for KeySizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        if self.max == usize::MAX {
            write!(f, "{} or more", self.min)?;
            return if self.step > 1 { write!(f, " in steps of {}", self.step) } else { Ok(()) };
        }
        if (self.max - self.min) / self.step >= 4 {
            write!(f, "{} to {}", self.min, self.max)?;
            return if self.step > 1 { write!(f, " in steps of {}", self.step) } else { Ok(()) };
        }
        for (i, len) in self.iter().enumerate() {
            let separator = match i {
                0 => "",
                _ if self.max - len < self.step => " or ",
                _ => ", ",
            };
            write!(f, "{separator}{len}")?;
        }
        Ok(())
    }
}

/// Message lengths: multiples of `multiple` bytes that are at least `min` bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    /// Shortest message in bytes.
    pub min: usize,
    /// A power of two; 1 if every length from `min` on is accepted.
    pub multiple: usize,
}

impl Length {
    /// Every length, zero included.
    pub const ANY: Length = Length { min: 0, multiple: 1 };

    /// Whole blocks of `n` bytes, none included.
    pub const fn blocks(n: usize) -> Self {
        Length { min: 0, multiple: n }
    }

    /// Every length from `n` bytes on.
    pub const fn at_least(n: usize) -> Self {
        Length { min: n, multiple: 1 }
    }

    /// Whether a message of `len` bytes is accepted.
    #[inline(always)]
    pub const fn contains(&self, len: usize) -> bool {
        len >= self.min && len & (self.multiple - 1) == 0
    }

    /// As [`contains`](Length::contains), for a message that need not fit in memory.
    pub(crate) const fn contains_u64(&self, len: u64) -> bool {
        len >= self.min as u64 && len & (self.multiple as u64 - 1) == 0
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min, self.multiple) {
            (0, 1) => f.write_str("any length"),
            (0, n) => write!(f, "multiples of {n} bytes"),
            (min, 1) => write!(f, "{min} bytes or more"),
            (min, n) => write!(f, "multiples of {n} bytes from {min} on"),
        }
    }
}

/// Tag lengths in bytes: any set of lengths from 1 to 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagSizes(u128);

impl TagSizes {
    /// Every length from 1 to `max` bytes.
    ///
    /// # Panics
    /// If `max` is greater than 126.
    pub const fn up_to(max: usize) -> Self {
        assert!(max < 127, "tags have at most 126 bytes");
        TagSizes((1 << (max + 1)) - 2)
    }

    /// These lengths.
    ///
    /// # Panics
    /// If one is greater than 127.
    pub const fn of(lens: &[usize]) -> Self {
        let mut set = 0;
        let mut i = 0;
        while i < lens.len() {
            assert!(lens[i] < 128, "tags have at most 127 bytes");
            set |= 1 << lens[i];
            i += 1;
        }
        TagSizes(set)
    }

    /// Whether a tag of `len` bytes is accepted.
    #[inline]
    pub const fn contains(self, len: usize) -> bool {
        len < 128 && self.0 >> len & 1 == 1
    }

    /// The longest accepted length; 0 if there is none.
    pub const fn max(self) -> usize {
        match self.0.checked_ilog2() {
            Some(max) => max as usize,
            None => 0,
        }
    }

    /// The accepted lengths, shortest first.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..128).filter(move |&len| self.contains(len))
    }
}

impl fmt::Display for TagSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (min, max) = (self.iter().next().unwrap_or(0), self.max());
        if max - min > 8 && (min..=max).all(|len| self.contains(len)) {
            return write!(f, "{min} to {max}");
        }
        for (i, len) in self.iter().enumerate() {
            let separator = match i {
                0 => "",
                _ if len == max => " or ",
                _ => ", ",
            };
            write!(f, "{separator}{len}")?;
        }
        Ok(())
    }
}

/// Lengths of associated data in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AadLength {
    /// Every length.
    Any,
    /// This length or more.
    AtLeast(u64),
    /// One of two lengths, as ESP without and with extended sequence numbers.
    Either(u64, u64),
}

impl AadLength {
    /// Whether associated data of `len` bytes is accepted.
    pub const fn contains(self, len: u64) -> bool {
        match self {
            AadLength::Any => true,
            AadLength::AtLeast(min) => len >= min,
            AadLength::Either(a, b) => len == a || len == b,
        }
    }
}

impl fmt::Display for AadLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AadLength::Any => f.write_str("any length"),
            AadLength::AtLeast(min) => write!(f, "{min} bytes or more"),
            AadLength::Either(a, b) => write!(f, "{a} or {b} bytes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::KeySizes;

    #[test]
    fn extreme_key_lengths_can_be_told() {
        let told = |min, max, step| KeySizes { min, max, step }.to_string();
        assert_eq!(told(16, 32, 8), "16, 24 or 32");
        assert_eq!(told(1, 5, 100), "1");
        assert_eq!(told(usize::MAX - 1, usize::MAX - 1, usize::MAX), (usize::MAX - 1).to_string());
        assert!(
            told(0, usize::MAX - 1, usize::MAX / 2)
                .ends_with(&(" or ".to_string() + &(usize::MAX - 1).to_string()))
        );
        assert_eq!(told(5, 1, 0), "none");
        assert_eq!(told(0, usize::MAX, 2), "0 or more in steps of 2");
    }

    #[test]
    fn longer_keys_than_memory_has_room_for_stay_the_longest() {
        assert_eq!(KeySizes::ANY.plus(4), KeySizes { min: 4, ..KeySizes::ANY });
        assert_eq!(KeySizes::ANY.doubled(), KeySizes { step: 2, ..KeySizes::ANY });
        assert_eq!(KeySizes::AES.plus(4), KeySizes { min: 20, max: 36, step: 8 });
        assert_eq!(KeySizes::AES.doubled(), KeySizes { min: 32, max: 64, step: 16 });
    }
}
