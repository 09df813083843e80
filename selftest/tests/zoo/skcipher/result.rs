//! Results of whole messages.

use kcrypto_core::{Dir, InOut, Result, SkcipherDriver};

use crate::wrap::Fault;

/// Where a message is.
pub(super) struct Place {
    pub(super) in_place: bool,
    pub(super) address: usize,
}

/// Changes a bit of the result at the place that the function gives.
pub(super) struct Flip(pub(super) fn(len: usize, Dir, Place) -> Option<usize>);
impl Fault for Flip {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        let src = io.src().as_ptr();
        let place = Place { in_place: core::ptr::eq(src, io.dst().as_ptr()), address: src.addr() };
        right.crypt(dir, iv, io.reborrow());
        if let Some(at) = (self.0)(io.len(), dir, place) {
            io.dst()[at] ^= 4;
        }
    }
}

pub(super) struct Cs1;
impl Fault for Cs1 {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        if dir == Dir::Encrypt {
            right.crypt(dir, iv, io.reborrow());
            if io.len() > 16 && io.len().is_multiple_of(16) {
                let at = io.len() - 32;
                io.dst()[at..].rotate_left(16);
            }
        } else {
            let mut message = io.src().to_vec();
            if message.len() > 16 && message.len().is_multiple_of(16) {
                let at = message.len() - 32;
                message[at..].rotate_left(16);
            }
            right.crypt(dir, iv, InOut::in_place(&mut message));
            io.dst().copy_from_slice(&message);
        }
    }
}

pub(super) struct OneBlock;
impl Fault for OneBlock {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        if io.len() == 16 {
            io.dst().reverse();
        }
    }
}

/// The counter carries within its last bytes only.
pub(super) struct Carry(pub(super) usize);
impl Fault for Carry {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let high = iv[..16 - self.0].to_vec();
        let mut rest = io;
        while !rest.is_empty() {
            let (now, later) = {
                let n = rest.len().min(16);
                rest.split_at(n)
            };
            right.crypt(dir, iv, now);
            iv[..16 - self.0].copy_from_slice(&high);
            rest = later;
        }
    }
}

pub(super) struct Nonce;
impl Fault for Nonce {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        let mut key = key.to_vec();
        let at = key.len() - 4;
        key[at..].reverse();
        right.set_key(&key)
    }
}

/// Wrong for one block with an IV of zeros, and for a counter zero, with a text of zeros: what others derive keys
/// with.
pub(super) struct ZeroIv(pub(super) Dir);
impl Fault for ZeroIv {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        let zero = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0);
        let text = dir == Dir::Decrypt || zero(io.src());
        let hit = dir == self.0 && io.len() == 16 && zero(iv) && text;
        right.crypt(dir, iv, io.reborrow());
        if hit {
            io.dst()[5] ^= 1;
        }
    }
}
