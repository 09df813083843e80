//! Published answers, and those of a real kernel, from every shape of a request.

use std::collections::BTreeMap;

use kcrypto_core::{Aad, Aead, Error, InOut, Segments};
use rstest::rstest;

use crate::registry;

type Case = BTreeMap<&'static str, Vec<u8>>;

/// `FIELD = hex` lines, blank lines between cases; hex goes on in lines without a field. Marks for the self-tests and
/// refusals are left out.
fn parse(file: &'static str) -> Vec<Case> {
    let case = |block: &'static str| {
        let mut fields: BTreeMap<&str, String> = BTreeMap::new();
        let mut field = "";
        for line in block.lines().filter(|line| !line.starts_with('#') && *line != "BOOT") {
            let (name, value) = line.split_once('=').unwrap_or((field, line));
            field = name.trim();
            fields.entry(field).or_default().push_str(value.trim());
        }
        fields.into_iter().map(|(field, value)| (field, hex::decode(value).expect(field))).collect()
    };
    let answers = file.split("\n\n").filter(|block| !block.contains("EXPECT"));
    answers.map(case).filter(|case: &Case| !case.is_empty()).collect()
}

/// Vectors of the self-tests, which hold every case that there is.
macro_rules! shared {
    ($file:literal) => {
        include_str!(concat!("../../../selftest/vectors/", $file, ".txt"))
    };
}

#[rstest]
#[case("ccm(aes)", include_str!("../vectors/ccm-aes.txt"), 46, 0)]
#[case("rfc4309(ccm(aes))", include_str!("../vectors/rfc4309-ccm-aes.txt"), 9, 8)]
#[case("gcm(aes)", shared!("gcm-aes"), 46, 0)]
#[case("rfc4106(gcm(aes))", shared!("rfc4106-gcm-aes"), 33, 8)]
#[case("rfc4543(gcm(aes))", shared!("rfc4543-gcm-aes"), 22, 0)]
#[case("rfc7539(chacha20,poly1305)", shared!("rfc7539-chacha20-poly1305"), 18, 0)]
#[case("rfc7539esp(chacha20,poly1305)", shared!("rfc7539esp-chacha20-poly1305"), 18, 8)]
fn every_shape_gives_the_answer(
    #[case] name: &str,
    #[case] file: &'static str,
    #[case] count: usize,
    #[case] not_authenticated: usize,
) {
    let registry = registry([]);
    let cases = parse(file);
    assert_eq!(cases.len(), count);
    for case in &cases {
        let mut tfm = registry.aead(name).unwrap();
        tfm.set_key(&case["KEY"]).unwrap();
        tfm.set_tag_size(case["TAG"].len()).unwrap();
        whole(&tfm, case);
        for step in [1, 3, 8, 16, 19, 64, 100] {
            segments(&tfm, case, step);
            stream(&tfm, case, step);
        }
        changed(&tfm, case, not_authenticated);
    }
}

fn whole(tfm: &Aead, case: &Case) {
    let (iv, aad, plain, cipher) = (&case["IV"], &case["AAD"], &case["PTEXT"], &case["CTEXT"]);
    let mut buf = [&plain[..], &vec![0; tfm.tag_size()]].concat();
    tfm.seal_appended(iv, aad, &mut buf).unwrap();
    assert_eq!(hex::encode(&buf), hex::encode([&cipher[..], &case["TAG"]].concat()));
    assert_eq!(tfm.open_appended(iv, aad, &mut buf).unwrap(), plain);

    let (mut out, mut tag) = (vec![0xfe; plain.len()], vec![0; tfm.tag_size()]);
    tfm.seal(iv, aad, InOut::apart(plain, &mut out).unwrap(), &mut tag).unwrap();
    assert_eq!((&out, &tag), (cipher, &case["TAG"]));
    tfm.open(iv, aad, InOut::apart(cipher, &mut out).unwrap(), &tag).unwrap();
    assert_eq!(&out, plain);
}

/// Source and destination cut differently, the associated data as well.
fn segments(tfm: &Aead, case: &Case, step: usize) {
    let aad: Vec<&[u8]> = case["AAD"].chunks(step).collect();
    let aad = Aad::new(&aad);
    let (iv, plain, cipher) = (&case["IV"], &case["PTEXT"], &case["CTEXT"]);
    let (mut out, mut tag) = (vec![0xfe; plain.len()], vec![0; tfm.tag_size()]);
    let src: Vec<&[u8]> = plain.chunks(step + 5).collect();
    let mut dst: Vec<&mut [u8]> = out.chunks_mut(step).collect();
    tfm.seal_segments(iv, &aad, Segments::Apart(&src, &mut dst), &mut tag).unwrap();
    assert_eq!((&out, &tag), (cipher, &case["TAG"]), "cut every {step} bytes");
    let mut both: Vec<&mut [u8]> = out.chunks_mut(step).collect();
    tfm.open_segments(iv, &aad, Segments::InPlace(&mut both), &tag).unwrap();
    assert_eq!(&out, plain, "cut every {step} bytes");
}

fn stream(tfm: &Aead, case: &Case, step: usize) {
    let (iv, aad, plain, cipher) = (&case["IV"], &case["AAD"], &case["PTEXT"], &case["CTEXT"]);
    let (aad_len, text_len) = (aad.len() as u64, plain.len() as u64);
    let (mut out, mut tag, mut at) = (vec![0xfe; plain.len()], vec![0; tfm.tag_size()], 0);
    let mut sealer = tfm.sealer(iv, aad_len, text_len).unwrap();
    aad.chunks(step).for_each(|piece| sealer.aad(piece).unwrap());
    for piece in plain.chunks(step) {
        at += sealer.update(piece, &mut out[at..]).unwrap();
    }
    sealer.finish(&mut out[at..], &mut tag).unwrap();
    assert_eq!((&out, &tag), (cipher, &case["TAG"]), "in pieces of {step} bytes");

    let mut opener = tfm.opener(iv, aad_len, text_len).unwrap();
    aad.chunks(step).for_each(|piece| opener.aad(piece).unwrap());
    let mut at = 0;
    for piece in cipher.chunks(step) {
        at += opener.update(piece, &mut out[at..]).unwrap().keep_unverified().len();
    }
    opener.finish(&mut out[at..], &tag).unwrap();
    assert_eq!(&out, plain, "in pieces of {step} bytes");
}

/// Any changed bit of what is authenticated is noticed, and leaves zeros.
fn changed(tfm: &Aead, case: &Case, not_authenticated: usize) {
    let open = |field: &str, at: usize| {
        let mut case = case.clone();
        case.get_mut(field).unwrap()[at] ^= 0x40;
        let mut out = vec![0xfe; case["CTEXT"].len()];
        let io = InOut::apart(&case["CTEXT"], &mut out).unwrap();
        let result = tfm.open(&case["IV"], &case["AAD"], io, &case["TAG"]);
        assert!(result.is_ok() || out.iter().all(|&byte| byte == 0), "{field} changed at {at}");
        result
    };
    let authenticated = case["AAD"].len() - not_authenticated;
    // The nonce in an IV of CCM has what is around it for company.
    let nonce = if tfm.alg().name.starts_with("ccm") {
        1..15 - usize::from(case["IV"][0])
    } else {
        0..case["IV"].len()
    };
    for (field, range) in [
        ("TAG", 0..case["TAG"].len()),
        ("CTEXT", 0..case["CTEXT"].len()),
        ("AAD", 0..authenticated),
        ("IV", nonce),
    ] {
        for at in [range.start, range.end / 2, range.end.saturating_sub(1)]
            .into_iter()
            .filter(|at| range.contains(at))
        {
            assert_eq!(open(field, at), Err(Error::BadTag), "{field} changed at {at}");
        }
    }
    for at in authenticated..case["AAD"].len() {
        assert_eq!(open("AAD", at), Ok(()), "the copy of the IV changed at {at}");
    }
}
