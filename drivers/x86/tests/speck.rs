//! The drivers of Speck against the portable composition: every length, every cut, every offset within a group.
#![cfg(any(target_arch = "x86", target_arch = "x86_64"))]

use kcrypto_core::{Dir, Error, InOut, Kind, Registry, Skcipher, SkcipherDriver, State};

/// A driver, and what it must agree with.
const PAIRS: [[&str; 2]; 2] =
    [["xts-speck64-avx2", "xts(ecb(speck64-generic))"], ["xts-speck128-avx2", "xts(ecb(speck128-generic))"]];

/// Some groups of 256 bytes, one of 128, and some blocks.
const LENGTHS: usize = 700;

/// `None` where this CPU has no AVX2.
fn registry() -> Option<Registry> {
    if let Err(why) = kcrypto_simd::x86::Avx2::require() {
        eprintln!("skipped: {why}");
        return None;
    }
    let algs = kcrypto_x86::ALGS.iter().chain(kcrypto_generic::ALGS).cloned();
    Some(Registry::with(algs, kcrypto_templates::ALL.iter().copied()).expect("no names conflict"))
}

/// Calls `check` with both transforms for each key length.
fn for_each_pair(check: impl Fn(&Registry, [&str; 2], &[u8])) {
    let Some(registry) = registry() else { return };
    for pair in PAIRS {
        let sizes = registry.skcipher(pair[0]).expect(pair[0]).key_sizes();
        for (seed, len) in sizes.iter().enumerate() {
            check(&registry, pair, &bytes(len, seed as u64));
        }
    }
}

fn keyed(registry: &Registry, name: &str, key: &[u8]) -> Skcipher {
    let mut tfm = registry.skcipher(name).expect(name);
    tfm.set_key(key).expect(name);
    tfm
}

/// The driver behind a name, keyed.
fn driver(registry: &Registry, name: &str, key: &[u8]) -> Box<dyn SkcipherDriver> {
    let tfm = registry.skcipher(name).expect(name);
    let Kind::Skcipher(limits) = &tfm.alg().kind else { unreachable!("asked for an skcipher") };
    let mut driver = limits.make.call().expect(name);
    driver.set_key(key).expect(name);
    driver
}

/// Bytes without a pattern, the same on every run.
fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 32) as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

fn in_place(tfm: &Skcipher, dir: Dir, iv: &[u8], message: &[u8]) -> Vec<u8> {
    let mut out = message.to_vec();
    tfm.crypt(dir, iv, InOut::in_place(&mut out)).expect("a legal request");
    out
}

/// At an odd address, between bytes that must stay.
fn apart(tfm: &Skcipher, dir: Dir, iv: &[u8], message: &[u8]) -> Vec<u8> {
    let mut out = vec![0xa5; message.len() + 17];
    let io = InOut::apart(message, &mut out[1..=message.len()]).expect("the same length");
    tfm.crypt(dir, iv, io).expect("a legal request");
    assert!(out[0] == 0xa5 && out[message.len() + 1..].iter().all(|&b| b == 0xa5), "wrote outside");
    out[1..=message.len()].to_vec()
}

/// Runs of a message cut at these places, and the tweak and IV that are left.
fn in_runs(
    driver: &dyn SkcipherDriver,
    dir: Dir,
    iv: &[u8],
    message: &[u8],
    cuts: &[usize],
) -> (Vec<u8>, Vec<u8>) {
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
    (out, state.bytes()[..2 * iv.len()].to_vec())
}

#[test]
fn every_length_in_place_and_apart() {
    for_each_pair(|registry, pair, key| {
        let [fused, portable] = pair.map(|name| keyed(registry, name, key));
        let iv = bytes(fused.iv_size(), 7);
        for len in (0..=LENGTHS).chain([1024, 1424, 4096, 4096 + 128]) {
            if !portable.length().contains(len) {
                let refused = fused.encrypt(&iv, &mut vec![0; len]);
                assert!(matches!(refused, Err(Error::BadLength { .. })), "{len}");
                continue;
            }
            let message = bytes(len, len as u64);
            for dir in Dir::BOTH {
                let want = in_place(&portable, dir, &iv, &message);
                assert_eq!(in_place(&fused, dir, &iv, &message), want, "{} {dir:?} {len}", pair[0]);
                assert_eq!(apart(&fused, dir, &iv, &message), want, "{} {dir:?} {len} apart", pair[0]);
            }
        }
    });
}

/// Cuts put groups after any number of blocks, and carry the tweak from groups to blocks and back.
#[test]
fn every_legal_cut() {
    for_each_pair(|registry, pair, key| {
        let tfm = keyed(registry, pair[1], key);
        let Kind::Skcipher(limits) = &tfm.alg().kind else { unreachable!("an skcipher") };
        let iv = bytes(tfm.iv_size(), 8);
        let [fused, portable] = pair.map(|name| driver(registry, name, key));
        for len in [8, 16, 128, 136, 144, 256, 264, 384, 392, 400, 401, 511, 512, 527]
            .into_iter()
            .filter(|len| limits.length.contains(*len))
        {
            let message = bytes(len, len as u64);
            let cuts: Vec<usize> =
                (0..=len).step_by(limits.chunk_size).filter(|cut| len - cut >= limits.tail).collect();
            for dir in Dir::BOTH {
                let want = in_runs(&*portable, dir, &iv, &message, &[]);
                assert_eq!(in_runs(&*fused, dir, &iv, &message, &[]), want, "{} {dir:?} {len}", pair[0]);
                assert_eq!(in_runs(&*fused, dir, &iv, &message, &cuts), want, "{} {dir:?} {len}", pair[0]);
                for &cut in &cuts {
                    let two = in_runs(&*fused, dir, &iv, &message, &[cut]);
                    assert_eq!(two, want, "{} {dir:?} {len} {cut}", pair[0]);
                }
            }
        }
    });
}

#[test]
fn they_are_chosen_for_the_name_and_tested() {
    let Some(registry) = registry() else { return };
    for (name, driver, iv) in
        [("xts(speck64)", "xts-speck64-avx2", 8), ("xts(speck128)", "xts-speck128-avx2", 16)]
    {
        let mut tfm = registry.skcipher(name).expect(name);
        assert_eq!((&*tfm.alg().driver_name, tfm.iv_size()), (driver, iv));
        assert!(matches!(tfm.set_key(&[0; 25]), Err(Error::BadKeyLen { .. })));
        tfm.set_key(&[0; 32]).expect("weak keys are allowed");
        let refused = tfm.encrypt(&[0; 32][..24 - iv], &mut [0; 32]);
        assert!(matches!(refused, Err(Error::BadIvLen { want, .. }) if want == iv), "{refused:?}");
        tfm.forbid_weak_keys();
        assert!(matches!(tfm.set_key(&[0; 32]), Err(Error::WeakKey { .. })));
    }
    registry.mask_cpu(&["avx2"]);
    let tfm = registry.skcipher("xts(speck64)").expect("without AVX2");
    assert_eq!(tfm.alg().driver_name, "xts(ecb(speck64-generic))");
}
