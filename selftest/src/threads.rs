//! One transform, several threads.

use std::panic::resume_unwind;
use std::thread;

/// Threads that use a transform.
pub(crate) const THREADS: usize = 4;
/// Requests of each thread.
const REQUESTS: usize = 64;

/// Makes requests from several threads, which are numbered; the first that went wrong, if one did.
pub(crate) fn race<T: Send>(request: impl Fn(usize) -> Option<T> + Sync) -> Option<T> {
    let run = |nth| (0..REQUESTS).find_map(|_| request(nth));
    let run = &run;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|nth| scope.spawn(move || run(nth))).collect();
        let ends =
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        ends.flatten().next()
    })
}
