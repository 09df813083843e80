//! Registering, unregistering, retirement and events (`names-and-lookup.md` section 6).

mod support;

use std::sync::{Arc, Mutex};

use kcrypto_core::{Alg, Error, Event, Registry, TestState};
use support::{OVER, SUM, cipher, judged, registry, sum, winner};

fn log(registry: &Registry) -> (Arc<Mutex<Vec<Event>>>, kcrypto_core::Observation) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&log);
    (log, registry.observe(move |event| sink.lock().unwrap().push(event.clone())))
}

fn drivers(registry: &Registry) -> Vec<String> {
    registry.list().into_iter().map(|info| info.alg.driver_name.to_string()).collect()
}

#[test]
fn conflicting_names_are_refused() {
    let registry = registry();
    let conflict = |name, driver| registry.register(cipher(name, driver, 1)).map(|guard| guard.keep());
    for (name, driver) in [("other", "add-fast"), ("add-fast", "other"), ("other", "add")] {
        assert!(matches!(conflict(name, driver), Err(Error::Exists { .. })), "{name} {driver}");
    }
    assert_eq!(conflict("other", "add-fast").unwrap_err().errno_name(), "EEXIST");
    assert!(matches!(registry.register_template(SUM), Err(Error::Exists { .. })));
    assert_eq!(conflict("add", "add-third"), Ok(()));
}

#[test]
fn a_driver_takes_its_name_from_an_instance_whatever_was_asked_before() {
    let outcomes = [&[][..], &["sum(add)"], &["over(sum(add))", "sum(add-fast)"]].map(|asked| {
        let registry = registry();
        asked.iter().for_each(|name| drop(winner(&registry, name).unwrap()));
        let (events, _observation) = log(&registry);
        let guard = registry.register(sum("x", "sum(add-fast)", 1)).unwrap();
        let retired =
            |event: &Event| matches!(event, Event::Retired { cause, .. } if &**cause == "sum(add-fast)");
        let retired = events.lock().unwrap().iter().filter(|event| retired(event)).count();
        assert_eq!(retired, asked.len().min(2), "an instance and what was built on it");
        let found = ["sum(add)", "over(sum(add))", "sum(add-fast)", "x"].map(|name| winner(&registry, name));
        drop(guard);
        assert_eq!(winner(&registry, "over(sum(add))").unwrap(), "over(sum(add-fast))");
        found
    });
    for found in &outcomes {
        assert_eq!(found, &outcomes[0]);
    }
    let names = outcomes[0].each_ref().map(|found| found.as_deref().unwrap());
    assert_eq!(names, ["sum(add-generic)", "over(sum(add-generic))", "sum(add-fast)", "sum(add-fast)"]);
}

#[test]
fn an_instance_cannot_take_the_name_of_a_driver() {
    let registry = registry();
    let _fast = registry.register(sum("x", "sum(add-fast)", 1)).unwrap();
    let _slow = registry.register(sum("y", "sum(add-generic)", 1)).unwrap();
    for name in ["sum(add)", "over(sum(add))"] {
        let error = registry.skcipher(name).unwrap_err();
        assert_eq!(error, Error::Exists { name: "sum(add-fast)".into() }, "{name}");
    }
    assert_eq!(registry.skcipher("sum(add-fast)").unwrap().alg().name, "x", "the driver itself");
}

#[test]
fn broken_descriptions_are_refused() {
    let registry = registry();
    let refused = |alg: Alg| registry.register(alg).map(|guard| guard.keep()).unwrap_err();
    assert!(matches!(refused(cipher("", "d", 1)), Error::BadAlg { .. }));
    assert!(matches!(refused(cipher("n", "", 1)), Error::BadAlg { .. }));
    assert!(matches!(refused(cipher("n", "a b", 1)), Error::BadAlg { .. }));
    let long = Box::leak("d".repeat(128).into_boxed_str());
    assert_eq!(refused(cipher("n", long, 1)), Error::NameTooLong { len: 128 });
    let with = |change: fn(&mut kcrypto_core::SkcipherAlg)| {
        let mut alg = sum("n", "d", 1);
        let kcrypto_core::Kind::Skcipher(limits) = &mut alg.kind else { unreachable!() };
        change(limits);
        alg
    };
    assert!(matches!(refused(with(|l| l.block_size = 161)), Error::BadAlg { .. }));
    assert!(matches!(refused(with(|l| l.iv_size = 513)), Error::BadAlg { .. }));
    assert!(matches!(refused(with(|l| l.chunk_size = 3)), Error::BadAlg { .. }));
    assert!(matches!(refused(with(|l| l.length.multiple = 0)), Error::BadAlg { .. }));
    assert!(matches!(refused(with(|l| l.keys.step = 0)), Error::BadAlg { .. }));
    assert_eq!(drivers(&registry).len(), 2);
}

#[test]
fn too_much_request_state_is_refused_for_synchronous_use() {
    let mut alg = sum("big", "big-generic", 1);
    let kcrypto_core::Kind::Skcipher(limits) = &mut alg.kind else { unreachable!() };
    limits.state_size = 513;
    let registry = Registry::with([alg], []).unwrap();
    let error = registry.skcipher("big").unwrap_err();
    assert_eq!(error, Error::TooBig { driver: "big-generic".into(), size: 513 });
    assert_eq!(error.errno_name(), "E2BIG");
}

#[test]
fn a_list_is_registered_as_a_whole_or_not_at_all() {
    let registry = registry();
    let list = [cipher("x", "x-1", 1), cipher("y", "y-1", 1), cipher("z", "add-fast", 1)];
    assert!(matches!(registry.register_all(list), Err(Error::Exists { .. })));
    assert_eq!(drivers(&registry).len(), 2, "rolled back");
    let guard = registry.register_all([cipher("x", "x-1", 1), cipher("y", "y-1", 1)]).unwrap();
    assert!(registry.has("x") && registry.has("y"));
    guard.unregister();
    assert!(!registry.has("x") && !registry.has("y"));
}

#[test]
fn live_transforms_survive_unregistration() {
    let registry = registry();
    let guard = registry.register(cipher("add", "add-best", 900)).unwrap();
    let mut tfm = registry.skcipher("over(sum(add))").unwrap();
    assert_eq!(tfm.alg().driver_name, "over(sum(add-best))");
    tfm.set_key(&[1, 2, 3, 4]).unwrap();
    let mut before = *b"0123456789";
    tfm.encrypt(&[0; 4], &mut before).unwrap();
    drop(guard);
    let mut after = *b"0123456789";
    tfm.encrypt(&[0; 4], &mut after).unwrap();
    assert_eq!(before, after);
    tfm.set_key(&[4, 3, 2, 1]).unwrap();
    assert_eq!(winner(&registry, "over(sum(add))").unwrap(), "over(sum(add-fast))");
    assert!(!drivers(&registry).iter().any(|driver| driver.contains("add-best")), "instances went with it");
    assert!(registry.cipher("add-best").is_err());
}

#[test]
fn a_better_newcomer_retires_what_was_built_on_a_worse_child() {
    let registry = registry();
    winner(&registry, "over(sum(add))").unwrap();
    winner(&registry, "sum(add-generic)").unwrap();
    let (events, _observation) = log(&registry);
    let guard = registry.register(cipher("add", "add-best", 300)).unwrap();
    assert_eq!(winner(&registry, "over(sum(add))").unwrap(), "over(sum(add-best))", "newer wins the tie");
    let listed = drivers(&registry);
    for gone in ["sum(add-fast)", "over(sum(add-fast))", "sum(add-generic)"] {
        assert!(!listed.iter().any(|driver| driver == gone), "{gone} is retired");
    }
    assert_eq!(
        winner(&registry, "sum(add-generic)").unwrap(),
        "sum(add-generic)",
        "and rebuilt when asked for"
    );
    guard.unregister();
    assert_eq!(winner(&registry, "over(sum(add))").unwrap(), "over(sum(add-fast))");
    let events = events.lock().unwrap();
    let retired =
        |driver: &str| events.contains(&Event::Retired { driver: driver.into(), cause: "add-best".into() });
    assert!(retired("over(sum(add-fast))") && retired("sum(add-generic)") && retired("over(sum(add-best))"));
    assert!(events.contains(&Event::Registered { driver: "add-best".into() }));
    assert!(events.contains(&Event::Unregistered { driver: "add-best".into() }));
    assert!(events.contains(&Event::Built { driver: "over(sum(add-best))".into() }));
}

#[test]
fn a_worse_newcomer_changes_nothing() {
    let (registry, judge) = judged(support::Judge::default());
    winner(&registry, "over(sum(add))").unwrap();
    let _guard = registry.register(cipher("add", "add-worse", 50)).unwrap();
    assert_eq!(winner(&registry, "over(sum(add))").unwrap(), "over(sum(add-fast))");
    assert_eq!(judge.times("add-worse"), 0, "not tested before it is about to be used");
    assert_eq!(judge.times("over(sum(add-fast))"), 1, "the instance was kept");
}

#[test]
fn a_template_comes_and_goes_at_run_time() {
    let registry = Registry::with([cipher("add", "add-generic", 100)], [SUM]).unwrap();
    assert!(!registry.has("over(sum(add))"));
    let guard = registry.register_template(OVER).unwrap();
    assert_eq!(winner(&registry, "over(sum(add))").unwrap(), "over(sum(add-generic))");
    let tfm = registry.skcipher("over(sum(add))").unwrap();
    guard.unregister();
    assert!(winner(&registry, "over(sum(add))").is_err());
    assert_eq!(drivers(&registry), ["sum(add-generic)", "add-generic"]);
    assert_eq!(tfm.alg().driver_name, "over(sum(add-generic))");
}

#[test]
fn an_old_guard_does_not_remove_a_newer_registration() {
    let registry = registry();
    let first = registry.register(cipher("x", "x-1", 1)).unwrap();
    first.unregister();
    let _second = registry.register(cipher("x", "x-1", 1)).unwrap();
    assert!(registry.has("x"));
}

#[test]
fn what_was_there_from_the_start_is_unregistered_by_name() {
    let registry = registry();
    let mut tfm = registry.skcipher("sum(add)").unwrap();
    assert_eq!(tfm.alg().driver_name, "sum(add-fast)");
    registry.unregister("add-fast").unwrap();
    tfm.set_key(&[1, 2, 3, 4]).unwrap();
    tfm.encrypt(&[0; 4], &mut [0; 4]).unwrap();
    assert_eq!(winner(&registry, "sum(add)").unwrap(), "sum(add-generic)");
    for name in ["add-fast", "add", "sum(add-generic)"] {
        assert!(matches!(registry.unregister(name), Err(Error::NotFound { .. })), "{name}");
    }
}

#[test]
fn tests_are_told_and_kept() {
    let (registry, _) = judged(support::Judge { wrong: vec!["add-fast"], ..Default::default() });
    let (events, observation) = log(&registry);
    winner(&registry, "sum(add)").unwrap();
    drop(observation);
    winner(&registry, "over(sum(add))").unwrap();
    let events = events.lock().unwrap();
    let quarantined = Event::Quarantined { driver: "add-fast".into(), reason: "add-fast is wrong".into() };
    assert_eq!(events.iter().filter(|event| **event == quarantined).count(), 1);
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Tested { driver, .. } if &**driver == "sum(add-generic)"))
    );
    assert!(
        !events.iter().any(|event| matches!(event, Event::Built { driver } if driver.starts_with("over")))
    );
    let states: Vec<_> =
        registry.list().into_iter().map(|info| (info.alg.driver_name.to_string(), info.test)).collect();
    let state = |driver: &str| states.iter().find(|(name, _)| name == driver).unwrap().1.clone();
    assert!(matches!(state("add-fast"), TestState::Failed(_)));
    assert!(matches!(state("add-generic"), TestState::Passed(_)));
}

#[test]
fn a_denied_request_is_told() {
    let registry = registry();
    registry.set_policy(kcrypto_core::Policy::new().deny("sum(*"));
    let (events, _observation) = log(&registry);
    winner(&registry, "sum(add)").unwrap_err();
    let denied = Event::Denied { name: "sum(add)".into(), rule: "deny sum(*".into() };
    assert_eq!(*events.lock().unwrap(), [denied]);
}

#[test]
fn a_driver_can_be_tested_again_and_pardoned() {
    let (registry, _) = judged(support::Judge { wrong: vec!["add-fast"], ..Default::default() });
    assert_eq!(registry.cipher("add").unwrap().alg().driver_name, "add-generic");
    let report = registry.test("add-fast", &support::Judge::default()).unwrap();
    assert!(report.passed());
    assert_eq!(registry.cipher("add").unwrap().alg().driver_name, "add-fast");
    assert_eq!(winner(&registry, "sum(add)").unwrap(), "sum(add-fast)");
    registry.test("add-fast", &support::Judge { wrong: vec!["add-fast"], ..Default::default() }).unwrap();
    assert_eq!(winner(&registry, "sum(add)").unwrap(), "sum(add-generic)");
    assert!(matches!(registry.test("nosuch", &support::Judge::default()), Err(Error::NotFound { .. })));
}

#[test]
fn a_test_that_asks_for_its_own_subject_is_refused_not_hung() {
    struct Circular(Registry, Mutex<Vec<Error>>);
    impl kcrypto_core::SelfTest for Circular {
        fn test(&self, subject: &kcrypto_core::Subject<'_>) -> kcrypto_core::Report {
            if let Err(error) = self.0.cipher(&subject.alg().name) {
                self.1.lock().unwrap().push(error);
            }
            support::Judge::default().test(subject)
        }
    }
    let registry = registry();
    let hook = Arc::new(Circular(registry.clone(), Mutex::default()));
    registry.set_self_test(Arc::clone(&hook) as Arc<dyn kcrypto_core::SelfTest>);
    registry.cipher("add").unwrap();
    assert_eq!(*hook.1.lock().unwrap(), [Error::Busy { name: "add".into() }]);
}

/// Fails instead of hanging if the work does not end.
fn ends(what: &str, work: impl FnOnce() + Send + 'static) {
    let (done, waiting) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        work();
        done.send(())
    });
    waiting.recv_timeout(std::time::Duration::from_secs(20)).unwrap_or_else(|_| panic!("{what}: no end"));
}

#[test]
fn what_a_registry_drops_may_own_guards_of_the_same_registry() {
    struct Owner<T>(T);
    impl<T: Send + Sync> kcrypto_core::SelfTest for Owner<T> {
        fn test(&self, subject: &kcrypto_core::Subject<'_>) -> kcrypto_core::Report {
            let _ = &self.0;
            support::Judge::default().test(subject)
        }
    }
    let extra = |registry: &Registry| registry.register(support::cipher("extra", "extra-one", 1)).unwrap();

    ends("an observer with an observation", || {
        let registry = registry();
        let inner = registry.observe(|_| ());
        drop(registry.observe(move |_| _ = &inner));
    });
    ends("an observer with a registration", move || {
        let registry = registry();
        let guard = extra(&registry);
        drop(registry.observe(move |_| _ = &guard));
        registry.cipher("extra").unwrap_err();
    });
    ends("a hook with a registration", move || {
        let registry = registry();
        registry.set_self_test(Arc::new(Owner(extra(&registry))));
        registry.set_self_test(Arc::new(support::Judge::default()));
        registry.cipher("extra").unwrap_err();
    });
    ends("a refused driver with a registration", move || {
        let registry = registry();
        let guard = extra(&registry);
        let make = kcrypto_core::Make::cipher(move || {
            let _ = &guard;
            Ok(support::Adder::default())
        });
        let alg = Alg::cipher("add", "add-generic", kcrypto_core::CipherAlg { make, ..support::ADDER });
        assert!(matches!(registry.register(alg), Err(Error::Exists { .. })));
        registry.cipher("extra").unwrap_err();
    });
}
