//! kcrypto's drivers as contenders, through the public handle.

use std::hint::black_box;

use kcrypto::{Defaults, Dir, InOut, Registry, Skcipher};

use crate::contender::{Case, Cipher, Contender, Mode};

/// Every driver and template, each tested before its first use.
pub fn registry() -> Registry {
    Registry::with_defaults()
}

struct Handle {
    tfm: Skcipher,
    dir: Dir,
    iv_size: usize,
}

impl Cipher for Handle {
    #[inline(always)]
    fn apart(&mut self, iv: &[u8; 16], src: &[u8], dst: &mut [u8]) {
        let io = InOut::apart(src, dst).expect("equal lengths");
        self.tfm.crypt(self.dir, &iv[..self.iv_size], io).expect("a good request");
    }

    #[inline(always)]
    fn in_place(&mut self, iv: &[u8; 16], buf: &mut [u8]) {
        self.tfm.crypt(self.dir, &iv[..self.iv_size], InOut::in_place(buf)).expect("a good request");
    }
}

/// The driver of this name.
pub fn driver(registry: &Registry, name: &str, case: Case) -> Contender {
    let mut tfm = registry.skcipher(name).expect("it resolves");
    tfm.set_key(&case.key()).expect("a good key");
    let iv_size = black_box(tfm.iv_size());
    Contender::new(name, Handle { tfm, dir: case.dir, iv_size })
}

/// The fused driver of a mode.
pub fn fused(mode: Mode) -> &'static str {
    match mode {
        Mode::Ecb => "ecb-aes-aesni",
        Mode::Cbc => "cbc-aes-aesni",
        Mode::Ctr => "ctr-aes-aesni",
        Mode::Xts => "xts-aes-aesni",
        Mode::Cts => "cts-cbc-aes-aesni",
    }
}

/// The composition over the same instructions.
pub fn composed(mode: Mode) -> &'static str {
    match mode {
        Mode::Ecb => "ecb(aes-aesni)",
        Mode::Cbc => "cbc(aes-aesni)",
        Mode::Ctr => "ctr(aes-aesni)",
        Mode::Xts => "xts(ecb-aes-aesni)",
        Mode::Cts => "cts(cbc-aes-aesni)",
    }
}
