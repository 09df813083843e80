//! Refusals: every way to make a wrong request gives the same error, and nothing is written.

use kcrypto_core::{Error, Result, Shash};

use crate::area::{Area, POISON};
use crate::failure::{Check, Op, Origin};
use crate::keys::bad_key_lens;
use crate::shash::Trial;

impl Trial<'_> {
    /// What the declared limits exclude, use without a key, and keys where there are none.
    pub(super) fn refusals(&self) -> Check {
        self.tally.enter("refusals");
        let message = vec![POISON; self.message_len()];
        let mut fresh = self.transform()?;
        match self.limits.keys {
            Some(keys) => {
                if !self.works_unkeyed() {
                    let origin = Origin::Contract("no key".into());
                    self.refused(&fresh, &message, &Error::NeedKey, &origin)?;
                }
                let good = self.key_lens().into_iter().flatten().max().map(|len| vec![1; len]);
                for len in bad_key_lens(keys) {
                    let Some(mut tfm) = self.keyed(good.as_deref())? else { break };
                    let origin = Origin::Contract(format!("klen={len}"));
                    self.refused_key(&mut tfm, &vec![1; len], &origin)?;
                    // A good key makes it usable again.
                    let site = self.tally.site(Op::Digest, &origin, &"digest");
                    site.set_key(tfm.set_key(good.as_deref().unwrap_or_default()), Ok(()))?;
                    site.value(digest(&tfm, &message))?;
                }
            }
            None => {
                let origin = Origin::Contract("a key for a hash that takes none".into());
                let site = self.tally.site(Op::Digest, &origin, &"digest");
                let before = site.value(digest(&fresh, &message))?;
                self.tally.count();
                site.set_key(fresh.set_key(&[1; 16]), Err(Error::NotSupported { what: "a key" }))?;
                site.same("wrong result", &site.value(digest(&fresh, &message))?, &before)?;
            }
        }
        self.wrong_digest_lengths(&message)
    }

    fn wrong_digest_lengths(&self, message: &[u8]) -> Check {
        let key = self.key_lens().into_iter().flatten().next().map(|len| vec![1; len]);
        let Some(tfm) = self.keyed(key.as_deref())? else { return Ok(()) };
        let size = self.limits.digest_size;
        for len in [0, size.saturating_sub(1), size + 1, 2 * size].into_iter().filter(|&len| len != size) {
            let origin = Origin::Contract(format!("digest of {len} bytes"));
            let error = Error::LengthMismatch { src: size, dst: len };
            self.refused_into(&tfm, message, len, &error, &origin)?;
        }
        Ok(())
    }

    /// A key must be refused. It leaves the transform without any, or with the old one if keys are optional.
    pub(super) fn refused_key(&self, tfm: &mut Shash, key: &[u8], origin: &Origin) -> Check {
        let Some(accepted) = self.limits.keys else { return Ok(()) };
        let message = vec![POISON; self.message_len()];
        let before = digest(tfm, &message);
        let site = self.tally.site(Op::Digest, origin, &"digest");
        self.tally.count();
        site.set_key(tfm.set_key(key), Err(Error::BadKeyLen { len: key.len(), accepted }))?;
        match before {
            Ok(before) if self.works_unkeyed() => {
                site.same("wrong result", &site.value(digest(tfm, &message))?, &before)
            }
            _ => self.refused(tfm, &message, &Error::NeedKey, origin),
        }
    }

    /// A request must be refused with this error, by every call, and nothing be written.
    pub(super) fn refused(&self, tfm: &Shash, message: &[u8], error: &Error, origin: &Origin) -> Check {
        self.refused_into(tfm, message, self.limits.digest_size, error, origin)
    }

    fn refused_into(
        &self,
        tfm: &Shash,
        message: &[u8],
        digest_len: usize,
        error: &Error,
        origin: &Origin,
    ) -> Check {
        for (name, call) in CALLS {
            let site = self.tally.site(Op::Digest, origin, &name);
            let mut area = Area::new();
            area.lay(&[digest_len], 0);
            self.tally.count();
            site.result(call(tfm, message, area.whole_mut()), Err(error.clone()))?;
            if !area.untouched() {
                return Err(site.failure("wrote the digest of a refused request"));
            }
        }
        Ok(())
    }
}

/// The digest by one call.
pub(super) fn digest(tfm: &Shash, message: &[u8]) -> Result<Vec<u8>> {
    let mut digest = vec![0; tfm.digest_size()];
    tfm.digest(message, &mut digest)?;
    Ok(digest)
}

/// Transform, message, digest.
type Call = fn(&Shash, &[u8], &mut [u8]) -> Result<()>;

/// The ways to make a request.
const CALLS: [(&str, Call); 3] = [
    ("digest", |tfm, message, digest| tfm.digest(message, digest)),
    ("digest of segments", |tfm, message, digest| {
        let (head, tail) = message.split_at(message.len() / 2);
        tfm.digest_segments(&[head, tail], digest)
    }),
    ("init+update+final", |tfm, message, digest| {
        let mut hashing = tfm.hasher()?;
        hashing.update(message);
        hashing.finalize(digest)
    }),
];
