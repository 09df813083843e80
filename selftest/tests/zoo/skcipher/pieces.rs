//! Messages in pieces.

use kcrypto_core::{Dir, InOut, SkcipherDriver, State};

use crate::wrap::Fault;

pub(super) struct NewTweak;
impl Fault for NewTweak {
    fn run(&self, right: &dyn SkcipherDriver, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        let mut copy = State::new();
        copy.bytes_mut().copy_from_slice(state.bytes());
        right.run(dir, &mut copy, io, last);
    }
}

pub(super) struct AlwaysLast;
impl Fault for AlwaysLast {
    fn run(&self, right: &dyn SkcipherDriver, dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        right.run(dir, state, io, true);
    }
}

pub(super) struct PiecesIv;
impl Fault for PiecesIv {
    fn end(&self, right: &dyn SkcipherDriver, dir: Dir, state: &State, iv_out: &mut [u8]) {
        right.end(dir, state, iv_out);
        iv_out[0] ^= 1;
    }
}

pub(super) struct LongRun;
impl Fault for LongRun {
    fn run(&self, right: &dyn SkcipherDriver, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        right.run(dir, state, io.reborrow(), last);
        if io.len() > 16 && !last {
            io.dst()[16] ^= 1;
        }
    }
}
