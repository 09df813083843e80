//! `md4-generic` and `md5-generic`: MD4 (RFC 1320) and MD5 (RFC 1321), for protocols that still name them.

use kcrypto_core::Alg;

use super::compress::{Compress, Length, hash, through};

pub(crate) const MD4: Alg = hash::<Md4, _, _>("md4", "md4-generic", "md4", 16);
pub(crate) const MD5: Alg = hash::<Md5, _, _>("md5", "md5-generic", "md-5", 16);

/// Words A, B, C, D (RFC 1321, 3.3).
const INIT: [u8; 16] = 0x1032_5476_98ba_dcfe_efcd_ab89_6745_2301_u128.to_le_bytes();

#[derive(Default)]
struct Md4;

impl Compress<64, 16> for Md4 {
    const INIT: [u8; 16] = INIT;
    const LENGTH: Length = Length::Little;

    fn compress(&self, state: &mut [u8; 16], blocks: &[[u8; 64]]) {
        through::<md4::block_api::Md4Core>(state, blocks);
    }
}

#[derive(Default)]
struct Md5;

impl Compress<64, 16> for Md5 {
    const INIT: [u8; 16] = INIT;
    const LENGTH: Length = Length::Little;

    fn compress(&self, state: &mut [u8; 16], blocks: &[[u8; 64]]) {
        through::<md5::block_api::Md5Core>(state, blocks);
    }
}
