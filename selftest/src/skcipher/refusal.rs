//! Refusals: every way to make a wrong request gives the same error, and nothing is written.

use kcrypto_core::{Dir, Error, InOut, Result, Segments, Skcipher, Stream, batch};

use crate::area::{Area, POISON};
use crate::failure::{Check, Origin};
use crate::keys::{bad_key_lens, tried};
use crate::sample::valid;
use crate::skcipher::Trial;

impl Trial<'_> {
    /// What the declared limits exclude, and use without a key.
    pub(crate) fn refusals(&mut self) -> Check {
        self.tally.enter("refusals");
        let limits = self.limits;
        let iv = vec![POISON; limits.iv_size];
        let message = vec![POISON; valid(limits.length, 2 * limits.chunk_size)];
        let fresh = self.transform()?;
        if limits.keys.max > 0 {
            self.refused(&fresh, &iv, &message, &Error::NeedKey, &named("no key"))?;
        }

        let key = vec![1; tried(limits.keys).max];
        for len in bad_key_lens(limits.keys) {
            let Some(mut tfm) = self.keyed(&key)? else { break };
            let error = Error::BadKeyLen { len, accepted: limits.keys };
            let origin = Origin::Contract(format!("klen={len}"));
            self.refused_key(&mut tfm, &vec![1; len], &error, &origin)?;
            // A good key makes it usable again.
            let site = self.tally.site(Dir::Encrypt, &origin, &"");
            site.set_key(tfm.set_key(&key), Ok(()))?;
            site.result(tfm.encrypt(&iv, &mut message.clone()), Ok(()))?;
        }

        let Some(tfm) = self.keyed(&key)? else { return Ok(()) };
        let size = limits.iv_size;
        for len in [0, size.saturating_sub(1), size + 1, 2 * size] {
            if len != size {
                let error = Error::BadIvLen { len, want: size };
                let origin = Origin::Contract(format!("ivsize={len}"));
                self.refused(&tfm, &vec![POISON; len], &message, &error, &origin)?;
            }
        }
        for len in
            (0..2 * limits.chunk_size.max(limits.length.min) + 2).filter(|&n| !limits.length.contains(n))
        {
            let error = Error::BadLength { len, accepted: limits.length };
            let origin = Origin::Contract(format!("len={len}"));
            self.refused(&tfm, &iv, &vec![POISON; len], &error, &origin)?;
        }
        Ok(())
    }

    /// A key must be refused, and leave the transform without any.
    pub(crate) fn refused_key(
        &mut self,
        tfm: &mut Skcipher,
        key: &[u8],
        error: &Error,
        origin: &Origin,
    ) -> Check {
        let site = self.tally.site(Dir::Encrypt, origin, &"");
        self.tally.count();
        site.set_key(tfm.set_key(key), Err(error.clone()))?;
        let iv = vec![POISON; self.limits.iv_size];
        let message = vec![POISON; valid(self.limits.length, self.limits.chunk_size)];
        if self.limits.keys.max == 0 {
            Ok(())
        } else {
            self.refused(tfm, &iv, &message, &Error::NeedKey, origin)
        }
    }

    /// A key must be refused where weak keys are forbidden, and only there.
    pub(crate) fn refused_weak_key(&mut self, key: &[u8], origin: &Origin) -> Check {
        let site = |cfg| self.tally.site(Dir::Encrypt, origin, cfg);
        let mut tfm = self.transform()?;
        self.tally.count();
        site(&"weak keys allowed").set_key(tfm.set_key(key), Ok(()))?;
        tfm.forbid_weak_keys();
        let site = site(&"weak keys forbidden");
        match tfm.set_key(key) {
            Err(Error::WeakKey { .. }) => Ok(()),
            got => site.set_key(got, Err(Error::WeakKey { why: "of the vector" })),
        }
    }

    /// A request must be refused with this error, by every call, in both directions.
    pub(crate) fn refused(
        &mut self,
        tfm: &Skcipher,
        iv: &[u8],
        message: &[u8],
        error: &Error,
        origin: &Origin,
    ) -> Check {
        for dir in Dir::BOTH {
            for call in CALLS {
                let site = self.tally.site(dir, origin, &call.name);
                let (mut iv_area, mut area) = (Area::new(), Area::new());
                iv_area.hold(iv, &[iv.len()], 0);
                area.lay(&[message.len()], 0);
                self.tally.count();
                let got = (call.make)(tfm, dir, iv_area.whole_mut(), message, area.whole_mut());
                site.result(got, Err(error.clone()))?;
                let told_late = call.late && matches!(error, Error::BadLength { .. });
                if !told_late && !area.untouched() {
                    return Err(site.failure("wrote to the destination of a refused request"));
                }
                site.same("IV changed by a refused request", iv_area.whole(), iv)?;
            }
        }
        Ok(())
    }
}

fn named(what: &str) -> Origin {
    Origin::Contract(what.into())
}

/// Transform, direction, IV, source, destination.
type Make = fn(&Skcipher, Dir, &mut [u8], &[u8], &mut [u8]) -> Result<()>;

/// A way to make a request, in which it is seen to be wrong.
struct Call {
    name: &'static str,
    make: Make,
    /// The length is known only at the end, when earlier output is out.
    late: bool,
}

const CALLS: [Call; 6] = [
    Call { name: "in-place", make: |tfm, dir, iv, _, dst| tfm.crypt(dir, iv, dst.into()), late: false },
    Call {
        name: "out-of-place chained",
        make: |tfm, dir, iv, src, dst| tfm.crypt_chained(dir, iv, InOut::apart(src, dst)?),
        late: false,
    },
    Call {
        name: "segments",
        make: |tfm, dir, iv, _, dst| {
            let (head, tail) = dst.split_at_mut(dst.len() / 2);
            tfm.crypt_segments(dir, iv, Segments::InPlace(&mut [head, tail]))
        },
        late: false,
    },
    Call {
        name: "segments chained",
        make: |tfm, dir, iv, src, dst| {
            tfm.crypt_segments_chained(dir, iv, Segments::Apart(&[src], &mut [dst]))
        },
        late: false,
    },
    Call {
        name: "batch",
        make: |tfm, dir, iv, src, dst| {
            let mut jobs = [batch::Job::new(tfm, dir, iv, InOut::apart(src, dst)?)];
            batch::run(&mut jobs);
            jobs[0].result()
        },
        late: false,
    },
    Call {
        name: "stream",
        make: |tfm, dir, iv, src, dst| {
            let mut stream = Stream::new(tfm, dir, iv)?;
            let n = stream.update(src, dst)?;
            stream.finish_chained(&mut dst[n..], iv).map(drop)
        },
        late: true,
    },
];
