//! GHASH and POLYVAL: the same states and digests as those that go bit by bit, and as the portable ones.
//!
//! A name is a driver's.

use crate::{Drivers, agree, bytes, digest, handed_over, shash};

/// The names of each driver, of the same hash bit by bit, and of the portable driver.
fn for_each(drivers: &Drivers) -> impl Iterator<Item = [String; 3]> {
    drivers.names.iter().map(|name| {
        let algorithm = drivers.algorithm(name);
        [name.to_string(), format!("{algorithm}-other"), format!("{algorithm}-generic")]
    })
}

/// Messages cut at every place, with the state handed to the other driver.
pub fn hash_states_go_from_driver_to_driver(drivers: &Drivers) {
    for [name, other, _] in for_each(drivers) {
        for seed in 0..2 {
            let key = bytes(16, seed);
            let tfms = [&name, &other].map(|name| shash(&drivers.registry, name, &key));
            for len in 0..=300 {
                let message = bytes(len, 19 + seed);
                let expected = digest(&tfms[1], &message);
                assert_eq!(digest(&tfms[0], &message), expected, "{name} {len}");
                for cut in 0..=len {
                    let [before, after] = [cut, cut + 1].map(|i| &tfms[i % 2]);
                    let out = handed_over(before, after, &message, cut);
                    assert_eq!(out, expected, "{name} {len} cut at {cut}");
                }
            }
        }
    }
}

/// The states of the portable driver, after every part of a message.
pub fn the_portable_driver_agrees_at_every_split(drivers: &Drivers) {
    for [name, _, portable] in for_each(drivers) {
        for key in [vec![0; 16], vec![0xff; 16], bytes(16, 1), bytes(16, 2)] {
            let [ours, portable] = [&name, &portable].map(|name| shash(&drivers.registry, name, &key));
            agree(&ours, &portable, (0..=150).chain([255, 256, 257, 300]));
        }
    }
}

/// Keys whose product with x or with each other carries, or is nothing.
pub fn hashes_under_special_keys(drivers: &Drivers) {
    for [name, other, _] in for_each(drivers) {
        for bit in 0..=128 {
            let key = 1_u128.checked_shl(bit).unwrap_or(0);
            for key in [key, !key] {
                let tfms = [&name, &other].map(|name| shash(&drivers.registry, name, &key.to_be_bytes()));
                let message = [bytes(80, bit.into()), vec![0xff; 160]].concat();
                assert_eq!(digest(&tfms[0], &message), digest(&tfms[1], &message), "{name} {key:x}");
            }
        }
    }
}

/// Algorithm, key, message and digest. McGrew and Viega, The Galois/Counter Mode of Operation, appendix B, test
/// case 2; RFC 8452, appendix A.
const PUBLISHED: [[&str; 4]; 3] = [
    [
        "ghash",
        "66e94bd4ef8a2c3b884cfa59ca342b2e",
        "0388dace60b6a392f328c2b971b2fe7800000000000000000000000000000080",
        "f38cbb1ad69223dcc3457ae5b6b0f885",
    ],
    [
        "ghash",
        "25629347589242761d31f826ba4b757b",
        "4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362",
        "bd9b3997046731fb96251b91f9c99d7a",
    ],
    [
        "polyval",
        "25629347589242761d31f826ba4b757b",
        "4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362",
        "f7a3b47b846119fae5b7866cf5e5b77e",
    ],
];

/// What is published, also of what the drivers are compared with.
pub fn published(drivers: &Drivers) {
    for names in for_each(drivers) {
        let algorithm = drivers.algorithm(&names[0]);
        let mut cases = 0;
        for [_, key, message, expected] in PUBLISHED.iter().filter(|case| case[0] == algorithm) {
            let [key, message] = [key, message].map(|text| hex::decode(text).expect("hex"));
            for name in &names {
                let tfm = shash(&drivers.registry, name, &key);
                assert_eq!(hex::encode(digest(&tfm, &message)), *expected, "{name}");
            }
            cases += 1;
        }
        assert!(cases > 0, "nothing is known of {algorithm}");
    }
}
