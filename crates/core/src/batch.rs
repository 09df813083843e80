//! Many independent messages in one call, of any mix of lengths and keys.

use crate::skcipher::{Dir, Skcipher, SkcipherDriver};
use crate::{InOut, Result};

/// One message of a batch. It names its transform, so one batch may mix keys and algorithms.
#[derive(Debug)]
pub struct Job<'a> {
    tfm: &'a Skcipher,
    dir: Dir,
    iv: &'a mut [u8],
    io: InOut<'a>,
    progress: Progress,
}

#[derive(Debug)]
enum Progress {
    New,
    Checked,
    Done(Result<()>),
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
        Job { tfm, dir, iv, io, progress: Progress::New }
    }

    /// What came of it: the errors of [`Skcipher::encrypt`], or success after [`run`].
    pub fn result(&self) -> Result<()> {
        match &self.progress {
            Progress::Done(result) => result.clone(),
            Progress::New | Progress::Checked => Err(crate::Error::Busy { name: "job not run yet".into() }),
        }
    }

    /// For drivers: whether the job was checked and waits for its driver.
    pub fn is_pending(&self) -> bool {
        matches!(self.progress, Progress::Checked)
    }

    /// For drivers: the transform that the job belongs to, to be recovered by upcasting to
    /// [`Any`](core::any::Any).
    pub fn driver(&self) -> &'a dyn SkcipherDriver {
        self.tfm.driver()
    }

    /// For drivers: direction, IV and buffers.
    pub fn parts(&mut self) -> (Dir, &mut [u8], InOut<'_>) {
        (self.dir, self.iv, self.io.reborrow())
    }

    /// For drivers: the job is finished.
    pub fn complete(&mut self) {
        self.progress = Progress::Done(Ok(()));
    }
}

/// Processes every job; each carries its own [`result`](Job::result).
///
/// The bytes are the same as one call per message gives, on every driver. Nothing is allocated.
pub fn run(jobs: &mut [Job<'_>]) {
    for job in jobs.iter_mut() {
        if let Progress::New = job.progress {
            job.progress = match job.tfm.check(job.iv.len(), job.io.len()) {
                Ok(()) => Progress::Checked,
                Err(error) => Progress::Done(Err(error)),
            };
        }
    }
    for i in 0..jobs.len() {
        if jobs[i].is_pending() {
            let driver = jobs[i].driver();
            driver.crypt_batch(&mut jobs[i..]);
            if jobs[i].is_pending() {
                one_by_one(driver, &mut jobs[i..]);
            }
        }
    }
}

/// Processes the jobs of exactly this transform one after the other.
pub(crate) fn one_by_one<D: SkcipherDriver + ?Sized>(driver: &D, jobs: &mut [Job<'_>]) {
    for job in jobs {
        if job.is_pending() && core::ptr::addr_eq(job.driver(), driver) {
            let (dir, iv, io) = job.parts();
            driver.crypt(dir, iv, io);
            job.complete();
        }
    }
}
