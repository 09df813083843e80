//! Who takes part in a comparison, and how it is driven.

use std::hint::black_box;

use crate::message::Message;

pub use kcrypto::Dir;

/// A mode of AES.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// `ecb(aes)`
    Ecb,
    /// `cbc(aes)`
    Cbc,
    /// `ctr(aes)`
    Ctr,
    /// `xts(aes)`
    Xts,
    /// `cts(cbc(aes))`
    Cts,
}

impl Mode {
    /// Its generic name.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Ecb => "ecb(aes)",
            Mode::Cbc => "cbc(aes)",
            Mode::Ctr => "ctr(aes)",
            Mode::Xts => "xts(aes)",
            Mode::Cts => "cts(cbc(aes))",
        }
    }
}

/// What is compared: a mode, a direction, and an AES key length.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The mode.
    pub mode: Mode,
    /// The direction.
    pub dir: Dir,
    /// AES key bits: 128, 192 or 256. XTS takes two such keys.
    pub bits: usize,
}

impl Case {
    /// The key: bytes that count up, so that the halves of an XTS key differ.
    pub fn key(self) -> Vec<u8> {
        let keys = if self.mode == Mode::Xts { 2 } else { 1 };
        (1..).take(keys * self.bits / 8).collect()
    }

    /// `encrypt` or `decrypt`.
    pub fn verb(self) -> &'static str {
        match self.dir {
            Dir::Encrypt => "encrypt",
            Dir::Decrypt => "decrypt",
        }
    }
}

/// One keyed way to process a whole message under an IV.
pub trait Cipher {
    /// From one buffer to another.
    fn apart(&mut self, iv: &[u8; 16], src: &[u8], dst: &mut [u8]);
    /// In one buffer.
    fn in_place(&mut self, iv: &[u8; 16], buf: &mut [u8]);
}

/// A [`Cipher`] with its measuring loops compiled around it, so that no contender pays for being boxed.
pub trait Loops {
    /// Independent messages: the same source again and again, to another buffer.
    fn independent(&mut self, n: u64, message: &mut Message);
    /// Latency: in place, with an IV out of the last output.
    fn dependent(&mut self, n: u64, message: &mut Message);
    /// One message, for the check that all contenders compute the same.
    fn once(&mut self, message: &mut Message);
}

impl<C: Cipher> Loops for C {
    fn independent(&mut self, n: u64, message: &mut Message) {
        let iv = message.iv;
        let (src, dst) = message.apart();
        for _ in 0..n {
            self.apart(black_box(&iv), black_box(src), black_box(&mut *dst));
        }
    }

    fn dependent(&mut self, n: u64, message: &mut Message) {
        let mut iv = message.iv;
        let buf = message.in_place();
        // In cts the block before the last is the one that all input bytes went into.
        let at = ((buf.len() - 1) / 16).saturating_sub(1) * 16;
        for _ in 0..n {
            self.in_place(&iv, black_box(&mut *buf));
            iv.copy_from_slice(&buf[at..at + 16]);
        }
    }

    fn once(&mut self, message: &mut Message) {
        let iv = message.iv;
        let (src, dst) = message.apart();
        self.apart(&iv, src, dst);
    }
}

/// Someone who takes part.
pub struct Contender {
    /// Name in tables and benchmark ids.
    pub name: String,
    /// Whether it is held to AES-NI on this CPU, without VAES.
    pub aes_ni_only: bool,
    /// The shortest message that it processes as the mode demands.
    pub shortest: usize,
    /// What it runs.
    pub loops: Box<dyn Loops>,
}

impl Contender {
    /// Held to AES-NI.
    pub fn new(name: impl Into<String>, cipher: impl Cipher + 'static) -> Self {
        Contender { name: name.into(), aes_ni_only: true, shortest: 0, loops: Box::new(cipher) }
    }

    /// Takes wider registers where the CPU has VAES.
    pub fn wide(name: impl Into<String>, cipher: impl Cipher + 'static) -> Self {
        Contender { aes_ni_only: false, ..Contender::new(name, cipher) }
    }
}

impl std::fmt::Debug for Contender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contender").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Panics unless all contenders that take messages of `len` bytes give the same output.
pub fn agree(contenders: &mut [Contender], len: usize) {
    let mut expected: Option<Vec<u8>> = None;
    for contender in contenders.iter_mut().filter(|contender| contender.shortest <= len) {
        let mut message = Message::new(len);
        contender.loops.once(&mut message);
        let output = message.apart().1.to_vec();
        match &expected {
            None => expected = Some(output),
            Some(first) => assert_eq!(&output, first, "{} differs at {len} bytes", contender.name),
        }
    }
}
