//! Who tests the tests: subtly wrong drivers, one fault each in a wrapper over a right one. Every one must be
//! refused in the lazy mode, and what it wraps accepted.

mod aead;
mod batch;
mod cipher;
mod edges;
mod format;
mod manager;
mod quarantine;
mod shash;
mod skcipher;
mod speck;
mod template;
mod unsound;
mod wrap;

use kcrypto_core::{Alg, Registry, SelfTest, Subject};
use kcrypto_selftest::{Mode, check_driver};

use wrap::Specimen;

/// The default set, without a hook.
fn registry() -> Registry {
    let algs = kcrypto_generic::ALGS.iter().cloned();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let algs = algs.chain(kcrypto_x86::ALGS.iter().cloned());
    #[cfg(target_arch = "aarch64")]
    let algs = algs.chain(kcrypto_arm::ALGS.iter().cloned());
    Registry::with(algs, kcrypto_templates::ALL.iter().copied()).unwrap()
}

fn specimens() -> Vec<Specimen> {
    let lists = [
        cipher::specimens(),
        skcipher::specimens(),
        speck::specimens(),
        shash::specimens(),
        aead::specimens(),
        batch::specimens(),
        unsound::specimens(),
        edges::specimens(),
    ];
    lists.into_iter().flatten().collect()
}

#[test]
fn every_wrong_driver_is_refused() {
    let registry = registry();
    let specimens = specimens();
    let (mut accepted, mut otherwise) = (Vec::new(), Vec::new());
    for specimen in &specimens {
        let alg = specimen.alg(&registry);
        let report = Mode::Lazy.test(&Subject::of(&registry, &alg));
        match report.failure {
            None => accepted.push(specimen.fault),
            Some(text) => {
                if !text.contains(specimen.says) {
                    otherwise.push(format!("{}: not {:?}, but {text}", specimen.fault, specimen.says));
                }
                assert!(text.starts_with("alg: "), "{text}");
                println!("{:44} {}", specimen.fault, text.lines().next().unwrap_or_default());
            }
        }
    }
    println!("refused {} of {}", specimens.len() - accepted.len(), specimens.len());
    assert!(accepted.is_empty(), "accepted: {accepted:#?}");
    assert!(otherwise.is_empty(), "refused for another reason: {}", otherwise.join("\n"));
}

/// What only a comparison shows.
const NEED_A_REFERENCE: [&str; 11] = [
    "the block of counter zero",
    "decryption of one block without IV",
    "a full block of tail but one byte",
    "a tail that lacks one byte",
    "state at an odd address",
    "message length wraps at 4096",
    "length in bits kept in 32 bits",
    "length in bytes kept in 32 of 128 bits",
    "length in bytes kept in 32 bits",
    "tail that leaves room for the length and no more",
    "lengths of an empty text",
];

/// Known answers, refusals and the contract must do where nothing can be compared.
#[test]
fn every_wrong_driver_is_refused_without_a_reference() {
    let with = registry();
    let renamed = |alg: &Alg| alg.driver_name.replace("-generic", "-plain").into();
    let algs = kcrypto_generic::ALGS.iter().map(|alg| Alg { driver_name: renamed(alg), ..alg.clone() });
    let without = Registry::with(algs, kcrypto_templates::ALL.iter().copied()).unwrap();
    let mut accepted = Vec::new();
    for specimen in specimens() {
        let alg = specimen.alg(&with);
        let report = Mode::Lazy.test(&Subject::of(&without, &alg));
        if report.failure.is_none() {
            accepted.push(specimen.fault);
        }
    }
    assert_eq!(accepted, NEED_A_REFERENCE);
}

#[test]
fn some_faults_show_in_the_full_mode_only() {
    let registry = registry();
    let late = shash::late_specimens().into_iter().chain(aead::late_specimens());
    let late = late.chain(edges::late_specimens());
    #[cfg(unix)]
    let late = late.chain(unsound::traceless_specimens());
    for specimen in late {
        let alg = specimen.alg(&registry);
        let subject = Subject::of(&registry, &alg);
        assert_eq!(Mode::Lazy.test(&subject).failure, None, "{}", specimen.fault);
        let text = check_driver(&registry, &alg).failure.expect(specimen.fault);
        assert!(text.contains(specimen.says), "{}: {text}", specimen.fault);
    }
}

#[test]
fn what_they_wrap_is_accepted() {
    let registry = registry();
    let mut names: Vec<_> = specimens().iter().map(|specimen| specimen.over).collect();
    names.sort_unstable();
    names.dedup();
    for over in names {
        let report =
            Mode::Lazy.test(&Subject::of(&registry, &Specimen::right(&registry, over).alg(&registry)));
        assert_eq!(report.failure, None, "{over}");
        assert!(report.checks > 100, "{over}: {} checks", report.checks);
    }
}
