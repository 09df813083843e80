//! Messages of a batch side by side, in modes whose blocks wait for each other.
//!
//! A message goes through its lane in stretches: runs of whole blocks, such as all but its end, and then its padded
//! end. All lanes together go as far as the shortest stretch of any; then those that are done with theirs begin the
//! next one, or make room for another message.

mod chains;

use core::array;

use kcrypto_core::engine::{Engine, Fused, Work};

pub(crate) use chains::{Message, SHORTEST, chains};

/// Most lanes of any cipher.
const MOST: usize = 8;

/// A keyed cipher that takes the blocks of several messages side by side, if it has more than one of its
/// [`LANES`](Parallel::LANES).
pub trait Parallel: Sized + 'static {
    /// As [`Fused::LANES`].
    const LANES: usize = 1;

    /// As [`Fused::enter_work`]; never called where there is one lane.
    fn enter_work<const N: usize>(_keys: [&Self; N], _work: impl Work<N>) {}

    /// As [`Fused::goes_with`].
    fn goes_with(&self, _other: &Self) -> bool {
        true
    }
}

impl<F: Fused> Parallel for F {
    const LANES: usize = <F as Fused>::LANES;

    fn enter_work<const N: usize>(keys: [&Self; N], work: impl Work<N>) {
        <F as Fused>::enter_work(keys, work);
    }

    fn goes_with(&self, other: &Self) -> bool {
        Fused::goes_with(self, other)
    }
}

/// A message on its way; it has a block at least.
pub(crate) trait Lane {
    /// The cipher with its key.
    type Key: Parallel;
    /// How many lanes there are at most; one is none.
    const LANES: usize = Self::Key::LANES;
    /// Some blocks of a stretch.
    type Strand<'l>: Strand
    where
        Self: 'l;

    /// How many blocks there are to be done in one stretch, which begins if the one before was used up; none if the
    /// message is finished now.
    fn stretch(&mut self) -> usize;
    /// The next blocks of the stretch, which are done after this.
    fn take(&mut self, blocks: usize) -> (&Self::Key, Self::Strand<'_>);
}

/// Blocks of one message that wait for each other, and not for those of others.
pub(crate) trait Strand: Sized {
    /// Processes this many blocks of each.
    fn run<K, E: Engine, const N: usize>(engines: [E; N], strands: [(&K, Self); N], blocks: usize);
}

/// Processes messages under keys of the same length, in as many lanes as their cipher has. A message that has no
/// other beside it is left alone: by itself it has a faster way.
pub(crate) fn run<L: Lane>(mut messages: impl Iterator<Item = L>) {
    let most = L::LANES.min(MOST);
    if most < 2 {
        return;
    }
    let (Some(first), Some(second)) = (messages.next(), messages.next()) else { return };
    let mut messages = [first, second].into_iter().chain(messages);
    let mut lanes = [const { None }; MOST];
    let mut used = 0;
    loop {
        while used < most
            && let Some(lane) = messages.next()
        {
            lanes[used] = Some(lane);
            used += 1;
        }
        let Some(blocks) = lanes[..used].iter_mut().flatten().map(Lane::stretch).min() else { return };
        advance(&mut lanes[..used], blocks);
        // From the end: what moves into a gap has been asked already, and so has nothing secret in it.
        for at in (0..used).rev() {
            if lanes[at].as_mut().is_none_or(|lane| lane.stretch() == 0) {
                used -= 1;
                lanes.swap(at, used);
                lanes[used] = None;
            }
        }
    }
}

/// Takes the lanes in use on by some blocks.
fn advance<L: Lane>(lanes: &mut [Option<L>], blocks: usize) {
    match lanes.len() {
        1 => abreast::<L, 1>(lanes, blocks),
        2 => abreast::<L, 2>(lanes, blocks),
        3 if L::LANES >= 3 => abreast::<L, 3>(lanes, blocks),
        4 if L::LANES >= 4 => abreast::<L, 4>(lanes, blocks),
        5 if L::LANES >= 5 => abreast::<L, 5>(lanes, blocks),
        6 if L::LANES >= 6 => abreast::<L, 6>(lanes, blocks),
        7 if L::LANES >= 7 => abreast::<L, 7>(lanes, blocks),
        8 if L::LANES >= 8 => abreast::<L, 8>(lanes, blocks),
        _ => {}
    }
}

/// Takes `N` lanes on by some blocks.
fn abreast<L: Lane, const N: usize>(lanes: &mut [Option<L>], blocks: usize) {
    let mut lanes = lanes.iter_mut().flatten();
    let strands: [_; N] = array::from_fn(|_| lanes.next().expect("a lane in use").take(blocks));
    L::Key::enter_work(strands.each_ref().map(|(key, _)| *key), Abreast { strands, blocks });
}

/// Blocks of several messages.
struct Abreast<'l, K, S, const N: usize> {
    strands: [(&'l K, S); N],
    blocks: usize,
}

impl<K, S: Strand, const N: usize> Work<N> for Abreast<'_, K, S, N> {
    #[inline(always)]
    fn run<E: Engine>(self, engines: [E; N]) {
        S::run(engines, self.strands, self.blocks);
    }
}
