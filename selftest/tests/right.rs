//! Right drivers pass: every driver and composition of the default set, in both modes.

use std::sync::Arc;

use kcrypto_core::{KindTag, Registry, Want};
use kcrypto_selftest::{Mode, Status, run};

fn registry() -> Registry {
    let algs = kcrypto_generic::ALGS.iter().cloned();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let algs = algs.chain(kcrypto_x86::ALGS.iter().cloned());
    #[cfg(target_arch = "aarch64")]
    let algs = algs.chain(kcrypto_arm::ALGS.iter().cloned());
    Registry::with(algs, kcrypto_templates::ALL.iter().copied()).unwrap()
}

fn pass(names: &[&str], mode: Mode) {
    let registry = registry();
    registry.set_self_test(Arc::new(Mode::Lazy));
    let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
    let outcomes = run(&registry, &names, &mode).unwrap();
    for outcome in &outcomes {
        match &outcome.status {
            Status::Passed(report) => {
                println!(
                    "{:20} {:26} {:6} checks {:?} {:?}",
                    outcome.name, outcome.driver, report.checks, report.time, report.skipped
                );
                let skipped = report.skipped.as_deref().unwrap_or_default();
                assert!(!skipped.contains("comparison"), "{}: {skipped}", outcome.driver);
            }
            Status::Failed(report) => panic!("{}", report.failure.as_deref().unwrap_or_default()),
            Status::Skipped(reason) => println!("{:20} {:26} skipped {reason}", outcome.name, outcome.driver),
        }
    }
    assert!(outcomes.iter().any(|outcome| matches!(outcome.status, Status::Passed(_))));
}

#[test]
fn all_lazily() {
    pass(&[], Mode::Lazy);
}

#[test]
fn one_in_full() {
    let best = registry().resolve("rfc3686(ctr(aes))", Want::new(KindTag::Skcipher)).unwrap();
    pass(&[&best.alg.driver_name], Mode::full());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn all_in_full() {
    pass(&[], Mode::full());
}
