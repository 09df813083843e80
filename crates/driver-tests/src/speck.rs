//! Sectors under Speck, beside the portable composition: every length, every cut, every offset within a group.
//!
//! A name is both the end of the drivers' names and the CPU feature that they need: `avx2` for `xts-speck64-avx2`.

use kcrypto_core::Error;

use crate::skciphers::{cuts, keyed, lengths};
use crate::{Drivers, bytes, of};

/// A driver, and what it must agree with.
const PAIRS: [[&str; 2]; 2] =
    [["xts-speck64-way", "xts(ecb(speck64-generic))"], ["xts-speck128-way", "xts(ecb(speck128-generic))"]];

/// Some groups of 256 bytes, one of 128, and some blocks.
const LENGTHS: usize = 700;

/// Calls `check` with both names, for each key length.
fn for_each_pair(drivers: &Drivers, check: impl Fn(&[String], &[u8])) {
    for pair in drivers.names.iter().flat_map(|way| PAIRS.map(|pair| of(&pair, way))) {
        let sizes = drivers.registry.skcipher(&pair[0]).expect(&pair[0]).key_sizes();
        for (seed, len) in sizes.iter().enumerate() {
            check(&pair, &bytes(len, seed as u64));
        }
    }
}

/// Every length, in place and apart.
pub fn every_length_in_place_and_apart(drivers: &Drivers) {
    for_each_pair(drivers, |pair, key| {
        let lens = (0..=LENGTHS).chain([1024, 1424, 4096, 4096 + 128]);
        lengths(&drivers.registry, pair, key, lens);
    });
}

/// Cuts put groups after any number of blocks, and carry the tweak from groups to blocks and back.
pub fn every_legal_cut(drivers: &Drivers) {
    for_each_pair(drivers, |pair, key| {
        let lens = [8, 16, 128, 136, 144, 256, 264, 384, 392, 400, 401, 511, 512, 527];
        let iv_size = keyed(&drivers.registry, &pair[0], key).iv_size();
        // The state is the tweak and the IV.
        cuts(&drivers.registry, pair, key, lens.into_iter(), 2 * iv_size);
    });
}

/// Names get these drivers, which refuse what is too long or weak, and the portable ones once the feature is masked.
pub fn they_are_chosen_for_the_name_and_tested(drivers: &Drivers) {
    for way in &drivers.names {
        for (name, driver, iv) in [("xts(speck64)", "xts-speck64", 8), ("xts(speck128)", "xts-speck128", 16)]
        {
            let mut tfm = drivers.registry.skcipher(name).expect(name);
            assert_eq!((&*tfm.alg().driver_name, tfm.iv_size()), (&*format!("{driver}-{way}"), iv));
            assert!(matches!(tfm.set_key(&[0; 25]), Err(Error::BadKeyLen { .. })));
            tfm.set_key(&[0; 32]).expect("weak keys are allowed");
            let refused = tfm.encrypt(&[0; 32][..24 - iv], &mut [0; 32]);
            assert!(matches!(refused, Err(Error::BadIvLen { want, .. }) if want == iv), "{refused:?}");
            tfm.forbid_weak_keys();
            assert!(matches!(tfm.set_key(&[0; 32]), Err(Error::WeakKey { .. })));
        }
        drivers.registry.mask_cpu(&[way]);
        for name in ["speck64", "speck128"] {
            let tfm = drivers.registry.skcipher(&format!("xts({name})")).expect("without the feature");
            assert_eq!(tfm.alg().driver_name, format!("xts(ecb({name}-generic))"));
        }
    }
}
