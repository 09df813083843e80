//! From a name to an entry that may be used: plan, build, test, keep the answer.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::alg::Alg;
use crate::entry::{Answer, Entry, Snapshot};
use crate::event::Event;
use crate::plan::{self, Node, Planner};
use crate::registration::retire;
use crate::registry::Registry;
use crate::selftest::{Report, SelfTest, Subject, TestState, reference_name};
use crate::sync::{Key, Lock};
use crate::want::{KindTag, Want};
use crate::{Error, Result};

impl Registry {
    pub(crate) fn find(&self, name: &str, want: Want) -> Result<Arc<Entry>> {
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
        let guard = self.0.write.lock();
        let current = self.0.snapshot.get();
        if current.base.generation != generation || !current.is_live(&answer.entry) {
            return;
        }
        let mut snapshot = Snapshot::clone(&current);
        Arc::make_mut(&mut snapshot.answers).entry(name.into()).or_default().push(answer);
        let _replaced = self.0.snapshot.set(snapshot);
        drop(guard);
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
        let _replaced = self.0.snapshot.set(snapshot);
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
                let _replaced = self.0.snapshot.set(snapshot);
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
        let _replaced = self.0.snapshot.set(snapshot);
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
        let not_found = || Error::NotFound { kind: None, name: driver.into(), hint: "".into() };
        let entry = snapshot.by_driver(driver).ok_or_else(not_found)?;
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

    /// A composition in which an algorithm stands under its driver name, whether it is registered or not; nothing
    /// is entered for it.
    pub(crate) fn composed_with(&self, alg: &Arc<Alg>, composition: &str, kind: KindTag) -> Result<Arc<Alg>> {
        let mut snapshot = Snapshot::clone(&self.0.snapshot.get());
        let test = Lock::new(TestState::Exempt);
        // No entry of a registry has this number.
        let part = Entry { alg: Arc::clone(alg), id: 0, age: 0, children: Vec::new(), test };
        let base = Arc::make_mut(&mut snapshot.base);
        base.by_driver.insert(alg.driver_name.as_ref().into(), Arc::new(part));
        let plan = Planner::new(&snapshot).plan(composition, Want::new(kind));
        plan.best().map(|node| Arc::clone(node.alg()))
    }

    /// What implementations of this name are compared with; nothing is entered for it.
    pub(crate) fn reference(&self, name: &str, kind: KindTag) -> Result<Arc<Alg>> {
        let snapshot = self.0.snapshot.get();
        let mut planner = Planner::new(&snapshot);
        let mut asked = reference_name(name);
        loop {
            match planner.plan(&asked, Want::new(kind)).best() {
                // Over some children a template, here or further in, goes by another name: for
                // xts(aes-generic) it is xts(ecb(aes-generic)).
                Err(Error::NameMismatch { requested, driver, .. }) if !asked.contains(&*driver) => {
                    asked = asked.replace(&*requested, &driver);
                }
                Ok(node) if *node.alg().name != *name => {
                    return Err(Error::NotFound { kind: Some(kind), name: name.into(), hint: "".into() });
                }
                best => return best.map(|node| Arc::clone(node.alg())),
            }
        }
    }
}

fn any_below(entry: &Entry, test: &impl Fn(&Entry) -> bool) -> bool {
    test(entry) || entry.children.iter().any(|child| any_below(child, test))
}
