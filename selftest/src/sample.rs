//! Lengths and messages that stand for all others.

use kcrypto_core::{Dir, Error, KeySizes, Length, Result};

use crate::failure::{Check, Origin, Site};
use crate::tally::Tally;

/// A random message.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) key: Vec<u8>,
    pub(crate) iv: Vec<u8>,
    pub(crate) message: Vec<u8>,
}

/// The next length that a mode takes.
pub(crate) fn valid(length: Length, len: usize) -> usize {
    len.max(length.min).next_multiple_of(length.multiple)
}

/// Key lengths that stand for all: each, or the ends and the middle of a long range.
pub(crate) fn key_lens(keys: KeySizes) -> Vec<usize> {
    let steps = (keys.max - keys.min) / keys.step;
    let last = keys.min + steps * keys.step;
    if steps < 8 { keys.iter().collect() } else { vec![keys.min, keys.min + steps / 2 * keys.step, last] }
}

/// Key lengths next to the accepted ones, and none at all.
pub(crate) fn bad_key_lens(keys: KeySizes) -> Vec<usize> {
    let near = key_lens(keys).into_iter().flat_map(|len| [len.saturating_sub(1), len + 1]);
    let far = [0, keys.min / 2, keys.max + keys.step];
    let mut lens: Vec<usize> = far.into_iter().chain(near).filter(|&len| !keys.contains(len)).collect();
    lens.sort_unstable();
    lens.dedup();
    lens
}

/// Whether a key of a declared length was taken. A mode may refuse one, with one error only.
pub(crate) fn taken(tally: &Tally<'_>, result: Result<()>, key: &[u8]) -> Check<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(Error::BadKeyLen { len, .. }) if len == key.len() => Ok(false),
        other => {
            let origin = Origin::Contract(format!("klen={}", key.len()));
            let site = Site { alg: tally.alg, dir: Dir::Encrypt, origin: &origin, cfg: &"" };
            site.set_key(other, Ok(())).map(|()| true)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_lengths() {
        assert_eq!(key_lens(KeySizes::AES), [16, 24, 32]);
        assert_eq!(key_lens(KeySizes { min: 4, max: 56, step: 1 }), [4, 30, 56]);
        assert_eq!(bad_key_lens(KeySizes::AES), [0, 8, 15, 17, 23, 25, 31, 33, 40]);
        assert_eq!(bad_key_lens(KeySizes::exactly(0)), [1]);
    }
}
