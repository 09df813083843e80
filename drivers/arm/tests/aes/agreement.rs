//! Fused, composed, and composed over another AES: the same bytes in every shape of a request.

use crate::common::{MODES, bytes, driver, in_runs, keyed, of, registry, ways};
use kcrypto_core::{Dir, InOut, Kind, Registry, Skcipher};

/// Every message length up to this many bytes.
const LENGTHS: usize = 300;

/// Calls `check` with each mode's three transforms for each key length.
fn for_each_mode(check: impl Fn(&Registry, [&str; 3], &[u8])) {
    let registry = registry();
    for mode in ways().iter().flat_map(|way| MODES.map(|mode| of(mode, way))) {
        let sizes = registry.skcipher(mode[0]).expect(mode[0]).key_sizes();
        for (seed, len) in sizes.iter().enumerate() {
            check(&registry, mode, &bytes(len, seed as u64));
        }
    }
}

fn in_place(tfm: &Skcipher, dir: Dir, iv: &[u8], message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut out, mut iv) = (message.to_vec(), iv.to_vec());
    tfm.crypt_chained(dir, &mut iv, InOut::in_place(&mut out)).expect("a legal request");
    (out, iv)
}

/// At an odd address, between bytes that must stay.
fn apart(tfm: &Skcipher, dir: Dir, iv: &[u8], message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut out, mut iv) = (vec![0xa5; message.len() + 17], iv.to_vec());
    let io = InOut::apart(message, &mut out[1..=message.len()]).expect("the same length");
    tfm.crypt_chained(dir, &mut iv, io).expect("a legal request");
    assert!(out[0] == 0xa5 && out[message.len() + 1..].iter().all(|&b| b == 0xa5), "wrote outside");
    (out[1..=message.len()].to_vec(), iv)
}

#[test]
fn every_length_in_place_and_apart() {
    for_each_mode(|registry, mode, key| {
        let tfms = mode.map(|name| keyed(registry, name, key));
        let iv = bytes(tfms[0].iv_size(), 7);
        for len in (0..=LENGTHS).chain([511, 512, 513, 1024, 1424, 4096]) {
            if !tfms[0].length().contains(len) {
                for tfm in &tfms {
                    assert!(tfm.encrypt(&iv, &mut vec![0; len]).is_err(), "{len}");
                }
                continue;
            }
            let message = bytes(len, len as u64);
            for dir in Dir::BOTH {
                let want = in_place(&tfms[2], dir, &iv, &message);
                for (tfm, name) in tfms.iter().zip(mode) {
                    assert_eq!(in_place(tfm, dir, &iv, &message), want, "{name} {dir:?} {len}");
                    assert_eq!(apart(tfm, dir, &iv, &message), want, "{name} {dir:?} {len} apart");
                }
            }
        }
    });
}

#[test]
fn every_legal_cut() {
    for_each_mode(|registry, mode, key| {
        let tfm = keyed(registry, mode[2], key);
        let Kind::Skcipher(limits) = &tfm.alg().kind else { unreachable!("an skcipher") };
        let iv = bytes(tfm.iv_size(), 8);
        let drivers = mode.map(|name| driver(registry, name, key));
        for len in (0..=LENGTHS).step_by(3).filter(|len| limits.length.contains(*len)) {
            let message = bytes(len, len as u64);
            let cuts: Vec<usize> =
                (0..=len).step_by(limits.chunk_size).filter(|cut| len - cut >= limits.tail).collect();
            for dir in Dir::BOTH {
                let want = in_place(&tfm, dir, &iv, &message);
                for (driver, name) in drivers.iter().zip(mode) {
                    let whole = in_runs(&**driver, dir, &iv, &message, &[]);
                    assert_eq!(whole, want, "{name} {dir:?} {len}");
                    let all = in_runs(&**driver, dir, &iv, &message, &cuts);
                    assert_eq!(all, want, "{name} {dir:?} {len} {cuts:?}");
                    for &cut in &cuts {
                        let two = in_runs(&**driver, dir, &iv, &message, &[cut]);
                        assert_eq!(two, want, "{name} {dir:?} {len} {cut}");
                    }
                }
            }
        }
    });
}

/// Counters that carry out of 8, 32 and 64 bits, and out of the whole block.
#[test]
fn counters_carry() {
    let (registry, key) = (registry(), bytes(32, 1));
    let tfms = ways().into_iter().flat_map(|way| of(MODES[2], way));
    let tfms: Vec<Skcipher> = tfms.map(|name| keyed(&registry, name, &key)).collect();
    for carried in [1, 4, 8, 9, 16] {
        for before in 0..20u8 {
            let mut iv = bytes(16, 2);
            iv[16 - carried..].fill(0xff);
            iv[15] = 0xff - before;
            for len in [16, 40, 128, 160, 320, 1000] {
                let message = bytes(len, 3);
                let want = in_place(tfms.last().expect("the other AES"), Dir::Encrypt, &iv, &message);
                for tfm in &tfms {
                    assert_eq!(in_place(tfm, Dir::Encrypt, &iv, &message), want, "{carried} {before} {len}");
                }
            }
        }
    }
}
