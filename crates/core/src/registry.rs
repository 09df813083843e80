//! The registry: what there is, found by name.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

#[cfg(doc)]
use crate::Error;
use crate::aead::Aead;
use crate::alg::Alg;
use crate::cipher::Cipher;
use crate::entry::{Base, Entry, Snapshot};
use crate::event::Event;
use crate::explain::Explanation;
use crate::plan::{self, Planner};
use crate::policy::Policy;
use crate::selftest::{SelfTest, TestState};
use crate::shash::Shash;
use crate::skcipher::Skcipher;
use crate::sync::{Lock, Published, Turns};
use crate::template::Template;
use crate::want::{KindTag, Want};
use crate::{Result, link};

/// Named algorithms with priorities, and the templates that compose them.
///
/// A registry is a value: clones share it, and tests, sandboxes and plug-in hosts make their own. What a name
/// resolves to depends on what is registered, never on earlier requests.
///
/// ```
/// # use kcrypto_core::{Registry, Error};
/// let registry = Registry::new();
/// assert!(matches!(registry.skcipher("cbc(aes)"), Err(Error::NotFound { .. })));
/// ```
#[derive(Clone)]
pub struct Registry(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) snapshot: Published<Snapshot>,
    /// Held while a new snapshot is made.
    pub(crate) write: Lock<()>,
    pub(crate) turns: Turns,
    pub(crate) next_id: AtomicU64,
    observers: Lock<Vec<(u64, Observer)>>,
}

type Observer = Arc<dyn Fn(&Event) + Send + Sync>;

/// What a registry tells about one of its algorithms.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Info {
    /// Its description.
    pub alg: Arc<Alg>,
    /// Where its self-test stands.
    pub test: TestState,
    /// Why this process, or this registry's CPU mask, cannot run it; `None` if it can.
    pub unavailable: Option<String>,
    /// References to it: 1, and one more for each live transform and each instance built on it.
    pub references: usize,
}

impl Registry {
    /// A registry with nothing in it, no self-test hook and no policy.
    pub fn new() -> Self {
        Registry(Arc::new(Inner {
            snapshot: Published::new(Snapshot::default()),
            write: Lock::new(()),
            turns: Turns::new(),
            next_id: AtomicU64::new(1),
            observers: Lock::new(Vec::new()),
        }))
    }

    /// A registry of everything that was registered at link time.
    ///
    /// # Errors
    /// As [`Registry::with`].
    pub fn linked() -> Result<Self> {
        Registry::with(link::ALGS.iter().cloned(), link::TEMPLATES.iter().copied())
    }

    /// A registry of these drivers and templates, all of the same age whatever their order.
    ///
    /// # Errors
    /// [`Error::Exists`] for names in conflict, [`Error::BadAlg`] for a description that breaks a rule.
    pub fn with(
        algs: impl IntoIterator<Item = Alg>,
        templates: impl IntoIterator<Item = Template>,
    ) -> Result<Self> {
        let registry = Registry::new();
        let mut algs: Vec<Arc<Alg>> = algs.into_iter().map(Arc::new).collect();
        algs.sort_by(|a, b| (a.priority, &a.driver_name).cmp(&(b.priority, &b.driver_name)));
        let mut base = Base::default();
        for template in templates {
            registry.add_template(&mut base, template)?;
        }
        for alg in algs {
            registry.add(&mut base, &alg, 0)?;
        }
        drop(registry.0.snapshot.set(Snapshot { base: Arc::new(base), ..Snapshot::default() }));
        Ok(registry)
    }

    // Lookup.

    /// Allocates a block cipher.
    ///
    /// # Errors
    /// Those of resolution: [`Error::NotFound`], [`Error::BadName`], [`Error::NameTooLong`],
    /// [`Error::BadChild`], [`Error::WrongKind`], [`Error::NameMismatch`], [`Error::Unavailable`],
    /// [`Error::SelfTestFailed`], [`Error::Denied`].
    pub fn cipher(&self, name: &str) -> Result<Cipher> {
        self.cipher_with(name, Want::new(KindTag::Cipher))
    }

    /// Allocates a block cipher with demands on its flags.
    ///
    /// # Errors
    /// As [`Registry::cipher`].
    pub fn cipher_with(&self, name: &str, want: Want) -> Result<Cipher> {
        self.allocate(name, want, Cipher::new)
    }

    /// Allocates a symmetric-key cipher: the best synchronous one of the name.
    ///
    /// # Errors
    /// As [`Registry::cipher`].
    #[inline]
    pub fn skcipher(&self, name: &str) -> Result<Skcipher> {
        self.skcipher_with(name, Want::new(KindTag::Skcipher))
    }

    /// Allocates a symmetric-key cipher with demands on its flags.
    ///
    /// # Errors
    /// As [`Registry::cipher`].
    pub fn skcipher_with(&self, name: &str, want: Want) -> Result<Skcipher> {
        self.allocate(name, want, Skcipher::new)
    }

    /// Allocates a hash or MAC: the best synchronous one of the name.
    ///
    /// # Errors
    /// As [`Registry::cipher`].
    #[inline]
    pub fn shash(&self, name: &str) -> Result<Shash> {
        self.shash_with(name, Want::new(KindTag::Shash))
    }

    /// Allocates a hash or MAC with demands on its flags.
    ///
    /// # Errors
    /// As [`Registry::cipher`].
    pub fn shash_with(&self, name: &str, want: Want) -> Result<Shash> {
        self.allocate(name, want, Shash::new)
    }

    /// Allocates an AEAD: the best synchronous one of the name.
    ///
    /// # Errors
    /// As [`Registry::cipher`].
    #[inline]
    pub fn aead(&self, name: &str) -> Result<Aead> {
        self.aead_with(name, Want::new(KindTag::Aead))
    }

    /// Allocates an AEAD with demands on its flags.
    ///
    /// # Errors
    /// As [`Registry::cipher`].
    pub fn aead_with(&self, name: &str, want: Want) -> Result<Aead> {
        self.allocate(name, want, Aead::new)
    }

    fn allocate<T>(&self, name: &str, want: Want, make: fn(Arc<Alg>, usize) -> Result<T>) -> Result<T> {
        let known = self.0.snapshot.read(|snapshot| {
            let entry = snapshot.answer(name, want)?;
            Some((Arc::clone(&entry.alg), snapshot.base.policy.min_key_bytes()))
        });
        let (alg, min_key) = match known {
            Some(known) => known,
            None => {
                let entry = self.find(name, want)?;
                (Arc::clone(&entry.alg), self.0.snapshot.read(|s| s.base.policy.min_key_bytes()))
            }
        };
        make(alg, min_key)
    }

    /// Resolves a name as an allocation would, building and testing what it needs.
    ///
    /// # Errors
    /// As [`Registry::cipher`].
    pub fn resolve(&self, name: &str, want: Want) -> Result<Info> {
        let entry = self.find(name, want)?;
        let base = self.0.snapshot.get();
        Ok(info(&base.base, &entry))
    }

    /// Whether a plain lookup of some kind would find an algorithm. Nothing is built or tested for the answer.
    pub fn has(&self, name: &str) -> bool {
        let snapshot = self.0.snapshot.get();
        let mut planner = Planner::new(&snapshot);
        KindTag::ALL.iter().any(|&kind| planner.plan_request(name, Want::new(kind)).best().is_ok())
    }

    /// Whether a lookup of this kind and with these flags would find an algorithm; as [`Registry::has`].
    pub fn has_with(&self, name: &str, want: Want) -> bool {
        let snapshot = self.0.snapshot.get();
        Planner::new(&snapshot).plan_request(name, want).best().is_ok()
    }

    /// What is known of the driver or instance of this driver name. Nothing is built or tested for the answer.
    pub fn info(&self, driver: &str) -> Option<Info> {
        let snapshot = self.0.snapshot.get();
        snapshot.by_driver(driver).map(|entry| info(&snapshot.base, entry))
    }

    /// The resolution tree: every candidate, who wins, and why each other one loses.
    ///
    /// Nothing is built or tested for the answer; untested drivers are taken to be right.
    pub fn explain(&self, name: &str, want: Want) -> Explanation {
        let snapshot = self.0.snapshot.get();
        Explanation::of(&Planner::new(&snapshot).plan_request(name, want))
    }

    /// Every driver and instance, the newest first.
    pub fn list(&self) -> Vec<Info> {
        let snapshot = self.0.snapshot.get();
        let mut entries: Vec<&Arc<Entry>> =
            snapshot.base.by_driver.values().chain(snapshot.instances.values()).collect();
        entries.sort_by_key(|entry| core::cmp::Reverse(entry.id));
        entries.into_iter().map(|entry| info(&snapshot.base, entry)).collect()
    }

    /// The names of all templates, in order.
    pub fn templates(&self) -> Vec<&'static str> {
        self.0.snapshot.read(|snapshot| snapshot.base.templates.keys().copied().collect())
    }

    // Configuration.

    /// Installs the self-test hook. What was used untested until now will be tested before its next use.
    pub fn set_self_test(&self, hook: Arc<dyn SelfTest>) {
        self.configure(|base| {
            base.hook = Some(hook);
            for entry in base.by_driver.values() {
                let mut test = entry.test.lock();
                if *test == TestState::Exempt {
                    *test = TestState::Untested;
                }
            }
        });
    }

    /// Sets the policy. Transforms that are allocated already keep what they have.
    pub fn set_policy(&self, policy: Policy) {
        self.configure(|base| base.policy = policy);
    }

    /// Makes this registry do without CPU features, by name; they are only ever removed.
    pub fn mask_cpu(&self, features: &[&str]) {
        self.configure(|base| base.cpu_mask.extend(features.iter().map(|&name| name.into())));
    }

    fn configure(&self, change: impl FnOnce(&mut Base)) {
        self.change(|snapshot| {
            change(Arc::make_mut(&mut snapshot.base));
            snapshot.answers = Arc::default();
            snapshot.instances = Arc::default();
        });
    }

    /// Replaces the snapshot by a changed copy of the next generation.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut Snapshot) -> R) -> R {
        let guard = self.0.write.lock();
        let mut snapshot = Snapshot::clone(&self.0.snapshot.get());
        Arc::make_mut(&mut snapshot.base).generation += 1;
        let result = change(&mut snapshot);
        let replaced = self.0.snapshot.set(snapshot);
        drop(guard);
        drop(replaced);
        result
    }

    /// Calls `observer` after each change, until the guard is dropped.
    ///
    /// It is called outside every lock and may use the registry. But [`Event::Built`] and [`Event::Tested`] are
    /// told while the request that built or tested is still under way: the thread that is told has the turn for
    /// that name, and asking for the same name from there gives [`Error::Busy`](crate::Error::Busy), where it
    /// would otherwise wait for itself. Other names, and the same name later or from another thread, are answered.
    pub fn observe(&self, observer: impl Fn(&Event) + Send + Sync + 'static) -> Observation {
        let id = self.0.next_id.fetch_add(1, Ordering::Relaxed);
        self.0.observers.lock().push((id, Arc::new(observer)));
        Observation { registry: self.clone(), id }
    }

    pub(crate) fn tell(&self, events: impl IntoIterator<Item = Event>) {
        let observers = self.0.observers.lock().clone();
        for event in events {
            observers.iter().for_each(|(_, observer)| observer(&event));
        }
    }
}

impl Default for Registry {
    fn default() -> Self {
        Registry::new()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let snapshot = self.0.snapshot.get();
        f.debug_struct("Registry")
            .field("drivers", &snapshot.base.by_driver.len())
            .field("instances", &snapshot.instances.len())
            .field("templates", &snapshot.base.templates.len())
            .finish_non_exhaustive()
    }
}

fn info(base: &Base, entry: &Arc<Entry>) -> Info {
    Info {
        alg: Arc::clone(&entry.alg),
        test: entry.test.lock().clone(),
        unavailable: plan::runs(&base.cpu_mask, &entry.alg).err().map(|reason| reason.as_ref().to_owned()),
        references: Arc::strong_count(&entry.alg) - 1,
    }
}

/// Keeps an observer; it is no longer called once this is dropped.
#[must_use = "dropping it ends the observation at once"]
pub struct Observation {
    registry: Registry,
    id: u64,
}

impl Drop for Observation {
    fn drop(&mut self) {
        let mut observers = self.registry.0.observers.lock();
        let gone = observers.iter().position(|(id, _)| *id == self.id).map(|at| observers.remove(at));
        drop(observers);
        // What the observer owns may be another observation, or a registration.
        drop(gone);
    }
}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observation").field("id", &self.id).finish_non_exhaustive()
    }
}
