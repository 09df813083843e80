//! Requests that disturb each other.

use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::Mutex;

use kcrypto_core::batch::Job;
use kcrypto_core::{Dir, InOut, SkcipherDriver, State};

use crate::wrap::{Fault, Wrapped};

#[derive(Default)]
pub(super) struct Kept(pub(super) Mutex<State>);
impl Fault for Kept {
    fn begin(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &[u8], _state: &mut State) {
        right.begin(dir, iv, &mut self.0.lock().unwrap());
    }

    fn run(&self, right: &dyn SkcipherDriver, dir: Dir, _state: &mut State, io: InOut<'_>, last: bool) {
        right.run(dir, &mut self.0.lock().unwrap(), io, last);
    }

    fn end(&self, right: &dyn SkcipherDriver, dir: Dir, _state: &State, iv_out: &mut [u8]) {
        right.end(dir, &self.0.lock().unwrap(), iv_out);
    }
}

pub(super) struct Worn(pub(super) AtomicU32);
impl Fault for Worn {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        if self.0.fetch_add(1, Ordering::Relaxed) > 100 && !io.is_empty() {
            io.dst()[0] ^= 1;
        }
    }
}

/// The jobs of this type.
fn own<'j, 'a>(jobs: &'j mut [Job<'a>]) -> impl Iterator<Item = (&'j mut Job<'a>, &'a Wrapped)> {
    jobs.iter_mut().filter_map(|job| job.pending_for().map(|driver| (job, driver)))
}

pub(super) struct FirstOfBatch;
impl Fault for FirstOfBatch {
    fn crypt_batch(&self, jobs: &mut [Job<'_>]) {
        let mut first = None;
        for (job, driver) in own(jobs) {
            let (dir, iv, io) = job.parts();
            first.get_or_insert(driver).inner.crypt(dir, iv, io);
            job.complete();
        }
    }
}

pub(super) struct IvOfBatch;
impl Fault for IvOfBatch {
    fn crypt_batch(&self, jobs: &mut [Job<'_>]) {
        let mut first: Option<Vec<u8>> = None;
        for (job, driver) in own(jobs) {
            let (dir, iv, io) = job.parts();
            iv.copy_from_slice(first.get_or_insert_with(|| iv.to_vec()));
            driver.inner.crypt(dir, iv, io);
            job.complete();
        }
    }
}

pub(super) struct LostBatchIv;
impl Fault for LostBatchIv {
    fn crypt_batch(&self, jobs: &mut [Job<'_>]) {
        for (job, driver) in own(jobs) {
            let (dir, iv, io) = job.parts();
            driver.inner.crypt(dir, &mut iv.to_vec(), io);
            job.complete();
        }
    }
}

pub(super) struct LongBatch;
impl Fault for LongBatch {
    fn crypt_batch(&self, jobs: &mut [Job<'_>]) {
        let mut first = None;
        for (job, driver) in own(jobs) {
            let (dir, iv, io) = job.parts();
            let long = dir == Dir::Encrypt && io.len() > 128;
            let driver = if long { *first.get_or_insert(driver) } else { driver };
            driver.inner.crypt(dir, iv, io);
            job.complete();
        }
    }
}
