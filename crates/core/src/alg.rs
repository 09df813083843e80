//! What an algorithm is: its two names, priority, limits, flags and constructor.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use crate::cipher::CipherDriver;
use crate::skcipher::SkcipherDriver;
use crate::{Error, Result};

/// Longest generic or driver name, in bytes.
pub const MAX_NAME: usize = 127;
/// Most per-request state of a synchronous transform, in bytes.
pub const MAX_STATE: usize = 512;
/// Largest IV, chunk or walk size, in bytes.
pub const MAX_UNIT: usize = 512;

/// An immutable description of one implementation of one algorithm.
///
/// Drivers make theirs as statics with [`Alg::cipher`] or [`Alg::skcipher`]; templates make them at run
/// time. A registry wraps each in an entry of its own, with test state and age.
#[derive(Clone)]
pub struct Alg {
    /// What the algorithm *is*, such as `cbc(aes)`; shared by all its drivers.
    pub name: Cow<'static, str>,
    /// Which implementation it is, such as `cbc-aes-aesni`; unique in a registry.
    pub driver_name: Cow<'static, str>,
    /// Where it comes from, the `module` line of `/proc/crypto`.
    pub module: &'static str,
    /// The higher one wins.
    pub priority: u32,
    /// Behaviour that callers may ask for or exclude.
    pub flags: Flags,
    /// Kind with its limits and constructor.
    pub kind: Kind,
    /// Names of the CPU features that the driver executes, such as `["aes", "sse4.1"]`.
    pub cpu: &'static [&'static str],
    /// Says why this process cannot run the driver; `None` if it can always run.
    pub available: Option<CpuCheck>,
    /// Properties that a policy can require.
    pub properties: Properties,
    /// Whether it stands alone or was made by a template.
    pub origin: Origin,
}

/// Says why this process cannot run a driver, or that it can.
pub type CpuCheck = fn() -> core::result::Result<(), Cow<'static, str>>;

/// Where an algorithm comes from.
#[derive(Clone)]
pub enum Origin {
    /// A driver, registered at link time or at run time.
    Driver,
    /// An instance of a template over children.
    Instance {
        /// The template's name.
        template: Cow<'static, str>,
        /// What it spawned, in the order of its constructor.
        children: Vec<Arc<Alg>>,
    },
}

impl Alg {
    /// Description of a single-block cipher.
    pub const fn cipher(name: &'static str, driver_name: &'static str, alg: CipherAlg) -> Self {
        Self::new(Cow::Borrowed(name), Cow::Borrowed(driver_name), Kind::Cipher(alg))
    }

    /// Description of a symmetric-key cipher with a mode.
    pub const fn skcipher(name: &'static str, driver_name: &'static str, alg: SkcipherAlg) -> Self {
        Self::new(Cow::Borrowed(name), Cow::Borrowed(driver_name), Kind::Skcipher(alg))
    }

    /// Description with names made at run time; priority 0, module `kcrypto`, constant time.
    pub const fn new(name: Cow<'static, str>, driver_name: Cow<'static, str>, kind: Kind) -> Self {
        Alg {
            name,
            driver_name,
            module: "kcrypto",
            priority: 0,
            flags: Flags::NONE,
            kind,
            cpu: &[],
            available: None,
            properties: Properties { constant_time: true },
            origin: Origin::Driver,
        }
    }

    /// Sets the priority: 100 portable reference, 200 to 300 vector code, 400 and more fused modes.
    pub const fn with_priority(mut self, priority: u32) -> Self {
        self.priority = priority;
        self
    }

    /// Sets the flags.
    pub const fn with_flags(mut self, flags: Flags) -> Self {
        self.flags = flags;
        self
    }

    /// Sets the CPU features that it executes and the check for them.
    pub const fn with_cpu(mut self, features: &'static [&'static str], available: CpuCheck) -> Self {
        self.cpu = features;
        self.available = Some(available);
        self
    }

    /// Sets the properties.
    pub const fn with_properties(mut self, properties: Properties) -> Self {
        self.properties = properties;
        self
    }

    /// What a template spawned for it; empty for a driver.
    pub fn children(&self) -> &[Arc<Alg>] {
        match &self.origin {
            Origin::Driver => &[],
            Origin::Instance { children, .. } => children,
        }
    }

    /// Sets where it comes from, the `module` line of `/proc/crypto`.
    pub const fn with_module(mut self, module: &'static str) -> Self {
        self.module = module;
        self
    }

    /// Checks the rules for registration (`names-and-lookup.md` section 1 of the kernel reference).
    pub(crate) fn validate(&self) -> Result<()> {
        let bad = |why| Err(Error::BadAlg { driver: self.driver_name.as_ref().into(), why });
        for name in [&self.name, &self.driver_name] {
            if name.len() > MAX_NAME {
                return Err(Error::NameTooLong { len: name.len() });
            }
            if name.is_empty() {
                return bad("its names must not be empty");
            }
            if name.bytes().any(|b| !b.is_ascii_graphic()) {
                return bad("its names must be printable ASCII without spaces");
            }
        }
        match &self.kind {
            Kind::Cipher(c) if c.block_size == 0 || c.block_size > 16 => {
                bad("a cipher's block size must be 1 to 16 bytes")
            }
            Kind::Cipher(_) => Ok(()),
            Kind::Skcipher(s) if s.block_size == 0 || s.block_size > 160 => {
                bad("the block size must be 1 to 160 bytes")
            }
            Kind::Skcipher(s)
                if s.iv_size > MAX_UNIT || s.chunk_size > MAX_UNIT || s.walk_size > MAX_UNIT =>
            {
                bad("IV, chunk and walk size must be at most 512 bytes")
            }
            Kind::Skcipher(s) if s.tail > MAX_UNIT => bad("the tail must be at most 512 bytes"),
            Kind::Skcipher(s) if !s.length.multiple.is_power_of_two() || !s.chunk_size.is_power_of_two() => {
                bad("chunk size and length multiple must be powers of two")
            }
            Kind::Skcipher(s) if s.keys.step == 0 || s.keys.max < s.keys.min => {
                bad("it accepts no key length")
            }
            Kind::Skcipher(_) => Ok(()),
        }
    }
}

impl fmt::Debug for Alg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Alg")
            .field("name", &self.name)
            .field("driver_name", &self.driver_name)
            .field("priority", &self.priority)
            .field("kind", &self.kind.tag())
            .finish_non_exhaustive()
    }
}

/// Kind of an algorithm with what belongs to it.
#[derive(Clone)]
#[non_exhaustive]
pub enum Kind {
    /// Single-block cipher, the raw material of templates.
    Cipher(CipherAlg),
    /// Symmetric-key cipher with a mode, IV and message length rule.
    Skcipher(SkcipherAlg),
}

impl Kind {
    /// The kind without its limits.
    pub const fn tag(&self) -> KindTag {
        match self {
            Kind::Cipher(_) => KindTag::Cipher,
            Kind::Skcipher(_) => KindTag::Skcipher,
        }
    }
}

/// Names the kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum KindTag {
    /// Single-block cipher.
    Cipher,
    /// Symmetric-key cipher with a mode.
    Skcipher,
}

impl KindTag {
    /// Every kind.
    pub const ALL: &'static [KindTag] = &[KindTag::Cipher, KindTag::Skcipher];

    /// The kernel's word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            KindTag::Cipher => "cipher",
            KindTag::Skcipher => "skcipher",
        }
    }
}

impl fmt::Display for KindTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Limits and constructor of a single-block cipher.
#[derive(Debug, Clone)]
pub struct CipherAlg {
    /// Block size in bytes, 1 to 16.
    pub block_size: usize,
    /// Key lengths.
    pub keys: KeySizes,
    /// Makes a transform without key.
    pub make: Make<dyn CipherDriver>,
}

/// Limits and constructor of a symmetric-key cipher.
#[derive(Debug, Clone)]
pub struct SkcipherAlg {
    /// Block size in bytes; 1 for stream modes.
    pub block_size: usize,
    /// IV length in bytes; 0 if the mode takes none.
    pub iv_size: usize,
    /// A message may be cut, and continued with the returned state, at multiples of this many bytes.
    pub chunk_size: usize,
    /// Bytes that the driver processes best at a time; a multiple of `chunk_size`.
    pub walk_size: usize,
    /// The last run of a cut message has at least this many bytes, or is the whole message.
    pub tail: usize,
    /// Message lengths.
    pub length: Length,
    /// Key lengths.
    pub keys: KeySizes,
    /// Bytes of [`State`](crate::State) that a cut message uses; over 512 no synchronous handle is made.
    pub state_size: usize,
    /// Makes a transform without key.
    pub make: Make<dyn SkcipherDriver>,
}

/// Constructor of a transform without key.
pub enum Make<T: ?Sized> {
    /// Of a driver.
    Static(fn() -> Box<T>),
    /// Of a template's instance: makes the children as well.
    Instance(Arc<dyn Fn() -> Result<Box<T>> + Send + Sync>),
}

impl<T: ?Sized> Make<T> {
    /// Constructor of an instance.
    pub fn instance(make: impl Fn() -> Result<Box<T>> + Send + Sync + 'static) -> Self {
        Make::Instance(Arc::new(make))
    }

    /// Makes a transform.
    ///
    /// # Errors
    /// Those of the children's constructors.
    #[inline]
    pub fn call(&self) -> Result<Box<T>> {
        match self {
            Make::Static(make) => Ok(make()),
            Make::Instance(make) => make(),
        }
    }
}

impl Make<dyn CipherDriver> {
    /// Constructor of an instance that is a block cipher.
    pub fn cipher<D: CipherDriver>(make: impl Fn() -> Result<D> + Send + Sync + 'static) -> Self {
        Make::Instance(Arc::new(move || Ok(Box::new(make()?) as Box<_>)))
    }
}

impl Make<dyn SkcipherDriver> {
    /// Constructor of an instance that is an skcipher.
    pub fn skcipher<D: SkcipherDriver>(make: impl Fn() -> Result<D> + Send + Sync + 'static) -> Self {
        Make::Instance(Arc::new(move || Ok(Box::new(make()?) as Box<_>)))
    }
}

impl<T: ?Sized> Clone for Make<T> {
    fn clone(&self) -> Self {
        match self {
            Make::Static(make) => Make::Static(*make),
            Make::Instance(make) => Make::Instance(Arc::clone(make)),
        }
    }
}

/// Key lengths in bytes: `min`, `min + step`, and so on up to `max`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeySizes {
    /// Shortest.
    pub min: usize,
    /// Longest.
    pub max: usize,
    /// Distance between accepted lengths; 1 for a range.
    pub step: usize,
}

impl KeySizes {
    /// AES: 16, 24 and 32 bytes.
    pub const AES: KeySizes = KeySizes { min: 16, max: 32, step: 8 };

    /// Exactly `n` bytes.
    pub const fn exactly(n: usize) -> Self {
        KeySizes { min: n, max: n, step: 1 }
    }

    /// Whether a key of `len` bytes is accepted.
    #[inline]
    pub const fn contains(&self, len: usize) -> bool {
        len >= self.min && len <= self.max && (len - self.min).is_multiple_of(self.step)
    }

    /// The accepted lengths, shortest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        (self.min..=self.max).step_by(self.step)
    }

    /// Refuses a key of another length.
    ///
    /// # Errors
    /// [`Error::BadKeyLen`].
    #[inline]
    pub const fn check(&self, len: usize) -> Result<()> {
        if self.contains(len) { Ok(()) } else { Err(Error::BadKeyLen { len, accepted: *self }) }
    }
}

impl fmt::Display for KeySizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.iter().count() > 4 {
            write!(f, "{} to {}", self.min, self.max)?;
            return if self.step > 1 { write!(f, " in steps of {}", self.step) } else { Ok(()) };
        }
        for (i, len) in self.iter().enumerate() {
            let separator = match i {
                0 => "",
                _ if len + self.step > self.max => " or ",
                _ => ", ",
            };
            write!(f, "{separator}{len}")?;
        }
        Ok(())
    }
}

/// Message lengths: multiples of `multiple` bytes that are at least `min` bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    /// Shortest message in bytes.
    pub min: usize,
    /// A power of two; 1 if every length from `min` on is accepted.
    pub multiple: usize,
}

impl Length {
    /// Every length, zero included.
    pub const ANY: Length = Length { min: 0, multiple: 1 };

    /// Whole blocks of `n` bytes, none included.
    pub const fn blocks(n: usize) -> Self {
        Length { min: 0, multiple: n }
    }

    /// Every length from `n` bytes on.
    pub const fn at_least(n: usize) -> Self {
        Length { min: n, multiple: 1 }
    }

    /// Whether a message of `len` bytes is accepted.
    #[inline(always)]
    pub const fn contains(&self, len: usize) -> bool {
        len >= self.min && len & (self.multiple - 1) == 0
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min, self.multiple) {
            (0, 1) => f.write_str("any length"),
            (0, n) => write!(f, "multiples of {n} bytes"),
            (min, 1) => write!(f, "{min} bytes or more"),
            (min, n) => write!(f, "multiples of {n} bytes from {min} on"),
        }
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

/// What a driver promises beyond right answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Properties {
    /// No branch and no memory address depends on keys or data.
    pub constant_time: bool,
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
