//! Resolution as a pure function of what is registered: every candidate, ranked, each with its verdict.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::alg::Alg;
use crate::entry::{Entry, Snapshot};
use crate::explain::Verdict;
use crate::name::Name;
use crate::template::{Children, Create};
use crate::want::{KindTag, Want};
use crate::{Error, Result};

/// Deepest nesting of compositions; names of 127 bytes stay below it unless a template feeds on itself.
const MAX_DEPTH: usize = 64;

/// An algorithm chosen for a place in a composition.
pub(crate) struct Node {
    alg: Arc<Alg>,
    /// The registered driver, or the instance if it was built before.
    pub(crate) entry: Option<Arc<Entry>>,
    pub(crate) children: Vec<Arc<Node>>,
    /// The lowest priority among its leaves.
    pub(crate) rank: u32,
}

impl Node {
    pub(crate) fn alg(&self) -> &Arc<Alg> {
        &self.alg
    }
}

/// One candidate for a request.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub(crate) node: Arc<Node>,
    pub(crate) verdict: Verdict,
}

/// Everything known about a request.
pub(crate) struct Plan {
    pub(crate) request: Box<str>,
    pub(crate) want: Want,
    /// Best first.
    pub(crate) candidates: Vec<Candidate>,
    /// Why no composition of this name can be built, if none can.
    pub(crate) refusal: Option<Error>,
    /// What the composition over the best children spawns.
    pub(crate) spawns: Vec<Arc<Plan>>,
}

impl Plan {
    /// The winner, or why there is none.
    pub(crate) fn best(&self) -> Result<Arc<Node>> {
        if let Some(first) = self.candidates.first()
            && first.verdict == Verdict::Chosen
        {
            return Ok(Arc::clone(&first.node));
        }
        // The refusals that somebody decided about say more than the absence of a template.
        let told = |verdict: &Verdict| match verdict {
            Verdict::Quarantined(_) => 0,
            Verdict::Denied(_) => 1,
            Verdict::Unavailable(_) => 2,
            _ => 3,
        };
        let worst = self.candidates.iter().min_by_key(|candidate| told(&candidate.verdict));
        let error = worst.and_then(|Candidate { node, verdict }| {
            let driver: Box<str> = node.alg.driver_name.as_ref().into();
            match verdict {
                Verdict::Quarantined(reason) => {
                    Some(Error::SelfTestFailed { driver, reason: reason.clone() })
                }
                Verdict::Denied(rule) => Some(Error::Denied { rule: rule.clone() }),
                Verdict::Unavailable(reason) => Some(Error::Unavailable { driver, reason: reason.clone() }),
                _ => None,
            }
        });
        Err(error.or_else(|| self.refusal.clone()).unwrap_or_else(|| self.not_found()))
    }

    /// The candidates that could be used, the winner first.
    fn usable(&self) -> impl Iterator<Item = &Arc<Node>> {
        let could = |c: &&Candidate| c.verdict == Verdict::Chosen || c.verdict.is_relative();
        self.candidates.iter().filter(could).map(|c| &c.node)
    }

    fn not_found(&self) -> Error {
        let hint = match self.candidates.first() {
            Some(Candidate { verdict: Verdict::Mismatch(why), node }) => {
                format!("{} is {why}", node.alg.driver_name)
            }
            _ => String::new(),
        };
        Error::NotFound { kind: Some(self.want.kind), name: self.request.clone(), hint: hint.into() }
    }
}

/// Plans requests against one snapshot.
pub(crate) struct Planner<'s> {
    snapshot: &'s Snapshot,
    /// Plans made so far; a name may occur many times in one composition.
    made: BTreeMap<(Box<str>, KindTag, u32, u32), Arc<Plan>>,
    looked_at: BTreeSet<Box<str>>,
    depth: usize,
}

impl<'s> Planner<'s> {
    pub(crate) fn new(snapshot: &'s Snapshot) -> Self {
        Planner { snapshot, made: BTreeMap::new(), looked_at: BTreeSet::new(), depth: 0 }
    }

    /// Every name and template that was looked at.
    pub(crate) fn looked_at(self) -> Arc<[Box<str>]> {
        self.looked_at.into_iter().collect()
    }

    /// Plans a caller's request: as [`Planner::plan`], and the policy's rules for requests apply.
    pub(crate) fn plan_request(&mut self, request: &str, want: Want) -> Arc<Plan> {
        let plan = self.plan(request, want);
        let policy = &self.snapshot.base.policy;
        if plan.candidates.iter().all(|c| policy.against_request(&c.node.alg).is_none()) {
            return plan;
        }
        let mut candidates = plan.candidates.clone();
        for candidate in &mut candidates {
            if let Some(rule) = policy.against_request(&candidate.node.alg) {
                candidate.verdict = Verdict::Denied(rule);
            } else if candidate.verdict.is_relative() {
                candidate.verdict = Verdict::Chosen;
            }
        }
        rank(&mut candidates);
        Arc::new(Plan {
            request: request.into(),
            want,
            candidates,
            refusal: plan.refusal.clone(),
            spawns: plan.spawns.clone(),
        })
    }

    /// Plans a request wherever it stands.
    pub(crate) fn plan(&mut self, request: &str, want: Want) -> Arc<Plan> {
        let key = (request.into(), want.kind, want.flags.bits(), want.mask.bits());
        if let Some(plan) = self.made.get(&key) {
            return Arc::clone(plan);
        }
        self.depth += 1;
        let plan = Arc::new(self.plan_anew(request, want));
        self.depth -= 1;
        self.made.insert(key, Arc::clone(&plan));
        plan
    }

    fn plan_anew(&mut self, request: &str, want: Want) -> Plan {
        self.looked_at.insert(request.into());
        let base = &self.snapshot.base;
        let mut plan =
            Plan { request: request.into(), want, candidates: Vec::new(), refusal: None, spawns: Vec::new() };
        if self.depth > MAX_DEPTH {
            plan.refusal = Some(Error::BadChild {
                template: request.into(),
                child: request.into(),
                why: "nested too deeply",
            });
            return plan;
        }
        // An exact driver name is taken whatever its priority.
        if let Some(entry) = base.by_driver.get(request) {
            plan.candidates.push(self.driver(entry, want));
            if entry.alg.kind.tag() == want.kind {
                return plan;
            }
        }
        let named = base.by_name.get(request).into_iter().flatten();
        plan.candidates.extend(named.map(|entry| self.driver(entry, want)));
        match Name::parse(request) {
            Ok(Name::Templated { template, args }) => self.compose(&mut plan, template, &args),
            Ok(Name::Plain(_)) => {}
            Err(error) => plan.refusal = Some(error),
        }
        rank(&mut plan.candidates);
        if plan.candidates.is_empty() && plan.refusal.is_none() {
            plan.refusal =
                Some(Error::NotFound { kind: Some(want.kind), name: request.into(), hint: "".into() });
        }
        plan
    }

    /// A registered driver as a candidate.
    fn driver(&self, entry: &Arc<Entry>, want: Want) -> Candidate {
        let alg = &entry.alg;
        let node = Arc::new(Node {
            alg: Arc::clone(alg),
            entry: Some(Arc::clone(entry)),
            children: Vec::new(),
            rank: alg.priority,
        });
        let verdict = if alg.kind.tag() != want.kind {
            Verdict::Mismatch(format!("of kind {}", alg.kind.tag()).into())
        } else if !want.accepts(alg.flags) {
            Verdict::Mismatch("excluded by its flags".into())
        } else if let Err(reason) = self.runs(alg) {
            Verdict::Unavailable(reason.as_ref().into())
        } else if let Some(rule) = self.snapshot.base.policy.against_driver(alg) {
            Verdict::Denied(rule)
        } else if let Some(reason) = entry.test.lock().quarantine() {
            Verdict::Quarantined(reason.into())
        } else {
            Verdict::Chosen
        };
        Candidate { node, verdict }
    }

    /// Whether this process, and this registry's mask, let the driver run.
    fn runs(&self, alg: &Alg) -> Result<(), Cow<'static, str>> {
        runs(&self.snapshot.base.cpu_mask, alg)
    }

    /// Adds the compositions: over the best children, then with each other choice of one child, then with the
    /// second, third, ... choice of every child at once.
    fn compose(&mut self, plan: &mut Plan, template: &str, args: &[&str]) {
        self.looked_at.insert(template.into());
        let Some(found) = self.snapshot.base.templates.get(template) else {
            plan.refusal = Some(Error::NotFound {
                kind: Some(plan.want.kind),
                name: plan.request.clone(),
                hint: format!("no template {template:?}").into(),
            });
            return;
        };
        let create = found.template.create;
        let name = found.template.name;
        let build = |planner: &mut Self, choices: Vec<Option<Arc<Node>>>| {
            let mut spawner = Spawner { planner, choices, spawns: Vec::new() };
            let mut context = Create::new(name, args, plan.want, &mut spawner);
            let made = create(&mut context);
            let (children, accepts) = context.into_spawned();
            (made.map(|alg| (alg, children, accepts)), spawner.spawns)
        };
        let (first, spawns) = build(self, Vec::new());
        let mut made = Vec::from([first]);
        let usable: Vec<Vec<&Arc<Node>>> = spawns.iter().map(|spawn| spawn.usable().collect()).collect();
        for (nth, choices) in usable.iter().enumerate() {
            for &node in choices.iter().skip(1) {
                let mut one = Vec::new();
                one.resize(nth, None);
                one.push(Some(Arc::clone(node)));
                made.push(build(self, one).0);
            }
        }
        let most = usable.iter().map(Vec::len).max().unwrap_or(0);
        if usable.len() > 1 {
            for step in 1..most {
                let all =
                    usable.iter().map(|choices| choices.get(step).or(choices.last()).map(|&n| Arc::clone(n)));
                made.push(build(self, all.collect()).0);
            }
        }
        for result in made {
            let (alg, children, accepts) = match result {
                Ok(made) => made,
                Err(error) => {
                    plan.refusal.get_or_insert(error);
                    continue;
                }
            };
            // Core relies on the same rules for instances as for drivers, and nobody registered these.
            let kind = alg.kind.tag();
            let wrong_kind =
                || Error::WrongKind { template: name.into(), makes: kind, asked: plan.want.kind };
            let checked =
                alg.validate().and_then(|()| if kind == plan.want.kind { Ok(()) } else { Err(wrong_kind()) });
            if let Err(error) = checked {
                plan.refusal.get_or_insert(error);
                continue;
            }
            // What befalls the instance under its own driver name matters to this one, and where the request
            // may be spelled otherwise, its generic name as well.
            self.looked_at.insert(alg.driver_name.as_ref().into());
            if accepts {
                self.looked_at.insert(alg.name.as_ref().into());
            } else if alg.name != *plan.request && alg.driver_name != *plan.request {
                plan.refusal.get_or_insert(Error::NameMismatch {
                    requested: plan.request.clone(),
                    name: alg.name.as_ref().into(),
                    driver: alg.driver_name.as_ref().into(),
                });
                continue;
            }
            if plan.candidates.iter().any(|c| c.node.alg.driver_name == alg.driver_name) {
                continue;
            }
            // The name is a driver's, which may be another algorithm altogether.
            if self.snapshot.base.by_driver.contains_key(alg.driver_name.as_ref()) {
                plan.refusal.get_or_insert(Error::Exists { name: alg.driver_name.as_ref().into() });
                continue;
            }
            let candidate = self.composition(alg, children, plan.want);
            plan.candidates.push(candidate);
        }
        plan.spawns = spawns;
    }

    /// A composition as a candidate; the instance is reused if it was built on the same children.
    fn composition(&self, alg: Alg, children: Vec<Arc<Node>>, want: Want) -> Candidate {
        let rank = children.iter().map(|child| child.rank).min().unwrap_or(alg.priority);
        let built = self.snapshot.instances.get(alg.driver_name.as_ref());
        let entry = built.filter(|entry| stands_on(entry, &children)).cloned();
        let alg = entry.as_ref().map_or_else(|| Arc::new(alg), |entry| Arc::clone(&entry.alg));
        let reason = entry.as_ref().and_then(|entry| entry.test.lock().quarantine().map(Box::from));
        let verdict = if !want.accepts(alg.flags) {
            Verdict::Mismatch("excluded by its flags".into())
        } else if let Err(reason) = self.runs(&alg) {
            Verdict::Unavailable(reason.as_ref().into())
        } else if let Some(rule) = self.snapshot.base.policy.against_composition(&alg) {
            Verdict::Denied(rule)
        } else {
            reason.map_or(Verdict::Chosen, Verdict::Quarantined)
        };
        Candidate { node: Arc::new(Node { alg, entry, children, rank }), verdict }
    }
}

/// Whether an instance was built on exactly these children.
fn stands_on(entry: &Entry, children: &[Arc<Node>]) -> bool {
    let same = |(have, want): (&Arc<Entry>, &Arc<Node>)| want.entry.as_ref().is_some_and(|e| e.id == have.id);
    entry.children.len() == children.len() && entry.children.iter().zip(children).all(same)
}

/// Whether this process, and a registry's mask, let the driver run.
pub(crate) fn runs(mask: &[Box<str>], alg: &Alg) -> Result<(), Cow<'static, str>> {
    if let Some(masked) = alg.cpu.iter().find(|feature| mask.iter().any(|name| name.as_ref() == **feature)) {
        return Err(format!("{masked} is masked in this registry").into());
    }
    alg.available.map_or(Ok(()), |available| available())
}

/// Sorts the best first and says of each other one why it lost.
///
/// The higher rank wins; a driver registered under the whole name wins a tie against compositions; then the
/// newer registration; then the first driver name. Compositions keep their order, best children first.
fn rank(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| {
        let order = |c: &Candidate| {
            let whole = c.node.children.is_empty();
            let age = c.node.entry.as_ref().filter(|_| whole).map_or(0, |entry| entry.age);
            (c.verdict != Verdict::Chosen, Reverse(c.node.rank), !whole, Reverse(age))
        };
        let name = |c: &Candidate| c.node.children.is_empty().then(|| c.node.alg.driver_name.clone());
        order(a).cmp(&order(b)).then_with(|| name(a).cmp(&name(b)))
    });
    let Some((winner, rest)) = candidates.split_first_mut() else { return };
    if winner.verdict != Verdict::Chosen {
        return;
    }
    for loser in rest.iter_mut().filter(|c| c.verdict == Verdict::Chosen) {
        let by: Box<str> = winner.node.alg.driver_name.as_ref().into();
        loser.verdict = if loser.node.rank < winner.node.rank {
            Verdict::Outranked { by, rank: winner.node.rank }
        } else {
            let why = match (winner.node.children.is_empty(), loser.node.children.is_empty()) {
                (true, false) => "a driver of the whole name wins a tie",
                (true, true) => "the newer registration, then the first driver name, wins a tie",
                _ => "the better children win a tie",
            };
            Verdict::Tied { by, why }
        };
    }
}

/// Gives a constructor its children: the best, or those chosen to be tried instead.
struct Spawner<'p, 's> {
    planner: &'p mut Planner<'s>,
    /// By place; `None`, and every place after the last, is the best.
    choices: Vec<Option<Arc<Node>>>,
    spawns: Vec<Arc<Plan>>,
}

impl Children for Spawner<'_, '_> {
    fn child(&mut self, nth: usize, name: &str, want: Want) -> Result<Arc<Node>> {
        let plan = self.planner.plan(name, want);
        let best = plan.best()?;
        // What is asked for in a later place may depend on the child in an earlier one.
        let choice = self.choices.get(nth).and_then(Option::as_ref);
        let driver = choice.map(|node| &node.alg.driver_name);
        let chosen = plan.usable().find(|node| Some(&node.alg.driver_name) == driver).cloned();
        self.spawns.truncate(nth);
        self.spawns.push(plan);
        Ok(chosen.unwrap_or(best))
    }

    fn best(&mut self, name: &str, want: Want) -> Result<Arc<Node>> {
        self.planner.plan(name, want).best()
    }
}
