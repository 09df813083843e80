//! Messages of CCM side by side: the chain and the key stream of each, a block of both at a time.

use kcrypto_core::batch::Job;
use kcrypto_core::engine::{Engine, Registers, read_part};
use kcrypto_core::{Aead, Dir, InOut, Lens};
use zeroize::Zeroize;

use crate::ccm::{BLOCK, CHAIN, COUNTER, Ccm, Parts};
use crate::lanes::{Lane, Strand};

/// Texts of fewer bytes are done as fast one after the other.
const SHORTEST: usize = 320;

/// Takes the long messages of the first one's direction and of keys as long as this one.
pub(super) fn run<P: Parts>(parts: &P, jobs: &mut [Job<'_, Aead>]) {
    let text = |job: &mut Job<'_, Aead>| {
        let (dir, _, _, io, _) = job.parts();
        (io.len() >= SHORTEST).then_some(dir)
    };
    let Some(dir) = jobs.first_mut().and_then(text) else { return };
    crate::lanes::run(jobs.iter_mut().filter_map(|job| {
        let mode: &Ccm<P> = job.pending_for()?;
        let fits = text(job) == Some(dir) && mode.parts.goes_with(parts);
        fits.then_some(Message { mode, job, state: [0; CHAIN + BLOCK], done: None })
    }));
}

/// A message beside others in the same direction: what comes before and after the whole blocks of its text is done when
/// it enters and leaves its lane.
struct Message<'j, 'a, P> {
    mode: &'a Ccm<P>,
    job: &'j mut Job<'a, Aead>,
    state: [u8; CHAIN + BLOCK],
    /// Bytes of text, if the message has begun.
    done: Option<usize>,
}

impl<P> Drop for Message<'_, '_, P> {
    fn drop(&mut self) {
        if self.done.is_some() {
            self.state.as_mut_slice().zeroize();
        }
    }
}

impl<P: Parts> Lane for Message<'_, '_, P> {
    type Key = P;
    type Strand<'l>
        = Piece<'l>
    where
        Self: 'l;

    /// A lane has two blocks at a time.
    const LANES: usize = P::LANES / 2;

    fn stretch(&mut self) -> usize {
        let Message { mode, job, state, done } = self;
        let (dir, iv, aad, io, tag) = job.parts();
        let done = *done.get_or_insert_with(|| {
            mode.start(iv, Lens { aad: aad.len(), text: io.len() as u64, tag: tag.len() }, state);
            aad.runs(BLOCK, |run, last| mode.associate(state, run, last));
            0
        });
        let blocks = (io.len() - done) / BLOCK;
        if blocks == 0 {
            let rest = io.split_at(done).1;
            if !rest.is_empty() {
                mode.parts.text(dir, &mut state[COUNTER..], rest);
            }
            mode.tag(state, tag);
            job.complete();
        }
        blocks
    }

    fn take(&mut self, blocks: usize) -> (&P, Piece<'_>) {
        let (dir, _, _, io, _) = self.job.parts();
        let done = self.done.get_or_insert(0);
        let io = io.split_at(*done).1.split_at(blocks * BLOCK).0;
        *done += blocks * BLOCK;
        (&self.mode.parts, Piece { dir, state: &mut self.state[COUNTER..], io })
    }
}

/// Whole blocks of a text, and the counter and the state of the MAC.
struct Piece<'l> {
    dir: Dir,
    state: &'l mut [u8],
    io: InOut<'l>,
}

impl Strand for Piece<'_> {
    #[inline(always)]
    fn run<K, E: Engine, const N: usize>(engines: [E; N], mut pieces: [(&K, Self); N], blocks: usize) {
        let Some(first) = engines.first() else { return };
        let r = first.registers();
        let mut chains = [r.number(0); N];
        let mut counters = [r.counter(0); N];
        for ((chain, counter), (_, piece)) in chains.iter_mut().zip(&mut counters).zip(&mut pieces) {
            let (next, pending) = piece.state.split_at_mut(BLOCK);
            *chain = r.load(pending);
            let value = read_part(next).swap_bytes();
            *counter = r.counter(value);
            next.copy_from_slice(&value.wrapping_add(blocks as u128).to_be_bytes());
        }
        for nth in 0..blocks {
            let mut keys = chains;
            for (key, counter) in keys.iter_mut().zip(counters) {
                *key = r.counter_block(counter, nth);
            }
            keys = E::encrypt_each(engines, keys);
            chains = E::encrypt_each(engines, chains);
            for ((chain, key), (_, piece)) in chains.iter_mut().zip(keys).zip(&mut pieces) {
                let place = nth * BLOCK..(nth + 1) * BLOCK;
                let input = r.load(&piece.io.src()[place.clone()]);
                let output = r.xor(input, key);
                *chain = r.xor(*chain, if piece.dir == Dir::Encrypt { input } else { output });
                r.store(output, &mut piece.io.dst()[place]);
            }
        }
        for (chain, (_, piece)) in chains.into_iter().zip(pieces) {
            r.store(chain, &mut piece.state[BLOCK..]);
        }
    }
}
