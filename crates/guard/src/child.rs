//! Calls in a child process.

use core::ffi::c_int;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicU32, Ordering};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The work returned this.
    Returned(bool),
    /// The work panicked.
    Panicked,
    /// It used memory that is not there, or not so: `SIGSEGV` or `SIGBUS`.
    Fault,
    /// Its time was up.
    TimedOut,
    /// Another signal, or an end of its own making.
    Other(c_int),
}

/// Exit statuses of the child.
const GOOD: c_int = 0;
const BAD: c_int = 1;
const PANICKED: c_int = 2;

/// A number that the child sets and the parent reads.
pub struct Progress(NonNull<AtomicU32>);

impl Progress {
    fn new() -> io::Result<Self> {
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANON);
        // SAFETY: a new mapping at an address of the system's choice touches no other memory.
        let page = unsafe { libc::mmap(ptr::null_mut(), size_of::<AtomicU32>(), protection, flags, -1, 0) };
        if page == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        NonNull::new(page.cast()).map(Progress).ok_or_else(|| io::Error::other("a mapping at address 0"))
    }

    fn cell(&self) -> &AtomicU32 {
        // SAFETY: the mapping is aligned to a page, zero at first, and lives as long as this value; both processes
        // use it as an atomic only.
        unsafe { self.0.as_ref() }
    }

    /// Notes what is about to be tried.
    pub fn set(&self, number: u32) {
        self.cell().store(number, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // SAFETY: it is the whole mapping that `new` made, and nothing borrows it any more.
        unsafe { libc::munmap(self.0.as_ptr().cast(), size_of::<AtomicU32>()) };
    }
}

/// Does some work in a child process, for at most so many seconds; how it ended, and the progress that it noted
/// last.
///
/// The child has no other threads than this one: see the limits in the documentation of this crate. It leaves no
/// core file, flushes nothing, and runs nobody's exit handlers.
///
/// # Errors
/// Those of the system, if there can be no child.
pub fn in_child(seconds: u32, work: impl FnOnce(&Progress) -> bool) -> io::Result<(End, u32)> {
    let progress = Progress::new()?;
    // SAFETY: the child does nothing but `child`, which never returns; the locks that it may find taken make it
    // wait until it is killed, and break nothing.
    let pid = unsafe { libc::fork() };
    match pid {
        -1 => Err(io::Error::last_os_error()),
        0 => child(seconds, || work(&progress)),
        pid => {
            let end = wait(pid)?;
            Ok((end, progress.cell().load(Ordering::Relaxed)))
        }
    }
}

fn child(seconds: u32, work: impl FnOnce() -> bool) -> ! {
    let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit is a valid one, for this process alone.
    unsafe { libc::setrlimit(libc::RLIMIT_CORE, &no_core) };
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGALRM] {
        // SAFETY: the default action runs no code.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    // SAFETY: it only asks for a signal, which ends this process.
    unsafe { libc::alarm(seconds) };
    let status = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(true) => GOOD,
        Ok(false) => BAD,
        Err(_) => PANICKED,
    };
    // SAFETY: it ends the process at once.
    unsafe { libc::_exit(status) }
}

fn wait(pid: libc::pid_t) -> io::Result<End> {
    let mut status = 0;
    loop {
        // SAFETY: `status` is a place for the answer about a child of this process.
        if unsafe { libc::waitpid(pid, &mut status, 0) } == pid {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    if libc::WIFSIGNALED(status) {
        return Ok(match libc::WTERMSIG(status) {
            libc::SIGSEGV | libc::SIGBUS => End::Fault,
            libc::SIGALRM => End::TimedOut,
            signal => End::Other(signal),
        });
    }
    Ok(match libc::WEXITSTATUS(status) {
        GOOD => End::Returned(true),
        BAD => End::Returned(false),
        PANICKED => End::Panicked,
        status => End::Other(status),
    })
}

#[cfg(test)]
mod tests {
    use core::hint::black_box;

    use super::*;
    use crate::{Fenced, Side};

    #[test]
    fn what_work_returns() {
        for result in [true, false] {
            let ended = in_child(10, |progress| {
                progress.set(7);
                result
            });
            assert_eq!(ended.unwrap(), (End::Returned(result), 7));
        }
        assert_eq!(in_child(10, |_| panic!("in the child")).unwrap().0, End::Panicked);
    }

    #[test]
    fn work_without_end_is_stopped() {
        let ended = in_child(1, |progress| {
            loop {
                progress.set(1);
                std::thread::yield_now();
            }
        });
        assert_eq!(ended.unwrap(), (End::TimedOut, 1));
    }

    /// What a wrong driver does, at a distance from the start of these bytes.
    fn touch(bytes: *mut u8, distance: isize, write: bool) {
        let at = bytes.wrapping_offset(distance);
        // SAFETY: not safe, on purpose: the byte is not there, or must not be written.
        let byte = unsafe { black_box(at).read_volatile() };
        if write {
            // SAFETY: as above.
            unsafe { black_box(at).write_volatile(byte) };
        }
    }

    #[test]
    fn bytes_outside_end_the_child() {
        let mut fenced = Fenced::new(100).unwrap();
        for (side, distance, inside) in
            [(Side::End, 9, true), (Side::End, 10, false), (Side::Start, 0, true), (Side::Start, -1, false)]
        {
            let start = fenced.bytes_mut(side, 10).as_mut_ptr();
            let ended = in_child(10, |_| {
                touch(start, distance, false);
                true
            });
            let expected = if inside { End::Returned(true) } else { End::Fault };
            assert_eq!(ended.unwrap().0, expected, "{side:?} {distance}");
        }
        for write in [false, true] {
            let ended = in_child(10, |_| {
                fenced.read_only(Side::End, 10, |bytes| touch(bytes.as_ptr().cast_mut(), 3, write)).is_ok()
            });
            let expected = if write { End::Fault } else { End::Returned(true) };
            assert_eq!(ended.unwrap().0, expected);
        }
    }
}
