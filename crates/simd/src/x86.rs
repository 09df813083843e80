//! Features and proof tokens of x86 CPUs, 32 and 64 bits wide.

#[cfg(target_arch = "x86")]
use core::arch::x86::{__cpuid, _xgetbv, CpuidResult};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid, _xgetbv, CpuidResult};

use crate::Features;
use crate::feature::Feature;
use crate::token::token;

token! {
    /// AES on 128-bit vectors, with byte shuffles and lane access.
    AesNi: "aes" "sse2" "ssse3" "sse4.1"
}

token! {
    /// SHA-1 and SHA-256 on 128-bit vectors, with byte shuffles and lane access.
    ShaNi: "sha" "sse2" "ssse3" "sse4.1"
}

token! {
    /// Integers on 256-bit vectors.
    Avx2: "avx2"
}

token! {
    /// Carry-less multiplication on 128-bit vectors, with byte shuffles.
    Clmul: "pclmulqdq" "sse2" "ssse3"
}

token! {
    /// AES and carry-less multiplication on 128-bit vectors, with byte shuffles and lane access.
    AesClmul: "aes" "pclmulqdq" "sse2" "ssse3" "sse4.1"
}

impl From<AesClmul> for AesNi {
    fn from(_: AesClmul) -> Self {
        AesNi(())
    }
}

impl From<AesClmul> for Clmul {
    fn from(_: AesClmul) -> Self {
        Clmul(())
    }
}

/// What CPUID and XGETBV report, as far as the features here depend on it.
///
/// Words of leaves that the CPU does not have are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuidWords {
    /// ECX of leaf 1.
    pub leaf1_ecx: u32,
    /// EDX of leaf 1.
    pub leaf1_edx: u32,
    /// EBX of leaf 7, subleaf 0.
    pub leaf7_ebx: u32,
    /// ECX of leaf 7, subleaf 0.
    pub leaf7_ecx: u32,
    /// The register states that the operating system saves; not looked at unless leaf 1 reports OSXSAVE.
    pub xcr0: u64,
}

/// ECX of leaf 1: the operating system has enabled XGETBV.
const OSXSAVE: u32 = 1 << 27;
/// XCR0: XMM registers and the upper halves of YMM registers.
const AVX_STATE: u64 = 0b110;
/// XCR0: mask registers, upper halves of ZMM registers, and ZMM16 to ZMM31, besides the above.
const AVX512_STATE: u64 = 0b1110_0110;

impl Features {
    /// The features of a CPU and operating system that report these words.
    pub fn from_cpuid(words: &CpuidWords) -> Features {
        let xcr0 = if words.leaf1_ecx & OSXSAVE != 0 { words.xcr0 } else { 0 };
        let features = Features::probed(|&(word, bit)| {
            let word = match word {
                Leaf1Ecx => words.leaf1_ecx,
                Leaf1Edx => words.leaf1_edx,
                Leaf7Ebx => words.leaf7_ebx,
                Leaf7Ecx => words.leaf7_ecx,
            };
            word >> bit & 1 == 1
        });
        if xcr0 & AVX_STATE != AVX_STATE {
            features.without(const { Features::of(&["avx"]) })
        } else if xcr0 & AVX512_STATE != AVX512_STATE {
            features.without(const { Features::of(&["avx512f"]) })
        } else {
            features
        }
    }
}

/// Word and bit of CPUID.
pub(crate) type Probe = (Word, u8);

#[derive(Clone, Copy)]
pub(crate) enum Word {
    Leaf1Ecx,
    Leaf1Edx,
    Leaf7Ebx,
    Leaf7Ecx,
}
use Word::{Leaf1Ecx, Leaf1Edx, Leaf7Ebx, Leaf7Ecx};

/// The features that drivers use, with what rustc lets code assume besides (Intel SDM volume 2, CPUID).
pub(crate) static TABLE: &[Feature] = &[
    Feature { name: "sse2", needs: &[], probe: (Leaf1Edx, 26) },
    Feature { name: "sse3", needs: &["sse2"], probe: (Leaf1Ecx, 0) },
    Feature { name: "ssse3", needs: &["sse3"], probe: (Leaf1Ecx, 9) },
    Feature { name: "sse4.1", needs: &["ssse3"], probe: (Leaf1Ecx, 19) },
    Feature { name: "sse4.2", needs: &["sse4.1"], probe: (Leaf1Ecx, 20) },
    Feature { name: "pclmulqdq", needs: &["sse2"], probe: (Leaf1Ecx, 1) },
    Feature { name: "aes", needs: &["sse2"], probe: (Leaf1Ecx, 25) },
    Feature { name: "sha", needs: &["sse2"], probe: (Leaf7Ebx, 29) },
    Feature { name: "gfni", needs: &["sse2"], probe: (Leaf7Ecx, 8) },
    Feature { name: "bmi2", needs: &[], probe: (Leaf7Ebx, 8) },
    Feature { name: "avx", needs: &["sse4.2"], probe: (Leaf1Ecx, 28) },
    Feature { name: "f16c", needs: &["avx"], probe: (Leaf1Ecx, 29) },
    Feature { name: "fma", needs: &["avx"], probe: (Leaf1Ecx, 12) },
    Feature { name: "avx2", needs: &["avx"], probe: (Leaf7Ebx, 5) },
    Feature { name: "vaes", needs: &["avx2", "aes"], probe: (Leaf7Ecx, 9) },
    Feature { name: "vpclmulqdq", needs: &["avx", "pclmulqdq"], probe: (Leaf7Ecx, 10) },
    Feature { name: "avx512f", needs: &["avx2", "fma", "f16c"], probe: (Leaf7Ebx, 16) },
    Feature { name: "avx512dq", needs: &["avx512f"], probe: (Leaf7Ebx, 17) },
    Feature { name: "avx512bw", needs: &["avx512f"], probe: (Leaf7Ebx, 30) },
    Feature { name: "avx512vl", needs: &["avx512f"], probe: (Leaf7Ebx, 31) },
];

/// What keeps drivers from running, whatever the CPU has.
pub(crate) const OBSTACLE: Option<&str> = None;

pub(crate) fn detect() -> Features {
    Features::from_cpuid(&read())
}

/// Reads the words of this CPU.
fn read() -> CpuidWords {
    let leaf1 = cpuid(1);
    let leaf7 = if cpuid(0).eax >= 7 { Some(cpuid(7)) } else { None };
    CpuidWords {
        leaf1_ecx: leaf1.ecx,
        leaf1_edx: leaf1.edx,
        leaf7_ebx: leaf7.map_or(0, |words| words.ebx),
        leaf7_ecx: leaf7.map_or(0, |words| words.ecx),
        // SAFETY: OSXSAVE says that the system has enabled XGETBV; XCR0 exists wherever that is so.
        xcr0: if leaf1.ecx & OSXSAVE != 0 { unsafe { _xgetbv(0) } } else { 0 },
    }
}

/// One leaf, subleaf 0.
#[allow(unused_unsafe, reason = "the instruction's function is safe in newer compilers")]
fn cpuid(leaf: u32) -> CpuidResult {
    // SAFETY: every x86 CPU that Rust has a target for has CPUID.
    unsafe { __cpuid(leaf) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every bit set, as of a CPU with all features under a system that saves all registers.
    const EVERYTHING: CpuidWords = CpuidWords {
        leaf1_ecx: u32::MAX,
        leaf1_edx: u32::MAX,
        leaf7_ebx: u32::MAX,
        leaf7_ecx: u32::MAX,
        xcr0: u64::MAX,
    };
    const LEGACY: [&str; 10] =
        ["sse2", "sse3", "ssse3", "sse4.1", "sse4.2", "pclmulqdq", "aes", "sha", "gfni", "bmi2"];
    const AVX: [&str; 6] = ["avx", "f16c", "fma", "avx2", "vaes", "vpclmulqdq"];

    fn legacy() -> Features {
        Features::of(&LEGACY)
    }

    #[test]
    fn all_or_nothing() {
        assert_eq!(Features::from_cpuid(&EVERYTHING), Features::ALL);
        assert_eq!(Features::from_cpuid(&CpuidWords::default()), Features::NONE);
        let avx512_only = CpuidWords { xcr0: AVX512_STATE, ..EVERYTHING };
        assert_eq!(Features::from_cpuid(&avx512_only), Features::ALL);
    }

    #[test]
    fn system_without_avx_state() {
        for xcr0 in [0, 0b001, 0b011, 0b101, AVX512_STATE & !0b100] {
            assert_eq!(Features::from_cpuid(&CpuidWords { xcr0, ..EVERYTHING }), legacy(), "{xcr0:#b}");
        }
    }

    #[test]
    fn system_with_part_of_the_avx512_state() {
        let avx = legacy().union(Features::of(&AVX));
        for missing in [0, 1 << 5, 1 << 6, 1 << 7, 0b11 << 6, 0b111 << 5] {
            let words = CpuidWords { xcr0: AVX512_STATE & !missing, ..EVERYTHING };
            let expected = if missing == 0 { Features::ALL } else { avx };
            assert_eq!(Features::from_cpuid(&words), expected, "without {missing:#b}");
        }
    }

    #[test]
    fn hypervisor_that_hides_osxsave() {
        let words = CpuidWords { leaf1_ecx: !OSXSAVE, ..EVERYTHING };
        assert_eq!(Features::from_cpuid(&words), legacy());
    }

    #[test]
    fn hypervisor_that_hides_a_feature_hides_what_needs_it() {
        let without = |bit: u32| Features::from_cpuid(&CpuidWords { leaf1_ecx: !(1 << bit), ..EVERYTHING });
        assert_eq!(without(25), Features::ALL.without(Features::of(&["aes"])));
        assert!(!without(25).has("vaes") && without(25).has("avx512f"));
        assert!(!without(1).has("vpclmulqdq") && without(1).has("vaes"));
        assert!(!without(12).has("avx512vl") && without(12).has("avx2"));
        assert!(!without(19).has("avx") && without(19).has("ssse3"));
        let no_sse2 = CpuidWords { leaf1_edx: 0, ..EVERYTHING };
        assert_eq!(Features::from_cpuid(&no_sse2), Features::of(&["bmi2"]));
    }

    #[test]
    fn haswell_as_cpuid_reports_it() {
        let words = CpuidWords {
            leaf1_ecx: 0x7ffa_fbbf,
            leaf1_edx: 0xbfeb_fbff,
            leaf7_ebx: 0x0000_27ab,
            leaf7_ecx: 0,
            xcr0: 7,
        };
        let expected = "sse2 sse3 ssse3 sse4.1 sse4.2 pclmulqdq aes bmi2 avx f16c fma avx2";
        assert!(Features::from_cpuid(&words).names().eq(expected.split(' ')));
    }

    #[test]
    #[cfg(feature = "std")]
    fn the_standard_library_agrees() {
        macro_rules! agree {
            ($($name:tt)+) => {$(
                assert_eq!(detect().has($name), std::is_x86_feature_detected!($name), $name);
            )+};
        }
        agree!("sse2" "sse3" "ssse3" "sse4.1" "sse4.2" "pclmulqdq" "aes" "sha" "gfni" "bmi2" "avx" "f16c");
        agree!("fma" "avx2" "vaes" "vpclmulqdq" "avx512f" "avx512dq" "avx512bw" "avx512vl");
    }
}
