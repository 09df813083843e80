//! Blocks, tails, lengths and the fast path.

use std::sync::Mutex;

use kcrypto_core::ShashDriver;

use crate::wrap::HashFault;

/// Changes a bit of the digest if the function of total length and tail length says so.
pub(super) struct Flip(pub(super) fn(u64, usize) -> bool);
impl HashFault for Flip {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, total, digest);
        if (self.0)(total, tail.len()) {
            digest[0] ^= 4;
        }
    }
}

pub(super) struct LostOnBlock;
impl HashFault for LostOnBlock {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        if tail.is_empty() {
            right.init(state);
        }
        right.finish(state, tail, total, digest);
    }

    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        right.digest(message, digest)
    }
}

/// The buffer of the tail is not cleared: a shorter tail is followed by the end of a longer one.
#[derive(Default)]
pub(super) struct StaleTail(pub(super) Mutex<Vec<u8>>);
impl HashFault for StaleTail {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, total, digest);
        let mut buffer = self.0.lock().unwrap();
        if buffer.len() > tail.len() {
            digest[0] ^= buffer[tail.len()];
        } else {
            *buffer = tail.to_vec();
        }
    }

    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        right.digest(message, digest)
    }
}

pub(super) struct ThirdBlock;
impl HashFault for ThirdBlock {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        let mut blocks = blocks.to_vec();
        if let Some(byte) = blocks.get_mut(128) {
            *byte ^= 1;
        }
        right.update(state, &blocks);
    }
}

pub(super) struct Misaligned;
impl HashFault for Misaligned {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        right.update(state, blocks);
        if blocks.as_ptr().addr() % 2 == 1 {
            state[0] ^= 1;
        }
    }
}

pub(super) struct NoTail;
impl HashFault for NoTail {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], _tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, &[], total, digest);
    }

    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        right.digest(message, digest)
    }
}

pub(super) struct EmptyIsBlock;
impl HashFault for EmptyIsBlock {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        if total == 0 {
            right.update(state, &[0; 16]);
        }
        right.finish(state, tail, total, digest);
    }
}

/// K2 in the place of K1.
pub(super) struct FullLastBlock;
impl HashFault for FullLastBlock {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        let mut tail = tail.to_vec();
        if tail.len() == 16 {
            let mut encrypted = [0; 16];
            right.update(&mut encrypted, &[0; 16]);
            let k1 = doubled(encrypted);
            let k2 = doubled(k1);
            tail.iter_mut().zip(k1.iter().zip(k2)).for_each(|(byte, (k1, k2))| *byte ^= k1 ^ k2);
        }
        right.finish(state, &tail, total, digest);
    }
}

/// RFC 4493, 2.3.
fn doubled(block: [u8; 16]) -> [u8; 16] {
    let n = u128::from_be_bytes(block);
    ((n << 1) ^ ((n >> 127) * 0x87)).to_be_bytes()
}

pub(super) struct PaddedFullBlock;
impl HashFault for PaddedFullBlock {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        if tail.len() == 16 {
            right.update(state, tail);
            right.finish(state, &[], total, digest);
        } else {
            right.finish(state, tail, total, digest);
        }
    }
}

/// Ends messages as if they had another length.
pub(super) struct Length(pub(super) fn(u64) -> u64);
impl HashFault for Length {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, (self.0)(total), digest);
    }
}

/// Wrong only where the message lies in one piece and has such a length.
pub(super) struct OneShot(pub(super) fn(usize) -> bool);
impl HashFault for OneShot {
    fn digest(&self, right: &dyn ShashDriver, message: &[u8], digest: &mut [u8]) -> bool {
        let done = right.digest(message, digest);
        if done && (self.0)(message.len()) {
            digest[1] ^= 0x80;
        }
        done
    }
}

/// Wrong where the running state lies at an odd address: where it does only inside of something else.
pub(super) struct OddState;
impl HashFault for OddState {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        right.update(state, blocks);
        if state.as_ptr().addr() % 2 == 1 {
            state[0] ^= 1;
        }
    }
}
