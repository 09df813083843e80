//! The MACs from block ciphers: over portable drivers, and inside a fused one that is portable too.

mod names;
mod pieces;
#[path = "../common/toy.rs"]
mod toy;
mod vectors;

use kcrypto_core::{
    Alg, CipherDriver, Dir, InOut, KeySizes, Make, Registry, Result, Shash, ShashAlg, SkcipherAlg,
    SkcipherDriver, State,
};
use kcrypto_templates::cbcmac::CbcMac;
use kcrypto_templates::cmac::{Cmac, limits};
use kcrypto_templates::xcbc::Xcbc;
use toy::Toy;

/// The portable drivers, these, and all templates.
fn registry(more: impl IntoIterator<Item = Alg>) -> Registry {
    let algs = kcrypto_generic::ALGS.iter().cloned().chain(more);
    Registry::with(algs, kcrypto_templates::ALL.iter().copied()).unwrap()
}

/// A transform with some key.
fn keyed(registry: &Registry, name: &str) -> Shash {
    let mut tfm = registry.shash(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    tfm.set_key(&bytes(tfm.key_sizes().unwrap().max, 11)).unwrap();
    tfm
}

/// Bytes that differ from their neighbours.
fn bytes(len: usize, factor: usize) -> Vec<u8> {
    (0..len).map(|i| (factor * i + 3) as u8).collect()
}

fn digest(tfm: &Shash, message: &[u8]) -> Vec<u8> {
    let mut digest = vec![0xfe; tfm.digest_size()];
    tfm.digest(message, &mut digest).unwrap();
    digest
}

/// `cbc(name)` over the toy cipher, which wants messages as [`Cmac`] hands them over.
fn toy_cbc<const N: usize>(name: &'static str, driver_name: &'static str) -> Alg {
    let keys = KeySizes::exactly(N);
    let limits = SkcipherAlg::of_blocks(N, keys, Make::Static(|| Box::new(ToyCbc(Toy::<N>::new()))));
    Alg::skcipher(name, driver_name, limits)
}

/// The fused forms of a MAC whose last block is masked, and of one without, over the toy cipher.
fn toy_macs<const N: usize>(cmac: [&'static str; 2], cbcmac: [&'static str; 2]) -> [Alg; 2] {
    let keys = KeySizes::exactly(N);
    let masked = limits(N, keys, Make::Static(|| Box::new(Cmac::fused(Toy::<N>::new()))));
    let plain = ShashAlg {
        keeps_full_block: false,
        make: Make::Static(|| Box::new(CbcMac::fused(Toy::<N>::new()))),
        ..masked.clone()
    };
    [Alg::shash(cmac[0], cmac[1], masked), Alg::shash(cbcmac[0], cbcmac[1], plain)]
}

/// `xcbc(toy16)` in one function.
fn toy_xcbc() -> Alg {
    let keys = KeySizes::exactly(16);
    let limits = limits(16, keys, Make::Static(|| Box::new(Xcbc::fused(Toy::<16>::new()))));
    Alg::shash("xcbc(toy16)", "xcbc-toy16-fused", limits)
}

struct ToyCbc<const N: usize>(Toy<N>);

impl<const N: usize> SkcipherDriver for ToyCbc<N> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.set_key(key)
    }
    fn begin(&self, _: Dir, _: &[u8], _: &mut State) {
        unreachable!("a MAC hands over whole messages")
    }
    fn run(&self, _: Dir, _: &mut State, _: InOut<'_>, _: bool) {
        unreachable!("a MAC hands over whole messages")
    }
    fn end(&self, _: Dir, _: &State, _: &mut [u8]) {
        unreachable!("a MAC hands over whole messages")
    }
    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        assert_eq!(dir, Dir::Encrypt);
        assert!(!io.is_empty() && io.len() <= 512, "{} bytes at a time", io.len());
        self.0.cbc_encrypt(iv, io);
    }
}
