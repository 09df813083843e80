//! Messages of symmetric-key ciphers.

use core::any::Any;

use crate::batch::kind::Requests;
use crate::batch::{Batched, Job};
use crate::skcipher::{Dir, Skcipher, SkcipherDriver};
use crate::{InOut, Result};

/// A message with its buffers.
pub struct Request<'a> {
    dir: Dir,
    iv: &'a mut [u8],
    io: InOut<'a>,
}

impl<'a> Job<'a> {
    /// Encrypts `io`; `iv` becomes the value that continues the stream, as in
    /// [`Skcipher::encrypt_chained`].
    pub fn encrypt(tfm: &'a Skcipher, iv: &'a mut [u8], io: impl Into<InOut<'a>>) -> Self {
        Job::new(tfm, Dir::Encrypt, iv, io.into())
    }

    /// Decrypts `io`; `iv` becomes the value that continues the stream.
    pub fn decrypt(tfm: &'a Skcipher, iv: &'a mut [u8], io: impl Into<InOut<'a>>) -> Self {
        Job::new(tfm, Dir::Decrypt, iv, io.into())
    }

    /// A job in a direction chosen at run time.
    pub fn new(tfm: &'a Skcipher, dir: Dir, iv: &'a mut [u8], io: InOut<'a>) -> Self {
        Job::of(tfm, Request { dir, iv, io })
    }

    /// For drivers: direction, IV and buffers.
    pub fn parts(&mut self) -> (Dir, &mut [u8], InOut<'_>) {
        (self.request.dir, self.request.iv, self.request.io.reborrow())
    }
}

impl Requests for Skcipher {
    type Request<'a> = Request<'a>;

    fn check(&self, request: &Request<'_>) -> Result<()> {
        Skcipher::check(self, request.iv.len(), request.io.len())
    }

    fn process(&self, request: &mut Request<'_>) -> Result<()> {
        self.driver().crypt(request.dir, request.iv, request.io.reborrow());
        Ok(())
    }

    fn judge(_: &mut Request<'_>) -> Result<()> {
        Ok(())
    }
}

impl Batched for Skcipher {
    type Driver = dyn SkcipherDriver;

    fn driver(&self) -> &Self::Driver {
        Skcipher::driver(self)
    }

    fn any(&self) -> &dyn Any {
        Skcipher::driver(self)
    }

    fn offer(driver: &Self::Driver, jobs: &mut [Job<'_>]) {
        driver.crypt_batch(jobs);
    }
}
