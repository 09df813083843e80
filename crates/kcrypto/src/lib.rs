//! Cryptographic algorithms by name, in the manner of the Linux kernel's crypto API: named, composed,
//! self-tested, and always the best driver that this CPU can run.
//!
//! # Five minutes
//!
//! Allocate a transform by its name. It is the best driver of that name whose self-test passes:
//!
//! ```
//! let mut tfm = kcrypto::registry().skcipher("cts(cbc(aes))")?;
//! tfm.set_key(&[7; 32])?;
//!
//! let mut name = *b"a file name of 28 bytes long";
//! tfm.encrypt(&[0; 16], &mut name)?;
//! tfm.decrypt(&[0; 16], &mut name)?;
//! assert_eq!(&name, b"a file name of 28 bytes long");
//! # Ok::<(), kcrypto::Error>(())
//! ```
//!
//! Ask why it is that one. `explain` gives the whole tree: every candidate, and why each other one lost.
//!
//! ```
//! use kcrypto::{KindTag, Want};
//!
//! let tree = kcrypto::registry().explain("cts(cbc(aes))", Want::new(KindTag::Skcipher));
//! println!("{tree}");
//! assert!(tree.candidates.iter().any(|c| c.alg.driver_name == "cts(cbc(aes-generic))"));
//! ```
//!
//! Register a driver of your own. From then on it is a candidate, and `cbc(xor)`, `cts(cbc(xor))` or
//! `xts(xor)` work with no further line:
//!
//! ```
//! use kcrypto::{Alg, CipherAlg, CipherDriver, Defaults, KeySizes, Make, Registry, Result};
//!
//! /// No cipher at all: sixteen bytes of key, XORed.
//! struct Xor([u8; 16]);
//!
//! impl CipherDriver for Xor {
//!     fn block_size(&self) -> usize {
//!         16
//!     }
//!     fn set_key(&mut self, key: &[u8]) -> Result<()> {
//!         self.0.copy_from_slice(key);
//!         Ok(())
//!     }
//!     fn encrypt_block(&self, block: &mut [u8]) {
//!         block.iter_mut().zip(self.0).for_each(|(b, k)| *b ^= k);
//!     }
//!     fn decrypt_block(&self, block: &mut [u8]) {
//!         self.encrypt_block(block);
//!     }
//! }
//!
//! let limits = CipherAlg {
//!     block_size: 16,
//!     keys: KeySizes::exactly(16),
//!     make: Make::Static(|| Box::new(Xor([0; 16]))),
//! };
//!
//! let registry = Registry::with_defaults(); // one of our own; `kcrypto::registry()` is shared
//! let guard = registry.register(Alg::cipher("xor", "xor-example", limits).with_priority(100))?;
//! let mut tfm = registry.skcipher("cts(cbc(xor))")?;
//! tfm.set_key(&[1; 16])?;
//! drop(guard); // unregisters it; what is allocated keeps working
//! tfm.encrypt(&[0; 16], &mut [0u8; 17])?;
//! assert!(registry.skcipher("cts(cbc(xor))").is_err());
//! # Ok::<(), kcrypto::Error>(())
//! ```
//!
//! At link time the same is one line, `#[linkme::distributed_slice(kcrypto::link::ALGS)]`; see [`link`].
//!
//! Run the self-tests. They also run by themselves, for each driver before it is first used; one that fails
//! is quarantined with its reason, and the next one takes over.
//!
//! ```
//! use kcrypto::selftest::{self, Mode, Status};
//!
//! let names = ["cbc(aes)".to_owned()];
//! for outcome in selftest::run(kcrypto::registry(), &names, &Mode::default())? {
//!     println!("{} {:?}", outcome.driver, outcome.report().map(|report| report.time));
//!     assert!(!matches!(outcome.status, Status::Failed(_)));
//! }
//! # Ok::<(), kcrypto::Error>(())
//! ```
//!
//! Hand over many messages in one call, of any mix of keys, lengths and algorithms. Each job carries its own
//! result, so a forgery among them fails alone; drivers with lanes take several at a time:
//!
//! ```
//! use kcrypto::batch::{self, Job};
//! use kcrypto::{Aad, Error};
//!
//! let mut tfm = kcrypto::registry().aead("gcm(aes)")?;
//! tfm.set_key(&[7; 16])?;
//!
//! let mut texts = [*b"first message", *b"other message"];
//! let mut tags = [[0; 16]; 2];
//! let nonces = [[1; 12], [2; 12]];
//! let header = Aad::new(&[b"version 1"]);
//! let mut jobs: Vec<_> = texts.iter_mut().zip(&mut tags).zip(&nonces)
//!     .map(|((text, tag), nonce)| Job::seal(&tfm, nonce, header, text, tag))
//!     .collect();
//! batch::run(&mut jobs);
//! assert!(jobs.iter().all(|job| job.result().is_ok()));
//!
//! tags[0][3] ^= 1; // forged on the way
//! let mut jobs: Vec<_> = texts.iter_mut().zip(&tags).zip(&nonces)
//!     .map(|((text, tag), nonce)| Job::open(&tfm, nonce, header, text, tag))
//!     .collect();
//! batch::run(&mut jobs);
//! assert_eq!(jobs[0].result(), Err(Error::BadTag));
//! assert_eq!(jobs[1].result(), Ok(()));
//! assert_eq!(texts, [[0; 13], *b"other message"]);
//! # Ok::<(), kcrypto::Error>(())
//! ```
//!
//! # Where to read on
//! [`Registry`] for lookup and registration, [`Skcipher`] for messages, segments, streams and chaining,
//! [`batch`] for many messages at once of these and of [`Aead`] and [`Shash`], [`Template`] for modes of your own, [`Policy`] for what may be used,
//! and [`cpu`] for taking CPU features away.
//!
//! # Features
//! `tracing` forwards the events of the default registry to the `tracing` crate.
#![forbid(unsafe_code)]

mod default_set;
mod global;
#[cfg(feature = "tracing")]
pub mod trace;

pub use default_set::Defaults;
pub use global::registry;

pub use kcrypto_core::{
    Aad, AadLength, Aead, AeadAlg, AeadDriver, Alg, Candidate, Cipher, CipherAlg, CipherDriver, CpuCheck,
    Create, Dir, Error, Event, Explanation, Flags, Hashing, InOut, Info, KeySizes, Kind, KindTag, Length,
    Lens, MAX_DIGEST, MAX_EXPORT, MAX_HASH_BLOCK, MAX_HASH_STATE, MAX_NAME, MAX_STATE, MAX_UNIT, Make, Name,
    Observation, Opener, Origin, Policy, Properties, Reference, Registration, Registry, Report, Result,
    Sealer, Segments, SelfTest, Shash, ShashAlg, ShashDriver, Skcipher, SkcipherAlg, SkcipherDriver, Spawn,
    State, Stream, Subject, TagSizes, Template, TestState, Unverified, Verdict, Want,
};
pub use kcrypto_core::{batch, chain, engine, link};
/// Tests of drivers: the hook of the default registry, and the runner.
pub use kcrypto_selftest as selftest;
/// CPU features: which there are, which are masked, and how to mask them.
pub use kcrypto_simd as cpu;
/// The templates, whose mode code a driver of one's own may compile into itself.
pub use kcrypto_templates as templates;
/// The crate behind link-time registration, in the version that [`link`] uses.
pub use linkme;
