//! `xts-speck64-avx2`, `xts-speck128-avx2`: sectors under Speck with AVX2, in groups of 64, 128 and 256 bytes.
//!
//! Words of Speck fill vectors with one word of each block, four or eight blocks to a pair of registers, and four
//! such pairs hide the latency of a round. Tweaks are made in vectors too, sixteen times x at a step. What is left
//! over goes through the template's portable code, block by block, with the tweak carried on.

#[expect(unsafe_code, reason = "kernels")]
mod avx2;
mod rounds;

use alloc::boxed::Box;

use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, Dir, Error, InOut, Make, Result, SkcipherDriver};
use kcrypto_simd::x86::Avx2;
use kcrypto_templates::xts::{self, Xts};

use avx2::{Kernel, PAIR};
use rounds::RoundKeys;

/// Blocks of 8 bytes.
pub(crate) const XTS_SPECK64: Alg = driver::<u32>("xts(speck64)");

#[linkme::distributed_slice(ALGS)]
static XTS_SPECK64_LINK: Alg = XTS_SPECK64;

/// Blocks of 16 bytes.
pub(crate) const XTS_SPECK128: Alg = driver::<u64>("xts(speck128)");

#[linkme::distributed_slice(ALGS)]
static XTS_SPECK128_LINK: Alg = XTS_SPECK128;

const fn driver<W: Kernel>(name: &'static str) -> Alg {
    let make: Make<dyn SkcipherDriver> = Make::Static(|| Box::new(Xts::over(Sectors::<W>::new())));
    Alg::skcipher(name, W::DRIVER, xts::limits(2 * size_of::<W>(), W::KEYS, make))
        .with_priority(300)
        .with_cpu(Avx2::FEATURES, Avx2::require)
        .with_module("avx2")
}

/// The keys of both halves. Without a key it leaves its buffers alone.
struct Sectors<W: Kernel> {
    data: RoundKeys<W>,
    tweak: RoundKeys<W>,
    token: Option<Avx2>,
}

impl<W: Kernel> Sectors<W> {
    fn new() -> Self {
        Sectors { data: RoundKeys::none(), tweak: RoundKeys::none(), token: None }
    }
}

impl<W: Kernel> xts::Keys for Sectors<W> {
    fn block_size(&self) -> usize {
        2 * size_of::<W>()
    }

    fn set_keys(&mut self, data: &[u8], tweak: &[u8]) -> Result<()> {
        *self = Sectors::new();
        let Some(token) = Avx2::new() else {
            let reason = Avx2::require().err().unwrap_or_default().into();
            return Err(Error::Unavailable { driver: W::DRIVER.into(), reason });
        };
        self.tweak.expand(tweak)?;
        self.data.expand(data)?;
        self.token = Some(token);
        Ok(())
    }

    fn check_weak_keys(&self, _data: &[u8], _tweak: &[u8]) -> Result<()> {
        Ok(())
    }

    fn start(&self, iv: &mut [u8]) {
        self.tweak.encrypt_block(iv);
    }

    fn run(&self, dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
        let Some(token) = self.token else { return };
        let size = 2 * size_of::<W>();
        let part = io.len() % size;
        // The last whole block belongs to the part after it.
        let whole = io.len() - part - if part == 0 { 0 } else { size };
        let (pairs, rest) = io.split_at(whole - whole % PAIR);
        if !pairs.is_empty() {
            W::pairs(token, &self.data, dir, tweak, pairs);
        }
        if !rest.is_empty() {
            xts::run(&self.data, dir, tweak, rest);
        }
    }
}
