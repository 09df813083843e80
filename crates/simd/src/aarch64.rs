//! Features and proof tokens of 64-bit Arm CPUs.

use crate::Features;
use crate::feature::Feature;
use crate::token::token;

token! {
    /// Integers on 128-bit vectors, with table lookups.
    Neon: "neon"
}

token! {
    /// AES, and carry-less products of 64 bits, on 128-bit vectors.
    ///
    /// The compiler knows both as one feature, and so do the drivers here.
    AesCe: "neon" "pmull" "aes"
}

token! {
    /// SHA-1 and SHA-256 on 128-bit vectors.
    ShaCe: "neon" "sha2"
}

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

/// The features that drivers use. What Rust calls `aes` includes `pmull`, and `sha2` includes SHA-1.
pub(crate) static TABLE: &[Feature] = &[
    Feature { name: "neon", needs: &[], probe: || detected!("neon") },
    Feature { name: "pmull", needs: &["neon"], probe: || detected!("pmull", "aes") },
    Feature { name: "aes", needs: &["pmull"], probe: || detected!("aes") },
    Feature { name: "sha2", needs: &["neon"], probe: || detected!("sha2") },
];

/// What keeps drivers from running, whatever the CPU has.
pub(crate) const OBSTACLE: Option<&str> = obstacle(cfg!(target_endian = "little"));

/// The drivers count lanes of a vector from its first byte on.
const fn obstacle(little_endian: bool) -> Option<&'static str> {
    if little_endian { None } else { Some("the drivers for Arm need a little-endian CPU") }
}

pub(crate) fn detect() -> Features {
    match OBSTACLE {
        None => Features::probed(|probe| probe()),
        Some(_) => Features::NONE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_little_endian_cpus_will_do() {
        assert_eq!(obstacle(true), None);
        assert!(obstacle(false).is_some_and(|why| why.contains("little-endian")));
    }

    #[test]
    fn tokens_follow_detection() {
        if OBSTACLE.is_some() {
            assert!(Neon::new().is_none() && Neon::require().unwrap_err().contains("little-endian"));
            return;
        }
        let usable = crate::process::usable();
        assert_eq!(Neon::new().is_some(), usable.has("neon"));
        assert_eq!(AesCe::new().is_some(), usable.has("aes"));
        assert_eq!(ShaCe::new().is_some(), usable.has("sha2"));
    }
}
