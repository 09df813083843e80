//! Wrong drivers: a right one, and what is wrong with it.

mod driver;
mod fault;

use kcrypto_core::{AeadAlg, Alg, Kind, KindTag, Make, Registry, ShashAlg, SkcipherAlg, Want};

use driver::WrappedCipher;
pub(crate) use driver::{Wrapped, WrappedAead, WrappedHash, wrapped_aead};
pub(crate) use fault::{AeadFault, CipherFault, Fault, HashFault, Right};

/// A wrong driver.
pub(crate) struct Specimen {
    /// The name that it answers.
    pub(crate) over: &'static str,
    pub(crate) fault: &'static str,
    /// What the report must say.
    pub(crate) says: &'static str,
    make: Faulty,
    declare: fn(&mut Kind),
}

enum Faulty {
    Cipher(fn() -> Box<dyn CipherFault>),
    Skcipher(fn() -> Box<dyn Fault>),
    Shash(fn() -> Box<dyn HashFault>),
    Aead(fn() -> Box<dyn AeadFault>),
}

impl Specimen {
    pub(crate) fn cipher(
        over: &'static str,
        fault: &'static str,
        says: &'static str,
        make: fn() -> Box<dyn CipherFault>,
    ) -> Self {
        Specimen::new(over, fault, says, Faulty::Cipher(make))
    }

    pub(crate) fn skcipher(
        over: &'static str,
        fault: &'static str,
        says: &'static str,
        make: fn() -> Box<dyn Fault>,
    ) -> Self {
        Specimen::new(over, fault, says, Faulty::Skcipher(make))
    }

    pub(crate) fn shash(
        over: &'static str,
        fault: &'static str,
        says: &'static str,
        make: fn() -> Box<dyn HashFault>,
    ) -> Self {
        Specimen::new(over, fault, says, Faulty::Shash(make))
    }

    pub(crate) fn aead(
        over: &'static str,
        fault: &'static str,
        says: &'static str,
        make: fn() -> Box<dyn AeadFault>,
    ) -> Self {
        Specimen::new(over, fault, says, Faulty::Aead(make))
    }

    /// One without fault, of whatever kind answers the name.
    pub(crate) fn right(registry: &Registry, over: &'static str) -> Self {
        let is = |&&kind: &&KindTag| registry.resolve(over, Want::new(kind)).is_ok();
        let make = match KindTag::ALL.iter().find(is) {
            Some(KindTag::Cipher) => Faulty::Cipher(|| Box::new(Right)),
            Some(KindTag::Skcipher) => Faulty::Skcipher(|| Box::new(Right)),
            Some(KindTag::Shash) => Faulty::Shash(|| Box::new(Right)),
            Some(KindTag::Aead) => Faulty::Aead(|| Box::new(Right)),
            _ => panic!("nothing answers {over}"),
        };
        Specimen::new(over, "none", "", make)
    }

    fn new(over: &'static str, fault: &'static str, says: &'static str, make: Faulty) -> Self {
        Specimen { over, fault, says, make, declare: |_| {} }
    }

    /// Declares other limits than the driver it wraps.
    pub(crate) fn declaring(self, declare: fn(&mut Kind)) -> Self {
        Specimen { declare, ..self }
    }

    /// Its description, as its author would register it.
    pub(crate) fn alg(&self, registry: &Registry) -> Alg {
        let kind = match self.make {
            Faulty::Cipher(_) => KindTag::Cipher,
            Faulty::Skcipher(_) => KindTag::Skcipher,
            Faulty::Shash(_) => KindTag::Shash,
            Faulty::Aead(_) => KindTag::Aead,
        };
        let right = registry.resolve(self.over, Want::new(kind)).unwrap().alg;
        let mut kind = match (right.kind.clone(), &self.make) {
            (Kind::Cipher(mut limits), &Faulty::Cipher(fault)) => {
                let inner = limits.make;
                limits.make =
                    Make::cipher(move || Ok(WrappedCipher { inner: inner.call()?, fault: fault() }));
                Kind::Cipher(limits)
            }
            (Kind::Skcipher(mut limits), &Faulty::Skcipher(fault)) => {
                let inner = limits.make;
                limits.make = Make::skcipher(move || Ok(Wrapped { inner: inner.call()?, fault: fault() }));
                Kind::Skcipher(limits)
            }
            (Kind::Shash(mut limits), &Faulty::Shash(fault)) => {
                let inner = limits.make;
                limits.make = Make::shash(move || Ok(WrappedHash { inner: inner.call()?, fault: fault() }));
                Kind::Shash(limits)
            }
            (Kind::Aead(mut limits), &Faulty::Aead(fault)) => {
                let inner = limits.make;
                limits.make = Make::aead(move || Ok(WrappedAead { inner: inner.call()?, fault: fault() }));
                Kind::Aead(limits)
            }
            _ => unreachable!("the kind was asked for"),
        };
        (self.declare)(&mut kind);
        Alg::new(self.over.into(), "wrong".into(), kind).with_priority(1000).with_flags(right.flags)
    }
}

/// The limits that a symmetric-key cipher declares.
pub(crate) fn skcipher(kind: &mut Kind) -> &mut SkcipherAlg {
    let Kind::Skcipher(limits) = kind else { unreachable!("not a symmetric-key cipher") };
    limits
}

/// The limits that a hash declares.
pub(crate) fn shash(kind: &mut Kind) -> &mut ShashAlg {
    let Kind::Shash(limits) = kind else { unreachable!("not a hash") };
    limits
}

/// The limits that an AEAD declares.
pub(crate) fn aead(kind: &mut Kind) -> &mut AeadAlg {
    let Kind::Aead(limits) = kind else { unreachable!("not an AEAD") };
    limits
}
