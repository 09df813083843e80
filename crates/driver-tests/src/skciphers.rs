//! A message under an skcipher in every shape of a request.

use kcrypto_core::{Dir, Error, InOut, Kind, Registry, Skcipher, SkcipherDriver, State};

use crate::bytes;

/// A keyed transform.
pub(crate) fn keyed(registry: &Registry, name: &str, key: &[u8]) -> Skcipher {
    let mut tfm = registry.skcipher(name).expect(name);
    tfm.set_key(key).expect(name);
    tfm
}

/// The driver behind a name, keyed.
pub(crate) fn driver(registry: &Registry, name: &str, key: &[u8]) -> Box<dyn SkcipherDriver> {
    let tfm = registry.skcipher(name).expect(name);
    let Kind::Skcipher(limits) = &tfm.alg().kind else { unreachable!("asked for an skcipher") };
    let mut driver = limits.make.call().expect(name);
    driver.set_key(key).expect(name);
    driver
}

/// The output, and the IV after it.
pub(crate) fn in_place(tfm: &Skcipher, dir: Dir, iv: &[u8], message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut out, mut iv) = (message.to_vec(), iv.to_vec());
    tfm.crypt_chained(dir, &mut iv, InOut::in_place(&mut out)).expect("a legal request");
    (out, iv)
}

/// The same at an odd address, between bytes that must stay.
pub(crate) fn apart(tfm: &Skcipher, dir: Dir, iv: &[u8], message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut out, mut iv) = (vec![0xa5; message.len() + 17], iv.to_vec());
    let io = InOut::apart(message, &mut out[1..=message.len()]).expect("the same length");
    tfm.crypt_chained(dir, &mut iv, io).expect("a legal request");
    assert!(out[0] == 0xa5 && out[message.len() + 1..].iter().all(|&b| b == 0xa5), "wrote outside");
    (out[1..=message.len()].to_vec(), iv)
}

/// The output of a message cut at these places, the IV after it, and the first bytes of the state that is left.
fn in_runs(
    driver: &dyn SkcipherDriver,
    dir: Dir,
    iv: &[u8],
    message: &[u8],
    cuts: &[usize],
    kept: usize,
) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let mut out = message.to_vec();
    let mut state = State::new();
    driver.begin(dir, iv, &mut state);
    let mut rest = InOut::from(&mut out);
    let mut done = 0;
    for cut in cuts {
        let (run, after) = rest.split_at(cut - done);
        driver.run(dir, &mut state, run, false);
        (rest, done) = (after, *cut);
    }
    driver.run(dir, &mut state, rest, true);
    let mut iv = iv.to_vec();
    driver.end(dir, &state, &mut iv);
    (out, iv, state.bytes()[..kept].to_vec())
}

/// Messages of these lengths, in place and apart: what the last of the drivers says.
pub(crate) fn lengths(registry: &Registry, names: &[String], key: &[u8], lens: impl Iterator<Item = usize>) {
    let tfms: Vec<Skcipher> = names.iter().map(|name| keyed(registry, name, key)).collect();
    let last = tfms.last().expect("a driver to compare with");
    let iv = bytes(last.iv_size(), 7);
    for len in lens {
        if !last.length().contains(len) {
            for tfm in &tfms {
                let refused = tfm.encrypt(&iv, &mut vec![0; len]);
                assert!(matches!(refused, Err(Error::BadLength { .. })), "{len}: {refused:?}");
            }
            continue;
        }
        let message = bytes(len, len as u64);
        for dir in Dir::BOTH {
            let want = in_place(last, dir, &iv, &message);
            for (tfm, name) in tfms.iter().zip(names) {
                assert_eq!(in_place(tfm, dir, &iv, &message), want, "{name} {dir:?} {len}");
                assert_eq!(apart(tfm, dir, &iv, &message), want, "{name} {dir:?} {len} apart");
            }
        }
    }
}

/// Messages of those of these lengths that are legal, cut at every legal place: what the last of the drivers says,
/// and its state as far as the drivers have it in common, which is `kept` bytes.
pub(crate) fn cuts(
    registry: &Registry,
    names: &[String],
    key: &[u8],
    lens: impl Iterator<Item = usize>,
    kept: usize,
) {
    let tfm = keyed(registry, names.last().expect("a driver to compare with"), key);
    let Kind::Skcipher(limits) = &tfm.alg().kind else { unreachable!("an skcipher") };
    let iv = bytes(tfm.iv_size(), 8);
    let drivers: Vec<_> = names.iter().map(|name| driver(registry, name, key)).collect();
    let last = drivers.last().expect("a driver to compare with");
    for len in lens.filter(|len| limits.length.contains(*len)) {
        let message = bytes(len, len as u64);
        let cuts: Vec<usize> =
            (0..=len).step_by(limits.chunk_size).filter(|cut| len - cut >= limits.tail).collect();
        for dir in Dir::BOTH {
            let want = in_runs(&**last, dir, &iv, &message, &[], kept);
            let (out, iv_out) = in_place(&tfm, dir, &iv, &message);
            assert_eq!((&out, &iv_out), (&want.0, &want.1), "{dir:?} {len}");
            for (driver, name) in drivers.iter().zip(names) {
                let whole = in_runs(&**driver, dir, &iv, &message, &[], kept);
                assert_eq!(whole, want, "{name} {dir:?} {len}");
                let all = in_runs(&**driver, dir, &iv, &message, &cuts, kept);
                assert_eq!(all, want, "{name} {dir:?} {len} {cuts:?}");
                for &cut in &cuts {
                    let two = in_runs(&**driver, dir, &iv, &message, &[cut], kept);
                    assert_eq!(two, want, "{name} {dir:?} {len} {cut}");
                }
            }
        }
    }
}
