//! What can be measured: a transform of any kind, with the sizes that the kernel's benchmark has for it.

use core::hint::black_box;

use kcrypto::{Aead, Alg, Dir, Error, InOut, KeySizes, KindTag, MAX_UNIT, Registry, Result, Shash, Skcipher};

use super::measure::{Measure, measure};
use super::{Clock, Sample};
use crate::ccm;
use crate::failure::Failure;
use crate::kinds;
use crate::tfm;

/// Of more key lengths only the shortest and the longest are measured by default.
const MANY_KEYS: usize = 8;
/// Associated data of an AEAD, in bytes.
const AAD: usize = 16;

/// A transform.
pub(crate) enum Subject {
    Skcipher(Skcipher),
    Shash(Shash),
    Aead(Aead),
}

/// A message: its length in bytes, and that of the pieces in which a hash takes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) bytes: usize,
    pub(crate) piece: usize,
}

impl Size {
    /// Updates that a hash takes for the message.
    pub(crate) fn updates(self) -> usize {
        self.bytes.div_ceil(self.piece.max(1)).max(1)
    }
}

impl Subject {
    /// Allocates the best driver of a name of any kind.
    pub(crate) fn new(registry: &Registry, name: &str) -> Result<Self, Failure> {
        let tree = kinds::explain(registry, name, None);
        tree.outcome?;
        match tree.want.kind {
            KindTag::Shash => tfm::allocate(registry, name).map(Subject::Shash),
            KindTag::Aead => tfm::allocate(registry, name).map(Subject::Aead),
            _ => tfm::allocate(registry, name).map(Subject::Skcipher),
        }
    }

    pub(crate) fn alg(&self) -> &Alg {
        match self {
            Subject::Skcipher(tfm) => tfm.alg(),
            Subject::Shash(tfm) => tfm.alg(),
            Subject::Aead(tfm) => tfm.alg(),
        }
    }

    /// The directions; a hash has none.
    pub(crate) fn directions(&self) -> &'static [Option<Dir>] {
        match self {
            Subject::Shash(_) => &[None],
            _ => &[Some(Dir::Encrypt), Some(Dir::Decrypt)],
        }
    }

    /// Key lengths in bytes: those asked for, or those that the algorithm has.
    pub(crate) fn keys(&mut self, asked: &[usize]) -> Result<Vec<usize>, Failure> {
        let accepted = match self {
            Subject::Skcipher(tfm) => Some(tfm.key_sizes()),
            Subject::Shash(tfm) => tfm.key_sizes(),
            Subject::Aead(tfm) => Some(tfm.key_sizes()),
        };
        let Some(accepted) = accepted else { return Ok(vec![0]) };
        if let Some(&len) = asked.iter().find(|&&len| !accepted.contains(len)) {
            return Err(Error::BadKeyLen { len, accepted }.into());
        }
        if !asked.is_empty() {
            return Ok(asked.to_vec());
        }
        if let Subject::Shash(tfm) = self {
            return Ok(vec![usual_key(accepted, tfm)]);
        }
        if accepted.iter().take(MANY_KEYS + 1).count() > MANY_KEYS {
            return Ok(vec![accepted.min, accepted.max]);
        }
        // A mode may take fewer lengths than the range that it declares.
        Ok(accepted.iter().filter(|&len| self.set_key(len).is_ok()).collect())
    }

    /// The kernel's sizes, or messages of those that were asked for, in one piece.
    pub(crate) fn sizes(&self, asked: &[usize]) -> Vec<Size> {
        if !asked.is_empty() {
            return asked.iter().map(|&bytes| Size { bytes, piece: bytes }).collect();
        }
        let whole = |lens: &[usize]| lens.iter().map(|&bytes| Size { bytes, piece: bytes }).collect();
        match self {
            Subject::Skcipher(_) => whole(&[16, 64, 256, 1024, 1424, 4096]),
            Subject::Aead(_) => whole(&[16, 64, 256, 512, 1024, 1420, 4096, 8192]),
            Subject::Shash(_) => HASH.iter().map(|&(bytes, piece)| Size { bytes, piece }).collect(),
        }
    }

    /// Measures messages of one size under a key of this length.
    pub(crate) fn sample(
        &mut self,
        dir: Option<Dir>,
        key: usize,
        size: Size,
        secs: f64,
        clock: Option<Clock>,
    ) -> Sample {
        let result = self.set_key(key).and_then(|()| self.measure(dir, size, secs, clock));
        Sample { key, size, result }
    }

    fn set_key(&mut self, len: usize) -> Result<()> {
        let key: Vec<u8> = (0..len).map(|i| i as u8).collect();
        match self {
            Subject::Skcipher(tfm) => tfm.set_key(&key),
            Subject::Aead(tfm) => tfm.set_key(&key),
            Subject::Shash(tfm) if tfm.key_sizes().is_none() => Ok(()),
            Subject::Shash(tfm) => tfm.set_key(&key),
        }
    }

    fn measure(&self, dir: Option<Dir>, size: Size, secs: f64, clock: Option<Clock>) -> Result<Measure> {
        let mut data = vec![0xff; size.bytes];
        let dir = dir.unwrap_or(Dir::Encrypt);
        match self {
            Subject::Skcipher(tfm) => {
                let iv = [0xff; MAX_UNIT];
                let iv = &iv[..tfm.iv_size()];
                let crypt = || tfm.crypt(dir, black_box(iv), InOut::in_place(black_box(&mut data)));
                measure(crypt, secs, clock)
            }
            Subject::Shash(tfm) => {
                let mut digest = vec![0; tfm.digest_size()];
                let hash = || {
                    if size.piece >= size.bytes {
                        return tfm.digest(black_box(&data), black_box(&mut digest));
                    }
                    let mut hashing = tfm.hasher()?;
                    data.chunks(size.piece).for_each(|piece| hashing.update(black_box(piece)));
                    hashing.finalize(black_box(&mut digest))
                };
                measure(hash, secs, clock)
            }
            Subject::Aead(tfm) => {
                let mut iv = vec![0xff; tfm.iv_size()];
                if ccm::takes_block(tfm.alg()) {
                    iv[0] = 3;
                }
                let (aad, mut tag) = ([0xff; AAD], vec![0; tfm.tag_size()]);
                let mut out = vec![0; size.bytes];
                if dir == Dir::Encrypt {
                    let seal = || tfm.seal(&iv, &aad, InOut::apart(black_box(&data), &mut out)?, &mut tag);
                    return measure(seal, secs, clock);
                }
                tfm.seal(&iv, &aad, InOut::in_place(&mut data), &mut tag)?;
                let open = || tfm.open(&iv, &aad, InOut::apart(black_box(&data), &mut out)?, &tag);
                measure(open, secs, clock)
            }
        }
    }
}

/// Messages of hashes: bytes in all, and bytes per update.
const HASH: [(usize, usize); 22] = [
    (16, 16),
    (64, 16),
    (64, 64),
    (256, 16),
    (256, 64),
    (256, 256),
    (1024, 16),
    (1024, 256),
    (1024, 1024),
    (2048, 16),
    (2048, 256),
    (2048, 1024),
    (2048, 2048),
    (4096, 16),
    (4096, 256),
    (4096, 1024),
    (4096, 4096),
    (8192, 16),
    (8192, 256),
    (8192, 1024),
    (8192, 4096),
    (8192, 8192),
];

/// The one key length of a MAC: its digest's, or the nearest that it takes.
fn usual_key(accepted: KeySizes, tfm: &Shash) -> usize {
    let wanted = tfm.digest_size();
    if accepted.contains(wanted) { wanted } else { accepted.min }
}
