//! Sets of CPU features, and what each feature depends on.

use core::fmt;

use crate::arch::{Probe, TABLE};

/// One line of an architecture's table.
pub(crate) struct Feature {
    /// The name in Rust's `target_feature`, mostly that in `/proc/cpuinfo` too.
    pub(crate) name: &'static str,
    /// What it is useless without; lines above this one.
    pub(crate) needs: &'static [&'static str],
    /// Where its presence is found.
    pub(crate) probe: Probe,
}

/// A set of CPU features in which every feature has what it depends on.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Features(u32);

impl Features {
    /// No feature.
    pub const NONE: Features = Features(0);
    /// Every feature that this architecture's drivers know.
    pub const ALL: Features = Features(((1u64 << TABLE.len()) - 1) as u32);

    /// Whether the feature of this name is in the set.
    pub fn has(self, name: &str) -> bool {
        position(name).is_some_and(|i| self.0 >> i & 1 == 1)
    }

    /// The names in the set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        TABLE.iter().map(|f| f.name).filter(move |name| self.has(name))
    }

    /// Whether every feature of `other` is in the set.
    pub const fn contains(self, other: Features) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set without `removed`, and without what depends on it.
    pub const fn without(self, removed: Features) -> Features {
        Features(self.0 & !removed.0).closed()
    }

    /// Features by name, alone. An unknown name is a compile-time error in a constant.
    pub(crate) const fn of(names: &[&str]) -> Features {
        let mut bits = 0;
        let mut i = 0;
        while i < names.len() {
            bits |= 1 << position(names[i]).expect("a name in the table");
            i += 1;
        }
        Features(bits)
    }

    /// The features that `present` says are there, as far as what they need is there too.
    pub(crate) fn probed(present: impl Fn(&Probe) -> bool) -> Features {
        let bits = TABLE.iter().enumerate().map(|(i, f)| u32::from(present(&f.probe)) << i);
        Features(bits.sum()).closed()
    }

    pub(crate) const fn from_bits(bits: u32) -> Features {
        Features(bits & Features::ALL.0)
    }

    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    pub(crate) const fn union(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    /// One pass from top to bottom suffices, since what a feature needs stands above it.
    const fn closed(self) -> Features {
        let mut bits = self.0;
        let mut i = 0;
        while i < TABLE.len() {
            if bits & Features::of(TABLE[i].needs).0 != Features::of(TABLE[i].needs).0 {
                bits &= !(1 << i);
            }
            i += 1;
        }
        Features(bits)
    }
}

impl fmt::Debug for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// Line of a name in the table.
pub(crate) const fn position(name: &str) -> Option<usize> {
    let mut i = 0;
    while i < TABLE.len() {
        if equal(TABLE[i].name.as_bytes(), name.as_bytes()) {
            return Some(i);
        }
        i += 1;
    }
    None
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// The top bit of the words that hold a set is free for the process state.
const _: () = assert!(TABLE.len() < 32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_stand_above() {
        for (i, feature) in TABLE.iter().enumerate() {
            assert_eq!(position(feature.name), Some(i), "{} is there once", feature.name);
            assert!(feature.needs.iter().all(|need| position(need).unwrap() < i), "{}", feature.name);
        }
    }

    #[test]
    fn removing_takes_what_depends_on_it() {
        for feature in TABLE {
            let left = Features::ALL.without(Features::of(&[feature.name]));
            assert!(!left.has(feature.name));
            for other in TABLE.iter().filter(|f| f.needs.contains(&feature.name)) {
                assert!(!left.has(other.name), "{} without {}", other.name, feature.name);
            }
            assert_eq!(left.without(Features::NONE), left);
        }
        assert_eq!(Features::ALL.without(Features::ALL), Features::NONE);
        assert_eq!(Features::ALL.without(Features::NONE), Features::ALL);
    }

    #[test]
    fn unknown_names_are_in_no_set() {
        assert!(!Features::ALL.has("sse9") && !Features::ALL.has("") && !Features::ALL.has("ae"));
    }
}
