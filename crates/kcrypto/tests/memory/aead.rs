//! AEADs.

use kcrypto::batch::{self, Job};
use kcrypto::{Aad, Aead, Defaults, InOut, KindTag, Registry, Segments};

use crate::{allocations, drivers, key};

const NAMES: [&str; 7] = [
    "ccm(aes)",
    "gcm(aes)",
    "rfc4106(gcm(aes))",
    "rfc4309(ccm(aes))",
    "rfc4543(gcm(aes))",
    "rfc7539(chacha20,poly1305)",
    "rfc7539esp(chacha20,poly1305)",
];

#[test]
fn requests_allocate_nothing() {
    let registry = Registry::with_defaults();
    for driver in drivers(&registry, KindTag::Aead, &NAMES) {
        let mut tfm = registry.aead(&driver).unwrap();
        tfm.set_key(&key(tfm.key_sizes().max)).unwrap();
        // For CCM, a length field of two bytes.
        let iv = vec![1; tfm.iv_size()];
        let (mut text, mut out) = (vec![7u8; 1024 + 16], vec![0u8; 1024]);
        let made = allocations(|| {
            [0, 16, 17, 100, 1024]
                .iter()
                .for_each(|&len| every_way(&tfm, &iv, &mut text[..len + 16], &mut out[..len]));
        });
        assert_eq!(made, 0, "{driver}");
    }
}

/// Seals and opens a text, which is followed by room for a tag.
fn every_way(tfm: &Aead, iv: &[u8], both: &mut [u8], out: &mut [u8]) {
    let aad = [9u8; 16];
    let pieces = [&aad[..5], &aad[5..]];
    let aads = Aad::new(&pieces);
    let len = out.len();
    tfm.seal_appended(iv, &aad, both).unwrap();
    tfm.open_appended(iv, &aad, both).unwrap();
    let (text, tag) = both.split_at_mut(len);
    tfm.seal(iv, &aad, InOut::apart(text, out).unwrap(), tag).unwrap();
    tfm.open_with(iv, &aads, InOut::in_place(out), tag).unwrap();
    assert_eq!(text, out);

    let (a, b) = out.split_at_mut(len / 3);
    tfm.seal_segments(iv, &aads, Segments::InPlace(&mut [a, b]), tag).unwrap();
    let (a, b) = out.split_at_mut(len / 2);
    tfm.open_segments(iv, &aads, Segments::InPlace(&mut [a, b]), tag).unwrap();
    tag[3] ^= 1;
    assert!(tfm.open(iv, &aad, InOut::apart(text, out).unwrap(), tag).is_err());

    streams(tfm, iv, &aads, text, out, tag);

    let (first, second) = text.split_at_mut(len / 2);
    let [mut tag_a, mut tag_b] = [[0; 16]; 2];
    let mut jobs = [
        Job::seal(tfm, iv, Aad::new(&pieces), InOut::in_place(first), &mut tag_a),
        Job::seal(tfm, iv, Aad::new(&pieces), InOut::in_place(second), &mut tag_b),
    ];
    batch::run(&mut jobs);
    assert!(jobs.iter().all(|job| job.result().is_ok()));
    let mut jobs = [
        Job::open(tfm, iv, Aad::new(&pieces), InOut::in_place(first), &tag_a),
        Job::open(tfm, iv, Aad::new(&pieces), InOut::in_place(second), &tag_b),
    ];
    batch::run(&mut jobs);
    assert!(jobs.iter().all(|job| job.result().is_ok()));
}

/// Seals and opens piece by piece.
fn streams(tfm: &Aead, iv: &[u8], aad: &Aad<'_>, text: &mut [u8], out: &mut [u8], tag: &mut [u8]) {
    let len = text.len() as u64;
    let mut sealer = tfm.sealer(iv, aad.len(), len).unwrap();
    aad.pieces().iter().for_each(|piece| sealer.aad(piece).unwrap());
    let mut at = 0;
    for piece in text.chunks(11) {
        let due = sealer.update_len(piece.len());
        at += sealer.update(piece, &mut out[at..at + due]).unwrap();
    }
    sealer.finish(&mut out[at..], tag).unwrap();
    let mut opener = tfm.opener(iv, aad.len(), len).unwrap();
    aad.pieces().iter().for_each(|piece| opener.aad(piece).unwrap());
    let mut at = 0;
    for piece in out.chunks(13) {
        let due = opener.update_len(piece.len());
        opener.update(piece, &mut text[at..at + due]).unwrap().keep_unverified();
        at += due;
    }
    opener.finish(&mut text[at..], tag).unwrap();
}
