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
mod error;
mod inout;
mod name;
mod plan;
mod policy;
mod skcipher;
mod template;

pub use alg::{
    Alg, CipherAlg, Flags, KeySizes, Kind, KindTag, Length, MAX_NAME, MAX_STATE, MAX_UNIT, Make, Origin,
    Properties, SkcipherAlg, Want,
};
pub use cipher::{Cipher, CipherDriver};
pub use error::{Error, Result};
pub use inout::InOut;
pub use name::Name;
pub use skcipher::{Dir, Skcipher, SkcipherDriver, State};
pub use template::{Create, Spawn, Template};
