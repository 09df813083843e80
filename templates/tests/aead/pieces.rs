//! Every length of associated data, with associated data, padding and text in pieces, gives the same bytes;
//! what does not verify leaves zeros in every shape.

use kcrypto_core::{Aad, Aead, Error, InOut, Segments};
use rstest::rstest;

use crate::{bytes, keyed, registry};

/// Ciphertext and tag of one call.
fn sealed(tfm: &Aead, iv: &[u8], aad: &[u8], text: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut out, mut tag) = (text.to_vec(), vec![0; tfm.tag_size()]);
    tfm.seal(iv, aad, &mut out, &mut tag).unwrap();
    (out, tag)
}

#[rstest]
fn cuts_make_no_difference(
    #[values(
        "ccm(aes)",
        "rfc4309(ccm(aes))",
        "gcm(aes)",
        "rfc4106(gcm(aes))",
        "rfc4543(gcm(aes))",
        "rfc7539(chacha20,poly1305)",
        "rfc7539esp(chacha20,poly1305)",
        "rfc7539(ctr(aes),poly1305)",
        "rfc4106(rfc7539(chacha20,poly1305))"
    )]
    name: &str,
) {
    let registry = registry([]);
    let tfm = keyed(&registry, name);
    let mut iv = bytes(tfm.iv_size(), 5);
    iv[0] = 1;
    let mut lengths = 0;
    for aad_len in 0..=40 {
        let aad = bytes(aad_len, 3);
        if tfm.sealer(&iv, aad_len as u64, 0).is_err() {
            continue;
        }
        lengths += 1;
        for text_len in [0, 1, 16, 45, 70] {
            let text = bytes(text_len, 7);
            let expected = sealed(&tfm, &iv, &aad, &text);
            for cut in [1, 7, 16, 20, 33] {
                let (first, second) = (cut.min(aad_len), (cut + 9).min(aad_len));
                let pieces = [&aad[..first], &[], &aad[first..second], &aad[second..]];
                let (mut out, mut tag) = (text.clone(), vec![0; tfm.tag_size()]);
                tfm.seal_with(&iv, &Aad::new(&pieces), InOut::in_place(&mut out), &mut tag).unwrap();
                assert_eq!((&out, &tag), (&expected.0, &expected.1), "{aad_len} and {text_len} cut at {cut}");

                let (mut out, mut tag) = (text.clone(), vec![0; tfm.tag_size()]);
                let mut list: Vec<&mut [u8]> = out.chunks_mut(cut).collect();
                tfm.seal_segments(&iv, &Aad::new(&pieces), Segments::InPlace(&mut list), &mut tag).unwrap();
                assert_eq!((&out, &tag), (&expected.0, &expected.1), "{aad_len} and {text_len} cut at {cut}");

                let mut sealer = tfm.sealer(&iv, aad_len as u64, text_len as u64).unwrap();
                pieces.iter().for_each(|piece| sealer.aad(piece).unwrap());
                let (mut out, mut tag, mut at) = (vec![0; text_len], vec![0; tfm.tag_size()], 0);
                for piece in text.chunks(cut) {
                    at += sealer.update(piece, &mut out[at..]).unwrap();
                }
                sealer.finish(&mut out[at..], &mut tag).unwrap();
                assert_eq!((&out, &tag), (&expected.0, &expected.1), "{aad_len} and {text_len} cut at {cut}");
            }
            refused(&tfm, &iv, &aad, &expected);
        }
    }
    assert_eq!(
        lengths,
        if name.starts_with("rfc4") {
            2
        } else if name.contains("esp") {
            33
        } else {
            41
        }
    );
}

/// A wrong tag in one piece, in segments and in a stream.
fn refused(tfm: &Aead, iv: &[u8], aad: &[u8], (cipher, tag): &(Vec<u8>, Vec<u8>)) {
    let zero = vec![0; cipher.len()];
    let mut wrong = tag.clone();
    wrong[0] ^= 1;
    let mut buf = cipher.clone();
    assert_eq!(tfm.open(iv, aad, &mut buf, &wrong), Err(Error::BadTag));
    assert_eq!(buf, zero);

    let mut buf = cipher.clone();
    let mut list: Vec<&mut [u8]> = buf.chunks_mut(7).collect();
    let list = Segments::InPlace(&mut list);
    assert_eq!(tfm.open_segments(iv, &Aad::new(&[aad]), list, &wrong), Err(Error::BadTag));
    assert_eq!(buf, zero);

    let mut opener = tfm.opener(iv, aad.len() as u64, cipher.len() as u64).unwrap();
    opener.aad(aad).unwrap();
    let (mut out, mut at) = (vec![0xfe; cipher.len()], 0);
    for piece in cipher.chunks(7) {
        at += opener.update(piece, &mut out[at..]).unwrap().as_unverified_bytes().len();
    }
    assert_eq!(opener.finish(&mut out[at..], &wrong), Err(Error::BadTag));
    assert_eq!(out, zero);
}
