//! The section `batch`: several messages in one call, beside one call for each and beside a peer.

use std::array;
use std::hint::black_box;

use kcrypto::batch::{self, Job};
use kcrypto::{Aad, Aead, Shash, Skcipher};
use kcrypto_benches::ccm;
use kcrypto_benches::interleave::{Flow, Times, driven, measure, timed};
use kcrypto_benches::message::Message;

use crate::{Goal, Ratios};

/// Bytes of key, IV, digest and associated data.
const BLOCK: usize = 16;
/// Of CCM: two bytes of length.
const NONCE: [u8; BLOCK] = [1; BLOCK];

impl Ratios {
    /// The serial modes, whose chains go side by side in a batch.
    pub(crate) fn batch(&self) {
        for len in [64, 128, 256, 1024, 4096] {
            for driver in ["cbc-aes-aesni", "cts-cbc-aes-aesni"] {
                let mut tfm = self.registry.skcipher(driver).expect("it resolves");
                tfm.set_key(&[7; BLOCK]).expect("a good key");
                self.batch_line::<2>(driver, len, self.ciphers::<2>(&tfm, len));
                self.batch_line::<8>(driver, len, self.ciphers::<8>(&tfm, len));
                self.batch_line::<16>(driver, len, self.ciphers::<16>(&tfm, len));
            }
            let mut tfm = self.registry.shash("cmac-aes-aesni").expect("it resolves");
            tfm.set_key(&[7; BLOCK]).expect("a good key");
            self.batch_line::<2>("cmac-aes-aesni", len, self.macs::<2>(&tfm, len));
            self.batch_line::<8>("cmac-aes-aesni", len, self.macs::<8>(&tfm, len));
            self.batch_line::<16>("cmac-aes-aesni", len, self.macs::<16>(&tfm, len));
            let mut tfm = self.registry.aead("ccm-aes-aesni").expect("it resolves");
            tfm.set_key(&[7; BLOCK]).expect("a good key");
            self.batch_line::<2>("ccm-aes-aesni", len, self.seals::<2>(&tfm, len));
            self.batch_line::<8>("ccm-aes-aesni", len, self.seals::<8>(&tfm, len));
            self.batch_line::<16>("ccm-aes-aesni", len, self.seals::<16>(&tfm, len));
        }
    }

    /// The first is a batch, the second as many calls, others are peers.
    fn batch_line<const N: usize>(&self, driver: &str, len: usize, times: Vec<Times>) {
        let what = format!("{driver}, batch of {N}");
        self.line(&what, len, &times[0], "one at a time", &times[1], Goal::None);
        if let Some(peer) = times.get(2) {
            let goal = if matches!(len, 1024) && N == 8 { Goal::Ratio(0.5) } else { Goal::None };
            self.line(&what, len, &times[0], "rustcrypto (VAES)", peer, goal);
        }
    }

    fn ciphers<const N: usize>(&self, tfm: &Skcipher, len: usize) -> Vec<Times> {
        let (mut texts, mut others) = ([(); N].map(|()| vec![3; len]), [(); N].map(|()| vec![3; len]));
        let (mut ivs, mut other_ivs) = ([[5; BLOCK]; N], [[5; BLOCK]; N]);
        let many = |n| {
            for _ in 0..n {
                let mut parts = texts.iter_mut().zip(&mut ivs);
                let mut jobs: [_; N] = array::from_fn(|_| {
                    let (text, iv) = parts.next().expect("as many");
                    Job::encrypt(black_box(tfm), iv.as_mut_slice(), text)
                });
                batch::run(&mut jobs);
            }
        };
        let one = |n| {
            for _ in 0..n {
                for (text, iv) in others.iter_mut().zip(&mut other_ivs) {
                    black_box(tfm).encrypt_chained(iv, text).expect("a good request");
                }
            }
        };
        measure(self.plan, &mut [timed(many), timed(one)])
    }

    fn macs<const N: usize>(&self, tfm: &Shash, len: usize) -> Vec<Times> {
        let messages = [(); N].map(|()| vec![3; len]);
        let (mut digests, mut other_digests) = ([[0; BLOCK]; N], [[0; BLOCK]; N]);
        let many = |n| {
            for _ in 0..n {
                let mut parts = messages.iter().zip(&mut digests);
                let mut jobs: [_; N] = array::from_fn(|_| {
                    let (message, digest) = parts.next().expect("as many");
                    Job::digest(black_box(tfm), message, digest)
                });
                batch::run(&mut jobs);
            }
        };
        let one = |n| {
            for _ in 0..n {
                for (message, digest) in messages.iter().zip(&mut other_digests) {
                    black_box(tfm).digest(message, digest).expect("a good request");
                }
            }
        };
        measure(self.plan, &mut [timed(many), timed(one)])
    }

    fn seals<const N: usize>(&self, tfm: &Aead, len: usize) -> Vec<Times> {
        let (mut texts, mut others) = ([(); N].map(|()| vec![3; len]), [(); N].map(|()| vec![3; len]));
        let (mut tags, mut other_tags) = ([[0; BLOCK]; N], [[0; BLOCK]; N]);
        let aad: [&[u8]; 1] = [&[9; BLOCK]];
        let many = |n| {
            for _ in 0..n {
                let mut parts = texts.iter_mut().zip(&mut tags);
                let mut jobs: [_; N] = array::from_fn(|_| {
                    let (text, tag) = parts.next().expect("as many");
                    Job::seal(black_box(tfm), &NONCE, Aad::new(&aad), text, tag)
                });
                batch::run(&mut jobs);
            }
        };
        let one = |n| {
            for _ in 0..n {
                for (text, tag) in others.iter_mut().zip(&mut other_tags) {
                    let io = text.as_mut_slice().into();
                    black_box(tfm).seal_with(&NONCE, &Aad::new(&aad), io, tag).expect("a good request");
                }
            }
        };
        let mut peers = ccm::peers();
        let peer = peers.iter_mut().find(|peer| peer.name == "rustcrypto").expect("it is a peer");
        let mut message = Message::new(len);
        let mut peer = driven(Flow::Independent, peer, &mut message);
        measure(self.plan, &mut [timed(many), timed(one), Box::new(|n| peer(n * N as u64))])
    }
}
