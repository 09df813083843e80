//! MACs and CCM over AES: fused, composed, and composed over another AES give the same bytes in every shape, and
//! those that are published.
//!
//! Names are those of [`modes`](crate::modes).

use kcrypto_core::{Aead, Shash};

use crate::sealing::{aead, file, in_pieces, sealed, whole, wrong};
use crate::{Drivers, bytes, digest, handed_over, of, shash};

/// The MACs, each with a driver of the family, the templates over the family's drivers, and the template over the
/// other AES.
const MACS: [&[&str]; 3] = [
    &["cmac-aes-way", "cmac(aes-way)", "cmac(cbc-aes-way)", "cmac(aes-other)"],
    &["xcbc-aes-way", "xcbc(aes-way)", "xcbc(aes-other)"],
    &["cbcmac-aes-way", "cbcmac(aes-way)", "cbcmac(aes-other)"],
];

/// The same for CCM.
const CCMS: [[&str; 4]; 2] = [
    [
        "ccm-aes-way",
        "ccm_base(ctr-aes-way,cbcmac-aes-way)",
        "ccm_base(ctr(aes-way),cbcmac(aes-way))",
        "ccm_base(ctr(aes-other),cbcmac(aes-other))",
    ],
    [
        "rfc4309(ccm-aes-way)",
        "rfc4309(ccm_base(ctr-aes-way,cbcmac-aes-way))",
        "rfc4309(ccm_base(ctr(aes-way),cbcmac(aes-way)))",
        "rfc4309(ccm_base(ctr(aes-other),cbcmac(aes-other)))",
    ],
];

/// MACs of every length, cut at every place, with the state handed from driver to driver.
pub fn every_cut_with_the_state_handed_from_driver_to_driver(drivers: &Drivers) {
    for names in drivers.names.iter().flat_map(|way| MACS.map(|names| of(names, way))) {
        for key_len in [16, 24, 32] {
            let key = bytes(key_len, 1);
            let tfms: Vec<Shash> = names.iter().map(|name| shash(&drivers.registry, name, &key)).collect();
            let other = tfms.last().expect("the other AES");
            for len in (0..=130).chain([511, 512, 513, 1024, 1424, 4096, 5000]) {
                let message = bytes(len, len as u64);
                let expected = digest(other, &message);
                for (tfm, name) in tfms.iter().zip(&names) {
                    assert_eq!(digest(tfm, &message), expected, "{name} {len}");
                }
                let cuts = if len <= 130 { 0..len + 1 } else { 0..0 };
                for cut in cuts {
                    let [before, after] = [cut, cut + 1].map(|i| &tfms[i % tfms.len()]);
                    let out = handed_over(before, after, &message, cut);
                    assert_eq!(out, expected, "{names:?} {len} cut at {cut}");
                }
            }
        }
    }
}

/// CCM with associated data and text of many lengths, whole and in pieces, and with a wrong tag.
pub fn associated_data_and_text_in_pieces(drivers: &Drivers) {
    for names in drivers.names.iter().flat_map(|way| CCMS.map(|names| of(&names, way))) {
        for (i, key_len) in [16, 24, 32].into_iter().enumerate() {
            let key = bytes(key_len + if names[0].starts_with("rfc") { 3 } else { 0 }, 1);
            let tfms: Vec<Aead> = names.iter().map(|name| aead(&drivers.registry, name, &key)).collect();
            let mut iv = bytes(tfms[0].iv_size(), 2);
            iv[0] = 1;
            for aad_len in 0..=40 {
                if tfms[0].sealer(&iv, aad_len as u64, 0).is_err() {
                    continue;
                }
                for text_len in [0, 1, 15, 16, 17, 32, 47, 48, 64, 100, 129, 300] {
                    let (aad, text) = (bytes(aad_len, 3), bytes(text_len, 4));
                    let (expected, tag) = whole(&tfms[3], &iv, &aad, &text);
                    for (tfm, name) in tfms.iter().zip(&names) {
                        let got = whole(tfm, &iv, &aad, &text);
                        assert_eq!(got, (expected.clone(), tag), "{name} {aad_len} {text_len}");
                        let step = 1 + (5 * aad_len + text_len + i) % 37;
                        in_pieces(tfm, &iv, &aad, &text, step, (&expected, &tag));
                        wrong(tfm, &iv, &aad, &expected, tag);
                    }
                }
            }
        }
    }
}

/// The answers of the templates' files of vectors.
pub fn published_answers(drivers: &Drivers) {
    let macs = [
        file(include_str!("../../../templates/tests/vectors/cmac-aes.txt")),
        file(include_str!("../../../templates/tests/vectors/xcbc-aes.txt")),
        file(include_str!("../../../templates/tests/vectors/cbcmac-aes.txt")),
    ];
    for (names, cases) in MACS.iter().zip(macs) {
        assert!(cases.len() > 10);
        for name in drivers.names.iter().flat_map(|way| of(names, way)) {
            for case in &cases {
                let [key, message, mac] = &case[..] else { panic!("three fields") };
                assert_eq!(digest(&shash(&drivers.registry, &name, key), message), mac[..], "{name}");
            }
        }
    }
    let aeads = [
        file(include_str!("../../../templates/tests/vectors/ccm-aes.txt")),
        file(include_str!("../../../templates/tests/vectors/rfc4309-ccm-aes.txt")),
    ];
    for (names, cases) in CCMS.iter().zip(aeads) {
        assert!(cases.len() > 8);
        for way in &drivers.names {
            sealed(&drivers.registry, &of(names, way), &cases);
        }
    }
}
