//! GCM: fused, composed, and composed over another AES and another GHASH give the same bytes in every shape, and
//! those that are published.
//!
//! A name is the end of the drivers' names: `ce` for `gcm-aes-ce` and `ctr-aes-ce`. GHASH is the family's best.

use kcrypto_core::{Aead, AeadDriver, Dir, InOut, Kind, KindTag, Lens, Registry, State, Want};

use crate::sealing::{aead, file, in_pieces, sealed, whole, wrong};
use crate::{Drivers, bytes, of};

/// A driver of the family, the template over the family's drivers, and over the others.
const GCM: [&str; 4] = [
    "gcm-aes-way",
    "gcm_base(ctr-aes-way,ghash-best)",
    "gcm_base(ctr(aes-way),ghash-best)",
    "gcm_base(ctr(aes-other),ghash-other)",
];

/// The same in ESP.
const ESP: [&str; 2] = ["rfc4106(gcm-aes-way)", "rfc4106(gcm_base(ctr(aes-other),ghash-other))"];

/// The names of each way's drivers.
fn ways(drivers: &Drivers) -> impl Iterator<Item = Vec<String>> {
    let ghash = drivers.registry.resolve("ghash", Want::new(KindTag::Shash)).expect("a GHASH");
    let names = GCM.map(|name| name.replace("ghash-best", &ghash.alg.driver_name));
    drivers.names.iter().map(move |way| of(&names.each_ref().map(String::as_str), way))
}

/// Texts of every length, with a wrong tag too.
pub fn every_length_of_text(drivers: &Drivers) {
    for names in ways(drivers) {
        for key_len in [16, 24, 32] {
            let key = bytes(key_len, 1);
            let tfms: Vec<Aead> = names.iter().map(|name| aead(&drivers.registry, name, &key)).collect();
            let iv = bytes(12, 2);
            for len in (0..=300).chain(4075..=4110).chain([511, 512, 513, 1024, 1424, 16384]) {
                let (text, aad) = (bytes(len, 3), bytes(len % 41, 4));
                let expected = whole(&tfms[3], &iv, &aad, &text);
                for (tfm, name) in tfms.iter().zip(&names) {
                    assert_eq!(whole(tfm, &iv, &aad, &text), expected, "{name} {len}");
                    wrong(tfm, &iv, &aad, &expected.0, expected.1);
                }
            }
        }
    }
}

/// Associated data and text of many lengths, whole and in pieces.
pub fn associated_data_and_text_in_pieces(drivers: &Drivers) {
    for names in ways(drivers) {
        for (i, key_len) in [16, 24, 32].into_iter().enumerate() {
            let key = bytes(key_len, 5);
            let tfms = [0, 1, 3].map(|i| aead(&drivers.registry, &names[i], &key));
            let iv = bytes(12, 6);
            for aad_len in (0..=40).chain([160, 176, 192, 200, 208, 500]) {
                for text_len in [0, 1, 15, 16, 17, 64, 100, 112, 127, 128, 129, 144, 257, 300] {
                    let (aad, text) = (bytes(aad_len, 7), bytes(text_len, 8));
                    let (expected, tag) = whole(&tfms[2], &iv, &aad, &text);
                    for tfm in &tfms {
                        let got = whole(tfm, &iv, &aad, &text);
                        assert_eq!(got, (expected.clone(), tag), "{aad_len} {text_len}");
                        let step = 1 + (5 * aad_len + text_len + i) % 37;
                        in_pieces(tfm, &iv, &aad, &text, step, (&expected, &tag));
                    }
                }
            }
        }
    }
}

/// Tags of every size: the beginning of the whole one, or refused.
pub fn every_size_of_tag(drivers: &Drivers) {
    let key = bytes(16, 9);
    let (iv, aad, text) = (bytes(12, 10), bytes(20, 11), bytes(77, 12));
    for names in ways(drivers) {
        let mut tfms: Vec<Aead> = names.iter().map(|name| aead(&drivers.registry, name, &key)).collect();
        let (cipher, tag) = whole(&tfms[3], &iv, &aad, &text);
        for (tfm, name) in tfms.iter_mut().zip(&names) {
            for len in 0..=17 {
                if tfm.set_tag_size(len).is_err() {
                    assert!(![4, 8, 12, 13, 14, 15, 16].contains(&len), "{name} {len}");
                    continue;
                }
                let (mut out, mut cut) = (text.clone(), vec![0; len]);
                tfm.seal(&iv, &aad, &mut out, &mut cut).expect("a legal message");
                assert_eq!((&out, &cut[..]), (&cipher, &tag[..len]), "{name} {len}");
                tfm.open(&iv, &aad, &mut out, &cut).expect("its own tag");
                assert_eq!(out, text);
            }
        }
    }
}

/// The driver behind a name, keyed.
fn driver(registry: &Registry, name: &str, key: &[u8]) -> Box<dyn AeadDriver> {
    let tfm = registry.aead(name).expect(name);
    let Kind::Aead(limits) = &tfm.alg().kind else { unreachable!("asked for an AEAD") };
    let mut driver = limits.make.call().expect(name);
    driver.set_key(key).expect(name);
    driver
}

/// Texts cut in two at every place.
pub fn every_cut_of_a_text(drivers: &Drivers) {
    let (key, iv) = (bytes(32, 13), bytes(12, 14));
    for names in ways(drivers) {
        let [fused, other] = [0, 3].map(|i| driver(&drivers.registry, &names[i], &key));
        for len in (0..=300).step_by(7).chain([128, 144, 256, 272]) {
            let text = bytes(len, 15);
            let lens = Lens { aad: 0, text: len as u64, tag: 16 };
            for dir in Dir::BOTH {
                let in_runs = |driver: &dyn AeadDriver, cut: usize| {
                    let (mut out, mut tag, mut state) = (text.clone(), [0; 16], State::new());
                    driver.begin(dir, &iv, lens, &mut state);
                    let (first, second) = out.split_at_mut(cut);
                    driver.run(dir, &mut state, InOut::in_place(first), second.is_empty());
                    driver.run(dir, &mut state, InOut::in_place(second), true);
                    driver.end(dir, &mut state, &mut tag);
                    (out, tag)
                };
                let expected = in_runs(&*other, 0);
                for cut in (0..=len).step_by(16) {
                    assert_eq!(in_runs(&*fused, cut), expected, "{dir:?} {len} cut at {cut}");
                }
            }
        }
    }
}

/// The last 32 bits of a counter wrap alone (SP 800-38D, 6.2). The state of a message begins with its counter.
pub fn counters_wrap(drivers: &Drivers) {
    let (key, iv) = (bytes(16, 16), bytes(12, 17));
    for names in ways(drivers) {
        let [fused, other] = [0, 3].map(|i| driver(&drivers.registry, &names[i], &key));
        for dir in Dir::BOTH {
            for blocks in 0..20_u32 {
                for len in [16, 100, 128, 160, 320, 1000] {
                    let text = bytes(len, 18);
                    let start = |driver: &dyn AeadDriver| {
                        let mut state = State::new();
                        driver.begin(dir, &iv, Lens { aad: 0, text: len as u64, tag: 16 }, &mut state);
                        state.bytes_mut()[12..16].copy_from_slice(&blocks.wrapping_neg().to_be_bytes());
                        state
                    };
                    let (mut expected, mut state) = (text.clone(), start(&*other));
                    let (before, after) = expected.split_at_mut(len.min(16 * blocks as usize));
                    other.run(dir, &mut state, InOut::in_place(before), after.is_empty());
                    if !after.is_empty() {
                        state.bytes_mut()[..12].copy_from_slice(&iv);
                        state.bytes_mut()[12..16].fill(0);
                        other.run(dir, &mut state, InOut::in_place(after), true);
                    }
                    let (mut out, mut its) = (text, start(&*fused));
                    fused.run(dir, &mut its, InOut::in_place(&mut out), true);
                    assert_eq!(out, expected, "{dir:?} {blocks} {len}");
                    assert_eq!(its.bytes()[..12], iv, "only the counter advances");
                    let counter = u32::from_be_bytes(its.bytes()[12..16].try_into().expect("4 bytes"));
                    assert_eq!(counter, (len.div_ceil(16) as u32).wrapping_sub(blocks));
                    assert_eq!(its.bytes()[16..32], state.bytes()[16..32], "{dir:?} {blocks} {len}");
                }
            }
        }
    }
}

/// The answers of the templates' files of vectors.
pub fn published_messages(drivers: &Drivers) {
    let gcm = file(include_str!("../../../templates/tests/vectors/gcm-aes.txt"));
    let esp = file(include_str!("../../../templates/tests/vectors/rfc4106-gcm-aes.txt"));
    assert!(gcm.len() > 8 && esp.len() > 8);
    for (names, way) in ways(drivers).zip(&drivers.names) {
        sealed(&drivers.registry, &names, &gcm);
        sealed(&drivers.registry, &of(&ESP, way), &esp);
    }
}
