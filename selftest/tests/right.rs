//! Right drivers pass: every driver and composition of the default set, in both modes.

use std::sync::Arc;

use kcrypto_core::Registry;
use kcrypto_selftest::{Mode, Status, run};

fn registry() -> Registry {
    let algs = kcrypto_generic::ALGS.iter().chain(kcrypto_x86::ALGS).cloned();
    Registry::with(algs, kcrypto_templates::ALL.iter().copied()).unwrap()
}

fn all_pass(mode: Mode) {
    let registry = registry();
    registry.set_self_test(Arc::new(Mode::Lazy));
    for outcome in run(&registry, &[], &mode).unwrap() {
        match &outcome.status {
            Status::Passed(report) => println!(
                "{:30} {:36} {:9} {:7} checks {:?} {:?}",
                outcome.name, outcome.driver, outcome.kind, report.checks, report.time, report.skipped
            ),
            Status::Failed(report) => panic!("{}", report.failure.as_deref().unwrap_or_default()),
            Status::Skipped(reason) => println!("{:30} {:36} skipped {reason}", outcome.name, outcome.driver),
        }
    }
}

#[test]
fn lazily() {
    all_pass(Mode::Lazy);
}

#[test]
fn in_full() {
    all_pass(Mode::full());
}
