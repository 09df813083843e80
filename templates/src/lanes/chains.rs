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
    /// Begins; returns how many bytes are whole blocks, to be chained where they are.
    fn start(&mut self) -> usize;
    /// The key, the block before the chain, which becomes its last, and the text.
    fn parts(&mut self) -> (&Self::Key, &mut [u8], Self::Text<'_>);
    /// Makes the block after the whole ones, if there is to be one; says whether. It is all zero before.
    fn last(&mut self, block: &mut [u8]) -> bool;
    /// Finishes what is chained.
    fn end(&mut self, stole: bool);
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
    /// Bytes that are done, of as many as are whole blocks.
    Whole(usize, usize),
    /// At the block after them, or past it.
    Last(usize),
}

/// A chain in a lane.
struct Chain<M> {
    message: M,
    stage: Stage,
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
        let size = self.message.block_size();
        if let Stage::New = self.stage {
            self.stage = Stage::Whole(0, self.message.start());
        }
        match self.stage {
            Stage::Whole(done, whole) if done < whole => return (whole - done) / size,
            Stage::Whole(..) if self.message.last(&mut self.last[..size]) => self.stage = Stage::Last(1),
            Stage::Whole(..) => self.message.end(false),
            Stage::Last(0) => self.message.end(true),
            _ => {}
        }
        if let Stage::Last(blocks) = self.stage { blocks } else { 0 }
    }

    #[inline]
    fn take(&mut self, blocks: usize) -> (&M::Key, Link<'_, M::Text<'_>>) {
        let len = blocks * self.message.block_size();
        let (key, chain, text) = self.message.parts();
        match &mut self.stage {
            Stage::Whole(done, _) => {
                let text = text.part(*done, len);
                *done += len;
                (key, Link { chain, text })
            }
            stage => {
                *stage = Stage::Last(0);
                (key, Link { chain, text: Text::block(&mut self.last[..len]) })
            }
        }
    }
}

impl<M> Drop for Chain<M> {
    fn drop(&mut self) {
        if let Stage::Last(_) = self.stage {
            self.last.as_mut_slice().zeroize();
        }
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
