//! The AEAD templates over the portable drivers.

mod ccm;
mod names;
mod pieces;
mod refusals;
mod strict;
#[path = "../common/toy.rs"]
mod toy;
mod vectors;

use kcrypto_core::{Aead, Alg, Registry};

/// The portable drivers, these, and all templates.
fn registry(more: impl IntoIterator<Item = Alg>) -> Registry {
    let algs = kcrypto_generic::ALGS.iter().cloned().chain(more);
    Registry::with(algs, kcrypto_templates::ALL.iter().copied()).unwrap()
}

/// A transform with some key.
fn keyed(registry: &Registry, name: &str) -> Aead {
    let mut tfm = registry.aead(name).unwrap();
    tfm.set_key(&bytes(tfm.key_sizes().max, 11)).unwrap();
    tfm
}

/// Bytes that differ from their neighbours.
fn bytes(len: usize, factor: usize) -> Vec<u8> {
    (0..len).map(|i| (factor * i + 3) as u8).collect()
}
