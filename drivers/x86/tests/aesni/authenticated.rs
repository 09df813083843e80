//! MACs and CCM: fused, composed, and composed over another AES give the same bytes in every shape, and those
//! that are published.

use kcrypto_core::{Aad, Aead, Alg, Error, InOut, KindTag, MAX_EXPORT, Registry, Segments, Shash, Want};

use crate::common::{bytes, registry};

/// The MACs, each with a driver of this crate, the templates over this crate's drivers, and the template over
/// the other AES.
const MACS: [&[&str]; 3] = [
    &["cmac-aes-aesni", "cmac(aes-aesni)", "cmac(cbc-aes-aesni)", "cmac(aes-other)"],
    &["xcbc-aes-aesni", "xcbc(aes-aesni)", "xcbc(aes-other)"],
    &["cbcmac-aes-aesni", "cbcmac(aes-aesni)", "cbcmac(aes-other)"],
];

/// The same for CCM.
const CCMS: [[&str; 4]; 2] = [
    [
        "ccm-aes-aesni",
        "ccm_base(ctr-aes-aesni,cbcmac-aes-aesni)",
        "ccm_base(ctr(aes-aesni),cbcmac(aes-aesni))",
        "ccm_base(ctr(aes-other),cbcmac(aes-other))",
    ],
    [
        "rfc4309(ccm-aes-aesni)",
        "rfc4309(ccm_base(ctr-aes-aesni,cbcmac-aes-aesni))",
        "rfc4309(ccm_base(ctr(aes-aesni),cbcmac(aes-aesni)))",
        "rfc4309(ccm_base(ctr(aes-other),cbcmac(aes-other)))",
    ],
];

pub(crate) fn shash(registry: &Registry, name: &str, key: &[u8]) -> Shash {
    let mut tfm = registry.shash(name).expect(name);
    tfm.set_key(key).expect(name);
    tfm
}

pub(crate) fn aead(registry: &Registry, name: &str, key: &[u8]) -> Aead {
    let mut tfm = registry.aead(name).expect(name);
    tfm.set_key(key).expect(name);
    tfm
}

pub(crate) fn digest(tfm: &Shash, message: &[u8]) -> [u8; 16] {
    let mut digest = [0xfe; 16];
    tfm.digest(message, &mut digest).expect("a keyed MAC");
    digest
}

#[test]
fn every_cut_with_the_state_handed_from_driver_to_driver() {
    let Some(registry) = registry() else { return };
    for names in MACS {
        for key_len in [16, 24, 32] {
            let key = bytes(key_len, 1);
            let tfms: Vec<Shash> = names.iter().map(|name| shash(&registry, name, &key)).collect();
            for len in 0..=130 {
                let message = bytes(len, len as u64);
                let expected = digest(tfms.last().expect("the other AES"), &message);
                for (tfm, name) in tfms.iter().zip(names) {
                    assert_eq!(digest(tfm, &message), expected, "{name} {len}");
                }
                for cut in 0..=len {
                    let [before, after] = [cut, cut + 1].map(|i| &tfms[i % tfms.len()]);
                    let mut hashing = before.hasher().expect("keyed");
                    hashing.update(&message[..cut]);
                    let mut state = [0; MAX_EXPORT];
                    let size = hashing.export(&mut state).expect("room");
                    let mut hashing = after.import(&state[..size]).expect("a state of the same MAC");
                    hashing.update(&message[cut..]);
                    let mut out = [0; 16];
                    hashing.finalize(&mut out).expect("16 bytes");
                    assert_eq!(out, expected, "{names:?} {len} cut at {cut}");
                }
            }
            for len in [511, 512, 513, 1024, 1424, 4096, 5000] {
                let message = bytes(len, len as u64);
                let expected = digest(tfms.last().expect("the other AES"), &message);
                for (tfm, name) in tfms.iter().zip(names) {
                    assert_eq!(digest(tfm, &message), expected, "{name} {len}");
                }
            }
        }
    }
}

#[test]
fn associated_data_and_text_in_pieces() {
    let Some(registry) = registry() else { return };
    for names in CCMS {
        for (i, key_len) in [16, 24, 32].into_iter().enumerate() {
            let key = bytes(key_len + if names[0].starts_with("rfc") { 3 } else { 0 }, 1);
            let tfms = names.map(|name| aead(&registry, name, &key));
            let mut iv = bytes(tfms[0].iv_size(), 2);
            iv[0] = 1;
            for aad_len in 0..=40 {
                if tfms[0].sealer(&iv, aad_len as u64, 0).is_err() {
                    continue;
                }
                for text_len in [0, 1, 15, 16, 17, 32, 47, 48, 64, 100, 129, 300] {
                    let (aad, text) = (bytes(aad_len, 3), bytes(text_len, 4));
                    let (expected, tag) = whole(&tfms[3], &iv, &aad, &text);
                    for (tfm, name) in tfms.iter().zip(names) {
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

/// Ciphertext and tag of one call, from both kinds of buffers.
pub(crate) fn whole(tfm: &Aead, iv: &[u8], aad: &[u8], text: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let (mut out, mut tag) = (text.to_vec(), [0; 16]);
    tfm.seal(iv, aad, &mut out, &mut tag).expect("a legal message");
    let (mut apart, mut again) = (vec![0xa5; text.len() + 2], [0; 16]);
    let io = InOut::apart(text, &mut apart[1..=text.len()]).expect("the same length");
    tfm.seal(iv, aad, io, &mut again).expect("a legal message");
    assert_eq!((&apart[1..=text.len()], again), (&out[..], tag));
    assert!(apart[0] == 0xa5 && apart[text.len() + 1] == 0xa5, "wrote outside");
    let mut plain = out.clone();
    tfm.open(iv, aad, &mut plain, &tag).expect("its own tag");
    assert_eq!(plain, text);
    let io = InOut::apart(&out, &mut apart[1..=text.len()]).expect("the same length");
    tfm.open(iv, aad, io, &tag).expect("its own tag");
    assert_eq!(apart[1..=text.len()], *text);
    (out, tag)
}

pub(crate) fn in_pieces(
    tfm: &Aead,
    iv: &[u8],
    aad: &[u8],
    text: &[u8],
    step: usize,
    expected: (&[u8], &[u8; 16]),
) {
    let pieces: Vec<&[u8]> = aad.chunks(step).collect();
    let pieces = Aad::new(&pieces);
    let (mut out, mut tag) = (text.to_vec(), [0; 16]);
    tfm.seal_with(iv, &pieces, InOut::in_place(&mut out), &mut tag).expect("a legal message");
    assert_eq!((&out[..], &tag), expected, "associated data cut every {step} bytes");

    let (mut out, mut tag) = (text.to_vec(), [0; 16]);
    let mut list: Vec<&mut [u8]> = out.chunks_mut(step).collect();
    tfm.seal_segments(iv, &pieces, Segments::InPlace(&mut list), &mut tag).expect("a legal message");
    assert_eq!((&out[..], &tag), expected, "segments of {step} bytes");

    let (mut out, mut tag, mut at) = (vec![0; text.len()], [0; 16], 0);
    let mut sealer = tfm.sealer(iv, aad.len() as u64, text.len() as u64).expect("a legal message");
    aad.chunks(step).for_each(|piece| sealer.aad(piece).expect("as announced"));
    for piece in text.chunks(step) {
        at += sealer.update(piece, &mut out[at..]).expect("as announced");
    }
    sealer.finish(&mut out[at..], &mut tag).expect("all of it");
    assert_eq!((&out[..], &tag), expected, "a stream of {step} bytes a piece");

    let (mut plain, mut at) = (vec![0; text.len()], 0);
    let mut opener = tfm.opener(iv, aad.len() as u64, text.len() as u64).expect("a legal message");
    aad.chunks(step).for_each(|piece| opener.aad(piece).expect("as announced"));
    for piece in out.chunks(step) {
        at += opener.update(piece, &mut plain[at..]).expect("as announced").keep_unverified().len();
    }
    opener.finish(&mut plain[at..], &tag).expect("its own tag");
    assert_eq!(plain, text);
}

pub(crate) fn wrong(tfm: &Aead, iv: &[u8], aad: &[u8], cipher: &[u8], mut tag: [u8; 16]) {
    tag[15] ^= 1;
    let mut buf = cipher.to_vec();
    assert_eq!(tfm.open(iv, aad, &mut buf, &tag), Err(Error::BadTag));
    assert!(buf.iter().all(|&byte| byte == 0), "plaintext is left");
}

/// The cases of a file of vectors: the fields of each, in their order.
pub(crate) fn file(text: &str) -> Vec<Vec<Vec<u8>>> {
    let value = |field: &str| {
        let value = field.split_once('=').expect("FIELD = hex").1;
        hex::decode(value.split_whitespace().collect::<String>()).expect("hex")
    };
    let case = |block: &str| {
        let lines = block.lines().filter(|line| !line.starts_with('#'));
        let joined =
            lines.fold(String::new(), |all, line| all + if line.contains('=') { "\n" } else { "" } + line);
        joined.lines().skip(1).map(value).collect::<Vec<Vec<u8>>>()
    };
    text.split("\n\n").map(case).filter(|case| !case.is_empty()).collect()
}

/// Seals and opens the cases of a file: key, IV, associated data, plaintext, ciphertext, tag.
pub(crate) fn sealed(registry: &Registry, names: &[&str], cases: &[Vec<Vec<u8>>]) {
    for (name, case) in names.iter().flat_map(|name| cases.iter().map(move |case| (name, case))) {
        let [key, iv, aad, plain, cipher, tag] = &case[..] else { panic!("six fields") };
        let mut tfm = aead(registry, name, key);
        tfm.set_tag_size(tag.len()).expect(name);
        let mut buf = [&plain[..], &vec![0; tag.len()]].concat();
        tfm.seal_appended(iv, aad, &mut buf).expect(name);
        assert_eq!(hex::encode(&buf), hex::encode([&cipher[..], tag].concat()), "{name}");
        assert_eq!(tfm.open_appended(iv, aad, &mut buf).expect(name), plain);
    }
}

#[test]
fn published_answers() {
    let Some(registry) = registry() else { return };
    let macs = [
        file(include_str!("../../../../templates/tests/vectors/cmac-aes.txt")),
        file(include_str!("../../../../templates/tests/vectors/xcbc-aes.txt")),
        file(include_str!("../../../../templates/tests/vectors/cbcmac-aes.txt")),
    ];
    for (names, cases) in MACS.iter().zip(macs) {
        assert!(cases.len() > 10);
        for (name, case) in names.iter().flat_map(|name| cases.iter().map(move |case| (name, case))) {
            let [key, message, mac] = &case[..] else { panic!("three fields") };
            assert_eq!(digest(&shash(&registry, name, key), message), mac[..], "{name}");
        }
    }
    let aeads = [
        file(include_str!("../../../../templates/tests/vectors/ccm-aes.txt")),
        file(include_str!("../../../../templates/tests/vectors/rfc4309-ccm-aes.txt")),
    ];
    for (names, cases) in CCMS.iter().zip(aeads) {
        assert!(cases.len() > 8);
        sealed(&registry, names, &cases);
    }
}

#[test]
fn fused_drivers_win_also_where_a_part_of_them_is_outdone() {
    let Some(registry) = registry() else { return };
    let winner = |name: &str, kind| {
        let info = registry.resolve(name, Want::new(kind)).expect(name);
        (info.alg.driver_name.to_string(), info.alg.priority)
    };
    for (name, driver) in [
        ("cmac(aes)", "cmac-aes-aesni"),
        ("xcbc(aes)", "xcbc-aes-aesni"),
        ("cbcmac(aes)", "cbcmac-aes-aesni"),
    ] {
        assert_eq!(winner(name, KindTag::Shash), (driver.into(), 400));
    }
    let ctr = registry.resolve("ctr-aes-aesni", Want::new(KindTag::Skcipher)).expect("linked");
    let faster = Alg { driver_name: "ctr-aes-faster".into(), ..Alg::clone(&ctr.alg) }.with_priority(800);
    let _registered = registry.register(faster).expect("a new name");
    assert_eq!(winner("ctr(aes)", KindTag::Skcipher), ("ctr-aes-faster".into(), 800));
    assert_eq!(winner("ccm(aes)", KindTag::Aead), ("ccm-aes-aesni".into(), 400));
    assert_eq!(winner("rfc4309(ccm(aes))", KindTag::Aead), ("rfc4309(ccm-aes-aesni)".into(), 400));
    let spelled = "ccm_base(ctr-aes-faster,cbcmac-aes-aesni)";
    assert_eq!(winner(spelled, KindTag::Aead), (spelled.into(), 600));
}

#[test]
fn the_cipher_says_that_it_makes_chains() {
    let Some(registry) = registry() else { return };
    let chains = |name| {
        let info = registry.resolve(name, Want::new(KindTag::Cipher)).expect(name);
        info.alg.properties.mac_chain
    };
    assert!(chains("aes-aesni") && !chains("aes-other"));
}
