//! An algorithm in a registry: its description with test state and age.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::alg::Alg;
use crate::policy::Policy;
use crate::selftest::{SelfTest, TestState};
use crate::sync::Lock;
use crate::template::Template;
use crate::want::Want;

#[cfg(not(feature = "std"))]
pub(crate) type Map<K, V> = BTreeMap<K, V>;
#[cfg(feature = "std")]
pub(crate) type Map<K, V> = std::collections::HashMap<K, V>;

/// An algorithm as a registry knows it.
pub(crate) struct Entry {
    pub(crate) alg: Arc<Alg>,
    /// Unique in the registry, rising.
    pub(crate) id: u64,
    /// Age for ties: 0 for the first set, then rising.
    pub(crate) age: u64,
    /// What an instance was built on.
    pub(crate) children: Vec<Arc<Entry>>,
    pub(crate) test: Lock<TestState>,
}

impl Entry {
    /// Whether `id` is this entry or something it was built on.
    pub(crate) fn stands_on(&self, id: u64) -> bool {
        self.id == id || self.children.iter().any(|child| child.stands_on(id))
    }
}

/// A template as a registry knows it.
#[derive(Clone, Copy)]
pub(crate) struct TemplateEntry {
    pub(crate) template: Template,
    pub(crate) id: u64,
}

/// Everything that resolution depends on; replaced as a whole.
#[derive(Clone, Default)]
pub(crate) struct Base {
    /// Counts changes.
    pub(crate) generation: u64,
    pub(crate) by_driver: Map<Arc<str>, Arc<Entry>>,
    pub(crate) by_name: Map<Arc<str>, Vec<Arc<Entry>>>,
    pub(crate) templates: BTreeMap<&'static str, TemplateEntry>,
    pub(crate) policy: Policy,
    /// CPU features that this registry does without.
    pub(crate) cpu_mask: Vec<Box<str>>,
    pub(crate) hook: Option<Arc<dyn SelfTest>>,
}

impl Base {
    pub(crate) fn insert(&mut self, entry: Arc<Entry>) {
        let name: Arc<str> = entry.alg.name.as_ref().into();
        self.by_name.entry(name).or_default().push(Arc::clone(&entry));
        self.by_driver.insert(entry.alg.driver_name.as_ref().into(), entry);
    }

    /// The rule by which a caller may not ask for an algorithm.
    pub(crate) fn against_request(&self, alg: &Alg) -> Option<Box<str>> {
        let hook = || self.hook.as_ref().and_then(|hook| hook.rule_against(alg));
        self.policy.against_request(alg).or_else(hook)
    }

    pub(crate) fn remove(&mut self, driver: &str) -> Option<Arc<Entry>> {
        let entry = self.by_driver.remove(driver)?;
        if let Some(list) = self.by_name.get_mut(entry.alg.name.as_ref()) {
            list.retain(|other| other.id != entry.id);
            if list.is_empty() {
                self.by_name.remove(entry.alg.name.as_ref());
            }
        }
        Some(entry)
    }
}

/// The answer to a request that was asked before.
#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) want: Want,
    pub(crate) entry: Arc<Entry>,
    /// Every name and template that was looked at on the way.
    pub(crate) looked_at: Arc<[Box<str>]>,
}

/// What readers see: the base, the instances, and the answers derived from them.
#[derive(Clone, Default)]
pub(crate) struct Snapshot {
    pub(crate) base: Arc<Base>,
    pub(crate) instances: Arc<Map<Box<str>, Arc<Entry>>>,
    pub(crate) answers: Arc<Map<Box<str>, Vec<Answer>>>,
}

impl Snapshot {
    /// The answer to a request, if it was asked before and nothing has changed for it.
    #[inline]
    pub(crate) fn answer(&self, name: &str, want: Want) -> Option<&Arc<Entry>> {
        let answers = self.answers.get(name)?;
        answers.iter().find(|answer| answer.want == want).map(|answer| &answer.entry)
    }

    /// Forgets the answers that looked at one of these names.
    pub(crate) fn forget(&mut self, names: &[&str]) {
        let touched = |answer: &Answer| answer.looked_at.iter().any(|seen| names.contains(&seen.as_ref()));
        self.forget_if(touched);
    }

    pub(crate) fn forget_if(&mut self, gone: impl Fn(&Answer) -> bool) {
        if self.answers.values().flatten().any(&gone) {
            let answers = Arc::make_mut(&mut self.answers);
            answers.retain(|_, list| {
                list.retain(|answer| !gone(answer));
                !list.is_empty()
            });
        }
    }

    /// Whether this very entry can be found now.
    pub(crate) fn is_live(&self, entry: &Entry) -> bool {
        self.by_driver(&entry.alg.driver_name).is_some_and(|live| live.id == entry.id)
    }

    /// The driver or instance of this driver name.
    pub(crate) fn by_driver(&self, driver: &str) -> Option<&Arc<Entry>> {
        self.base.by_driver.get(driver).or_else(|| self.instances.get(driver))
    }
}
