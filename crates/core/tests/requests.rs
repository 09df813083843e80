//! One message in every shape: whole, in segments, streamed, batched (`algorithm-types.md` section 2).

mod support;

use kcrypto_core::batch::{self, Job};
use kcrypto_core::{Dir, Error, InOut, Registry, Segments, Skcipher};
use support::{cipher, sum};

fn tfm() -> Skcipher {
    let registry =
        Registry::with([sum("sum", "sum-generic", 1), cipher("add", "add-generic", 1)], []).unwrap();
    let mut tfm = registry.skcipher("sum").unwrap();
    tfm.set_key(&[9, 8, 7, 6]).unwrap();
    tfm
}

fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (7 * i + 3) as u8).collect()
}

const IV: [u8; 4] = [1, 2, 3, 4];

/// Ciphertext and IV of the plain call.
fn whole(tfm: &Skcipher, dir: Dir, len: usize) -> (Vec<u8>, [u8; 4]) {
    let (mut out, mut iv) = (message(len), IV);
    tfm.crypt_chained(dir, &mut iv, InOut::in_place(&mut out)).unwrap();
    (out, iv)
}

/// Cuts `data` into pieces of the given lengths, the last one taking the rest.
fn cut<'a>(mut data: &'a [u8], lens: &[usize]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    for &len in lens {
        let (piece, rest) = data.split_at(len.min(data.len()));
        pieces.push(piece);
        data = rest;
    }
    pieces.push(data);
    pieces
}

fn cut_mut<'a>(mut data: &'a mut [u8], lens: &[usize]) -> Vec<&'a mut [u8]> {
    let mut pieces = Vec::new();
    for &len in lens {
        let (piece, rest) = data.split_at_mut(len.min(data.len()));
        pieces.push(piece);
        data = rest;
    }
    pieces.push(data);
    pieces
}

const CUTS: &[&[usize]] = &[
    &[],
    &[0],
    &[1],
    &[3],
    &[4],
    &[5],
    &[8],
    &[1, 1, 1, 1, 1],
    &[0, 7, 0, 0, 2],
    &[4, 4],
    &[13],
    &[2, 9, 4, 1],
];

#[test]
fn segments_give_the_bytes_of_one_call_however_both_sides_are_cut() {
    let tfm = tfm();
    for dir in Dir::BOTH {
        for len in 2..40 {
            let expected = whole(&tfm, dir, len);
            let input = message(len);
            for src in CUTS {
                let (mut out, mut iv) = (input.clone(), IV);
                let mut list = cut_mut(&mut out, src);
                tfm.crypt_segments_chained(dir, &mut iv, Segments::InPlace(&mut list)).unwrap();
                assert_eq!((&out, iv), (&expected.0, expected.1), "in place {len} {src:?}");
                for dst in CUTS {
                    let (mut out, mut iv) = (vec![0xfe; len], IV);
                    let (from, mut to) = (cut(&input, src), cut_mut(&mut out, dst));
                    tfm.crypt_segments_chained(dir, &mut iv, Segments::Apart(&from, &mut to)).unwrap();
                    assert_eq!((&out, iv), (&expected.0, expected.1), "apart {len} {src:?} {dst:?}");
                }
            }
        }
    }
}

#[test]
fn streams_give_the_bytes_of_one_call_whatever_the_pieces() {
    let tfm = tfm();
    for dir in Dir::BOTH {
        for len in 2..40 {
            let expected = whole(&tfm, dir, len);
            let input = message(len);
            for pieces in CUTS {
                let mut stream = kcrypto_core::Stream::new(&tfm, dir, &IV).unwrap();
                let mut out = vec![0xfe; len];
                let mut at = 0;
                for piece in cut(&input, pieces) {
                    let due = stream.update_len(piece.len());
                    assert_eq!(stream.update(piece, &mut out[at..]), Ok(due));
                    at += due;
                }
                assert_eq!(stream.finish_len(), len - at);
                let mut iv = [0; 4];
                stream.finish_chained(&mut out[at..], &mut iv).unwrap();
                assert_eq!((out, iv), expected, "{len} {pieces:?}");
            }
        }
    }
}

#[test]
fn refusals_write_nothing_and_consume_nothing() {
    let tfm = tfm();
    let mut buf = message(1);
    let short = Error::BadLength { len: 1, accepted: tfm.length() };
    assert_eq!(tfm.encrypt(&IV, &mut buf), Err(short.clone()));
    assert_eq!(short.to_string(), "message of 1 bytes; accepted: 2 bytes or more");
    assert_eq!(tfm.encrypt(&IV[..3], &mut message(8)), Err(Error::BadIvLen { len: 3, want: 4 }));
    assert_eq!(buf, message(1));
    let mut list = [&mut buf[..]];
    assert_eq!(tfm.crypt_segments(Dir::Encrypt, &IV, Segments::InPlace(&mut list)), Err(short.clone()));
    let (from, mut to) = ([&[0u8; 8][..]], [0u8; 7]);
    let mut to = [&mut to[..]];
    let uneven = tfm.crypt_segments(Dir::Encrypt, &IV, Segments::Apart(&from, &mut to));
    assert_eq!(uneven, Err(Error::LengthMismatch { src: 8, dst: 7 }));
    let mut stream = tfm.encryptor(&IV).unwrap();
    assert_eq!(stream.update(&message(12), &mut [0; 3]), Err(Error::LengthMismatch { src: 4, dst: 3 }));
    let mut out = [0; 12];
    assert_eq!(stream.update(&message(12), &mut out), Ok(4), "nothing was consumed before");
    assert_eq!(stream.finish_len(), 8);
    stream.finish(&mut out[4..]).unwrap();
    assert_eq!(out[..], whole(&tfm, Dir::Encrypt, 12).0);
    let mut stream = tfm.encryptor(&IV).unwrap();
    stream.update(&[0], &mut []).unwrap();
    assert_eq!(stream.finish(&mut [0; 8]), Err(short));
    assert!(tfm.encryptor(&[]).is_err());
}

#[test]
fn keys_are_needed_checked_and_gone_after_a_failure() {
    let mut tfm = tfm();
    tfm.encrypt(&IV, &mut message(8)).unwrap();
    let refused = tfm.set_key(&[0; 5]).unwrap_err();
    assert_eq!(refused.to_string(), "key of 5 bytes; accepted: 4 bytes");
    assert_eq!(tfm.encrypt(&IV, &mut message(8)), Err(Error::NeedKey));
    assert!(matches!(tfm.encryptor(&IV), Err(Error::NeedKey)));
    assert_eq!(tfm.crypt_segments(Dir::Encrypt, &IV, Segments::InPlace(&mut [])), Err(Error::NeedKey));
    tfm.set_key(&[0; 4]).unwrap();
    tfm.encrypt(&IV, &mut message(8)).unwrap();
}

#[test]
fn a_plain_call_leaves_the_iv_alone_and_a_chained_one_continues() {
    let tfm = tfm();
    let expected = whole(&tfm, Dir::Encrypt, 24);
    let mut iv = IV;
    let mut out = message(24);
    let (head, tail) = out.split_at_mut(16);
    tfm.encrypt_chained(&mut iv, head).unwrap();
    tfm.encrypt_chained(&mut iv, tail).unwrap();
    assert_eq!((out, iv), expected);
}

#[test]
fn a_batch_mixes_keys_lengths_directions_and_failures() {
    let first = tfm();
    let mut second = tfm();
    second.set_key(&[1; 4]).unwrap();
    let mut expected = Vec::new();
    let mut buffers: Vec<(usize, Vec<u8>, [u8; 4])> = (0..20).map(|len| (len, message(len), IV)).collect();
    for (len, _, _) in &buffers {
        let tfm = if len % 2 == 0 { &first } else { &second };
        let dir = if len % 3 == 0 { Dir::Decrypt } else { Dir::Encrypt };
        expected.push(if *len < 2 { (message(*len), IV) } else { whole(tfm, dir, *len) });
    }
    let mut jobs: Vec<Job<'_>> = buffers
        .iter_mut()
        .map(|(len, buf, iv)| {
            let tfm = if *len % 2 == 0 { &first } else { &second };
            let dir = if *len % 3 == 0 { Dir::Decrypt } else { Dir::Encrypt };
            Job::new(tfm, dir, iv, InOut::in_place(buf))
        })
        .collect();
    assert!(jobs[5].result().is_err(), "not run yet");
    batch::run(&mut jobs);
    for (len, job) in jobs.iter().enumerate() {
        let ok = if len < 2 { Err(Error::BadLength { len, accepted: first.length() }) } else { Ok(()) };
        assert_eq!(job.result(), ok, "{len}");
    }
    drop(jobs);
    for ((len, buf, iv), expected) in buffers.into_iter().zip(expected) {
        assert_eq!((buf, iv), expected, "{len}");
    }
}

#[test]
fn the_raw_cipher_checks_what_it_is_given() {
    let registry = support::registry();
    let mut tfm = registry.cipher("add").unwrap();
    assert_eq!(tfm.encrypt(&mut [0; 4]), Err(Error::NeedKey));
    assert!(matches!(tfm.set_key(&[]), Err(Error::BadKeyLen { len: 0, .. })));
    tfm.set_key(&[1; 4]).unwrap();
    assert!(matches!(tfm.encrypt(&mut [0; 5]), Err(Error::BadLength { len: 5, .. })));
    let mut out = [0; 8];
    tfm.encrypt(InOut::apart(&[1; 8], &mut out).unwrap()).unwrap();
    assert_eq!(out, [2; 8]);
    tfm.decrypt(&mut out).unwrap();
    assert_eq!(out, [1; 8]);
}
