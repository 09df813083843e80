//! Who tests the tests: subtly wrong drivers, one fault each in a wrapper over a right one. Every one must be
//! refused in the lazy mode, and what it wraps accepted.

mod cipher;
mod quarantine;
mod skcipher;
mod unsound;
mod wrap;

use kcrypto_core::{Alg, Registry, SelfTest, Subject};
use kcrypto_selftest::Mode;

use wrap::{Right, Specimen};

/// The default set, without a hook.
fn registry() -> Registry {
    let algs = kcrypto_generic::ALGS.iter().cloned();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let algs = algs.chain(kcrypto_x86::ALGS.iter().cloned());
    Registry::with(algs, kcrypto_templates::ALL.iter().copied()).unwrap()
}

fn specimens() -> Vec<Specimen> {
    [cipher::specimens(), skcipher::specimens(), unsound::specimens()].into_iter().flatten().collect()
}

#[test]
fn every_wrong_driver_is_refused() {
    let registry = registry();
    let specimens = specimens();
    let mut accepted = Vec::new();
    for specimen in &specimens {
        let alg = specimen.alg(&registry);
        let report = Mode::Lazy.test(&Subject::of(&registry, &alg));
        match report.failure {
            None => accepted.push(specimen.fault),
            Some(text) => {
                assert!(
                    text.contains(specimen.says),
                    "{}: refused for another reason than {:?}:\n{text}",
                    specimen.fault,
                    specimen.says
                );
                assert!(text.starts_with("alg: "), "{text}");
                println!("{:44} {}", specimen.fault, text.lines().next().unwrap_or_default());
            }
        }
    }
    println!("refused {} of {}", specimens.len() - accepted.len(), specimens.len());
    assert!(accepted.is_empty(), "accepted: {accepted:#?}");
}

/// Known answers, refusals and the contract must do where nothing can be compared.
#[test]
fn every_wrong_driver_is_refused_without_a_reference() {
    let with = registry();
    let algs =
        kcrypto_generic::ALGS.iter().cloned().map(|alg| Alg { driver_name: "aes-plain".into(), ..alg });
    let without = Registry::with(algs, kcrypto_templates::ALL.iter().copied()).unwrap();
    for specimen in specimens() {
        let alg = specimen.alg(&with);
        let report = Mode::Lazy.test(&Subject::of(&without, &alg));
        assert!(report.failure.is_some(), "accepted: {}", specimen.fault);
    }
}

#[test]
fn what_they_wrap_is_accepted() {
    let registry = registry();
    for over in ["aes", "ecb(aes)", "cbc(aes)", "ctr(aes)", "rfc3686(ctr(aes))", "cts(cbc(aes))", "xts(aes)"]
    {
        let right = match over {
            "aes" => Specimen::cipher(over, "none", "", || Box::new(Right)),
            _ => Specimen::skcipher(over, "none", "", || Box::new(Right)),
        };
        let report = Mode::Lazy.test(&Subject::of(&registry, &right.alg(&registry)));
        assert_eq!(report.failure, None, "{over}");
        assert!(report.checks > 100, "{over}: {} checks", report.checks);
    }
}
