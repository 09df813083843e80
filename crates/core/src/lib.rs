//! Names, registry, algorithm kinds and transform handles of kcrypto.
#![no_std]
#![forbid(unsafe_code)]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod aead;
mod alg;
pub mod batch;
pub mod chain;
mod cipher;
pub mod engine;
mod entry;
mod error;
mod event;
mod explain;
mod hashing;
mod hold;
mod inout;
mod limits;
pub mod link;
mod name;
mod plan;
mod policy;
mod registration;
mod registry;
mod resolve;
mod sealing;
mod segments;
mod selftest;
mod shash;
mod skcipher;
mod stream;
mod sync;
mod template;
mod want;

pub use aead::{Aad, Aead, AeadDriver, Lens};
pub use alg::{
    AeadAlg, Alg, CipherAlg, CpuCheck, Kind, MAX_NAME, MAX_STATE, MAX_UNIT, Make, Origin, Properties,
    ShashAlg, SkcipherAlg,
};
pub use cipher::{Cipher, CipherDriver};
pub use error::{Error, Result};
pub use event::Event;
pub use explain::{Candidate, Explanation, Verdict};
pub use hashing::{Hashing, MAX_EXPORT};
pub use inout::{InOut, MapBlock};
pub use limits::{AadLength, KeySizes, Length, TagSizes};
pub use name::Name;
pub use policy::Policy;
pub use registration::Registration;
pub use registry::{Info, Observation, Registry};
pub use sealing::{Opener, Sealer, Unverified};
pub use segments::Segments;
pub use selftest::{Reference, Report, SelfTest, Subject, TestState};
pub use shash::{MAX_DIGEST, MAX_HASH_BLOCK, MAX_HASH_STATE, Shash, ShashDriver};
pub use skcipher::{Dir, Skcipher, SkcipherDriver, State};
pub use stream::Stream;
pub use template::{Create, Spawn, Template};
pub use want::{Flags, KindTag, Want};
