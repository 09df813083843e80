//! The settings of the hook, and everything at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use kcrypto_core::{Alg, Error, KindTag, Registry, TestState, Verdict, Want};
use kcrypto_selftest::{Manager, Mode, Status, boot, inject_fault};

use crate::registry;
use crate::skcipher::flip;
use crate::wrap::Specimen;

fn wrong() -> Specimen {
    Specimen::skcipher("cbc(aes)", "last bit", "wrong result", flip)
}

fn skcipher() -> Want {
    Want::new(KindTag::Skcipher)
}

#[test]
fn boot_tests_everything_that_is_registered() {
    let registry = registry();
    registry.register(wrong().alg(&registry)).unwrap().keep();
    let summary = boot(&registry, Arc::new(Mode::Lazy));
    assert_eq!(summary.outcomes.len(), registry.list().len());
    assert_eq!((summary.failed(), summary.passed() + summary.skipped() + 1), (1, summary.outcomes.len()));
    assert!(summary.checks() > 1000 && summary.threads > 0);
    for (info, outcome) in registry.list().iter().zip(&summary.outcomes) {
        assert_eq!(info.alg.driver_name, outcome.driver, "in the order of the list");
        match (&info.test, &outcome.status) {
            (TestState::Passed(kept), Status::Passed(told)) => assert_eq!(kept, told),
            (TestState::Failed(kept), Status::Failed(told)) => {
                assert_eq!((kept, outcome.driver.as_str()), (told, "wrong"));
            }
            (TestState::Untested, Status::Skipped(_)) => assert!(info.unavailable.is_some()),
            other => panic!("{}: {other:?}", outcome.driver),
        }
    }
    let text = summary.to_string();
    assert!(
        text.contains("failed   wrong (cbc(aes)): alg: skcipher: wrong encryption test failed"),
        "{text}"
    );
    assert!(text.lines().last().unwrap().contains(" passed, 1 failed, "), "{text}");
    // What comes later is tested when it is first used.
    let late = wrong().alg(&registry);
    registry.register(kcrypto_core::Alg { driver_name: "late".into(), ..late }).unwrap().keep();
    assert!(matches!(registry.skcipher("late"), Err(Error::SelfTestFailed { .. })));
}

#[test]
fn a_failure_panics_if_that_is_asked_for() {
    let registry = registry();
    registry.set_self_test(Arc::new(Manager::new(Mode::Lazy).panic_on_fail()));
    registry.register(wrong().alg(&registry)).unwrap().keep();
    for _ in 0..2 {
        let panic = catch_unwind(AssertUnwindSafe(|| registry.skcipher("cbc(aes)"))).unwrap_err();
        let text = panic.downcast_ref::<String>().unwrap();
        assert!(text.starts_with("alg: skcipher: wrong encryption test failed (wrong result)"), "{text}");
        assert!(
            text.ends_with("alg: self-tests for wrong (cbc(aes)) failed, and panic_on_fail is set"),
            "{text}"
        );
    }
    assert!(registry.skcipher("ctr(aes)").is_ok(), "right ones are used");
    let hook = Arc::new(Manager::default().panic_on_fail());
    assert!(catch_unwind(AssertUnwindSafe(|| boot(&registry, hook))).is_err());
}

#[test]
fn names_without_vectors_are_refused_if_vectors_are_required() {
    let registry = registry();
    registry.set_self_test(Arc::new(Manager::default().require_vectors()));
    let rule = Error::Denied { rule: "only names with self-test vectors".into() };
    for name in ["cbc(aes)", "rfc3686(ctr(aes))", "cts(cbc(aes))"] {
        assert!(registry.skcipher(name).is_ok(), "{name}");
    }
    assert!(registry.cipher("aes").is_ok() && registry.aead("ccm(aes)").is_ok());
    assert!(registry.shash("hmac(sha1)").is_ok());
    assert_eq!(registry.shash("hmac(rmd160)").map(drop), Err(rule.clone()));
    assert_eq!(registry.shash("hmac(rmd160-generic)").map(drop), Err(rule));
    let tree = registry.explain("hmac(rmd160)", Want::new(KindTag::Shash));
    assert!(tree.candidates.iter().all(|c| matches!(c.verdict, Verdict::Denied(_))));
}

/// Drivers of AES for this or that CPU, usable here or not.
fn accelerated(registry: &Registry) -> Vec<String> {
    let drivers = registry.list().into_iter().map(|info| info.alg.driver_name.to_string());
    drivers.filter(|driver| driver.contains("aes") && !driver.contains("generic")).collect()
}

#[test]
fn without_its_best_drivers_a_name_has_the_next() {
    let registry = registry();
    let drivers = accelerated(&registry);
    let declared = drivers.iter().fold(Manager::default(), |hook, driver| hook.inject_fault(driver));
    assert!(
        declared.faults().eq(drivers.iter().map(String::as_str).collect::<std::collections::BTreeSet<_>>())
    );
    registry.set_self_test(Arc::new(declared));
    let mut tfm = registry.skcipher("cts(cbc(aes))").unwrap();
    assert_eq!(tfm.alg().driver_name, "cts(cbc(aes-generic))");
    tfm.set_key(&[0; 16]).unwrap();
    let tree = registry.explain("cts(cbc(aes))", skcipher());
    for driver in drivers.iter().filter(|driver| driver.starts_with("cts-cbc-aes")) {
        let candidate = tree.candidates.iter().find(|c| c.alg.driver_name == **driver).unwrap();
        match &candidate.verdict {
            Verdict::Quarantined(reason) => assert!(reason.contains("fault injected"), "{reason}"),
            verdict => assert!(registry.info(driver).unwrap().unavailable.is_some(), "{driver}: {verdict:?}"),
        }
    }
    let usable = drivers.iter().any(|driver| registry.info(driver).unwrap().unavailable.is_none());
    assert_eq!(tree.to_string().contains("fault injected"), usable);
}

#[test]
fn a_fault_at_run_time_and_the_way_back() {
    let registry = registry();
    registry.set_self_test(Arc::new(Mode::Lazy));
    let generic = registry.info("aes-generic").unwrap();
    let best = Alg { driver_name: "aes-best".into(), ..Alg::clone(&generic.alg) }.with_priority(900);
    registry.register(best).unwrap().keep();
    let chosen = || registry.cipher("aes").unwrap().alg().driver_name.to_string();
    assert_eq!(chosen(), "aes-best");
    let report = inject_fault(&registry, "aes-best").unwrap();
    assert_eq!(report.failure.as_deref(), Some("alg: cipher: aes-best fault injected\n"));
    assert_ne!(chosen(), "aes-best");
    let Err(Error::SelfTestFailed { driver, reason }) = registry.cipher("aes-best").map(drop) else {
        panic!("the faulty driver was returned")
    };
    assert!(*driver == *"aes-best" && reason.contains("fault injected"));
    assert!(registry.test("aes-best", &Mode::Lazy).unwrap().passed());
    assert_eq!(chosen(), "aes-best");
    assert!(matches!(inject_fault(&registry, "nosuch"), Err(Error::NotFound { .. })));
}

/// Off is only what says so.
#[test]
fn without_self_tests_a_wrong_driver_is_used() {
    let registry = registry();
    registry.set_self_test(Arc::new(Mode::Lazy));
    registry.register(wrong().alg(&registry)).unwrap().keep();
    registry.without_self_tests();
    assert_eq!(registry.skcipher("cbc(aes)").unwrap().alg().driver_name, "wrong");
    registry.set_self_test(Arc::new(Mode::Lazy));
    assert_ne!(registry.skcipher("cbc(aes)").unwrap().alg().driver_name, "wrong");
}
