//! `rmd160-generic`: RIPEMD-160 (ISO/IEC 10118-3).

use kcrypto_core::Alg;

use super::compress::{Compress, Length, hash, through};

pub(crate) const RMD160: Alg = hash::<Rmd160, _, _>("rmd160", "rmd160-generic", "ripemd", 20);

#[derive(Default)]
struct Rmd160;

impl Compress<64, 20> for Rmd160 {
    const INIT: [u8; 20] =
        *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10\xf0\xe1\xd2\xc3";
    const LENGTH: Length = Length::Little;

    fn compress(&self, state: &mut [u8; 20], blocks: &[[u8; 64]]) {
        through::<ripemd::block_api::Ripemd160Core>(state, blocks);
    }
}
