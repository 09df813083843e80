//! States, and messages that disturb each other.

use std::sync::Mutex;

use kcrypto_core::ShashDriver;

use crate::wrap::HashFault;

/// Hashes the last block of an update when it knows what follows; right for one message at a time.
#[derive(Default)]
pub(super) struct Kept(pub(super) Mutex<Vec<u8>>);
impl Kept {
    fn flush(&self, right: &dyn ShashDriver, state: &mut [u8]) {
        let last = core::mem::take(&mut *self.0.lock().unwrap());
        if !last.is_empty() {
            right.update(state, &last);
        }
    }
}
impl HashFault for Kept {
    fn init(&self, right: &dyn ShashDriver, state: &mut [u8]) {
        self.0.lock().unwrap().clear();
        right.init(state);
    }

    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        self.flush(right, state);
        let (now, last) = blocks.split_at(blocks.len() - 64);
        if !now.is_empty() {
            right.update(state, now);
        }
        *self.0.lock().unwrap() = last.to_vec();
    }

    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        self.flush(right, state);
        right.finish(state, tail, total, digest);
    }
}

/// Right for one message at a time.
#[derive(Default)]
pub(super) struct Elsewhere(pub(super) Mutex<Vec<u8>>);
impl HashFault for Elsewhere {
    fn init(&self, right: &dyn ShashDriver, state: &mut [u8]) {
        right.init(state);
        *self.0.lock().unwrap() = state.to_vec();
    }

    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        let mut own = self.0.lock().unwrap();
        right.update(&mut own, blocks);
        state.copy_from_slice(&own);
    }

    fn finish(&self, right: &dyn ShashDriver, _state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(&mut self.0.lock().unwrap().clone(), tail, total, digest);
    }
}

/// Keeps the words of its state, so many bytes each, in the other order.
pub(super) struct Layout(pub(super) usize);
impl Layout {
    fn turn(&self, state: &mut [u8]) {
        state.chunks_mut(self.0).for_each(<[u8]>::reverse);
    }
}
impl HashFault for Layout {
    fn init(&self, right: &dyn ShashDriver, state: &mut [u8]) {
        right.init(state);
        self.turn(state);
    }

    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        self.turn(state);
        right.update(state, blocks);
        self.turn(state);
    }

    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        self.turn(state);
        right.finish(state, tail, total, digest);
    }
}

pub(super) struct Picky;
impl HashFault for Picky {
    fn is_state(&self, _right: &dyn ShashDriver, state: &[u8]) -> bool {
        !state[0].is_multiple_of(4)
    }
}

pub(super) struct Gullible;
impl HashFault for Gullible {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        assert!(right.is_state(state), "more bits than there are");
        right.update(state, blocks);
    }

    fn is_state(&self, _right: &dyn ShashDriver, _state: &[u8]) -> bool {
        true
    }
}

/// Hashes from a scratch that other threads write to as well.
#[derive(Default)]
pub(super) struct Scratch(pub(super) Mutex<Vec<u8>>);
impl HashFault for Scratch {
    fn update(&self, right: &dyn ShashDriver, state: &mut [u8], blocks: &[u8]) {
        *self.0.lock().unwrap() = blocks.to_vec();
        std::thread::yield_now();
        right.update(state, &self.0.lock().unwrap());
    }
}

#[derive(Default)]
pub(super) struct Worn(pub(super) Mutex<u32>);
impl HashFault for Worn {
    fn finish(&self, right: &dyn ShashDriver, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        right.finish(state, tail, total, digest);
        let mut uses = self.0.lock().unwrap();
        *uses += 1;
        if *uses > 60 {
            digest[3] ^= 1;
        }
    }
}
