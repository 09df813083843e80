//! Messages to be sealed or opened.

use core::any::Any;

use zeroize::Zeroize;

use crate::aead::{Aad, Aead, AeadDriver, verified};
use crate::batch::kind::Requests;
use crate::batch::{Batched, Job};
use crate::shash::MAX_DIGEST;
use crate::skcipher::Dir;
use crate::{Error, InOut, Result};

/// A message with its buffers.
pub struct Request<'a> {
    iv: &'a [u8],
    aad: Aad<'a>,
    io: InOut<'a>,
    tag: Tag<'a>,
}

/// Where the tag goes, or what it must be.
enum Tag<'a> {
    Out(&'a mut [u8]),
    In { given: &'a [u8], made: [u8; MAX_DIGEST] },
}

impl<'a> Job<'a, Aead> {
    /// Encrypts `io` and writes the tag, as [`Aead::seal_with`].
    pub fn seal(
        tfm: &'a Aead,
        iv: &'a [u8],
        aad: Aad<'a>,
        io: impl Into<InOut<'a>>,
        tag: &'a mut [u8],
    ) -> Self {
        Job::of(tfm, Request { iv, aad, io: io.into(), tag: Tag::Out(tag) })
    }

    /// Decrypts `io` if the tag is right, as [`Aead::open_with`]: the output of a forgery is all zero.
    pub fn open(tfm: &'a Aead, iv: &'a [u8], aad: Aad<'a>, io: impl Into<InOut<'a>>, tag: &'a [u8]) -> Self {
        let tag = Tag::In { given: tag, made: [0; MAX_DIGEST] };
        Job::of(tfm, Request { iv, aad, io: io.into(), tag })
    }

    /// For drivers: direction, IV, associated data, buffers, and where the tag that belongs to the message
    /// goes, in both directions, as in [`AeadDriver::crypt`]. The tag that came with the message stays with
    /// core.
    pub fn parts(&mut self) -> (Dir, &[u8], &Aad<'_>, InOut<'_>, &mut [u8]) {
        self.request.parts()
    }
}

impl Request<'_> {
    fn parts(&mut self) -> (Dir, &[u8], &Aad<'_>, InOut<'_>, &mut [u8]) {
        let (dir, tag) = match &mut self.tag {
            Tag::Out(tag) => (Dir::Encrypt, &mut **tag),
            Tag::In { given, made } => (Dir::Decrypt, &mut made[..given.len().min(MAX_DIGEST)]),
        };
        (dir, self.iv, &self.aad, self.io.reborrow(), tag)
    }
}

impl Requests for Aead {
    type Request<'a> = Request<'a>;

    fn check(&self, request: &Request<'_>) -> Result<()> {
        let tag_len = match &request.tag {
            Tag::Out(tag) => tag.len(),
            Tag::In { given, .. } => given.len(),
        };
        Aead::check(self, request.iv, self.lens(request.aad.len(), request.io.len()), tag_len)
    }

    fn process(&self, request: &mut Request<'_>) -> Result<()> {
        let (dir, iv, aad, io, tag) = request.parts();
        self.driver().crypt(dir, iv, aad, io, tag);
        Self::judge(request)
    }

    fn judge(request: &mut Request<'_>) -> Result<()> {
        if let Tag::In { given, made } = &mut request.tag
            && !verified(&mut made[..given.len()], given)
        {
            request.io.dst().zeroize();
            return Err(Error::BadTag);
        }
        Ok(())
    }
}

impl Batched for Aead {
    type Driver = dyn AeadDriver;

    fn driver(&self) -> &Self::Driver {
        Aead::driver(self)
    }

    fn any(&self) -> &dyn Any {
        Aead::driver(self)
    }

    fn offer(driver: &Self::Driver, jobs: &mut [Job<'_, Aead>]) {
        driver.crypt_batch(jobs);
    }
}
