//! What a self-test hook decides besides pass or fail, and registries without one.

use std::sync::Arc;

use kcrypto_core::{Alg, Error, KindTag, Report, SelfTest, Subject, TestState, Verdict, Want};

#[path = "support/mod.rs"]
mod support;

use support::Judge;

/// Passes everything, and lets nobody ask for the fast driver.
struct Strict(Judge);

impl SelfTest for Strict {
    fn test(&self, subject: &Subject<'_>) -> Report {
        self.0.test(subject)
    }

    fn rule_against(&self, alg: &Alg) -> Option<Box<str>> {
        (alg.driver_name == "add-fast").then(|| "nothing fast".into())
    }
}

#[test]
fn a_rule_of_the_hook_denies_requests_and_names_itself() {
    let registry = support::registry();
    registry.set_self_test(Arc::new(Strict(Judge::default())));
    assert_eq!(registry.cipher("add").unwrap().alg().driver_name, "add-generic");
    assert_eq!(registry.cipher("add-fast").map(drop), Err(Error::Denied { rule: "nothing fast".into() }),);
    let tree = registry.explain("add", Want::new(KindTag::Cipher));
    let fast = tree.candidates.iter().find(|c| c.alg.driver_name == "add-fast").unwrap();
    assert_eq!(fast.verdict, Verdict::Denied("nothing fast".into()));
    // As a part it is used all the same.
    assert!(support::winner(&registry, "sum(add)").unwrap().contains("add-fast"));
    registry.without_self_tests();
    assert_eq!(registry.cipher("add").unwrap().alg().driver_name, "add-fast");
}

#[test]
fn without_self_tests_nothing_is_tested_and_quarantine_stays() {
    let (registry, judge) = support::judged(Judge { wrong: vec!["add-fast"], ..Judge::default() });
    assert_eq!(registry.cipher("add").unwrap().alg().driver_name, "add-generic");
    registry.without_self_tests();
    registry.register(support::cipher("add", "add-new", 500)).unwrap().keep();
    assert_eq!(registry.cipher("add").unwrap().alg().driver_name, "add-new");
    assert_eq!((judge.times("add-new"), registry.info("add-new").unwrap().test), (0, TestState::Exempt));
    assert!(matches!(registry.cipher("add-fast"), Err(Error::SelfTestFailed { .. })));
}
