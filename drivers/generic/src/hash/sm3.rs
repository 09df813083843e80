//! `sm3-generic`: SM3 (GB/T 32905-2016, ISO/IEC 10118-3).

use kcrypto_core::Alg;

use super::compress::{Compress, Length, hash, through};

pub(crate) const SM3: Alg = hash::<Sm3, _, _>("sm3", "sm3-generic", "sm3", 32);

#[derive(Default)]
struct Sm3;

impl Compress<64, 32> for Sm3 {
    /// 4.1 of the standard.
    const INIT: [u8; 32] = *b"\x73\x80\x16\x6f\x49\x14\xb2\xb9\x17\x24\x42\xd7\xda\x8a\x06\x00\
                              \xa9\x6f\x30\xbc\x16\x31\x38\xaa\xe3\x8d\xee\x4d\xb0\xfb\x0e\x4e";
    const LENGTH: Length = Length::Big(8);

    fn compress(&self, state: &mut [u8; 32], blocks: &[[u8; 64]]) {
        // The crate exports little-endian words.
        turn(state);
        through::<sm3::Sm3Core>(state, blocks);
        turn(state);
    }
}

fn turn(state: &mut [u8; 32]) {
    state.as_chunks_mut::<4>().0.iter_mut().for_each(|word| word.reverse());
}
