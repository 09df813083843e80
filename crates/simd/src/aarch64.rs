//! Features of 64-bit Arm CPUs, asked of the operating system.

use crate::Features;
use crate::feature::Feature;

/// Asks for one feature.
pub(crate) type Probe = fn() -> bool;

/// What the system reports, or, where there is none to ask, what the compiler may assume.
macro_rules! detected {
    ($name:tt) => {
        detected!($name, $name)
    };
    ($name:tt, $assumed:tt) => {{
        #[cfg(feature = "std")]
        let detected = std::arch::is_aarch64_feature_detected!($name);
        #[cfg(not(feature = "std"))]
        let detected = cfg!(target_feature = $assumed);
        detected
    }};
}

/// The features that drivers use. What Rust calls `aes` includes `pmull`.
pub(crate) static TABLE: &[Feature] = &[
    Feature { name: "neon", needs: &[], probe: || detected!("neon") },
    Feature { name: "pmull", needs: &["neon"], probe: || detected!("pmull", "aes") },
    Feature { name: "aes", needs: &["pmull"], probe: || detected!("aes") },
    Feature { name: "sha2", needs: &["neon"], probe: || detected!("sha2") },
];

pub(crate) fn detect() -> Features {
    Features::probed(|probe| probe())
}
