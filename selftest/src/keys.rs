//! Keys: lengths that stand for all, and what is expected of setting one.

use kcrypto_core::{Dir, Error, KeySizes, Result};

use crate::area::Area;
use crate::failure::{Check, Origin};
use crate::tally::Tally;

/// Of key lengths without end, those that are at most this much longer than the shortest.
pub(crate) fn bounded(keys: KeySizes, longer: usize) -> KeySizes {
    KeySizes { max: keys.max.min(keys.min.saturating_add(longer)), ..keys }
}

/// How far beyond the shortest key lengths are tried: where every length is accepted, some are as good as all.
const REACH: usize = 4096;

/// The accepted key lengths as far as they are tried; `max` is one of them.
pub(crate) fn tried(keys: KeySizes) -> KeySizes {
    let steps = (keys.max - keys.min).min(REACH) / keys.step;
    KeySizes { max: keys.min + steps * keys.step, ..keys }
}

/// Key lengths that stand for all: each, or the ends and the middle of a long range.
pub(crate) fn key_lens(keys: KeySizes) -> Vec<usize> {
    let keys = tried(keys);
    let steps = (keys.max - keys.min) / keys.step;
    if steps < 8 { keys.iter().collect() } else { vec![keys.min, keys.min + steps / 2 * keys.step, keys.max] }
}

/// Key lengths next to the accepted ones, and none at all.
pub(crate) fn bad_key_lens(keys: KeySizes) -> Vec<usize> {
    let near = key_lens(keys).into_iter().flat_map(|len| [len.saturating_sub(1), len.saturating_add(1)]);
    let far = [0, keys.min / 2, tried(keys).max.saturating_add(keys.step.min(REACH))];
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
            let site = tally.site(Dir::Encrypt, &origin, &"");
            site.set_key(other, Ok(())).map(|()| true)
        }
    }
}

/// Sets a key that must be accepted, from a place `offset` bytes from an aligned address.
pub(crate) fn set_key(
    tally: &Tally<'_>,
    set: impl FnOnce(&[u8]) -> Result<()>,
    key: &[u8],
    offset: usize,
    origin: &Origin,
) -> Check {
    let cfg = format_args!("key_offset={offset}");
    let site = tally.site(Dir::Encrypt, origin, &cfg);
    let mut area = Area::new();
    area.hold(key, &[key.len()], offset);
    tally.count();
    site.set_key(set(area.whole()), Ok(()))?;
    if !area.holds(key) || area.overrun() {
        return Err(site.failure("corrupted key buffer"));
    }
    Ok(())
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
        assert_eq!(key_lens(KeySizes::ANY), [0, REACH / 2, REACH]);
        assert_eq!(bad_key_lens(KeySizes::ANY), []);
        assert_eq!(tried(KeySizes { min: 1, max: 5, step: 100 }), KeySizes { min: 1, max: 1, step: 100 });
        assert_eq!(bad_key_lens(KeySizes { min: 0, max: usize::MAX - 1, step: usize::MAX / 2 }), [1, REACH]);
    }
}
