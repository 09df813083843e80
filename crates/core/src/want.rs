//! What is asked for besides a name: kind and flags (`names-and-lookup.md` section 3 of the kernel reference).

use core::fmt;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Names the kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum KindTag {
    /// Single-block cipher.
    Cipher,
    /// Symmetric-key cipher with a mode.
    Skcipher,
    /// Synchronous hash or MAC.
    Shash,
    /// Authenticated encryption with associated data.
    Aead,
}

impl KindTag {
    /// Every kind.
    pub const ALL: &'static [KindTag] = &[KindTag::Cipher, KindTag::Skcipher, KindTag::Shash, KindTag::Aead];

    /// The kernel's word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            KindTag::Cipher => "cipher",
            KindTag::Skcipher => "skcipher",
            KindTag::Shash => "shash",
            KindTag::Aead => "aead",
        }
    }
}

impl fmt::Display for KindTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Behaviour bits of an algorithm, with the kernel's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(u32);

impl Flags {
    /// No bit.
    pub const NONE: Flags = Flags(0);
    /// May complete later.
    pub const ASYNC: Flags = Flags(0x80);
    /// Needs another implementation for corner cases.
    pub const NEED_FALLBACK: Flags = Flags(0x100);
    /// Made by a template.
    pub const INSTANCE: Flags = Flags(0x800);
    /// Hardware that user code cannot reach by other means.
    pub const KERN_DRIVER_ONLY: Flags = Flags(0x1000);
    /// Only for other drivers; hidden from a caller who does not mention it.
    pub const INTERNAL: Flags = Flags(0x2000);
    /// Takes a key but works without.
    pub const OPTIONAL_KEY: Flags = Flags(0x4000);
    /// May allocate memory during requests.
    pub const ALLOCATES_MEMORY: Flags = Flags(0x10000);
    /// What an instance inherits from each child.
    pub const INHERITED: Flags = Flags(0x80 | 0x100 | 0x10000);

    /// The kernel's number.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether every bit of `other` is set.
    pub const fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether no bit is set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Both sets, usable in constants.
    pub const fn union(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl BitOr for Flags {
    type Output = Flags;
    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl BitAnd for Flags {
    type Output = Flags;
    fn bitand(self, other: Flags) -> Flags {
        Flags(self.0 & other.0)
    }
}

impl BitXor for Flags {
    type Output = Flags;
    fn bitxor(self, other: Flags) -> Flags {
        Flags(self.0 ^ other.0)
    }
}

impl Not for Flags {
    type Output = Flags;
    fn not(self) -> Flags {
        Flags(!self.0)
    }
}

/// What is asked for besides a name: kind, and flags that must be set or clear.
///
/// A driver matches when `(flags ^ self.flags) & self.mask` is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Want {
    /// The kind.
    pub kind: KindTag,
    /// Values of the flags under the mask.
    pub flags: Flags,
    /// The flags that matter.
    pub mask: Flags,
}

impl Want {
    /// A synchronous, non-internal algorithm of this kind: what plain lookups ask for.
    pub const fn new(kind: KindTag) -> Self {
        Want { kind, flags: Flags::NONE, mask: Flags::ASYNC.union(Flags::INTERNAL) }
    }

    /// Requires these flags to be clear.
    pub const fn without(mut self, flags: Flags) -> Self {
        self.flags = Flags(self.flags.0 & !flags.0);
        self.mask = self.mask.union(flags);
        self
    }

    /// Requires these flags to be set.
    pub const fn with(mut self, flags: Flags) -> Self {
        self.flags = self.flags.union(flags);
        self.mask = self.mask.union(flags);
        self
    }

    /// Accepts these flags set or clear.
    pub const fn either(mut self, flags: Flags) -> Self {
        self.flags = Flags(self.flags.0 & !flags.0);
        self.mask = Flags(self.mask.0 & !flags.0);
        self
    }

    /// What a template that is asked for `self` asks its children for: inherited demands, nothing else.
    pub(crate) fn for_child(self, kind: KindTag) -> Self {
        Want::new(kind).either(Flags::ASYNC).without(self.mask & !self.flags & Flags::INHERITED)
    }

    /// Whether an algorithm with these flags will do.
    pub fn accepts(&self, flags: Flags) -> bool {
        ((flags ^ self.flags) & self.mask).is_empty()
    }
}
