//! CCM and GCM with a mistake in what they authenticate besides the text.
//!
//! The right tag is the sum of a mask and a hash. The wrong one is made of it by taking the hash of the right
//! format out and putting that of a wrong one in.

use kcrypto_core::{Aad, AeadDriver, Dir, InOut, Result, Shash, Skcipher};

use crate::registry;
use crate::wrap::AeadFault;

/// What CCM authenticates before the text (RFC 3610, 2.2).
#[derive(Clone)]
pub(crate) struct Format {
    pub(crate) b0: [u8; 16],
    pub(crate) aad_len: usize,
    pub(crate) header: Vec<u8>,
    pub(crate) padding: usize,
}

impl Format {
    fn of(iv: &[u8], aad_len: usize, text_len: usize, tag_len: usize) -> Self {
        let mut b0 = [0; 16];
        let field = usize::from(iv[0]) + 1;
        b0.copy_from_slice(iv);
        b0[0] |= ((tag_len - 2) / 2 * 8) as u8 | if aad_len > 0 { 0x40 } else { 0 };
        b0[16 - field..].copy_from_slice(&(text_len as u64).to_be_bytes()[8 - field..]);
        let header = match aad_len {
            0 => Vec::new(),
            1..0xff00 => (aad_len as u16).to_be_bytes().into(),
            _ => [&[0xff, 0xfe], &(aad_len as u32).to_be_bytes()[..]].concat(),
        };
        let padding = (header.len() + aad_len).next_multiple_of(16) - header.len() - aad_len;
        Format { b0, aad_len, header, padding }
    }

    fn mac(&self, mac: &Shash, aad: &Aad<'_>, text: &[u8]) -> [u8; 16] {
        let aad = aad.pieces().concat();
        let mut digest = [0; 16];
        let parts = [&self.b0[..], &self.header, &aad, &[0; 16][..self.padding], text];
        mac.digest_segments(&parts, &mut digest).unwrap();
        digest
    }
}

/// CCM of whole messages with another format than the right one.
pub(crate) struct Ccm {
    mac: Shash,
    mistake: fn(&mut Format),
}

impl Ccm {
    pub(crate) fn with(mistake: fn(&mut Format)) -> Box<dyn AeadFault> {
        Box::new(Ccm { mac: registry().shash("cbcmac(aes)").unwrap(), mistake })
    }
}

impl AeadFault for Ccm {
    fn set_key(&mut self, right: &mut dyn AeadDriver, key: &[u8]) -> Result<()> {
        self.mac.set_key(key)?;
        right.set_key(key)
    }

    fn crypt(
        &self,
        right: &dyn AeadDriver,
        dir: Dir,
        iv: &[u8],
        aad: &Aad<'_>,
        mut io: InOut<'_>,
        tag: &mut [u8],
    ) {
        let before = io.src().to_vec();
        right.crypt(dir, iv, aad, io.reborrow(), tag);
        let text = if dir == Dir::Encrypt { before } else { io.dst().to_vec() };
        let format = Format::of(iv, aad.len() as usize, text.len(), tag.len());
        let mut wrong = format.clone();
        (self.mistake)(&mut wrong);
        swap(tag, format.mac(&self.mac, aad, &text), wrong.mac(&self.mac, aad, &text));
    }
}

/// What GCM adds to the hash of AAD and ciphertext (SP 800-38D, 7.1).
#[derive(Clone)]
pub(crate) struct Parts {
    /// Of the block that masks the tag.
    pub(crate) counter: u32,
    /// What lengths in bytes are multiplied with.
    pub(crate) scale: u64,
}

/// GCM of whole messages with other parts than the right ones.
pub(crate) struct Gcm {
    ctr: Skcipher,
    hash: Shash,
    mistake: fn(&mut Parts),
}

impl Gcm {
    pub(crate) fn with(mistake: fn(&mut Parts)) -> Box<dyn AeadFault> {
        let registry = registry();
        let (ctr, hash) = (registry.skcipher("ctr(aes)").unwrap(), registry.shash("ghash").unwrap());
        Box::new(Gcm { ctr, hash, mistake })
    }

    fn encrypted(&self, block: &[u8]) -> [u8; 16] {
        let mut out = [0; 16];
        self.ctr.encrypt(block, &mut out).unwrap();
        out
    }

    /// Hash and mask. The key of the hash is derived for each message.
    fn sum(&self, parts: &Parts, iv: &[u8], aad: &Aad<'_>, ctext: &[u8]) -> [u8; 16] {
        let aad = aad.pieces().concat();
        let lens = [aad.len(), ctext.len()].map(|len| (len as u64 * parts.scale).to_be_bytes()).concat();
        let zeros = |len: usize| vec![0; len.next_multiple_of(16) - len];
        let mut sum = [0; 16];
        let pieces = [&aad[..], &zeros(aad.len()), ctext, &zeros(ctext.len()), &lens];
        self.hash.digest_segments(&pieces, &mut sum).unwrap();
        let mask = self.encrypted(&[iv, &parts.counter.to_be_bytes()].concat());
        sum.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
        sum
    }
}

impl AeadFault for Gcm {
    fn set_key(&mut self, right: &mut dyn AeadDriver, key: &[u8]) -> Result<()> {
        self.ctr.set_key(key)?;
        let subkey = self.encrypted(&[0; 16]);
        self.hash.set_key(&subkey)?;
        right.set_key(key)
    }

    fn crypt(
        &self,
        right: &dyn AeadDriver,
        dir: Dir,
        iv: &[u8],
        aad: &Aad<'_>,
        mut io: InOut<'_>,
        tag: &mut [u8],
    ) {
        let before = io.src().to_vec();
        right.crypt(dir, iv, aad, io.reborrow(), tag);
        let ctext = if dir == Dir::Decrypt { before } else { io.dst().to_vec() };
        let parts = Parts { counter: 1, scale: 8 };
        let mut wrong = parts.clone();
        (self.mistake)(&mut wrong);
        swap(tag, self.sum(&parts, iv, aad, &ctext), self.sum(&wrong, iv, aad, &ctext));
    }
}

/// Takes one hash out of a tag and puts another in.
fn swap(tag: &mut [u8], out: [u8; 16], into: [u8; 16]) {
    tag.iter_mut().zip(out.iter().zip(into)).for_each(|(byte, (out, into))| *byte ^= out ^ into);
}
