//! The peers: OpenSSL and AWS-LC through EVP with a reused context, RustCrypto with a reused key schedule.

pub mod chacha20poly1305;
mod evp;
pub mod hashes;
mod rustcrypto;

pub(crate) use evp::Param;
pub use evp::{aws_lc, openssl};
pub use rustcrypto::{rustcrypto, rustcrypto_aes_ni};

use crate::contender::{Case, Contender};

/// Every peer that has the mode with this key length.
pub fn all(case: Case) -> Vec<Contender> {
    [openssl(case), aws_lc(case), rustcrypto_aes_ni(case), rustcrypto(case)].into_iter().flatten().collect()
}
