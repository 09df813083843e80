//! What this process may use: detected once, minus both masks.

use alloc::borrow::Cow;
use alloc::format;
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::arch::{self, TABLE};
use crate::feature::position;
use crate::mask::parse;
use crate::{Features, MaskError};

/// Marks [`USABLE`] as computed.
const READY: u32 = 1 << 31;
/// Detected minus masked. All its bits are facts of their own, so relaxed accesses suffice.
static USABLE: AtomicU32 = AtomicU32::new(0);
/// What [`mask`] has removed.
static REMOVED: AtomicU32 = AtomicU32::new(0);

/// Removes features from this process: `none`, or a list such as `-vaes,-avx512f`.
///
/// Masks add up; nothing brings a feature back. A token made before stays valid, so mask first.
///
/// # Errors
/// [`MaskError`]; then nothing is removed.
pub fn mask(mask: &str) -> Result<(), MaskError> {
    let removed = parse(mask)?;
    usable();
    REMOVED.fetch_or(removed.bits(), Relaxed);
    USABLE.fetch_and(READY | Features::ALL.without(removed).bits(), Relaxed);
    Ok(())
}

/// Whether this process can run code that executes these features.
///
/// # Errors
/// The first missing feature and why it is missing, for people: not in the CPU, or masked.
pub fn require(features: &[&str]) -> Result<(), Cow<'static, str>> {
    let usable = usable();
    features
        .iter()
        .filter(|name| !usable.has(name))
        .map(|name| Err(why_missing(name)))
        .next()
        .unwrap_or(Ok(()))
}

/// Every feature that this architecture's drivers know, and its state.
pub fn features() -> impl Iterator<Item = Status> {
    let detected = arch::detect();
    TABLE.iter().map(move |f| Status { name: f.name, detected: detected.has(f.name), masked: masked(f.name) })
}

/// State of one feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Status {
    /// Its name.
    pub name: &'static str,
    /// Whether the CPU has it and the operating system enables it.
    pub detected: bool,
    /// What masks it, itself or a feature that it depends on.
    pub masked: Option<Masked>,
}

/// What masks a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Masked {
    /// The environment variable `KCRYPTO_CPU`.
    Environment,
    /// [`mask`], or the option `--cpu` of the command line.
    Call,
}

impl fmt::Display for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Masked::Environment => "KCRYPTO_CPU",
            Masked::Call => "--cpu or mask()",
        })
    }
}

/// Detected minus masked: a load, after the first time.
#[inline]
pub(crate) fn usable() -> Features {
    match USABLE.load(Relaxed) {
        0 => start(),
        bits => Features::from_bits(bits),
    }
}

#[cold]
fn start() -> Features {
    let bits = READY | arch::detect().without(environment()).bits();
    // Whoever is first wins: a later mask must not be undone.
    let bits = USABLE.compare_exchange(0, bits, Relaxed, Relaxed).map_or_else(|now| now, |_| bits);
    Features::from_bits(bits)
}

/// What the environment removes.
fn environment() -> Features {
    #[cfg(feature = "std")]
    return crate::environment::removed();
    #[cfg(not(feature = "std"))]
    Features::NONE
}

fn masked(name: &str) -> Option<Masked> {
    let call = Features::from_bits(REMOVED.load(Relaxed));
    if !Features::ALL.without(environment()).has(name) {
        Some(Masked::Environment)
    } else if !Features::ALL.without(call).has(name) {
        Some(Masked::Call)
    } else {
        None
    }
}

#[cold]
fn why_missing(name: &str) -> Cow<'static, str> {
    if let Some(obstacle) = arch::OBSTACLE {
        return obstacle.into();
    }
    let direct = environment().union(Features::from_bits(REMOVED.load(Relaxed)));
    match masked(name) {
        Some(by) if arch::detect().has(name) && direct.has(name) => {
            format!("{name} is masked by {by}").into()
        }
        Some(by) if arch::detect().has(name) => {
            let needs = position(name).map_or(&[][..], |i| TABLE[i].needs);
            let need = needs.iter().find(|need| masked(need) == Some(by)).unwrap_or(&name);
            format!("{name} needs {need}, which is masked by {by}").into()
        }
        _ => format!("this CPU lacks {name}").into(),
    }
}
