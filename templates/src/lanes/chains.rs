//! Chains of CBC side by side: whole messages, and MACs.

use kcrypto_core::InOut;
use kcrypto_core::engine::{Engine, Registers};
use zeroize::Zeroize;

use crate::lanes::{Lane, Parallel, Strand, run};

/// Messages of fewer bytes are done as fast one after the other.
pub(crate) const SHORTEST: usize = 128;

/// A message that is a chain.
pub(crate) trait Message {
    /// The cipher with its key.
    type Key: Parallel;
    /// What is chained: with a place for the ciphertext, or without.
    type Text<'l>: Text<'l>
    where
        Self: 'l;

    /// Block size in bytes.
    fn block_size(&self) -> usize;
    /// Begins; returns how many bytes are whole blocks, to be chained where they are, and whether a block made by
    /// [`last`](Message::last) comes after them.
    fn start(&mut self) -> (usize, bool);
    /// The key, the block before the chain, which becomes its last, and the text.
    fn parts(&mut self) -> (&Self::Key, &mut [u8], Self::Text<'_>);
    /// Makes the block after the whole ones, which is all zero before.
    fn last(&mut self, block: &mut [u8]);
    /// Finishes what is chained.
    fn end(&mut self);
}

/// Processes messages whose keys have the same length.
pub(crate) fn chains<M: Message>(messages: impl Iterator<Item = M>) {
    run(messages.map(|message| Chain { message, stage: Stage::New, last: [0; 16] }));
}

/// What a text is to a chain.
pub(crate) trait Text<'l> {
    /// One block that is not part of the message.
    fn block(block: &'l mut [u8]) -> Self;
    /// A part of the text.
    fn part(self, at: usize, len: usize) -> Self;
    /// The bytes now, as many as a block has.
    fn get(&self, at: usize, size: usize) -> &[u8];
    /// Puts ciphertext where it belongs, if that is anywhere.
    fn put<R: Registers>(&mut self, r: R, at: usize, block: R::Block);
}

impl<'l> Text<'l> for InOut<'l> {
    fn block(block: &'l mut [u8]) -> Self {
        InOut::in_place(block)
    }

    fn part(self, at: usize, len: usize) -> Self {
        self.split_at(at).1.split_at(len).0
    }

    #[inline(always)]
    fn get(&self, at: usize, size: usize) -> &[u8] {
        &self.src()[at..at + size]
    }

    #[inline(always)]
    fn put<R: Registers>(&mut self, r: R, at: usize, block: R::Block) {
        r.store(block, &mut self.dst()[at..at + r.block_size()]);
    }
}

impl<'l> Text<'l> for &'l [u8] {
    fn block(block: &'l mut [u8]) -> Self {
        block
    }

    fn part(self, at: usize, len: usize) -> Self {
        &self[at..at + len]
    }

    #[inline(always)]
    fn get(&self, at: usize, size: usize) -> &[u8] {
        &self[at..at + size]
    }

    #[inline(always)]
    fn put<R: Registers>(&mut self, _r: R, _at: usize, _block: R::Block) {}
}

/// Where a chain is.
#[derive(Clone, Copy)]
enum Stage {
    New,
    /// Among the whole blocks: bytes that are done, of how many, and whether a last block comes after them.
    Whole(usize, usize, bool),
    /// At the last block.
    Last,
    /// After everything.
    Done,
}

/// A chain in a lane.
struct Chain<M> {
    message: M,
    stage: Stage,
    /// The last block, from when it is taken to the next look for a stretch: a lane that moves has none in it.
    last: [u8; 16],
}

impl<M: Message> Lane for Chain<M> {
    type Key = M::Key;
    type Strand<'l>
        = Link<'l, M::Text<'l>>
    where
        Self: 'l;

    #[inline]
    fn stretch(&mut self) -> usize {
        if let Stage::New = self.stage {
            let (whole, last) = self.message.start();
            self.stage = Stage::Whole(0, whole, last);
        }
        match self.stage {
            Stage::Whole(done, whole, _) if done < whole => {
                return (whole - done) / self.message.block_size();
            }
            Stage::Whole(_, _, true) => self.stage = Stage::Last,
            Stage::Last => {}
            Stage::New | Stage::Whole(..) | Stage::Done => {
                self.wipe();
                self.message.end();
                return 0;
            }
        }
        1
    }

    #[inline]
    fn take(&mut self, blocks: usize) -> (&M::Key, Link<'_, M::Text<'_>>) {
        let len = blocks * self.message.block_size();
        if let Stage::Whole(done, ..) = &mut self.stage {
            let (key, chain, text) = self.message.parts();
            let text = text.part(*done, len);
            *done += len;
            return (key, Link { chain, text });
        }
        self.stage = Stage::Done;
        self.message.last(&mut self.last[..len]);
        let (key, chain, _) = self.message.parts();
        (key, Link { chain, text: Text::block(&mut self.last[..len]) })
    }
}

impl<M> Chain<M> {
    fn wipe(&mut self) {
        if let Stage::Done = self.stage {
            self.last.as_mut_slice().zeroize();
        }
    }
}

impl<M> Drop for Chain<M> {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// Some blocks of a chain.
pub(crate) struct Link<'l, T> {
    chain: &'l mut [u8],
    text: T,
}

impl<'l, T: Text<'l>> Strand for Link<'l, T> {
    #[inline(always)]
    fn run<K, E: Engine, const N: usize>(engines: [E; N], mut strands: [(&K, Self); N], blocks: usize) {
        let Some(first) = engines.first() else { return };
        let r = first.registers();
        let size = r.block_size();
        let mut x = [r.number(0); N];
        for (x, (_, strand)) in x.iter_mut().zip(&strands) {
            *x = r.load(strand.chain);
        }
        for at in (0..blocks * size).step_by(size) {
            for (x, (_, strand)) in x.iter_mut().zip(&strands) {
                *x = r.xor(*x, r.load(strand.text.get(at, size)));
            }
            x = E::encrypt_each(engines, x);
            for (x, (_, strand)) in x.iter().zip(&mut strands) {
                strand.text.put(r, at, *x);
            }
        }
        for (x, (_, strand)) in x.into_iter().zip(strands) {
            r.store(x, strand.chain);
        }
    }
}
