//! Which driver answers a name, and why (`names-and-lookup.md` sections 3 to 5; design.md section 3).

mod support;

use kcrypto_core::{Error, Flags, KindTag, Policy, Registry, Verdict, Want};
use support::{ODD, OVER, SUM, cipher, judged, registry, sum, winner};

const SKCIPHER: Want = Want::new(KindTag::Skcipher);

#[test]
fn the_best_leaf_wins_and_an_exact_driver_name_is_obeyed() {
    let registry = registry();
    assert_eq!(registry.cipher("add").unwrap().alg().driver_name, "add-fast");
    assert_eq!(registry.cipher("add-generic").unwrap().alg().driver_name, "add-generic");
    assert_eq!(winner(&registry, "over(sum(add))").unwrap(), "over(sum(add-fast))");
    let slow = registry.skcipher("over(sum(add-generic))").unwrap();
    assert_eq!((&*slow.alg().name, &*slow.alg().driver_name), ("over(sum(add))", "over(sum(add-generic))"));
    assert_eq!(slow.alg().priority, 100);
}

#[test]
fn resolution_does_not_depend_on_earlier_requests() {
    let names = ["over(sum(add-generic))", "sum(add-generic)", "over(sum(add))", "sum(add)"];
    for first in names {
        let registry = registry();
        winner(&registry, first).unwrap();
        assert_eq!(winner(&registry, "over(sum(add))").unwrap(), "over(sum(add-fast))", "after {first}");
        assert_eq!(winner(&registry, "sum(add)").unwrap(), "sum(add-fast)", "after {first}");
    }
}

#[test]
fn a_composition_ranks_by_its_slowest_leaf_and_loses_ties_to_whole_names() {
    let with = |whole: u32| {
        let fused = sum("over(sum(add))", "over-sum-add-fused", whole);
        Registry::with(
            [cipher("add", "add-generic", 100), cipher("add", "add-fast", 300), fused],
            [SUM, OVER],
        )
        .unwrap()
    };
    assert_eq!(winner(&with(300), "over(sum(add))").unwrap(), "over-sum-add-fused");
    assert_eq!(winner(&with(299), "over(sum(add))").unwrap(), "over(sum(add-fast))");
    let explanation = with(300).explain("over(sum(add))", SKCIPHER);
    let verdicts: Vec<_> = explanation.candidates.iter().map(|c| (&*c.alg.driver_name, &c.verdict)).collect();
    assert!(matches!(verdicts[0], ("over-sum-add-fused", Verdict::Chosen)), "{verdicts:?}");
    assert!(matches!(verdicts[1], ("over(sum(add-fast))", Verdict::Tied { .. })), "{verdicts:?}");
    assert!(matches!(verdicts[2], ("over(sum(add-generic))", Verdict::Outranked { rank: 300, .. })));
    assert_eq!(explanation.spawns[0].spawns[0].candidates.len(), 2, "the tree reaches the leaves");
}

#[test]
fn ties_go_to_the_newer_registration_and_among_the_first_set_to_the_first_name() {
    let registry = Registry::with([cipher("c", "c-b", 5), cipher("c", "c-a", 5)], []).unwrap();
    assert_eq!(registry.cipher("c").unwrap().alg().driver_name, "c-a");
    let _newer = registry.register(cipher("c", "c-z", 5)).unwrap();
    assert_eq!(registry.cipher("c").unwrap().alg().driver_name, "c-z");
}

#[test]
fn refusals_are_typed() {
    let registry = registry();
    let refusal = |name: &str| registry.skcipher(name).unwrap_err();
    assert!(matches!(refusal("nosuch"), Error::NotFound { .. }));
    assert!(matches!(refusal("nosuch(add)"), Error::NotFound { .. }));
    assert!(matches!(refusal("sum(nosuch)"), Error::NotFound { name, .. } if &*name == "nosuch"));
    assert!(matches!(refusal("add"), Error::NotFound { hint, .. } if hint.contains("cipher")));
    assert!(matches!(refusal("add-fast"), Error::NotFound { .. }));
    assert!(matches!(registry.cipher("sum(add)"), Err(Error::WrongKind { makes: KindTag::Skcipher, .. })));
    assert!(matches!(refusal("over(odd(add))"), Error::BadChild { .. }));
    assert!(matches!(refusal("sum(add,add)"), Error::NameMismatch { .. }));
    assert!(
        matches!(refusal("odd(add-generic)"), Error::NameMismatch { driver, .. } if &*driver == "odd(sum(add-generic))")
    );
    assert_eq!(refusal("odd(add-generic)").errno(), 17);
    assert!(
        registry.list().iter().all(|info| info.alg.children().is_empty()),
        "a refused request leaves nothing"
    );
    assert_eq!(winner(&registry, "odd(add)").unwrap(), "odd(sum(add-fast))");
}

#[test]
fn has_builds_nothing() {
    let registry = registry();
    assert!(registry.has("over(sum(add))") && registry.has("add") && registry.has("sum(add-generic)"));
    assert!(!registry.has("over(add)") && !registry.has("cbc(") && !registry.has(""));
    assert_eq!(registry.list().len(), 2);
}

#[test]
fn flags_are_inherited_matched_and_demanded_of_children() {
    let slow = cipher("add", "add-async", 900).with_flags(Flags::ASYNC);
    let hungry = cipher("add", "add-alloc", 800).with_flags(Flags::ALLOCATES_MEMORY);
    let hidden = cipher("add", "add-internal", 999).with_flags(Flags::INTERNAL);
    let registry =
        Registry::with([cipher("add", "add-generic", 100), slow, hungry, hidden], [SUM, ODD]).unwrap();
    let driver = |want| registry.skcipher_with("sum(add)", want).unwrap().alg().driver_name.to_string();
    assert_eq!(driver(SKCIPHER), "sum(add-alloc)");
    assert_eq!(driver(SKCIPHER.either(Flags::ASYNC)), "sum(add-async)");
    assert_eq!(driver(SKCIPHER.without(Flags::ALLOCATES_MEMORY)), "sum(add-generic)");
    assert_eq!(driver(SKCIPHER.with(Flags::ASYNC)), "sum(add-async)");
    let want = Want::new(KindTag::Cipher).with(Flags::INTERNAL);
    assert_eq!(registry.cipher_with("add", want).unwrap().alg().driver_name, "add-internal");
    let instance = registry.skcipher_with("sum(add)", SKCIPHER.with(Flags::ASYNC)).unwrap();
    assert!(instance.alg().flags.contains(Flags::ASYNC | Flags::INSTANCE));
}

#[test]
fn an_unavailable_driver_is_listed_and_passed_over() {
    let absent = cipher("add", "add-wide", 800).with_cpu(&["wide"], || Err("this CPU lacks wide".into()));
    let masked = cipher("add", "add-mid", 500).with_cpu(&["mid"], || Ok(()));
    let registry = Registry::with([cipher("add", "add-generic", 100), absent, masked], [SUM]).unwrap();
    assert_eq!(winner(&registry, "sum(add)").unwrap(), "sum(add-mid)");
    registry.mask_cpu(&["mid"]);
    assert_eq!(winner(&registry, "sum(add)").unwrap(), "sum(add-generic)");
    let Err(Error::Unavailable { reason, .. }) = registry.cipher("add-wide") else {
        panic!("it must be refused")
    };
    assert_eq!(&*reason, "this CPU lacks wide");
    let reasons = registry.list().into_iter().filter_map(|info| info.unavailable).count();
    assert_eq!(reasons, 2);
}

#[test]
fn a_failed_test_quarantines_and_the_next_best_takes_over() {
    let (registry, judge) = judged(support::Judge { wrong: vec!["add-fast"], ..Default::default() });
    assert_eq!(winner(&registry, "over(sum(add))").unwrap(), "over(sum(add-generic))");
    let Err(Error::SelfTestFailed { driver, reason }) = registry.cipher("add-fast") else {
        panic!("quarantined")
    };
    assert_eq!((&*driver, &*reason), ("add-fast", "add-fast is wrong"));
    assert_eq!(registry.cipher("add-fast").unwrap_err().errno_name(), "ELIBBAD");
    let explanation = registry.explain("sum(add)", SKCIPHER);
    let lost = explanation.spawns[0].candidates.iter().find(|c| c.alg.driver_name == "add-fast").unwrap();
    assert_eq!(lost.verdict, Verdict::Quarantined("add-fast is wrong".into()));
    assert_eq!(judge.times("add-fast"), 1);
    assert_eq!(judge.times("add-generic"), 1);
}

#[test]
fn a_failed_instance_gives_way_to_the_next_composition() {
    let (registry, _) = judged(support::Judge { wrong: vec!["sum(add-fast)"], ..Default::default() });
    assert_eq!(winner(&registry, "sum(add)").unwrap(), "sum(add-generic)");
    assert!(matches!(winner(&registry, "sum(add-fast)"), Err(Error::SelfTestFailed { .. })));
    let everything = vec!["sum(add-fast)", "sum(add-generic)"];
    let (registry, _) = judged(support::Judge { wrong: everything, ..Default::default() });
    assert_eq!(winner(&registry, "sum(add)").unwrap_err().errno_name(), "ELIBBAD");
}

#[test]
fn a_policy_refuses_by_name_property_and_key() {
    let leaky = cipher("add", "add-leaky", 900).variable_time();
    let registry = Registry::with([cipher("add", "add-generic", 100), leaky], [SUM, OVER]).unwrap();
    assert_eq!(winner(&registry, "sum(add)").unwrap(), "sum(add-leaky)");
    registry.set_policy(Policy::new().constant_time());
    assert_eq!(winner(&registry, "sum(add)").unwrap(), "sum(add-generic)");
    let denied = |policy: Policy, name: &str| {
        registry.set_policy(policy);
        match winner(&registry, name) {
            Err(Error::Denied { rule }) => rule.to_string(),
            other => panic!("{name} gave {other:?}"),
        }
    };
    assert_eq!(denied(Policy::new().deny("sum(*"), "sum(add)"), "deny sum(*");
    assert!(winner(&registry, "over(sum(add))").is_ok(), "intermediate instances are not matched");
    assert_eq!(denied(Policy::new().deny("add*"), "over(sum(add))"), "deny add*");
    assert_eq!(denied(Policy::new().allow("over(*"), "sum(add)"), "allow over(*");
    assert!(winner(&registry, "over(sum(add))").is_ok(), "leaves need not be allowed");
    registry.set_policy(Policy::new().min_key(5));
    let error = registry.skcipher("sum(add)").unwrap().set_key(&[0; 4]).unwrap_err();
    assert_eq!(error, Error::Denied { rule: "keys of at least 5 bytes".into() });
}

#[test]
fn children_are_also_tried_all_one_step_down() {
    let pair = kcrypto_core::Template {
        name: "pair",
        create: |cx| {
            let first = cx.skcipher(cx.arg(0)?)?;
            cx.skcipher(cx.arg(1)?)?;
            cx.instance(kcrypto_core::Kind::Skcipher(first.limits))
        },
    };
    let drivers =
        [cipher("add", "add-generic", 100), cipher("add", "add-mid", 200), cipher("add", "add-fast", 300)];
    let registry = Registry::with(drivers, [SUM, pair]).unwrap();
    let explanation = registry.explain("pair(sum(add),sum(add))", SKCIPHER);
    let names: Vec<_> = explanation.candidates.iter().map(|c| &*c.alg.driver_name).collect();
    for both in ["fast", "mid", "generic"] {
        let pair = format!("pair(sum(add-{both}),sum(add-{both}))");
        assert!(names.contains(&pair.as_str()), "{names:?}");
    }
    assert_eq!(names[0], "pair(sum(add-fast),sum(add-fast))");
}

/// A template that leaves out, or gets wrong, what its argument names.
fn careless(cx: &mut kcrypto_core::Create<'_>) -> kcrypto_core::Result<kcrypto_core::Alg> {
    use kcrypto_core::{Kind, Make, ShashAlg, ShashDriver};
    struct Nothing;
    impl ShashDriver for Nothing {
        fn init(&self, _: &mut [u8]) {}
        fn update(&self, _: &mut [u8], _: &[u8]) {}
        fn finish(&self, _: &mut [u8], _: &[u8], _: u64, _: &mut [u8]) {}
    }
    let mut limits = cx.skcipher("sum(add)")?.limits;
    cx.accept_spelling();
    let fault = cx.arg(0)?;
    match fault {
        "chunk" => limits.chunk_size = 0,
        "iv" => limits.iv_size = 4000,
        "tail" => limits.tail = 4000,
        "multiple" => limits.length.multiple = 0,
        "keys" => limits.keys.step = 0,
        "names" => return cx.instance_named("".into(), "".into(), 1, Kind::Skcipher(limits)),
        "kind" => {
            let make = Make::shash(|| Ok(Nothing));
            return cx.instance(Kind::Shash(ShashAlg {
                block_size: 4,
                digest_size: 4,
                state_size: 4,
                keys: None,
                keeps_full_block: false,
                make,
            }));
        }
        _ => {}
    }
    let mut alg = cx.instance(Kind::Skcipher(limits))?;
    alg.properties.constant_time = fault != "time";
    if fault == "cpu" {
        alg.available = Some(|| Err("never".into()));
    }
    Ok(alg)
}

#[test]
fn what_templates_make_keeps_the_rules_of_registration() {
    let registry = registry();
    registry.register_template(kcrypto_core::Template { name: "careless", create: careless }).unwrap().keep();
    registry.set_policy(Policy::new().constant_time());
    let refusal = |fault: &str| {
        let name = format!("careless({fault})");
        let told = registry.explain(&name, SKCIPHER).outcome.unwrap_err();
        assert!(!registry.has(&name) || fault == "kind", "{name}");
        assert_eq!(registry.skcipher(&name).unwrap_err(), told, "{name}");
        told
    };
    for fault in ["chunk", "iv", "tail", "multiple", "keys", "names"] {
        assert!(matches!(refusal(fault), Error::BadAlg { .. }), "{fault}: {}", refusal(fault));
    }
    assert!(matches!(refusal("kind"), Error::WrongKind { makes: KindTag::Shash, .. }));
    assert!(matches!(refusal("time"), Error::Denied { .. }));
    assert!(matches!(refusal("cpu"), Error::Unavailable { .. }));
    assert!(registry.skcipher("careless(nothing)").is_ok());
}

#[test]
fn a_length_that_no_memory_holds_has_an_answer() {
    let mut tfm = registry().skcipher("sum(add)").unwrap();
    tfm.set_key(&[0; 4]).unwrap();
    let mut stream = tfm.encryptor(&[0; 4]).unwrap();
    stream.update(&[0; 3], &mut []).unwrap();
    assert!(stream.update_len(usize::MAX) >= usize::MAX - 8);
}
