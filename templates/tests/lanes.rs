//! Batches through the lanes of a fused cipher, which is portable here: the same bytes as one call for each message,
//! and as many messages side by side as there are lanes.

#[path = "common/toy.rs"]
#[expect(dead_code, reason = "nothing is composed here")]
mod toy;

use std::cell::RefCell;

use kcrypto_core::batch::{self, Batched, Job};
use kcrypto_core::chain::Blocks;
use kcrypto_core::engine::{Fused, Work};
use kcrypto_core::{
    Aad, Aead, Alg, CipherDriver, Dir, Error, InOut, KeySizes, Length, Make, Registry, Result, Shash,
    ShashAlg, Skcipher, SkcipherAlg,
};
use kcrypto_templates::cbc::Cbc;
use kcrypto_templates::cbcmac::CbcMac;
use kcrypto_templates::ccm::{self, Ccm};
use kcrypto_templates::cmac::{self, Cmac};
use kcrypto_templates::cts::Cts;
use kcrypto_templates::xcbc::Xcbc;
use rstest::rstest;
use toy::Toy;

const BLOCK: usize = 16;
const LANES: usize = 4;
const KEYS: KeySizes = KeySizes::AES;

thread_local! {
    /// How many keys went side by side, each time.
    static WIDTHS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// The toy cipher with four lanes, and keys of three lengths, which do not go with each other.
struct Laned {
    key_len: usize,
    toy: Toy<BLOCK>,
}

impl Laned {
    fn new() -> Self {
        Laned { key_len: 0, toy: Toy::new() }
    }
}

impl CipherDriver for Laned {
    fn block_size(&self) -> usize {
        BLOCK
    }
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.key_len = key.len();
        self.toy.set_key(&key[key.len() - BLOCK..])
    }
    fn encrypt_block(&self, block: &mut [u8]) {
        self.toy.encrypt_block(block);
    }
    fn decrypt_block(&self, block: &mut [u8]) {
        // No inverse, but something to be told from encryption.
        block.iter_mut().for_each(|byte| *byte ^= 0x5a);
    }
}

impl Fused for Laned {
    const LANES: usize = LANES;

    fn enter_work<const N: usize>(keys: [&Self; N], work: impl Work<N>) {
        assert!(keys.iter().all(|key| key.key_len == keys[0].key_len), "keys of several lengths");
        WIDTHS.with_borrow_mut(|widths| widths.push(N));
        work.run(keys.map(Blocks::new));
    }

    fn goes_with(&self, other: &Self) -> bool {
        self.key_len == other.key_len
    }
}

fn registry() -> Registry {
    let blocks = |make| SkcipherAlg::of_blocks(BLOCK, KEYS, make);
    let stealing = SkcipherAlg {
        tail: BLOCK + 1,
        length: Length::at_least(BLOCK),
        ..blocks(Make::Static(|| Box::new(Cts::fused(Laned::new()))))
    };
    let mac = |make| cmac::limits(BLOCK, KEYS, make);
    let plain =
        ShashAlg { keeps_full_block: false, ..mac(Make::Static(|| Box::new(CbcMac::fused(Laned::new())))) };
    let algs = [
        Alg::skcipher("cbc", "cbc-laned", blocks(Make::Static(|| Box::new(Cbc::fused(Laned::new()))))),
        Alg::skcipher("cts", "cts-laned", stealing),
        Alg::shash("cmac", "cmac-laned", mac(Make::Static(|| Box::new(Cmac::fused(Laned::new()))))),
        Alg::shash("xcbc", "xcbc-laned", mac(Make::Static(|| Box::new(Xcbc::fused(Laned::new()))))),
        Alg::shash("cbcmac", "cbcmac-laned", plain),
        Alg::aead(
            "ccm",
            "ccm-laned",
            ccm::limits(KEYS, BLOCK, Make::Static(|| Box::new(Ccm::fused(Laned::new())))),
        ),
    ];
    Registry::with(algs, []).unwrap()
}

/// Bytes that differ from batch to batch.
fn bytes(len: usize, seed: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 37 + i / 7 + seed * 101) as u8).collect()
}

/// Six keys, two of each length.
fn key(nth: usize) -> Vec<u8> {
    bytes([16, 24, 32][nth / 2 % 3], nth)
}

/// Runs a batch; returns how many keys went side by side each time.
fn widths<T: Batched>(jobs: &mut [Job<'_, T>]) -> Vec<usize> {
    WIDTHS.take();
    batch::run(jobs);
    WIDTHS.take()
}

fn skcipher(registry: &Registry, name: &str, nth: usize) -> Skcipher {
    let mut tfm = registry.skcipher(name).unwrap();
    tfm.set_key(&key(nth)).unwrap();
    tfm
}

fn shash(registry: &Registry, name: &str, nth: usize) -> Shash {
    let mut tfm = registry.shash(name).unwrap();
    tfm.set_key(&key(nth)).unwrap();
    tfm
}

fn aead(registry: &Registry, nth: usize) -> Aead {
    let mut tfm = registry.aead("ccm").unwrap();
    tfm.set_key(&key(nth)).unwrap();
    tfm.set_tag_size([8, 16, 4][nth % 3]).unwrap();
    tfm
}

/// Lengths around the shortest for lanes, and beyond; some are refused or empty.
fn len(nth: usize, size: usize) -> usize {
    [0, 127, 128, 129, 144, 160, 161, 200, 320, 321, 335, 336, 400, 16, 37][(nth * 7 + size) % 15]
}

#[rstest]
#[case("cbc")]
#[case("cts")]
fn ciphers(#[case] name: &str) {
    let registry = registry();
    let tfms: Vec<Skcipher> = (0..6).map(|nth| skcipher(&registry, name, nth)).collect();
    for size in 0..60 {
        let tfm = |nth: usize| &tfms[(nth * 5 + size / 3) % if size % 2 == 0 { 6 } else { 2 }];
        let dir = |nth: usize| if (nth + size) % 5 == 3 { Dir::Decrypt } else { Dir::Encrypt };
        let texts: Vec<Vec<u8>> = (0..size).map(|nth| bytes(len(nth, size), nth)).collect();
        let mut outs: Vec<Vec<u8>> = texts
            .iter()
            .enumerate()
            .map(|(nth, text)| if nth % 2 == 0 { text.clone() } else { vec![0; text.len()] })
            .collect();
        let mut ivs: Vec<Vec<u8>> = (0..size).map(|nth| bytes(BLOCK, nth + 9)).collect();
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for (nth, ((text, out), iv)) in texts.iter().zip(&mut outs).zip(&mut ivs).enumerate() {
            let io = if nth % 2 == 0 { InOut::in_place(out) } else { InOut::apart(text, out).unwrap() };
            jobs.push(Job::new(tfm(nth), dir(nth), iv, io));
        }
        batch::run(&mut jobs);
        let results: Vec<Result<()>> = jobs.iter().map(Job::result).collect();
        drop(jobs);
        for nth in 0..size {
            let (mut out, mut iv) = (texts[nth].clone(), bytes(BLOCK, nth + 9));
            match tfm(nth).crypt_chained(dir(nth), &mut iv, InOut::in_place(&mut out)) {
                Ok(()) => {
                    assert!(results[nth].is_ok());
                    assert_eq!(outs[nth], out, "{name}: {nth} of {size}, {} bytes", out.len());
                    assert_eq!(ivs[nth], iv, "{name}: the IV of {nth} of {size}, {} bytes", out.len());
                }
                Err(error) => assert_eq!(results[nth].clone().unwrap_err().to_string(), error.to_string()),
            }
        }
    }
}

#[rstest]
#[case("cmac")]
#[case("xcbc")]
#[case("cbcmac")]
fn macs(#[case] name: &str) {
    let registry = registry();
    let tfms: Vec<Shash> = (0..6).map(|nth| shash(&registry, name, nth)).collect();
    for size in 0..60 {
        let tfm = |nth: usize| &tfms[(nth * 5 + size / 3) % if size % 2 == 0 { 6 } else { 2 }];
        let messages: Vec<Vec<u8>> = (0..size).map(|nth| bytes(len(nth, size), nth)).collect();
        let mut digests = vec![[0xfe; BLOCK]; size];
        let parts = messages.iter().zip(&mut digests).enumerate();
        let mut jobs: Vec<_> =
            parts.map(|(nth, (message, digest))| Job::digest(tfm(nth), message, digest)).collect();
        batch::run(&mut jobs);
        assert!(jobs.iter().all(|job| job.result().is_ok()));
        drop(jobs);
        for nth in 0..size {
            let mut digest = [0; BLOCK];
            tfm(nth).digest(&messages[nth], &mut digest).unwrap();
            assert_eq!(digests[nth], digest, "{name}: {nth} of {size}, {} bytes", messages[nth].len());
        }
    }
}

#[test]
fn ccm() {
    let registry = registry();
    let tfms: Vec<Aead> = (0..6).map(|nth| aead(&registry, nth)).collect();
    let iv = |nth: usize| {
        let mut iv = bytes(BLOCK, nth);
        iv[0] = 1 + (nth % 3) as u8;
        iv
    };
    for size in 0..60 {
        let tfm = |nth: usize| &tfms[(nth * 5 + size / 3) % if size % 2 == 0 { 6 } else { 2 }];
        let aads: Vec<Vec<u8>> = (0..size).map(|nth| bytes([0, 1, 14, 15, 40][nth % 5], nth)).collect();
        let pieces: Vec<[&[u8]; 2]> = aads.iter().map(|aad| aad.split_at(aad.len() / 2).into()).collect();
        let texts: Vec<Vec<u8>> = (0..size).map(|nth| bytes(len(nth, size), nth)).collect();
        let ivs: Vec<Vec<u8>> = (0..size).map(iv).collect();
        // 0: seal, 1: open, 2: open with a changed tag.
        let ask = |nth: usize| [0, 0, 1, 0, 1, 2][(nth + size) % 6];
        let mut sealed = texts.clone();
        let mut tags: Vec<Vec<u8>> = (0..size).map(|nth| vec![0; tfm(nth).tag_size()]).collect();
        for nth in 0..size {
            let aad = Aad::new(&pieces[nth]);
            tfm(nth).seal_with(&ivs[nth], &aad, InOut::in_place(&mut sealed[nth]), &mut tags[nth]).unwrap();
        }
        let mut given = tags.clone();
        for nth in (0..size).filter(|&nth| ask(nth) != 1) {
            if ask(nth) == 0 { given[nth].fill(0xfe) } else { given[nth][0] ^= 1 }
        }
        let mut outs: Vec<Vec<u8>> = (0..size)
            .map(|nth| if ask(nth) == 0 { texts[nth].clone() } else { sealed[nth].clone() })
            .collect();
        let mut jobs = Vec::new();
        for (nth, (out, tag)) in outs.iter_mut().zip(&mut given).enumerate() {
            let aad = Aad::new(&pieces[nth]);
            jobs.push(match ask(nth) {
                0 => Job::seal(tfm(nth), &ivs[nth], aad, out, tag),
                _ => Job::open(tfm(nth), &ivs[nth], aad, out, tag),
            });
        }
        batch::run(&mut jobs);
        let results: Vec<Result<()>> = jobs.iter().map(Job::result).collect();
        drop(jobs);
        for nth in 0..size {
            let what = format!("{nth} of {size}, {} bytes", texts[nth].len());
            match ask(nth) {
                0 => assert_eq!((&outs[nth], &given[nth]), (&sealed[nth], &tags[nth]), "{what}"),
                1 => assert_eq!(outs[nth], texts[nth], "{what}"),
                _ => {
                    assert!(matches!(results[nth], Err(Error::BadTag)), "{what}");
                    assert!(outs[nth].iter().all(|&byte| byte == 0), "{what}");
                    continue;
                }
            }
            assert!(results[nth].is_ok(), "{what}");
        }
    }
}

/// Messages of 8, 8, 9, 8, 8, 10 blocks in four lanes, then two that are alone in what they need.
#[test]
fn lanes_are_filled_again() {
    let registry = registry();
    let tfms: Vec<Skcipher> = (0..6).map(|nth| skcipher(&registry, "cbc", nth)).collect();
    let blocks = [8, 8, 9, 8, 8, 10, 8, 8];
    let mut texts = blocks.map(|blocks| bytes(BLOCK * blocks, blocks));
    let mut ivs = [[3; BLOCK]; 8];
    let mut jobs: Vec<_> = texts
        .iter_mut()
        .zip(&mut ivs)
        .enumerate()
        .map(|(nth, (text, iv))| match nth {
            6 => Job::encrypt(&tfms[2], iv.as_mut_slice(), text),
            7 => Job::decrypt(&tfms[0], iv.as_mut_slice(), text),
            _ => Job::encrypt(&tfms[nth % 2], iv.as_mut_slice(), text),
        })
        .collect();
    // Eight blocks of the first four; then one of the third with two others, which go on for seven, and two more.
    assert_eq!(widths(&mut jobs), [4, 3, 2, 1]);
}

/// A padded end is a block in its lane: those of all messages go side by side.
#[rstest]
#[case("cmac")]
#[case("xcbc")]
#[case("cbcmac")]
fn ends_of_macs(#[case] name: &str) {
    let registry = registry();
    let mac = shash(&registry, name, 0);
    let messages = [129, 141, 133].map(|len| bytes(len, len));
    let mut digests = [[0; BLOCK]; 3];
    let parts = messages.iter().zip(&mut digests);
    let mut jobs: Vec<_> = parts.map(|(message, digest)| Job::digest(&mac, message, digest)).collect();
    assert_eq!(widths(&mut jobs), [3, 3]);
}

/// So do those that are stolen from, whole ones among them.
#[test]
fn ends_of_ciphertexts() {
    let registry = registry();
    let cts = skcipher(&registry, "cts", 0);
    let (mut texts, mut ivs) = ([129, 144, 133].map(|len| bytes(len, len)), [[3; BLOCK]; 3]);
    let parts = texts.iter_mut().zip(&mut ivs);
    let mut jobs: Vec<_> = parts.map(|(text, iv)| Job::encrypt(&cts, iv.as_mut_slice(), text)).collect();
    assert_eq!(widths(&mut jobs), [3, 3]);
}

/// What is short, or has none beside it, takes the way of one message.
#[rstest]
#[case(&[127, 127, 127], &[])]
#[case(&[128], &[])]
#[case(&[128, 127, 0], &[])]
#[case(&[128, 128], &[2])]
fn who_is_left_alone(#[case] lens: &[usize], #[case] expected: &[usize]) {
    let registry = registry();
    let mac = shash(&registry, "cbcmac", 0);
    let messages: Vec<Vec<u8>> = lens.iter().map(|&len| bytes(len, len)).collect();
    let mut digests = vec![[0; BLOCK]; lens.len()];
    let parts = messages.iter().zip(&mut digests);
    let mut jobs: Vec<_> = parts.map(|(message, digest)| Job::digest(&mac, message, digest)).collect();
    assert_eq!(widths(&mut jobs), expected);
}

/// A lane of CCM has two blocks at a time, so there are half as many; both directions go apart.
#[test]
fn lanes_of_ccm() {
    let registry = registry();
    let tfm = aead(&registry, 0);
    let iv = [1; BLOCK];
    let mut texts = [336; 5].map(|len| bytes(len, len));
    let mut tags = [[0; 8]; 5];
    let mut jobs = Vec::new();
    for (nth, (text, tag)) in texts.iter_mut().zip(&mut tags).enumerate() {
        jobs.push(match nth % 2 {
            0 => Job::seal(&tfm, &iv, Aad::new(&[]), text, tag),
            _ => Job::open(&tfm, &iv, Aad::new(&[]), text, tag),
        });
    }
    // Two that seal, then the third, which finds nobody beside it; two that open.
    assert_eq!(widths(&mut jobs), [2, 1, 2]);
}
