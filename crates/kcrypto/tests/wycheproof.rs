//! Wycheproof: every case of the sets for our MACs and AEADs, by every driver that answers the name.
//!
//! A valid case gives exactly its bytes and an invalid one is refused, in place, apart and in pieces. A case that
//! the named algorithm cannot take, for the kernel fixes the length of its IV, is refused with a typed error and
//! counted as skipped. The sets for hashes that are not ours (SHA-512/224 and SHA-512/256) are left out.
#![forbid(unsafe_code)]

use kcrypto::{Aead, Error, InOut, KindTag, Result, Shash, Verdict, Want, registry};
use wycheproof::TestResult;
use wycheproof::aead::{Test as AeadCase, TestName as AeadSet, TestSet as AeadCases};
use wycheproof::mac::{Test as MacCase, TestName as MacSet, TestSet as MacCases};

/// Pieces of a message in pieces: no divisor of a block, and shorter than one.
const PIECE: usize = 7;

#[test]
fn aes_cmac() {
    mac(MacSet::AesCmac, "cmac(aes)", 311);
}

#[test]
fn hmac() {
    for (set, name, passed) in [
        (MacSet::HmacSha1, "hmac(sha1)", 170),
        (MacSet::HmacSha224, "hmac(sha224)", 172),
        (MacSet::HmacSha256, "hmac(sha256)", 174),
        (MacSet::HmacSha384, "hmac(sha384)", 174),
        (MacSet::HmacSha512, "hmac(sha512)", 174),
        (MacSet::HmacSha3_224, "hmac(sha3-224)", 172),
        (MacSet::HmacSha3_256, "hmac(sha3-256)", 174),
        (MacSet::HmacSha3_384, "hmac(sha3-384)", 174),
        (MacSet::HmacSha3_512, "hmac(sha3-512)", 174),
        (MacSet::HmacSm3, "hmac(sm3)", 174),
    ] {
        mac(set, name, passed);
    }
}

/// The skipped ones have a nonce that no IV of CCM has room for: 15 bytes or more.
#[test]
fn aes_ccm() {
    aead(AeadSet::AesCcm, "ccm(aes)", ccm_iv, [531, 21]);
}

/// The skipped ones have an IV that is not 12 bytes long.
#[test]
fn aes_gcm() {
    aead(AeadSet::AesGcm, "gcm(aes)", same_iv, [203, 113]);
}

#[test]
fn chacha20_poly1305() {
    aead(AeadSet::ChaCha20Poly1305, "rfc7539(chacha20,poly1305)", same_iv, [325, 0]);
}

/// The kernel's IV of CCM: the bytes that the nonce leaves for the length of the text, less 1; the nonce; zeros.
fn ccm_iv(nonce: &[u8]) -> Option<Vec<u8>> {
    let left = 14_usize.checked_sub(nonce.len())?;
    let mut iv = vec![0; 16];
    iv[0] = left as u8;
    iv[1..=nonce.len()].copy_from_slice(nonce);
    Some(iv)
}

fn same_iv(nonce: &[u8]) -> Option<Vec<u8>> {
    Some(nonce.to_vec())
}

/// Driver names of those that could answer.
fn drivers(name: &str, kind: KindTag) -> Vec<String> {
    let candidates = registry().explain(name, Want::new(kind)).candidates;
    let usable = candidates.iter().filter(|c| c.verdict == Verdict::Chosen || c.verdict.is_relative());
    let drivers: Vec<String> = usable.map(|c| c.alg.driver_name.to_string()).collect();
    assert!(!drivers.is_empty(), "nothing answers {name}");
    drivers
}

fn mac(set: MacSet, name: &str, expected: usize) {
    let cases = MacCases::load(set).unwrap();
    let drivers = drivers(name, KindTag::Shash);
    for driver in &drivers {
        let mut tfm = registry().shash(driver).unwrap();
        assert_eq!(*tfm.alg().driver_name, **driver);
        let mut passed = 0;
        for case in cases.test_groups.iter().flat_map(|group| &group.tests) {
            let place = format!("{driver}, case {}: {}", case.tc_id, case.comment);
            match (case.result, verify(&mut tfm, case)) {
                (TestResult::Valid, Ok(())) => {}
                (TestResult::Invalid, Err(Error::BadTag | Error::BadKeyLen { .. })) => {}
                (expected, outcome) => panic!("{place}: {outcome:?} instead of {expected:?}"),
            }
            passed += 1;
        }
        assert_eq!(passed, expected, "{driver}");
    }
    println!("{name}: {expected} passed, 0 skipped, by each of {}", drivers.join(", "));
}

/// Checks the tag, and that the digest of the message in pieces says the same.
fn verify(tfm: &mut Shash, case: &MacCase) -> Result<()> {
    tfm.set_key(&case.key)?;
    let outcome = tfm.verify(&case.msg, &case.tag);
    let mut digest = vec![0; tfm.digest_size()];
    tfm.digest(&case.msg, &mut digest)?;
    assert_eq!(outcome.is_ok(), digest.starts_with(&case.tag));

    let mut in_pieces = vec![0; tfm.digest_size()];
    let mut hasher = tfm.hasher()?;
    case.msg.chunks(PIECE).for_each(|piece| hasher.update(piece));
    hasher.finalize(&mut in_pieces)?;
    assert_eq!(in_pieces, digest);
    outcome
}

fn aead(set: AeadSet, name: &str, iv: fn(&[u8]) -> Option<Vec<u8>>, expected: [usize; 2]) {
    let cases = AeadCases::load(set).unwrap();
    let drivers = drivers(name, KindTag::Aead);
    for driver in &drivers {
        let mut tfm = registry().aead(driver).unwrap();
        assert_eq!(*tfm.alg().driver_name, **driver);
        let [mut passed, mut skipped] = [0, 0];
        for case in cases.test_groups.iter().flat_map(|group| &group.tests) {
            let place = format!("{driver}, case {}: {}", case.tc_id, case.comment);
            let Some(iv) = iv(&case.nonce) else {
                skipped += 1;
                continue;
            };
            let opened = open(&mut tfm, &iv, case);
            let sealed = seal(&mut tfm, &iv, case);
            match (case.result, opened) {
                (TestResult::Valid, Ok(text)) => {
                    assert_eq!(text, **case.pt, "{place}");
                    assert_eq!(sealed, Ok((case.ct.to_vec(), case.tag.to_vec())), "{place}");
                    passed += 1;
                }
                (TestResult::Valid, Err(Error::BadIvLen { .. })) => skipped += 1,
                (TestResult::Invalid, Err(error)) => {
                    assert_ne!(sealed, Ok((case.ct.to_vec(), case.tag.to_vec())), "{place}");
                    use Error::{BadIv, BadIvLen, BadTag, BadTagLen};
                    let typed = matches!(error, BadTag | BadTagLen { .. } | BadIv { .. } | BadIvLen { .. });
                    assert!(typed, "{place}: {error:?}");
                    passed += 1;
                }
                (expected, outcome) => panic!("{place}: {outcome:?} instead of {expected:?}"),
            }
        }
        assert_eq!([passed, skipped], expected, "{driver}");
    }
    let [passed, skipped] = expected;
    println!("{name}: {passed} passed, {skipped} skipped, by each of {}", drivers.join(", "));
}

/// Ciphertext and tag, the same in place, apart and in pieces.
fn seal(tfm: &mut Aead, iv: &[u8], case: &AeadCase) -> Result<(Vec<u8>, Vec<u8>)> {
    tfm.set_tag_size(case.tag.len())?;
    tfm.set_key(&case.key)?;
    let (mut text, mut tag) = (case.pt.to_vec(), case.tag.to_vec());
    tfm.seal(iv, &case.aad, &mut text, &mut tag)?;

    let (mut apart, mut its_tag) = (vec![0; text.len()], vec![0; tag.len()]);
    tfm.seal(iv, &case.aad, InOut::apart(&case.pt, &mut apart)?, &mut its_tag)?;
    assert_eq!((&apart, &its_tag), (&text, &tag));

    let mut sealer = tfm.sealer(iv, case.aad.len() as u64, case.pt.len() as u64)?;
    case.aad.chunks(PIECE).try_for_each(|piece| sealer.aad(piece))?;
    let (mut in_pieces, mut written) = (vec![0; text.len()], 0);
    for piece in case.pt.chunks(PIECE) {
        written += sealer.update(piece, &mut in_pieces[written..])?;
    }
    sealer.finish(&mut in_pieces[written..], &mut its_tag)?;
    assert_eq!((in_pieces, its_tag), (text.clone(), tag.clone()));
    Ok((text, tag))
}

/// The plaintext or the refusal, the same in place, apart and in pieces; a wrong tag leaves nothing behind.
fn open(tfm: &mut Aead, iv: &[u8], case: &AeadCase) -> Result<Vec<u8>> {
    tfm.set_tag_size(case.tag.len())?;
    tfm.set_key(&case.key)?;
    let mut text = case.ct.to_vec();
    let outcome = tfm.open(iv, &case.aad, &mut text, &case.tag);

    let mut apart = vec![0xa5; text.len()];
    let its_outcome = tfm.open(iv, &case.aad, InOut::apart(&case.ct, &mut apart)?, &case.tag);
    assert_eq!(its_outcome, outcome);
    if matches!(outcome, Ok(()) | Err(Error::BadTag)) {
        assert_eq!(apart, text);
        assert_eq!(open_in_pieces(tfm, iv, case), outcome.clone().map(|()| text.clone()));
    }
    if outcome == Err(Error::BadTag) {
        assert!(text.iter().all(|&byte| byte == 0));
    }
    outcome.map(|()| text)
}

fn open_in_pieces(tfm: &Aead, iv: &[u8], case: &AeadCase) -> Result<Vec<u8>> {
    let mut opener = tfm.opener(iv, case.aad.len() as u64, case.ct.len() as u64)?;
    case.aad.chunks(PIECE).try_for_each(|piece| opener.aad(piece))?;
    let (mut text, mut written) = (vec![0; case.ct.len()], 0);
    for piece in case.ct.chunks(PIECE) {
        written += opener.update(piece, &mut text[written..])?.keep_unverified().len();
    }
    opener.finish(&mut text[written..], &case.tag)?;
    Ok(text)
}
