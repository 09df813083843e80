//! The registry: what there is, found by name.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::alg::{Alg, KindTag, Want};
use crate::cipher::Cipher;
use crate::entry::{Answer, Base, Entry, Snapshot};
use crate::event::Event;
use crate::explain::Explanation;
use crate::plan::{self, Node, Planner};
use crate::policy::Policy;
use crate::selftest::{Report, SelfTest, Subject, TestState, reference_name};
use crate::skcipher::Skcipher;
use crate::sync::{Key, Lock, Published, Turns};
use crate::template::Template;
use crate::{Error, Result, link};

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
pub struct Registry(Arc<Inner>);

struct Inner {
    snapshot: Published<Snapshot>,
    /// Held while a new snapshot is made.
    write: Lock<()>,
    turns: Turns,
    next_id: AtomicU64,
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
        let mut algs: Vec<Alg> = algs.into_iter().collect();
        algs.sort_by(|a, b| (a.priority, &a.driver_name).cmp(&(b.priority, &b.driver_name)));
        let mut base = Base::default();
        for template in templates {
            registry.add_template(&mut base, template)?;
        }
        for alg in algs {
            registry.add(&mut base, alg, 0)?;
        }
        registry.0.snapshot.set(Snapshot { base: Arc::new(base), ..Snapshot::default() });
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

    fn allocate<T>(&self, name: &str, want: Want, make: fn(&Arc<Alg>, usize) -> Result<T>) -> Result<T> {
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
        make(&alg, min_key)
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

    // Registration.

    /// Registers a driver. It is a candidate from now on, and is used once its self-test has passed.
    ///
    /// # Errors
    /// [`Error::Exists`] if a live entry has its driver name, or has its generic name as driver name, or the
    /// other way round; [`Error::BadAlg`], [`Error::NameTooLong`] for a description that breaks a rule.
    pub fn register(&self, alg: Alg) -> Result<Registration> {
        self.register_all([alg])
    }

    /// Registers a list in one step: all or, after an error, none.
    ///
    /// # Errors
    /// As [`Registry::register`].
    pub fn register_all(&self, algs: impl IntoIterator<Item = Alg>) -> Result<Registration> {
        let algs: Vec<Alg> = algs.into_iter().collect();
        let guard = self.0.write.lock();
        let mut snapshot = Snapshot::clone(&self.0.snapshot.get());
        let base = Arc::make_mut(&mut snapshot.base);
        base.generation += 1;
        let age = base.generation;
        let mut added = Vec::with_capacity(algs.len());
        for alg in algs {
            if snapshot.instances.contains_key(alg.driver_name.as_ref())
                || snapshot.instances.contains_key(alg.name.as_ref())
            {
                return Err(Error::Exists { name: alg.driver_name.as_ref().into() });
            }
            added.push(self.add(base, alg, age)?);
        }
        let names: Vec<&str> =
            added.iter().flat_map(|e| [e.alg.name.as_ref(), e.alg.driver_name.as_ref()]).collect();
        snapshot.forget(&names);
        self.0.snapshot.set(snapshot);
        drop(guard);
        let drivers = added.iter().map(|entry| Box::<str>::from(entry.alg.driver_name.as_ref()));
        self.tell(drivers.map(|driver| Event::Registered { driver }));
        let ids = added.iter().map(|entry| (entry.alg.driver_name.as_ref().into(), entry.id)).collect();
        Ok(Registration { registry: self.clone(), drivers: ids, template: None })
    }

    /// Registers a template.
    ///
    /// # Errors
    /// [`Error::Exists`] if there is one of that name.
    pub fn register_template(&self, template: Template) -> Result<Registration> {
        let guard = self.0.write.lock();
        let mut snapshot = Snapshot::clone(&self.0.snapshot.get());
        let base = Arc::make_mut(&mut snapshot.base);
        base.generation += 1;
        let id = self.add_template(base, template)?;
        snapshot.forget(&[template.name]);
        self.0.snapshot.set(snapshot);
        drop(guard);
        self.tell([Event::TemplateRegistered { template: template.name.into() }]);
        Ok(Registration { registry: self.clone(), drivers: Vec::new(), template: Some((template.name, id)) })
    }

    fn add(&self, base: &mut Base, alg: Alg, age: u64) -> Result<Arc<Entry>> {
        alg.validate()?;
        let taken = |name: &str| base.by_driver.contains_key(name);
        if taken(&alg.driver_name) || base.by_name.contains_key(alg.driver_name.as_ref()) {
            return Err(Error::Exists { name: alg.driver_name.as_ref().into() });
        }
        if taken(&alg.name) {
            return Err(Error::Exists { name: alg.name.as_ref().into() });
        }
        let entry = self.entry(Arc::new(alg), age, Vec::new());
        base.insert(Arc::clone(&entry));
        Ok(entry)
    }

    fn add_template(&self, base: &mut Base, template: Template) -> Result<u64> {
        if base.templates.contains_key(template.name) {
            return Err(Error::Exists { name: template.name.into() });
        }
        let id = self.0.next_id.fetch_add(1, Ordering::Relaxed);
        base.templates.insert(template.name, crate::entry::TemplateEntry { template, id });
        Ok(id)
    }

    fn entry(&self, alg: Arc<Alg>, age: u64, children: Vec<Arc<Entry>>) -> Arc<Entry> {
        let id = self.0.next_id.fetch_add(1, Ordering::Relaxed);
        Arc::new(Entry { alg, id, age, children, test: Lock::new(TestState::Untested) })
    }

    fn remove_driver(&self, driver: &str, id: u64) {
        let guard = self.0.write.lock();
        let mut snapshot = Snapshot::clone(&self.0.snapshot.get());
        if snapshot.base.by_driver.get(driver).is_none_or(|entry| entry.id != id) {
            return;
        }
        let base = Arc::make_mut(&mut snapshot.base);
        base.generation += 1;
        let Some(entry) = base.remove(driver) else { return };
        snapshot.forget(&[&entry.alg.name, &entry.alg.driver_name]);
        let retired = retire(&mut snapshot, |instance| instance.stands_on(id));
        self.0.snapshot.set(snapshot);
        drop(guard);
        self.tell([Event::Unregistered { driver: driver.into() }]);
        self.tell(
            retired
                .into_iter()
                .map(|driver| Event::Retired { driver, cause: entry.alg.driver_name.as_ref().into() }),
        );
    }

    fn remove_template(&self, name: &'static str, id: u64) {
        let guard = self.0.write.lock();
        let mut snapshot = Snapshot::clone(&self.0.snapshot.get());
        if snapshot.base.templates.get(name).is_none_or(|entry| entry.id != id) {
            return;
        }
        let base = Arc::make_mut(&mut snapshot.base);
        base.generation += 1;
        base.templates.remove(name);
        snapshot.forget(&[name]);
        let retired = retire(&mut snapshot, |instance| made_by(instance, name));
        self.0.snapshot.set(snapshot);
        drop(guard);
        self.tell([Event::TemplateUnregistered { template: name.into() }]);
        self.tell(retired.into_iter().map(|driver| Event::Retired { driver, cause: name.into() }));
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
    fn change<R>(&self, change: impl FnOnce(&mut Snapshot) -> R) -> R {
        let _guard = self.0.write.lock();
        let mut snapshot = Snapshot::clone(&self.0.snapshot.get());
        Arc::make_mut(&mut snapshot.base).generation += 1;
        let result = change(&mut snapshot);
        self.0.snapshot.set(snapshot);
        result
    }

    /// Calls `observer` after each change, until the guard is dropped.
    ///
    /// It is called outside every lock and may use the registry.
    pub fn observe(&self, observer: impl Fn(&Event) + Send + Sync + 'static) -> Observation {
        let id = self.0.next_id.fetch_add(1, Ordering::Relaxed);
        self.0.observers.lock().push((id, Arc::new(observer)));
        Observation { registry: self.clone(), id }
    }

    fn tell(&self, events: impl IntoIterator<Item = Event>) {
        let observers = self.0.observers.lock().clone();
        for event in events {
            observers.iter().for_each(|(_, observer)| observer(&event));
        }
    }

    // Resolution.

    fn find(&self, name: &str, want: Want) -> Result<Arc<Entry>> {
        let known = |snapshot: &Snapshot| snapshot.answer(name, want).cloned();
        loop {
            if let Some(entry) = self.0.snapshot.read(known) {
                return Ok(entry);
            }
            let turn = self.0.turns.take(Key::Name(name.into(), want));
            match turn.map_err(|()| Error::Busy { name: name.into() })? {
                None => continue,
                Some(_turn) => match self.0.snapshot.read(known) {
                    Some(entry) => return Ok(entry),
                    None => return self.build(name, want),
                },
            }
        }
    }

    /// Plans the request, builds and tests the winner, and keeps the answer unless something changed.
    fn build(&self, name: &str, want: Want) -> Result<Arc<Entry>> {
        loop {
            let snapshot = self.0.snapshot.get();
            let mut planner = Planner::new(&snapshot);
            let node = match planner.plan_request(name, want).best() {
                Ok(node) => node,
                Err(error) => {
                    if let Error::Denied { rule } = &error {
                        self.tell([Event::Denied { name: name.into(), rule: rule.clone() }]);
                    }
                    return Err(error);
                }
            };
            // A failed test is an answer too: the next plan knows of it and takes the next best.
            if let Some(entry) = self.realise(&node)? {
                let answer = Answer { want, entry: Arc::clone(&entry), looked_at: planner.looked_at() };
                self.keep(name, answer, snapshot.base.generation);
                return Ok(entry);
            }
        }
    }

    fn keep(&self, name: &str, answer: Answer, generation: u64) {
        let _guard = self.0.write.lock();
        let current = self.0.snapshot.get();
        if current.base.generation != generation || !current.is_live(&answer.entry) {
            return;
        }
        let mut snapshot = Snapshot::clone(&current);
        Arc::make_mut(&mut snapshot.answers).entry(name.into()).or_default().push(answer);
        self.0.snapshot.set(snapshot);
    }

    /// Makes a planned algorithm real: its children, itself, and the tests of each. `None` if one failed.
    fn realise(&self, node: &Node) -> Result<Option<Arc<Entry>>> {
        let mut children = Vec::with_capacity(node.children.len());
        for child in &node.children {
            match self.realise(child)? {
                Some(entry) => children.push(entry),
                None => return Ok(None),
            }
        }
        let entry = match &node.entry {
            Some(entry) => Arc::clone(entry),
            None => self.instance(node.alg(), children),
        };
        Ok(self.tested(&entry)?.then_some(entry))
    }

    /// The instance over these children, entered unless a child has gone meanwhile.
    fn instance(&self, alg: &Arc<Alg>, children: Vec<Arc<Entry>>) -> Arc<Entry> {
        let driver: &str = &alg.driver_name;
        let guard = self.0.write.lock();
        let current = self.0.snapshot.get();
        let same =
            |entry: &&Arc<Entry>| entry.children.iter().map(|c| c.id).eq(children.iter().map(|c| c.id));
        if let Some(entry) = current.instances.get(driver).filter(same) {
            return Arc::clone(entry);
        }
        let live = children.iter().all(|child| current.is_live(child));
        let entry = self.entry(Arc::clone(alg), 0, children);
        if !live || current.base.by_driver.contains_key(driver) {
            return entry;
        }
        let mut snapshot = Snapshot::clone(&current);
        Arc::make_mut(&mut snapshot.instances).insert(driver.into(), Arc::clone(&entry));
        self.0.snapshot.set(snapshot);
        drop(guard);
        self.tell([Event::Built { driver: driver.into() }]);
        entry
    }

    /// Whether the entry may be used; tests it first if nobody did.
    fn tested(&self, entry: &Arc<Entry>) -> Result<bool> {
        loop {
            match &*entry.test.lock() {
                state if state.is_eligible() => return Ok(true),
                TestState::Failed(_) => return Ok(false),
                _ => {}
            }
            let turn = self.0.turns.take(Key::Test(entry.id));
            let busy = |()| Error::Busy { name: entry.alg.driver_name.as_ref().into() };
            if let Some(_turn) = turn.map_err(busy)? {
                let untested = matches!(*entry.test.lock(), TestState::Untested | TestState::Running);
                if untested {
                    self.test_now(entry, self.0.snapshot.get().base.hook.clone());
                }
            }
        }
    }

    /// Runs the hook on an entry and draws the consequences.
    fn test_now(&self, entry: &Arc<Entry>, hook: Option<Arc<dyn SelfTest>>) {
        let Some(hook) = hook else {
            *entry.test.lock() = TestState::Exempt;
            self.outdo(entry);
            return;
        };
        *entry.test.lock() = TestState::Running;
        let report = hook.test(&Subject::new(self, Arc::clone(&entry.alg)));
        self.conclude(entry, report);
    }

    fn conclude(&self, entry: &Arc<Entry>, report: Report) {
        let driver: Box<str> = entry.alg.driver_name.as_ref().into();
        let time = report.time;
        match report.failure.clone() {
            None => {
                let before = core::mem::replace(&mut *entry.test.lock(), TestState::Passed(report));
                if before.quarantine().is_some() {
                    let alg = Arc::clone(&entry.alg);
                    self.change(|snapshot| snapshot.forget(&[&alg.name, &alg.driver_name]));
                }
                self.outdo(entry);
                self.tell([Event::Tested { driver, time }]);
            }
            Some(reason) => {
                *entry.test.lock() = TestState::Failed(report);
                let guard = self.0.write.lock();
                let mut snapshot = Snapshot::clone(&self.0.snapshot.get());
                Arc::make_mut(&mut snapshot.base).generation += 1;
                snapshot.forget_if(|answer| answer.entry.stands_on(entry.id));
                let retired =
                    retire(&mut snapshot, |other| other.id != entry.id && other.stands_on(entry.id));
                self.0.snapshot.set(snapshot);
                drop(guard);
                self.tell([Event::Quarantined { driver: driver.clone(), reason: reason.into() }]);
                self.tell(
                    retired.into_iter().map(|gone| Event::Retired { driver: gone, cause: driver.clone() }),
                );
            }
        }
    }

    /// Retires the instances built over worse drivers of a newly eligible driver's name.
    fn outdo(&self, newcomer: &Arc<Entry>) {
        if !newcomer.children.is_empty() {
            return;
        }
        let guard = self.0.write.lock();
        let current = self.0.snapshot.get();
        let name = newcomer.alg.name.as_ref();
        let worse = |entry: &Entry| {
            entry.id != newcomer.id && entry.alg.name == name && entry.alg.priority <= newcomer.alg.priority
        };
        let on_worse = |instance: &Entry| {
            instance.children.iter().any(|child| any_below(child, &worse)) && !instance.stands_on(newcomer.id)
        };
        if !current.is_live(newcomer) || !current.instances.values().any(|instance| on_worse(instance)) {
            return;
        }
        let mut snapshot = Snapshot::clone(&current);
        let retired = retire(&mut snapshot, on_worse);
        self.0.snapshot.set(snapshot);
        drop(guard);
        let cause = &newcomer.alg.driver_name;
        self.tell(retired.into_iter().map(|driver| Event::Retired { driver, cause: cause.as_ref().into() }));
    }

    /// Tests a driver or instance with this hook, whatever its state, and draws the consequences.
    ///
    /// # Errors
    /// [`Error::NotFound`] if no entry has this driver name; [`Error::Unavailable`] if it cannot run here;
    /// [`Error::Busy`] if this thread is testing it already.
    pub fn test(&self, driver: &str, hook: &dyn SelfTest) -> Result<Report> {
        let snapshot = self.0.snapshot.get();
        let found = snapshot.base.by_driver.get(driver).or_else(|| snapshot.instances.get(driver));
        let not_found = || Error::NotFound { kind: KindTag::Skcipher, name: driver.into(), hint: "".into() };
        let entry = found.ok_or_else(not_found)?;
        plan::runs(&snapshot.base.cpu_mask, &entry.alg)
            .map_err(|reason| Error::Unavailable { driver: driver.into(), reason: reason.as_ref().into() })?;
        loop {
            let turn = self.0.turns.take(Key::Test(entry.id));
            if let Some(_turn) = turn.map_err(|()| Error::Busy { name: driver.into() })? {
                let report = hook.test(&Subject::new(self, Arc::clone(&entry.alg)));
                self.conclude(entry, report.clone());
                return Ok(report);
            }
        }
    }

    /// What implementations of this name are compared with; nothing is entered for it.
    pub(crate) fn reference(&self, name: &str, kind: KindTag) -> Result<Arc<Alg>> {
        let snapshot = self.0.snapshot.get();
        let mut planner = Planner::new(&snapshot);
        let plan = planner.plan(&reference_name(name), Want::new(kind));
        plan.best().map(|node| Arc::clone(node.alg()))
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

/// Removes instances; returns their driver names.
fn retire(snapshot: &mut Snapshot, gone: impl Fn(&Entry) -> bool) -> Vec<Box<str>> {
    let retired: Vec<Box<str>> = snapshot
        .instances
        .iter()
        .filter(|(_, entry)| gone(entry))
        .map(|(driver, _)| driver.clone())
        .collect();
    if !retired.is_empty() {
        let instances = Arc::make_mut(&mut snapshot.instances);
        retired.iter().for_each(|driver| drop(instances.remove(driver)));
        snapshot.forget_if(|answer| gone(&answer.entry));
    }
    retired
}

/// Whether the template made this instance or something below it.
fn made_by(entry: &Entry, template: &str) -> bool {
    let made = matches!(&entry.alg.origin, crate::Origin::Instance { template: by, .. } if by == template);
    made || entry.children.iter().any(|child| made_by(child, template))
}

fn any_below(entry: &Entry, test: &impl Fn(&Entry) -> bool) -> bool {
    test(entry) || entry.children.iter().any(|child| any_below(child, test))
}

fn info(base: &Base, entry: &Arc<Entry>) -> Info {
    Info {
        alg: Arc::clone(&entry.alg),
        test: entry.test.lock().clone(),
        unavailable: plan::runs(&base.cpu_mask, &entry.alg).err().map(|reason| reason.as_ref().to_owned()),
        references: Arc::strong_count(&entry.alg) - 1,
    }
}

/// Keeps what was registered in the registry; unregisters it when dropped.
///
/// Transforms that are allocated already keep working.
#[must_use = "dropping it unregisters at once; call keep() to leave it registered"]
pub struct Registration {
    registry: Registry,
    drivers: Vec<(Box<str>, u64)>,
    template: Option<(&'static str, u64)>,
}

impl Registration {
    /// Unregisters now.
    pub fn unregister(self) {}

    /// Leaves it registered for as long as the registry lives.
    pub fn keep(mut self) {
        self.drivers.clear();
        self.template = None;
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        for (driver, id) in self.drivers.iter().rev() {
            self.registry.remove_driver(driver, *id);
        }
        if let Some((name, id)) = self.template {
            self.registry.remove_template(name, id);
        }
    }
}

impl fmt::Debug for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registration")
            .field("drivers", &self.drivers)
            .field("template", &self.template)
            .finish_non_exhaustive()
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
        self.registry.0.observers.lock().retain(|(id, _)| *id != self.id);
    }
}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observation").field("id", &self.id).finish_non_exhaustive()
    }
}
