//! Locks and waiting, with and without std.

#[cfg(feature = "std")]
pub(crate) use with_std::{Lock, Published, Turns};
#[cfg(not(feature = "std"))]
pub(crate) use without_std::{Lock, Published, Turns};

/// What is being built or tested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Key {
    /// A request.
    Name(alloc::boxed::Box<str>, crate::Want),
    /// The self-test of the entry with this number.
    Test(u64),
}

#[cfg(feature = "std")]
mod with_std {
    use alloc::sync::Arc;
    use alloc::vec::Vec;
    use core::time::Duration;
    use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
    use std::thread::{self, ThreadId};

    use arc_swap::ArcSwap;

    use super::Key;

    /// How long a thread waits for another one's build or test, as in Linux.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// A value that is replaced as a whole and read without a lock.
    pub(crate) struct Published<T>(ArcSwap<T>);

    impl<T> Published<T> {
        pub(crate) fn new(value: T) -> Self {
            Published(ArcSwap::from_pointee(value))
        }

        #[inline]
        pub(crate) fn read<R>(&self, f: impl FnOnce(&T) -> R) -> R {
            f(&self.0.load())
        }

        pub(crate) fn get(&self) -> Arc<T> {
            self.0.load_full()
        }

        /// Returns what it replaces, which is not to be dropped under a lock: dropping it may run a user's code.
        #[must_use = "dropping it may run a user's code: not before every lock is free"]
        pub(crate) fn set(&self, value: T) -> Arc<T> {
            self.0.swap(Arc::new(value))
        }
    }

    /// A mutex that a panicking holder does not spoil: what it guards is replaced, never half changed.
    pub(crate) struct Lock<T>(Mutex<T>);

    impl<T> Lock<T> {
        pub(crate) fn new(value: T) -> Self {
            Lock(Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    /// Who is building or testing what: the larval entries.
    pub(crate) struct Turns {
        taken: Mutex<Vec<(Key, ThreadId)>>,
        freed: Condvar,
    }

    /// The right to build or test something; given back on drop, also by a panic.
    pub(crate) struct Turn<'a> {
        turns: &'a Turns,
        key: Key,
    }

    impl Turns {
        pub(crate) fn new() -> Self {
            Turns { taken: Mutex::new(Vec::new()), freed: Condvar::new() }
        }

        /// Takes the turn, or waits until whoever has it is done and returns `Ok(None)`.
        /// `Err` if this very thread has it, or after 60 seconds.
        pub(crate) fn take(&self, key: Key) -> Result<Option<Turn<'_>>, ()> {
            let me = thread::current().id();
            let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            match taken.iter().find(|(k, _)| *k == key) {
                None => {
                    taken.push((key.clone(), me));
                    return Ok(Some(Turn { turns: self, key }));
                }
                Some((_, owner)) if *owner == me => return Err(()),
                Some(_) => {}
            }
            let busy = |taken: &mut Vec<(Key, ThreadId)>| taken.iter().any(|(k, _)| *k == key);
            let waited = self.freed.wait_timeout_while(taken, PATIENCE, busy);
            let (_guard, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            if timeout.timed_out() { Err(()) } else { Ok(None) }
        }
    }

    impl Drop for Turn<'_> {
        fn drop(&mut self) {
            let mut taken = self.turns.taken.lock().unwrap_or_else(PoisonError::into_inner);
            taken.retain(|(key, _)| *key != self.key);
            drop(taken);
            self.turns.freed.notify_all();
        }
    }
}

#[cfg(not(feature = "std"))]
mod without_std {
    use alloc::sync::Arc;
    use alloc::vec::Vec;

    use spin::{Mutex, MutexGuard, RwLock};

    use super::Key;

    /// A value that is replaced as a whole.
    pub(crate) struct Published<T>(RwLock<Arc<T>>);

    impl<T> Published<T> {
        pub(crate) fn new(value: T) -> Self {
            Published(RwLock::new(Arc::new(value)))
        }

        #[inline]
        pub(crate) fn read<R>(&self, f: impl FnOnce(&T) -> R) -> R {
            f(&self.get())
        }

        pub(crate) fn get(&self) -> Arc<T> {
            Arc::clone(&self.0.read())
        }

        /// Returns what it replaces, which is not to be dropped under a lock: dropping it may run a user's code.
        #[must_use = "dropping it may run a user's code: not before every lock is free"]
        pub(crate) fn set(&self, value: T) -> Arc<T> {
            core::mem::replace(&mut *self.0.write(), Arc::new(value))
        }
    }

    /// A mutex.
    pub(crate) struct Lock<T>(Mutex<T>);

    impl<T> Lock<T> {
        pub(crate) fn new(value: T) -> Self {
            Lock(Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock()
        }
    }

    /// Who is building or testing what: the larval entries.
    pub(crate) struct Turns(Mutex<Vec<Key>>);

    /// The right to build or test something; given back on drop.
    pub(crate) struct Turn<'a> {
        turns: &'a Turns,
        key: Key,
    }

    impl Turns {
        pub(crate) fn new() -> Self {
            Turns(Mutex::new(Vec::new()))
        }

        /// Takes the turn; `Err` if it is taken, for there is nothing to wait with.
        pub(crate) fn take(&self, key: Key) -> Result<Option<Turn<'_>>, ()> {
            let mut taken = self.0.lock();
            if taken.contains(&key) {
                return Err(());
            }
            taken.push(key.clone());
            Ok(Some(Turn { turns: self, key }))
        }
    }

    impl Drop for Turn<'_> {
        fn drop(&mut self) {
            self.turns.0.lock().retain(|key| *key != self.key);
        }
    }
}
