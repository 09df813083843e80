//! A MAC with the subject in it, compared with one of generic parts.

use kcrypto_core::Kind;

use crate::failure::{Check, Op, Origin};
use crate::inside::Pair;
use crate::mode::Effort;
use crate::prng::Prng;
use crate::shash::shape::{Bench, Case, Shape};
use crate::tally::Tally;

/// Lengths around the blocks, in one piece and in several.
pub(crate) fn compare(pair: &Pair, effort: Effort, tally: &Tally<'_>) -> Check {
    let (Ok(mut tfm), Ok(mut model)) = (pair.subject.shash(), pair.model.shash()) else { return Ok(()) };
    let Kind::Shash(limits) = &pair.subject.alg().kind else { return Ok(()) };
    let Some(keys) = limits.keys else { return Ok(()) };
    let mut prng = Prng::new(effort.seed ^ 6);
    let mut bench = Bench::default();
    let block = limits.block_size;
    let lens = [0, 1, block - 1, block, block + 1, 2 * block, 5 * block, 33 * block + 5];
    let lens: Vec<usize> = if effort.exhaustive { (0..=5 * block).collect() } else { lens.into() };
    for (nth, len) in lens.into_iter().enumerate() {
        let key = prng.bytes(if nth % 2 == 0 { keys.max } else { keys.min });
        let origin = Origin::Contract(format!("inside {}, psize={len} ksize={}", pair.spelled, key.len()));
        let site = tally.site(Op::Digest, &origin, &"digest");
        let taken = model.set_key(&key);
        site.set_key(tfm.set_key(&key), taken.clone())?;
        if taken.is_err() {
            continue;
        }
        let (message, mut digest) = (prng.bytes(len), vec![0; model.digest_size()]);
        site.value(model.digest(&message, &mut digest))?;
        let case = Case { message: &message, digest: &digest, origin: &origin };
        for shape in [Shape::whole(nth), Shape::random(len, block, &mut prng)] {
            bench.check(tally, [&tfm, &model], &case, &shape)?;
        }
    }
    Ok(())
}
