//! Modes of AES. Fused, composed, and composed over another AES: the same bytes in every shape of a request.
//!
//! A name is the end of the drivers' names: `ce` for `xts-aes-ce` and its like.

use kcrypto_core::{Dir, Skcipher};

use crate::skciphers::{cuts, in_place, keyed, lengths};
use crate::{Drivers, bytes, of};

/// The modes, each with a driver of the family, the template over the family's drivers, and the template over the
/// other AES.
pub(crate) const MODES: [[&str; 3]; 6] = [
    ["ecb-aes-way", "ecb(aes-way)", "ecb(aes-other)"],
    ["cbc-aes-way", "cbc(aes-way)", "cbc(aes-other)"],
    ["ctr-aes-way", "ctr(aes-way)", "ctr(aes-other)"],
    ["rfc3686(ctr-aes-way)", "rfc3686(ctr(aes-way))", "rfc3686(ctr(aes-other))"],
    ["cts-cbc-aes-way", "cts(cbc-aes-way)", "cts(cbc(aes-other))"],
    ["xts-aes-way", "xts(ecb-aes-way)", "xts(ecb(aes-other))"],
];

/// Every message length up to this many bytes.
const LENGTHS: usize = 300;

/// Calls `check` with each mode's three transforms for each key length.
fn for_each_mode(drivers: &Drivers, check: impl Fn(&[String], &[u8])) {
    for names in drivers.names.iter().flat_map(|way| MODES.map(|mode| of(&mode, way))) {
        let sizes = drivers.registry.skcipher(&names[0]).expect(&names[0]).key_sizes();
        for (seed, len) in sizes.iter().enumerate() {
            check(&names, &bytes(len, seed as u64));
        }
    }
}

/// Every length, in place and apart.
pub fn every_length_in_place_and_apart(drivers: &Drivers) {
    for_each_mode(drivers, |names, key| {
        let lens = (0..=LENGTHS).chain([511, 512, 513, 1024, 1424, 4096]);
        lengths(&drivers.registry, names, key, lens);
    });
}

/// Every cut that a caller may make.
pub fn every_legal_cut(drivers: &Drivers) {
    for_each_mode(drivers, |names, key| {
        cuts(&drivers.registry, names, key, (0..=LENGTHS).step_by(3), 0);
    });
}

/// Counters that carry out of 8, 32 and 64 bits, and out of the whole block.
pub fn counters_carry(drivers: &Drivers) {
    let key = bytes(32, 1);
    let names = drivers.names.iter().flat_map(|way| of(&MODES[2], way));
    let tfms: Vec<Skcipher> = names.map(|name| keyed(&drivers.registry, &name, &key)).collect();
    let Some(other) = tfms.last() else { return };
    for carried in [1, 4, 8, 9, 16] {
        for before in 0..20u8 {
            let mut iv = bytes(16, 2);
            iv[16 - carried..].fill(0xff);
            iv[15] = 0xff - before;
            for len in [16, 40, 128, 160, 320, 1000] {
                let message = bytes(len, 3);
                let want = in_place(other, Dir::Encrypt, &iv, &message);
                for tfm in &tfms {
                    assert_eq!(in_place(tfm, Dir::Encrypt, &iv, &message), want, "{carried} {before} {len}");
                }
            }
        }
    }
}
