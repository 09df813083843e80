//! A message under an AEAD in every shape of a request, and the cases of files of vectors.

use kcrypto_core::{Aad, Aead, Error, InOut, Registry, Segments};

/// A keyed transform.
pub(crate) fn aead(registry: &Registry, name: &str, key: &[u8]) -> Aead {
    let mut tfm = registry.aead(name).expect(name);
    tfm.set_key(key).expect(name);
    tfm
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
pub(crate) fn sealed(registry: &Registry, names: &[String], cases: &[Vec<Vec<u8>>]) {
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
