//! What a registry does with a driver that its hook refuses.

use std::sync::{Arc, Mutex};

use kcrypto_core::{Alg, Error, Event, KindTag, Registry, SelfTest, Subject, TestState, Verdict, Want};
use kcrypto_selftest::{Mode, Status, check_driver, run, targets};

use crate::registry;
use crate::skcipher::{flip, late, no_key, no_reason};
use crate::wrap::{Right, Specimen};

fn wrong(over: &'static str) -> Specimen {
    Specimen::skcipher(over, "last bit", "wrong result", flip)
}

fn want() -> Want {
    Want::new(KindTag::Skcipher)
}

#[test]
fn a_wrong_driver_is_quarantined_and_the_next_takes_over() {
    let registry = registry();
    let best = registry.resolve("cbc(aes)", want()).unwrap().alg.driver_name.to_string();
    registry.set_self_test(Arc::new(Mode::Lazy));
    let events = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&events);
    let _observed = registry.observe(move |event| log.lock().unwrap().push(event.clone()));
    registry.register(wrong("cbc(aes)").alg(&self::registry())).unwrap().keep();

    // It would have been the best. Nobody gets it.
    let mut tfm = registry.skcipher("cbc(aes)").unwrap();
    assert_eq!(tfm.alg().driver_name, best);
    tfm.set_key(&[0; 16]).unwrap();
    assert_eq!(registry.skcipher("cts(cbc(aes))").unwrap().alg().name, "cts(cbc(aes))");

    let explanation = registry.explain("cbc(aes)", want());
    let verdict = &explanation.candidates.iter().find(|c| c.alg.driver_name == "wrong").unwrap().verdict;
    let Verdict::Quarantined(reason) = verdict else { panic!("{verdict:?}") };
    assert!(reason.starts_with("alg: skcipher: wrong encryption test failed (wrong result) on test vector "));
    assert!(explanation.to_string().contains("quarantined: alg: skcipher: wrong encryption test failed"));

    let Err(Error::SelfTestFailed { driver, reason: told }) = registry.skcipher("wrong").map(drop) else {
        panic!("the quarantined driver was returned")
    };
    assert_eq!((&*driver, &told), ("wrong", reason));
    assert!(matches!(registry.skcipher("cts(wrong)"), Err(Error::SelfTestFailed { .. })));

    let events = events.lock().unwrap();
    let told = |event: &Event| matches!(event, Event::Quarantined { driver, .. } if **driver == *"wrong");
    assert_eq!(events.iter().filter(|event| told(event)).count(), 1, "it is tested once: {events:?}");
}

#[test]
fn a_run_reports_and_quarantines_it() {
    let registry = registry();
    registry.register(wrong("ctr(aes)").alg(&registry)).unwrap().keep();
    let outcomes = run(&registry, &["ctr(aes)".into()], &Mode::Lazy).unwrap();
    for outcome in &outcomes {
        assert_eq!(outcome.name, "ctr(aes)");
        assert_eq!(matches!(outcome.status, Status::Failed(_)), outcome.driver == "wrong", "{outcome:?}");
    }
    assert!(outcomes.iter().any(|outcome| outcome.driver == "ctr(aes-generic)"));
    let listed = registry.list();
    let wrong = listed.iter().find(|info| info.alg.driver_name == "wrong").unwrap();
    assert!(matches!(wrong.test, TestState::Failed(_)));

    // What is built over it falls with it, and is said to.
    let outcomes = run(&registry, &["rfc3686(ctr(aes))".into()], &Mode::Lazy).unwrap();
    assert!(outcomes.iter().all(|outcome| matches!(outcome.status, Status::Passed(_))), "{outcomes:?}");
    let error = run(&registry, &["rfc3686(wrong)".into()], &Mode::Lazy).unwrap_err();
    assert!(matches!(error, Error::SelfTestFailed { .. }), "{error}");
}

#[test]
fn names_mean_drivers_and_compositions() {
    let registry = registry();
    let named = |name: &str| {
        let found = targets(&registry, &[name.into()]);
        found.map(|list| list.into_iter().map(|target| target.driver).collect::<Vec<_>>())
    };
    assert!(named("cts(cbc(aes))").unwrap().contains(&"cts(cbc(aes-generic))".to_string()));
    assert!(named("xts(aes)").unwrap().contains(&"xts(ecb(aes-generic))".to_string()));
    assert_eq!(named("cbc(aes-generic)").unwrap(), ["cbc(aes-generic)"]);
    assert!(matches!(named("nosuch"), Err(Error::NotFound { .. })));
    assert!(matches!(named("cts(ecb(aes))"), Err(Error::BadChild { .. })));
    let all = targets(&registry, &[]).unwrap();
    let names: Vec<&str> = all.iter().map(|target| target.name.as_str()).collect();
    for name in ["aes", "ecb(aes)", "cbc(aes)", "ctr(aes)", "rfc3686(ctr(aes))", "cts(cbc(aes))", "xts(aes)"]
    {
        assert!(names.contains(&name), "{name} is not tested");
    }
    for info in registry.list() {
        assert!(all.iter().any(|target| target.driver == info.alg.driver_name), "{:?}", info.alg);
    }
}

#[test]
fn drivers_that_cannot_run_are_skipped_by_name() {
    let registry = registry();
    let driver = Specimen::skcipher("ctr(aes)", "none", "", || Box::new(Right));
    let alg = driver.alg(&registry).with_cpu(&["abacus"], || Err("no abacus".into()));
    registry.register(alg).unwrap().keep();
    let outcomes = run(&registry, &["wrong".into()], &Mode::Lazy).unwrap();
    let [outcome] = outcomes.as_slice() else { panic!("{outcomes:?}") };
    assert_eq!(outcome.status, Status::Skipped("unavailable: no abacus".into()));
    assert_eq!(outcome.report(), None);
}

#[test]
fn a_wrong_reference_does_not_condemn_a_right_driver() {
    let good = registry();
    let mut reference = Specimen::cipher("aes", "", "", crate::cipher::wrong_key).alg(&good);
    reference.driver_name = "aes-generic".into();
    let bad = Registry::with([reference], kcrypto_templates::ALL.iter().copied()).unwrap();
    let right = |over| Specimen::skcipher(over, "none", "", || Box::new(Right)).alg(&good);
    for alg in
        [right("cbc(aes)"), right("xts(aes)"), Specimen::cipher("aes", "", "", || Box::new(Right)).alg(&good)]
    {
        let report = Mode::Lazy.test(&Subject::of(&bad, &alg));
        assert_eq!(report.failure, None, "{}", alg.name);
        let skipped = report.skipped.as_deref().unwrap_or_default();
        assert!(
            skipped.contains("comparison skipped") && skipped.contains("gives wrong answers"),
            "{skipped:?}"
        );
    }
}

#[test]
fn a_name_without_vectors_is_tested_all_the_same() {
    let registry = registry();
    let rename = |mut alg: Alg| {
        alg.name = "unheard-of".into();
        alg
    };
    let right = Specimen::skcipher("cts(cbc(aes))", "none", "", || Box::new(Right)).alg(&registry);
    let report = Mode::Lazy.test(&Subject::of(&registry, &rename(right)));
    assert_eq!(report.failure, None);
    let skipped = report.skipped.as_deref().unwrap_or_default();
    assert!(
        skipped.contains("No test for unheard-of (wrong)") && skipped.contains("comparison skipped"),
        "{skipped}"
    );
    let refused = |specimen: Specimen, says: &str| {
        let report = Mode::Lazy.test(&Subject::of(&registry, &rename(specimen.alg(&registry))));
        let text = report.failure.unwrap();
        assert!(text.contains(says), "{text}");
    };
    refused(wrong("cts(cbc(aes))"), "wrong result");
    refused(
        Specimen::skcipher("cts(cbc(aes))", "", "", no_key),
        "takes no key of the lengths that it declares",
    );
    refused(Specimen::skcipher("cts(cbc(aes))", "", "", no_reason), "setkey failed");
    refused(
        Specimen::cipher("aes", "", "", crate::cipher::no_key),
        "takes no key of the lengths that it declares",
    );
}

#[test]
fn a_seed_brings_a_failure_back() {
    let registry = registry();
    let alg = Specimen::skcipher("ecb(aes)", "after 2000 bytes", "", late).alg(&registry);
    assert_eq!(Mode::Lazy.test(&Subject::of(&registry, &alg)).failure, None, "only long messages show it");
    let failed = |seed| Mode::Full { seed }.test(&Subject::of(&registry, &alg)).failure.unwrap();
    let first = failed(7);
    assert!(first.contains("seed 0x0000000000000007, case "), "{first}");
    assert_eq!(failed(7), first);
    assert_ne!(failed(8), first);
    assert!(check_driver(&registry, &alg).failure.is_some());
}
