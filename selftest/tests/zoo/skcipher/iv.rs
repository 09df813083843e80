//! IVs that come back.

use kcrypto_core::{Dir, InOut, SkcipherDriver};

use crate::wrap::Fault;

pub(super) struct LostIv;
impl Fault for LostIv {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        right.crypt(dir, &mut iv.to_vec(), io);
    }
}

pub(super) struct LateIv;
impl Fault for LateIv {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        right.crypt(dir, iv, io.reborrow());
        if dir == Dir::Decrypt && io.len() >= 16 {
            iv.copy_from_slice(&io.src()[io.len() - 16..]);
        }
    }
}

pub(super) struct PartialBlock;
impl Fault for PartialBlock {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let whole = io.len() - io.len() % 16;
        let (head, tail) = io.split_at(whole);
        right.crypt(dir, iv, head);
        right.crypt(dir, &mut iv.to_vec(), tail);
    }
}

pub(super) struct EmptyMessage;
impl Fault for EmptyMessage {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        match io.is_empty() {
            true => right.crypt(dir, iv, InOut::in_place(&mut [0])),
            false => right.crypt(dir, iv, io),
        }
    }
}

pub(super) struct Tweak;
impl Fault for Tweak {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        right.crypt(dir, iv, io);
        iv[0] ^= 0x87;
    }
}

pub(super) struct LastBlockIv;
impl Fault for LastBlockIv {
    fn crypt(&self, right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        let last = io.len() - 16;
        let before = io.src()[last..].to_vec();
        right.crypt(dir, iv, io.reborrow());
        match dir {
            Dir::Encrypt => iv.copy_from_slice(&io.dst()[last..]),
            Dir::Decrypt => iv.copy_from_slice(&before),
        }
    }
}
