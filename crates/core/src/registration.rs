//! Registering and unregistering, at run time, under live transforms.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::Ordering;

use crate::alg::{Alg, Origin};
use crate::entry::{Base, Entry, Snapshot, TemplateEntry};
use crate::event::Event;
use crate::registry::Registry;
use crate::selftest::TestState;
use crate::sync::Lock;
use crate::template::Template;
use crate::{Error, Result};

impl Registry {
    /// Registers a driver. It is a candidate from now on, and is used once its self-test has passed.
    ///
    /// An instance of a template that has its driver name is retired, with what was built on it, and not built
    /// again while the driver is there: the name is the driver's, whatever was asked for before.
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
        // These outlive the guard, whatever happens: dropping a description may run its author's code.
        let algs: Vec<Arc<Alg>> = algs.into_iter().map(Arc::new).collect();
        let guard = self.0.write.lock();
        let mut snapshot = Snapshot::clone(&self.0.snapshot.get());
        let base = Arc::make_mut(&mut snapshot.base);
        base.generation += 1;
        let age = base.generation;
        let mut added = Vec::with_capacity(algs.len());
        for alg in &algs {
            added.push(self.add(base, alg, age)?);
        }
        let names: Vec<&str> =
            added.iter().flat_map(|e| [e.alg.name.as_ref(), e.alg.driver_name.as_ref()]).collect();
        snapshot.forget(&names);
        // A driver takes its name from an instance that somebody's request has built.
        let mut retired = Vec::new();
        for entry in &added {
            let driver = entry.alg.driver_name.as_ref();
            if let Some(id) = snapshot.instances.get(driver).map(|instance| instance.id) {
                let gone = retire(&mut snapshot, |instance| instance.stands_on(id));
                retired.extend(
                    gone.into_iter().map(|gone| Event::Retired { driver: gone, cause: driver.into() }),
                );
            }
        }
        let _replaced = self.0.snapshot.set(snapshot);
        drop(guard);
        let drivers = added.iter().map(|entry| Box::<str>::from(entry.alg.driver_name.as_ref()));
        self.tell(drivers.map(|driver| Event::Registered { driver }));
        self.tell(retired);
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
        let _replaced = self.0.snapshot.set(snapshot);
        drop(guard);
        self.tell([Event::TemplateRegistered { template: template.name.into() }]);
        Ok(Registration { registry: self.clone(), drivers: Vec::new(), template: Some((template.name, id)) })
    }

    /// Unregisters a driver by its driver name, whoever registered it: at link time there is no guard.
    ///
    /// Transforms that are allocated already keep working.
    ///
    /// # Errors
    /// [`Error::NotFound`] if no driver has this name; instances go with what they are made of.
    pub fn unregister(&self, driver: &str) -> Result<()> {
        let id = self.0.snapshot.read(|snapshot| snapshot.base.by_driver.get(driver).map(|entry| entry.id));
        let id = id.ok_or_else(|| Error::NotFound { kind: None, name: driver.into(), hint: "".into() })?;
        self.remove_driver(driver, id);
        Ok(())
    }

    pub(crate) fn add(&self, base: &mut Base, alg: &Arc<Alg>, age: u64) -> Result<Arc<Entry>> {
        alg.validate()?;
        let taken = |name: &str| base.by_driver.contains_key(name);
        if taken(&alg.driver_name) || base.by_name.contains_key(alg.driver_name.as_ref()) {
            return Err(Error::Exists { name: alg.driver_name.as_ref().into() });
        }
        if taken(&alg.name) {
            return Err(Error::Exists { name: alg.name.as_ref().into() });
        }
        let entry = self.entry(Arc::clone(alg), age, Vec::new());
        base.insert(Arc::clone(&entry));
        Ok(entry)
    }

    pub(crate) fn add_template(&self, base: &mut Base, template: Template) -> Result<u64> {
        if base.templates.contains_key(template.name) {
            return Err(Error::Exists { name: template.name.into() });
        }
        let id = self.0.next_id.fetch_add(1, Ordering::Relaxed);
        base.templates.insert(template.name, TemplateEntry { template, id });
        Ok(id)
    }

    pub(crate) fn entry(&self, alg: Arc<Alg>, age: u64, children: Vec<Arc<Entry>>) -> Arc<Entry> {
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
        let _replaced = self.0.snapshot.set(snapshot);
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
        let _replaced = self.0.snapshot.set(snapshot);
        drop(guard);
        self.tell([Event::TemplateUnregistered { template: name.into() }]);
        self.tell(retired.into_iter().map(|driver| Event::Retired { driver, cause: name.into() }));
    }
}

/// Removes instances; returns their driver names.
pub(crate) fn retire(snapshot: &mut Snapshot, gone: impl Fn(&Entry) -> bool) -> Vec<Box<str>> {
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
    let made = matches!(&entry.alg.origin, Origin::Instance { template: by, .. } if by == template);
    made || entry.children.iter().any(|child| made_by(child, template))
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
