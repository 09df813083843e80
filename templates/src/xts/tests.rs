//! What vectors cannot say.

use alloc::format;
use alloc::string::ToString;

use kcrypto_core::{Alg, Create, Error, InOut, Kind, Result, Template};

use crate::toy::{bytes, keyed, refusal, registry};

#[test]
fn takes_a_cipher_or_its_ecb() {
    let registry = registry();
    for name in ["xts(toy16)", "xts(ecb(toy16-plain))"] {
        let tfm = registry.skcipher(name).expect(name);
        assert_eq!((&*tfm.alg().name, &*tfm.alg().driver_name), ("xts(toy16)", "xts(ecb(toy16-plain))"));
        assert!(tfm.key_sizes().iter().eq([8, 12]), "{name}");
        let children: std::vec::Vec<&str> = tfm.alg().children().iter().map(|c| &*c.driver_name).collect();
        assert_eq!(children, ["ecb(toy16-plain)", "toy16-plain"], "{name}");
    }
}

/// Passes a skcipher on under its name, as the kernel's cryptd does.
fn queued(c: &mut Create<'_>) -> Result<Alg> {
    let child = c.skcipher(c.arg(0)?)?;
    let driver_name = format!("queued({})", child.alg.driver_name);
    c.instance_named(child.alg.name.to_string(), driver_name, 1, Kind::Skcipher(child.limits.clone()))
}

#[test]
fn over_an_ecb_that_no_ecb_made_the_tweak_takes_the_best_cipher_of_the_name() {
    let registry = registry();
    registry.register_template(Template { name: "queued", create: queued }).expect("a new name").keep();
    let tfm = registry.skcipher("xts(queued(ecb(toy16-plain)))").expect("an ecb(..)");
    let children: std::vec::Vec<&str> = tfm.alg().children().iter().map(|c| &*c.driver_name).collect();
    assert_eq!(children, ["queued(ecb(toy16-plain))", "toy16-plain"]);
}

#[test]
fn refuses_children() {
    for name in ["xts(toy8)", "xts(cbc(toy16))", "xts(ctr(toy16))", "xts(xts(toy16))"] {
        assert!(matches!(refusal(name), Error::BadChild { .. }), "{name}");
    }
    assert!(matches!(refusal("xts(none)"), Error::NotFound { .. }));
}

#[test]
fn refuses_less_than_a_block() {
    let tfm = keyed(&registry(), "xts(toy16)");
    for len in [0, 1, 15] {
        let refused = tfm.encrypt(&bytes(16), InOut::in_place(&mut bytes(len)));
        assert!(matches!(refused, Err(Error::BadLength { .. })), "{len}");
    }
}

#[test]
fn equal_halves_are_weak_where_that_matters() {
    let mut tfm = registry().skcipher("xts(toy16)").expect("xts(toy16)");
    tfm.set_key(&[1, 2, 3, 4, 1, 2, 3, 4]).expect("weak keys are allowed");
    tfm.forbid_weak_keys();
    for weak in [[1, 2, 3, 4, 1, 2, 3, 4], [0, 0, 0, 0, 1, 2, 3, 4], [1, 2, 3, 4, 0, 0, 0, 0]] {
        assert!(matches!(tfm.set_key(&weak), Err(Error::WeakKey { .. })), "{weak:?}");
    }
    tfm.set_key(&[1, 2, 3, 4, 1, 2, 3, 5]).expect("halves that differ");
    assert!(matches!(tfm.set_key(&[1; 9]), Err(Error::BadKeyLen { .. })));
}
