//! The hashes and HMAC over them: published vectors, kernel answers, every split, states, keys and refusals.

use kcrypto_core::{Alg, Error, Flags, Kind, KindTag, Registry, Shash, link};
use kcrypto_generic::ALGS;
use kcrypto_templates as _;
use rstest::rstest;

fn registry() -> Registry {
    Registry::linked().unwrap()
}

/// The hashes of this crate.
fn hashes() -> impl Iterator<Item = &'static Alg> {
    ALGS.iter().filter(|alg| module(alg))
}

/// Other hashes of the crate, such as GHASH, have tests of their own.
fn module(alg: &Alg) -> bool {
    alg.kind.tag() == KindTag::Shash
        && !["ghash", "polyval", "poly1305", "nhpoly1305", "digest_null"].contains(&&*alg.name)
}

fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + 3) as u8).collect()
}

fn digest(tfm: &Shash, message: &[u8]) -> Vec<u8> {
    let mut digest = vec![0; tfm.digest_size()];
    tfm.digest(message, &mut digest).unwrap();
    digest
}

/// One block of a data file.
#[derive(Default)]
struct Case {
    name: String,
    key: Option<Vec<u8>>,
    message: Vec<u8>,
    pieces: Vec<usize>,
    digest: Vec<u8>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (field, value) = line.split_once(' ').unwrap_or((line, ""));
        let bytes = || hex::decode(value).unwrap();
        if field == "NAME" {
            cases.push(Case { name: value.into(), pieces: vec![usize::MAX], ..Case::default() });
            continue;
        }
        let case = cases.last_mut().unwrap();
        match field {
            "KEY" => case.key = Some(bytes()),
            "MSG" => case.message = bytes(),
            "REPEAT" => case.message = case.message.repeat(value.parse().unwrap()),
            "PIECES" => case.pieces = value.split(' ').map(|len| len.parse().unwrap()).collect(),
            "DIGEST" => case.digest = bytes(),
            other => panic!("field {other}"),
        }
    }
    cases
}

#[rstest]
#[case::published(include_str!("data/published.txt"), 130)]
#[case::kernel(include_str!("data/kernel.txt"), 250)]
fn known_answers(#[case] text: &str, #[case] at_least: usize) {
    let registry = registry();
    let cases = cases(text);
    assert!(cases.len() >= at_least, "{} cases", cases.len());
    for case in cases {
        let mut tfm = registry.shash(&case.name).unwrap();
        if let Some(key) = &case.key {
            tfm.set_key(key).unwrap();
        }
        let len = case.message.len();
        let whole = digest(&tfm, &case.message);
        assert_eq!(
            hex::encode(&whole[..case.digest.len()]),
            hex::encode(&case.digest),
            "{} {len}",
            case.name
        );
        tfm.verify(&case.message, &case.digest).unwrap();
        let mut hashing = tfm.hasher().unwrap();
        let mut rest = &case.message[..];
        while !rest.is_empty() {
            for piece in &case.pieces {
                let (now, later) = rest.split_at(rest.len().min(*piece));
                hashing.update(now);
                rest = later;
            }
        }
        let mut pieces = vec![0; whole.len()];
        hashing.finalize(&mut pieces).unwrap();
        assert_eq!(pieces, whole, "{} {len} in pieces {:?}", case.name, case.pieces);
    }
}

/// Cuts messages of many lengths at every place, carrying the state to another transform as bytes.
fn every_split(tfm: &Shash, other: &Shash) {
    let block = tfm.block_size();
    let near = |n: usize| n * block - 1..n * block + 2;
    let mut lens: Vec<usize> = (0..131).collect();
    if block > 64 {
        lens.extend(near(1).chain(near(2)).chain(300..301).filter(|&len| len > 130));
    }
    let message = message(300);
    let expected: Vec<Vec<u8>> = lens.iter().map(|&len| digest(tfm, &message[..len])).collect();
    let mut state = vec![0; tfm.export_size()];
    let mut hashing = tfm.hasher().unwrap();
    for cut in 0..=lens[lens.len() - 1] {
        hashing.export(&mut state).unwrap();
        for (&len, expected) in lens.iter().zip(&expected).filter(|&(&len, _)| len >= cut) {
            let mut moved = other.import(&state).unwrap();
            moved.update(&message[cut..len]);
            let mut got = vec![0; expected.len()];
            moved.finalize(&mut got).unwrap();
            assert_eq!(got, *expected, "{} of {len} bytes cut at {cut}", tfm.alg().name);
        }
        hashing.update(&message[cut..message.len().min(cut + 1)]);
    }
}

#[rstest]
fn every_split_moved_as_bytes_gives_the_digest_of_one_call(
    #[values(
        "blake2b-160",
        "blake2b-256",
        "blake2b-384",
        "blake2b-512",
        "crc32",
        "crc32c",
        "md4",
        "md5",
        "michael_mic",
        "rmd160",
        "sha1",
        "sha224",
        "sha256",
        "sha384",
        "sha512",
        "sha3-224",
        "sha3-256",
        "sha3-384",
        "sha3-512",
        "sm3",
        "streebog256",
        "streebog512",
        "wp256",
        "wp384",
        "wp512",
        "xxhash64"
    )]
    name: &str,
) {
    let registry = registry();
    let names = [
        name.to_string(),
        format!("{name}-generic"),
        format!("hmac({name})"),
        format!("hmac({name}-generic)"),
    ];
    for pair in names.chunks(2) {
        let tfms = pair.iter().map(|name| registry.shash(name)).collect::<Result<Vec<_>, _>>();
        let Ok([mut one, mut two]) = tfms.map(|tfms| <[Shash; 2]>::try_from(tfms).unwrap()) else {
            assert!(["crc32", "crc32c", "michael_mic"].contains(&name), "{pair:?}");
            continue;
        };
        if !one.needs_key() {
            every_split(&one, &two);
        }
        if let Some(keys) = one.key_sizes() {
            let key = message(keys.max.min(20));
            one.set_key(&key).unwrap();
            two.set_key(&key).unwrap();
            every_split(&one, &two);
        }
    }
}

#[test]
fn our_own_code_agrees_with_the_crates() {
    fn agree<D: sha2::Digest>(name: &str) {
        let tfm = registry().shash(name).unwrap();
        for len in (0..400).chain([1000, 4096, 5555]) {
            let message = message(len);
            assert_eq!(digest(&tfm, &message), D::digest(&message).to_vec(), "{name} of {len} bytes");
        }
    }
    agree::<sha1::Sha1>("sha1");
    agree::<sha2::Sha224>("sha224");
    agree::<sha2::Sha256>("sha256");
    agree::<sha2::Sha384>("sha384");
    agree::<sha2::Sha512>("sha512");
    agree::<sha3::Sha3_224>("sha3-224");
    agree::<sha3::Sha3_256>("sha3-256");
    agree::<sha3::Sha3_384>("sha3-384");
    agree::<sha3::Sha3_512>("sha3-512");
    agree::<blake2::Blake2b<sha3::digest::consts::U20>>("blake2b-160");
    agree::<blake2::Blake2b<sha3::digest::consts::U32>>("blake2b-256");
    agree::<blake2::Blake2b<sha3::digest::consts::U48>>("blake2b-384");
    agree::<blake2::Blake2b512>("blake2b-512");
}

#[test]
fn every_entry_is_linked_under_the_kernels_names() {
    assert_eq!(hashes().count(), 26);
    for alg in hashes() {
        assert_eq!(alg.driver_name, format!("{}-generic", alg.name));
        assert_eq!(alg.priority, 100);
        assert!(link::ALGS.iter().any(|linked| linked.driver_name == alg.driver_name), "{}", alg.driver_name);
    }
}

#[test]
fn keys_are_taken_as_the_kernel_takes_them() {
    let registry = registry();
    for alg in hashes() {
        let mut tfm = registry.shash(&alg.name).unwrap();
        let Kind::Shash(limits) = &alg.kind else { unreachable!() };
        assert_eq!(tfm.needs_key(), alg.name == "michael_mic");
        assert_eq!(alg.flags.contains(Flags::OPTIONAL_KEY), limits.keys.is_some() && !tfm.needs_key());
        let accepted: Vec<usize> = (0..70).filter(|&len| tfm.set_key(&message(len)).is_ok()).collect();
        let expected = match &*alg.name {
            "blake2b-160" | "blake2b-256" | "blake2b-384" | "blake2b-512" => (1..65).collect(),
            "crc32" | "crc32c" => vec![4],
            "xxhash64" | "michael_mic" => vec![8],
            _ => vec![],
        };
        assert_eq!(accepted, expected, "{}", alg.name);
    }
    let mac = registry.shash("michael_mic").unwrap();
    assert_eq!(mac.digest(b"", &mut [0; 8]), Err(Error::NeedKey));
}

#[test]
fn states_that_no_message_leads_to_are_refused() {
    let registry = registry();
    // The header has 16 bytes; BLAKE2b's count follows its 64 bytes of words, Streebog's N its 64 bytes of h.
    for (name, at) in [("blake2b-512", 16 + 64), ("streebog256", 16 + 64), ("streebog512", 16 + 73)] {
        let tfm = registry.shash(name).unwrap();
        let mut state = vec![0; tfm.export_size()];
        tfm.hasher().unwrap().export(&mut state).unwrap();
        tfm.import(&state).unwrap();
        state[at] = 1;
        assert!(matches!(tfm.import(&state), Err(Error::BadState { .. })), "{name}");
    }
    let mut tfm = registry.shash("hmac(streebog256)").unwrap();
    tfm.set_key(b"key").unwrap();
    let mut state = vec![0; tfm.export_size()];
    tfm.hasher().unwrap().export(&mut state).unwrap();
    state[16 + 64] = 1;
    assert!(matches!(tfm.import(&state), Err(Error::BadState { .. })));
}

/// A state is r, s, a sum of 17 bytes, and how many blocks of the key were seen. The places are bytes that must be zero, or
/// have bits that are clamped, after so many.
#[rstest]
#[case(0, &[0, 31, 32, 48])]
#[case(1, &[3, 16, 31, 32, 48])]
#[case(2, &[3, 4])]
fn poly1305_refuses_states_that_no_message_leads_to(#[case] seen: usize, #[case] places: &[usize]) {
    const HEADER: usize = 16;
    let tfm = registry().shash("poly1305").unwrap();
    let mut good = vec![0; tfm.export_size()];
    let mut hashing = tfm.hasher().unwrap();
    hashing.update(&[0x0c; 16][..16 * seen.min(1)]);
    hashing.update(&[0xff; 16][..16 * (seen / 2)]);
    hashing.export(&mut good).unwrap();
    assert_eq!(usize::from(good[HEADER + 49]), seen);
    tfm.import(&good).unwrap();
    let refused = |state: &[u8]| matches!(tfm.import(state), Err(Error::BadState { .. }));
    for &at in places {
        let mut state = good.clone();
        state[HEADER + at] |= 0xf3;
        assert!(refused(&state), "byte {at} after {seen} blocks");
    }
    for wrong in (0..=3).filter(|&wrong| wrong != seen) {
        let mut state = good.clone();
        state[HEADER + 49] = wrong as u8;
        state[HEADER + 48] = 4;
        assert!(refused(&state), "{wrong} in the place of {seen} blocks, and a sum that is too large");
    }
    let mut state = good.clone();
    state[HEADER + 32..HEADER + 48].fill(0xff);
    state[HEADER + 32] = 0xfb;
    state[HEADER + 48] = 3;
    assert!(refused(&state), "2^130 - 5 after {seen} blocks");
    state[HEADER + 32] = 0xfa;
    assert_eq!(refused(&state), seen < 2, "2^130 - 6 after {seen} blocks");
}

#[test]
fn hmac_hashes_long_keys_and_pads_short_ones() {
    let registry = registry();
    for hash in ["sha256", "sha512", "sha3-224", "blake2b-256", "xxhash64"] {
        let plain = registry.shash(hash).unwrap();
        let mac = |key: &[u8], len| {
            let mut tfm = registry.shash(&format!("hmac({hash})")).unwrap();
            assert_eq!(tfm.digest(b"", &mut vec![0; tfm.digest_size()]), Err(Error::NeedKey));
            // The key before leaves nothing behind.
            tfm.set_key(&message(300)).unwrap();
            tfm.set_key(key).unwrap();
            digest(&tfm, &message(len))
        };
        let block = plain.block_size();
        for len in [0, 1, block, block + 1, 500] {
            assert_eq!(mac(b"", len), mac(&vec![0; block], len), "{hash}");
            assert_eq!(
                mac(&message(block + 1), len),
                mac(&digest(&plain, &message(block + 1)), len),
                "{hash}"
            );
            assert_eq!(
                mac(&message(3 * block), len),
                mac(&digest(&plain, &message(3 * block)), len),
                "{hash}"
            );
            // RFC 2104, written out.
            let key: Vec<u8> = message(block);
            let pad = |byte: u8| key.iter().map(move |key| key ^ byte);
            let inner = digest(&plain, &pad(0x36).chain(message(len)).collect::<Vec<_>>());
            let outer = digest(&plain, &pad(0x5c).chain(inner).collect::<Vec<_>>());
            assert_eq!(mac(&key, len), outer, "{hash} of {len} bytes");
        }
    }
}

#[rstest]
#[case("hmac(hmac(sha256))", "EINVAL")]
#[case("hmac(michael_mic)", "EINVAL")]
#[case("hmac(crc32c)", "EINVAL")]
#[case("hmac(crc32)", "EINVAL")]
#[case("hmac(aes)", "ENOENT")]
#[case("hmac(nosuch)", "ENOENT")]
#[case("hmac()", "ENOENT")]
#[case("hmac", "ENOENT")]
#[case("hmac(sha256,sha1)", "EEXIST")]
#[case("hmac-shash(sha256)", "EEXIST")]
fn names_that_make_no_hmac(#[case] name: &str, #[case] errno: &str) {
    let error = registry().shash(name).unwrap_err();
    assert_eq!(error.errno_name(), errno, "{error}");
    match error {
        Error::BadChild { .. } => assert_eq!(errno, "EINVAL"),
        Error::NotFound { kind, .. } => assert_eq!(kind, Some(KindTag::Shash)),
        _ => assert_ne!(errno, "EINVAL"),
    }
}

#[test]
fn hmac_is_named_after_its_hash() {
    let registry = registry();
    for (request, driver) in [
        ("hmac(sha256)", "hmac(sha256-generic)"),
        ("hmac(sha256-generic)", "hmac(sha256-generic)"),
        ("hmac-shash(sha256-generic)", "hmac-shash(sha256-generic)"),
        ("hmac(xxhash64)", "hmac(xxhash64-generic)"),
    ] {
        let tfm = registry.shash(request).unwrap();
        assert_eq!(tfm.alg().driver_name, driver);
        assert!(tfm.alg().name.starts_with("hmac("));
        assert_eq!(tfm.alg().priority, 100);
    }
    let constant_time = |name| registry.shash(name).unwrap().alg().properties.constant_time;
    assert!(constant_time("hmac(sha256)"));
    assert!(!constant_time("hmac(wp512)"), "tables");
    assert!(matches!(registry.skcipher("hmac(sha256)"), Err(Error::WrongKind { .. })));
}
