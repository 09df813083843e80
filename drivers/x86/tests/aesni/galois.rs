//! GCM and its hash: fused, composed, and composed over another AES and another GHASH give the same bytes in every
//! shape, and those that are published.

use kcrypto_core::{AeadDriver, Dir, InOut, Kind, KindTag, Lens, MAX_EXPORT, Registry, State, Want};

use crate::authenticated::{aead, digest, file, in_pieces, sealed, shash, whole, wrong};
use crate::common::bytes;

/// GCM with a driver of this crate, the template over this crate's drivers, and over the others.
const GCM: [&str; 4] = [
    "gcm-aes-aesni",
    "gcm_base(ctr-aes-aesni,ghash-clmulni)",
    "gcm_base(ctr(aes-aesni),ghash-clmulni)",
    "gcm_base(ctr(aes-other),ghash-other)",
];

/// The same in ESP.
const ESP: [&str; 2] = ["rfc4106(gcm-aes-aesni)", "rfc4106(gcm_base(ctr(aes-other),ghash-other))"];

/// `None` where this CPU lacks an instruction.
fn registry() -> Option<Registry> {
    if let Err(why) = kcrypto_simd::x86::AesClmul::require() {
        eprintln!("skipped: {why}");
        return None;
    }
    crate::common::registry()
}

#[test]
fn every_length_of_text() {
    let Some(registry) = registry() else { return };
    for key_len in [16, 24, 32] {
        let key = bytes(key_len, 1);
        let tfms = GCM.map(|name| aead(&registry, name, &key));
        let iv = bytes(12, 2);
        for len in (0..=300).chain(4075..=4110).chain([511, 512, 513, 1024, 1424, 16384]) {
            let (text, aad) = (bytes(len, 3), bytes(len % 41, 4));
            let expected = whole(&tfms[3], &iv, &aad, &text);
            for (tfm, name) in tfms.iter().zip(GCM) {
                assert_eq!(whole(tfm, &iv, &aad, &text), expected, "{name} {len}");
                wrong(tfm, &iv, &aad, &expected.0, expected.1);
            }
        }
    }
}

#[test]
fn associated_data_and_text_in_pieces() {
    let Some(registry) = registry() else { return };
    for (i, key_len) in [16, 24, 32].into_iter().enumerate() {
        let key = bytes(key_len, 5);
        let tfms = [GCM[0], GCM[1], GCM[3]].map(|name| aead(&registry, name, &key));
        let iv = bytes(12, 6);
        for aad_len in (0..=40).chain([160, 176, 192, 200, 208, 500]) {
            for text_len in [0, 1, 15, 16, 17, 64, 100, 112, 127, 128, 129, 144, 257, 300] {
                let (aad, text) = (bytes(aad_len, 7), bytes(text_len, 8));
                let (expected, tag) = whole(&tfms[2], &iv, &aad, &text);
                for tfm in &tfms {
                    assert_eq!(whole(tfm, &iv, &aad, &text), (expected.clone(), tag), "{aad_len} {text_len}");
                    let step = 1 + (5 * aad_len + text_len + i) % 37;
                    in_pieces(tfm, &iv, &aad, &text, step, (&expected, &tag));
                }
            }
        }
    }
}

#[test]
fn every_size_of_tag() {
    let Some(registry) = registry() else { return };
    let key = bytes(16, 9);
    let (iv, aad, text) = (bytes(12, 10), bytes(20, 11), bytes(77, 12));
    let mut tfms = GCM.map(|name| aead(&registry, name, &key));
    let (cipher, tag) = whole(&tfms[3], &iv, &aad, &text);
    for (tfm, name) in tfms.iter_mut().zip(GCM) {
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

/// The driver behind a name, keyed.
fn driver(registry: &Registry, name: &str, key: &[u8]) -> Box<dyn AeadDriver> {
    let tfm = registry.aead(name).expect(name);
    let Kind::Aead(limits) = &tfm.alg().kind else { unreachable!("asked for an AEAD") };
    let mut driver = limits.make.call().expect(name);
    driver.set_key(key).expect(name);
    driver
}

#[test]
fn every_cut_of_a_text() {
    let Some(registry) = registry() else { return };
    let (key, iv) = (bytes(32, 13), bytes(12, 14));
    let drivers = [GCM[0], GCM[3]].map(|name| driver(&registry, name, &key));
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
            let expected = in_runs(&*drivers[1], 0);
            for cut in (0..=len).step_by(16) {
                assert_eq!(in_runs(&*drivers[0], cut), expected, "{dir:?} {len} cut at {cut}");
            }
        }
    }
}

/// The last 32 bits of a counter wrap alone (SP 800-38D, 6.2). The state of a message begins with its counter.
#[test]
fn counters_wrap() {
    let Some(registry) = registry() else { return };
    let (key, iv) = (bytes(16, 16), bytes(12, 17));
    let [fused, other] = [GCM[0], GCM[3]].map(|name| driver(&registry, name, &key));
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

#[test]
fn hash_states_go_from_driver_to_driver() {
    let Some(registry) = registry() else { return };
    for names in [["ghash-clmulni", "ghash-other"], ["polyval-clmulni", "polyval-other"]] {
        for seed in 0..2 {
            let key = bytes(16, seed);
            let tfms = names.map(|name| shash(&registry, name, &key));
            for len in 0..=300 {
                let message = bytes(len, 19 + seed);
                let expected = digest(&tfms[1], &message);
                assert_eq!(digest(&tfms[0], &message), expected, "{names:?} {len}");
                for cut in 0..=len {
                    let [before, after] = [cut, cut + 1].map(|i| &tfms[i % 2]);
                    let mut hashing = before.hasher().expect("keyed");
                    hashing.update(&message[..cut]);
                    let mut state = [0; MAX_EXPORT];
                    let size = hashing.export(&mut state).expect("room");
                    let mut hashing = after.import(&state[..size]).expect("a state of the same hash");
                    hashing.update(&message[cut..]);
                    let mut out = [0; 16];
                    hashing.finalize(&mut out).expect("16 bytes");
                    assert_eq!(out, expected, "{names:?} {len} cut at {cut}");
                }
            }
        }
    }
}

/// Keys whose product with x or with each other carries, or is nothing.
#[test]
fn hashes_under_special_keys() {
    let Some(registry) = registry() else { return };
    for names in [["ghash-clmulni", "ghash-other"], ["polyval-clmulni", "polyval-other"]] {
        for bit in 0..=128 {
            let key = 1_u128.checked_shl(bit).unwrap_or(0);
            for key in [key, !key] {
                let tfms = names.map(|name| shash(&registry, name, &key.to_be_bytes()));
                let message = [bytes(80, bit.into()), vec![0xff; 160]].concat();
                assert_eq!(digest(&tfms[0], &message), digest(&tfms[1], &message), "{names:?} {key:x}");
            }
        }
    }
}

/// RFC 8452, appendix A.
#[test]
fn published_hashes() {
    let Some(registry) = registry() else { return };
    let hex = |text: &str| hex::decode(text).expect("hex");
    let key = hex("25629347589242761d31f826ba4b757b");
    let message = hex("4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362");
    for (name, expected) in [
        ("ghash-clmulni", "bd9b3997046731fb96251b91f9c99d7a"),
        ("ghash-other", "bd9b3997046731fb96251b91f9c99d7a"),
        ("polyval-clmulni", "f7a3b47b846119fae5b7866cf5e5b77e"),
        ("polyval-other", "f7a3b47b846119fae5b7866cf5e5b77e"),
    ] {
        assert_eq!(digest(&shash(&registry, name, &key), &message)[..], hex(expected), "{name}");
    }
}

#[test]
fn published_messages() {
    let Some(registry) = registry() else { return };
    let gcm = file(include_str!("../../../../templates/tests/vectors/gcm-aes.txt"));
    let esp = file(include_str!("../../../../templates/tests/vectors/rfc4106-gcm-aes.txt"));
    assert!(gcm.len() > 8 && esp.len() > 8);
    sealed(&registry, &GCM, &gcm);
    sealed(&registry, &ESP, &esp);
}

#[test]
fn the_drivers_of_this_crate_win() {
    let Some(registry) = registry() else { return };
    let winner = |name: &str, kind| {
        let info = registry.resolve(name, Want::new(kind)).expect(name);
        (info.alg.driver_name.to_string(), info.alg.priority)
    };
    assert_eq!(winner("ghash", KindTag::Shash), ("ghash-clmulni".into(), 400));
    assert_eq!(winner("polyval", KindTag::Shash), ("polyval-clmulni".into(), 400));
    assert_eq!(winner("gcm(aes)", KindTag::Aead), ("gcm-aes-aesni".into(), 400));
    assert_eq!(winner("rfc4106(gcm(aes))", KindTag::Aead), ("rfc4106(gcm-aes-aesni)".into(), 400));
}
