//! The one default registry of the process.

use std::sync::{Arc, OnceLock};

use kcrypto_core::Registry;
use kcrypto_selftest::Mode;

// A crate that nobody names is not linked, and its drivers are then absent without a word.
#[cfg(target_arch = "aarch64")]
use kcrypto_arm as _;
use kcrypto_generic as _;
use kcrypto_templates as _;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use kcrypto_x86 as _;

/// The default registry: everything that was registered at link time, each driver tested before its first
/// use.
///
/// It is made on first use. Mask CPU features before, with [`cpu::mask`](crate::cpu::mask) or the
/// environment variable `KCRYPTO_CPU`.
///
/// # Panics
/// If two linked crates register drivers or templates of the same name: the program was put together wrongly.
pub fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        let registry =
            Registry::linked().expect("linked crates register drivers and templates of different names");
        registry.set_self_test(Arc::new(Mode::default()));
        #[cfg(feature = "tracing")]
        crate::trace::forward_for_good(&registry);
        registry
    })
}
