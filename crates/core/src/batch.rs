//! Many independent messages in one call, of any mix of lengths, keys, algorithms and directions.
//!
//! A [`Job`] is one message, and names its transform: a [`Skcipher`], an [`Aead`](crate::Aead) or a
//! [`Shash`](crate::Shash). [`run`] takes a list of jobs of one of these kinds; a driver with lanes takes all
//! that are its own at once. Each job carries its own result, and one that fails leaves the others alone.
//!
//! ```
//! use kcrypto_core::batch::{self, Job};
//! use kcrypto_core::{Result, Shash};
//!
//! /// Authenticates packets of several connections at once, each under its own key.
//! fn tags<'a>(packets: &[(&'a Shash, &'a [u8])], tags: &'a mut [[u8; 16]]) -> Result<()> {
//!     let mut jobs: Vec<_> = packets
//!         .iter()
//!         .zip(tags)
//!         .map(|(&(tfm, packet), tag)| Job::digest(tfm, packet, tag))
//!         .collect();
//!     batch::run(&mut jobs);
//!     jobs.iter().try_for_each(Job::result)
//! }
//! # tags(&[], &mut []).unwrap();
//! ```

mod aead;
mod shash;
mod skcipher;

use core::any::Any;
use core::fmt;

use crate::{Error, Result, Skcipher};

/// One message of a batch. It names its transform, so one batch may mix keys and algorithms.
pub struct Job<'a, T: Batched = Skcipher> {
    tfm: &'a T,
    request: T::Request<'a>,
    progress: Progress,
}

#[derive(Debug)]
enum Progress {
    New,
    Checked,
    Done(Result<()>),
}

/// The kinds of transforms whose messages make batches: [`Skcipher`], [`Aead`](crate::Aead) and
/// [`Shash`](crate::Shash).
pub trait Batched: kind::Requests {
    /// What the author of a driver implements.
    type Driver: ?Sized;

    /// The driver of this transform.
    #[doc(hidden)]
    fn driver(&self) -> &Self::Driver;

    /// The driver, as what its type can be asked of.
    #[doc(hidden)]
    fn any(&self) -> &dyn Any;

    /// Shows a driver the jobs of which the first is its own.
    #[doc(hidden)]
    fn offer(driver: &Self::Driver, jobs: &mut [Job<'_, Self>]);
}

mod kind {
    use crate::Result;

    /// What a kind of transform does with one request. Private, so that no other kinds can be made.
    pub trait Requests: Sized + 'static {
        /// A message with its buffers.
        type Request<'a>;

        /// Refuses it before anything is written.
        fn check(&self, request: &Self::Request<'_>) -> Result<()>;

        /// Does it, as one call for one message does.
        fn process(&self, request: &mut Self::Request<'_>) -> Result<()>;

        /// Judges what a driver did.
        fn judge(request: &mut Self::Request<'_>) -> Result<()>;
    }
}

impl<'a, T: Batched> Job<'a, T> {
    fn of(tfm: &'a T, request: T::Request<'a>) -> Self {
        Job { tfm, request, progress: Progress::New }
    }

    /// What came of it after [`run`]: what one call for this message would have returned. [`Error::Busy`]
    /// before.
    pub fn result(&self) -> Result<()> {
        match &self.progress {
            Progress::Done(result) => result.clone(),
            Progress::New | Progress::Checked => Err(Error::Busy { name: "job not run yet".into() }),
        }
    }

    /// For drivers: whether the job was checked and waits for its driver.
    pub fn is_pending(&self) -> bool {
        matches!(self.progress, Progress::Checked)
    }

    /// For drivers: the transform that the job belongs to.
    pub fn driver(&self) -> &'a T::Driver {
        self.tfm.driver()
    }

    /// For drivers: the transform that the job belongs to, if it has this type and the job waits for it.
    pub fn pending_for<D: 'static>(&self) -> Option<&'a D> {
        if self.is_pending() { self.tfm.any().downcast_ref() } else { None }
    }

    /// For drivers: the job is finished. A tag that was to be verified is compared now, in constant time, and
    /// the output of a forgery is wiped.
    pub fn complete(&mut self) {
        self.progress = Progress::Done(T::judge(&mut self.request));
    }

    fn check(&mut self) {
        if let Progress::New = self.progress {
            self.progress = match self.tfm.check(&self.request) {
                Ok(()) => Progress::Checked,
                Err(error) => Progress::Done(Err(error)),
            };
        }
    }

    fn process(&mut self) {
        if self.is_pending() {
            self.progress = Progress::Done(self.tfm.process(&mut self.request));
        }
    }
}

/// Processes every job; each carries its own [`result`](Job::result).
///
/// The bytes are the same as one call per message gives, on every driver. Nothing is allocated.
pub fn run<T: Batched>(jobs: &mut [Job<'_, T>]) {
    jobs.iter_mut().for_each(Job::check);
    for i in 0..jobs.len() {
        if jobs[i].is_pending() {
            T::offer(jobs[i].driver(), &mut jobs[i..]);
            jobs[i].process();
        }
    }
}

impl<T: Batched + fmt::Debug> fmt::Debug for Job<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("tfm", &self.tfm)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}
