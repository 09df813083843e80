//! Names, registry, algorithm kinds and transform handles of kcrypto.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod alg;
pub mod batch;
pub mod chain;
mod cipher;
pub mod engine;
mod entry;
mod error;
mod event;
mod explain;
mod inout;
pub mod link;
mod name;
mod plan;
mod policy;
mod registry;
mod segments;
mod selftest;
mod skcipher;
mod stream;
mod sync;
mod template;

pub use alg::{
    Alg, CipherAlg, CpuCheck, Flags, KeySizes, Kind, KindTag, Length, MAX_NAME, MAX_STATE, MAX_UNIT, Make,
    Origin, Properties, SkcipherAlg, Want,
};
pub use cipher::{Cipher, CipherDriver};
pub use error::{Error, Result};
pub use event::Event;
pub use explain::{Candidate, Explanation, Verdict};
pub use inout::InOut;
pub use name::Name;
pub use policy::Policy;
pub use registry::{Info, Observation, Registration, Registry};
pub use segments::Segments;
pub use selftest::{Reference, Report, SelfTest, Subject, TestState};
pub use skcipher::{Dir, Skcipher, SkcipherDriver, State};
pub use stream::Stream;
pub use template::{Create, Spawn, Template};
