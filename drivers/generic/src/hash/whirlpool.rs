//! `wp256-generic`, `wp384-generic` and `wp512-generic`: Whirlpool (ISO/IEC 10118-3), whole and cut short.

use kcrypto_core::Alg;

use super::compress::{Compress, Length, hash, through};

pub(crate) const WP256: Alg = whirlpool("wp256", "wp256-generic", 32);
pub(crate) const WP384: Alg = whirlpool("wp384", "wp384-generic", 48);
pub(crate) const WP512: Alg = whirlpool("wp512", "wp512-generic", 64);

const fn whirlpool(name: &'static str, driver_name: &'static str, digest_size: usize) -> Alg {
    hash::<Whirlpool, _, _>(name, driver_name, "whirlpool", digest_size).variable_time()
}

#[derive(Default)]
struct Whirlpool;

impl Compress<64, 64> for Whirlpool {
    const INIT: [u8; 64] = [0; 64];
    const LENGTH: Length = Length::Big(32);

    fn compress(&self, state: &mut [u8; 64], blocks: &[[u8; 64]]) {
        through::<whirlpool::block_api::WhirlpoolCore>(state, blocks);
    }
}
