//! The default set from explicit lists.

use std::sync::Arc;

use kcrypto_core::{Alg, Registry};
use kcrypto_selftest::Mode;

/// A registry of the default set, for those who cannot or will not use link-time registration.
pub trait Defaults: Sized {
    /// A new registry of all drivers and templates of kcrypto, each tested before its first use.
    ///
    /// It is made of explicit lists: static libraries, whose linker drops what nobody names, get the whole
    /// set, and what other crates register at link time is not in it.
    fn with_defaults() -> Self;
}

impl Defaults for Registry {
    fn with_defaults() -> Self {
        let registry = Registry::with(algs(), kcrypto_templates::ALL.iter().copied())
            .expect("the drivers of kcrypto have names of their own");
        registry.set_self_test(Arc::new(Mode::default()));
        registry
    }
}

/// Every driver of kcrypto for this architecture.
fn algs() -> impl Iterator<Item = Alg> {
    let algs = kcrypto_generic::ALGS.iter();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let algs = algs.chain(kcrypto_x86::ALGS);
    #[cfg(target_arch = "aarch64")]
    let algs = algs.chain(kcrypto_arm::ALGS);
    algs.cloned()
}
