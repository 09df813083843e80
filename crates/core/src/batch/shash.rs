//! Messages to be hashed or authenticated, each in one piece.

use core::any::Any;

use crate::Result;
use crate::batch::kind::Requests;
use crate::batch::{Batched, Job};
use crate::shash::{Shash, ShashDriver};

/// A message and where its digest goes.
pub struct Request<'a> {
    message: &'a [u8],
    digest: &'a mut [u8],
}

impl<'a> Job<'a, Shash> {
    /// Writes the digest of a message, as [`Shash::digest`].
    pub fn digest(tfm: &'a Shash, message: &'a [u8], digest: &'a mut [u8]) -> Self {
        Job::of(tfm, Request { message, digest })
    }

    /// For drivers: the message, and where its digest goes.
    pub fn parts(&mut self) -> (&[u8], &mut [u8]) {
        (self.request.message, self.request.digest)
    }
}

impl Requests for Shash {
    type Request<'a> = Request<'a>;

    fn check(&self, request: &Request<'_>) -> Result<()> {
        Shash::check(self, request.digest.len())?;
        self.driver().check_total(request.message.len() as u64)
    }

    fn process(&self, request: &mut Request<'_>) -> Result<()> {
        Shash::digest(self, request.message, request.digest)
    }

    fn judge(_: &mut Request<'_>) -> Result<()> {
        Ok(())
    }
}

impl Batched for Shash {
    type Driver = dyn ShashDriver;

    fn driver(&self) -> &Self::Driver {
        Shash::driver(self)
    }

    fn any(&self) -> &dyn Any {
        Shash::driver(self)
    }

    fn offer(driver: &Self::Driver, jobs: &mut [Job<'_, Shash>]) {
        driver.digest_batch(jobs);
    }
}
