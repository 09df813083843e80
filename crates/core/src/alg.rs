//! What an algorithm is: its two names, priority, limits, flags and constructor.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::aead::AeadDriver;
use crate::cipher::CipherDriver;
use crate::limits::{AadLength, KeySizes, Length, TagSizes};
use crate::shash::{MAX_DIGEST, MAX_HASH_BLOCK, MAX_HASH_STATE, ShashDriver};
use crate::skcipher::SkcipherDriver;
use crate::want::{Flags, KindTag};
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

    /// Description of a hash or MAC.
    pub const fn shash(name: &'static str, driver_name: &'static str, alg: ShashAlg) -> Self {
        Self::new(Cow::Borrowed(name), Cow::Borrowed(driver_name), Kind::Shash(alg))
    }

    /// Description of an AEAD.
    pub const fn aead(name: &'static str, driver_name: &'static str, alg: AeadAlg) -> Self {
        Self::new(Cow::Borrowed(name), Cow::Borrowed(driver_name), Kind::Aead(alg))
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
            properties: Properties { constant_time: true, mac_chain: false },
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

    /// Says that branches or memory addresses depend on keys or data.
    pub const fn variable_time(mut self) -> Self {
        self.properties.constant_time = false;
        self
    }

    /// Says that the cipher's driver overrides [`CipherDriver::cbc_mac`] with something faster.
    pub const fn with_mac_chain(mut self) -> Self {
        self.properties.mac_chain = true;
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
            Kind::Cipher(c) if c.keys.is_empty() => bad("it accepts no key length"),
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
            Kind::Skcipher(s) if s.keys.is_empty() => bad("it accepts no key length"),
            Kind::Skcipher(_) => Ok(()),
            Kind::Shash(h) if h.block_size == 0 || h.block_size > MAX_HASH_BLOCK => {
                bad("the block size must be 1 to 160 bytes")
            }
            Kind::Shash(h) if h.digest_size > MAX_DIGEST => bad("the digest must have at most 64 bytes"),
            Kind::Shash(h) if h.state_size > MAX_HASH_STATE => bad("the state must be at most 416 bytes"),
            Kind::Shash(h) if h.keys.is_some_and(|keys| keys.is_empty()) => bad("it accepts no key length"),
            Kind::Shash(_) => Ok(()),
            Kind::Aead(a) if a.iv_size > MAX_UNIT || a.chunk_size > MAX_UNIT || a.tail > MAX_UNIT => {
                bad("IV, chunk size and tail must be at most 512 bytes")
            }
            Kind::Aead(a) if a.tags.max() == 0 || a.tags.max() > MAX_DIGEST || a.tags.contains(0) => {
                bad("tags must have 1 to 64 bytes")
            }
            Kind::Aead(a) if !a.length.multiple.is_power_of_two() || !a.chunk_size.is_power_of_two() => {
                bad("chunk size and length multiple must be powers of two")
            }
            Kind::Aead(a) if a.keys.is_empty() => bad("it accepts no key length"),
            Kind::Aead(_) => Ok(()),
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
    /// Synchronous hash or MAC.
    Shash(ShashAlg),
    /// Authenticated encryption with associated data.
    Aead(AeadAlg),
}

impl Kind {
    /// The kind without its limits.
    pub const fn tag(&self) -> KindTag {
        match self {
            Kind::Cipher(_) => KindTag::Cipher,
            Kind::Skcipher(_) => KindTag::Skcipher,
            Kind::Shash(_) => KindTag::Shash,
            Kind::Aead(_) => KindTag::Aead,
        }
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

impl SkcipherAlg {
    /// Limits of a mode that takes whole blocks, with one block of IV that is also its state: `cbc`.
    ///
    /// Other modes change what differs, with `..SkcipherAlg::of_blocks(..)`.
    pub const fn of_blocks(block_size: usize, keys: KeySizes, make: Make<dyn SkcipherDriver>) -> Self {
        SkcipherAlg {
            block_size,
            iv_size: block_size,
            chunk_size: block_size,
            walk_size: block_size,
            tail: 0,
            length: Length::blocks(block_size),
            keys,
            state_size: block_size,
            make,
        }
    }
}

/// Limits and constructor of a hash or MAC.
#[derive(Debug, Clone)]
pub struct ShashAlg {
    /// Block size in bytes, 1 to 160.
    pub block_size: usize,
    /// Length of the digest in bytes, at most 64; 0 is that of `digest_null`.
    pub digest_size: usize,
    /// Length of the running state in bytes, at most 416; the partial block is not part of it.
    pub state_size: usize,
    /// Key lengths; `None` if it takes no key. With [`Flags::OPTIONAL_KEY`] it works without one.
    pub keys: Option<KeySizes>,
    /// Whether the last block of a message, also a full one, is left for the end (cmac, xcbc, blake2).
    pub keeps_full_block: bool,
    /// Makes a transform without key.
    pub make: Make<dyn ShashDriver>,
}

/// Limits and constructor of an AEAD.
#[derive(Debug, Clone)]
pub struct AeadAlg {
    /// Block size in bytes; 1 for stream modes.
    pub block_size: usize,
    /// IV length in bytes.
    pub iv_size: usize,
    /// Tag lengths; the longest is the one that a new transform has.
    pub tags: TagSizes,
    /// Text and associated data may be cut at multiples of this many bytes, a power of two.
    pub chunk_size: usize,
    /// The last run of a cut text has at least this many bytes, or is the whole text.
    pub tail: usize,
    /// Text lengths.
    pub length: Length,
    /// Lengths of the associated data.
    pub aad: AadLength,
    /// Key lengths.
    pub keys: KeySizes,
    /// Bytes of [`State`](crate::State) that a cut message uses; over 512 no synchronous handle is made.
    pub state_size: usize,
    /// Makes a transform without key.
    pub make: Make<dyn AeadDriver>,
}

/// Constructor of a transform without key.
pub enum Make<T: ?Sized> {
    /// Of a driver.
    Static(fn() -> Box<T>),
    /// Of a template's instance: makes the children as well.
    Instance(Arc<dyn Fn() -> Result<Box<T>> + Send + Sync>),
}

impl<T: ?Sized> Make<T> {
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

impl Make<dyn ShashDriver> {
    /// Constructor of an instance that is a hash.
    pub fn shash<D: ShashDriver>(make: impl Fn() -> Result<D> + Send + Sync + 'static) -> Self {
        Make::Instance(Arc::new(move || Ok(Box::new(make()?) as Box<_>)))
    }
}

impl Make<dyn AeadDriver> {
    /// Constructor of an instance that is an AEAD.
    pub fn aead<D: AeadDriver>(make: impl Fn() -> Result<D> + Send + Sync + 'static) -> Self {
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

/// What a driver promises beyond right answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Properties {
    /// No branch and no memory address depends on keys or data.
    pub constant_time: bool,
    /// A block cipher whose driver computes CBC-MAC chains faster than block by block.
    pub mac_chain: bool,
}
