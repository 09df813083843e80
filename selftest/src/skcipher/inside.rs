//! A symmetric-key cipher with the subject in it, compared with one of generic parts.

use kcrypto_core::{Dir, InOut, Kind};

use crate::failure::{Check, Origin};
use crate::inside::Pair;
use crate::mode::Effort;
use crate::prng::Prng;
use crate::sample::valid;
use crate::skcipher::shape::{Bench, Case, Cutting};
use crate::tally::Tally;

/// Lengths around the blocks, in both directions, in every way to hand over a message.
pub(crate) fn compare(pair: &Pair, effort: Effort, tally: &Tally<'_>) -> Check {
    let (Ok(mut tfm), Ok(mut model)) = (pair.subject.skcipher(), pair.model.skcipher()) else {
        return Ok(());
    };
    let Kind::Skcipher(limits) = &pair.subject.alg().kind else { return Ok(()) };
    let mut prng = Prng::new(effort.seed ^ 6);
    let mut bench = Bench::new();
    let chunk = limits.chunk_size;
    let lens = [chunk, chunk + 1, 2 * chunk - 1, 2 * chunk, 2 * chunk + 1, 4 * chunk, 9 * chunk + 7];
    let lens: Vec<usize> = if effort.exhaustive { (0..=5 * chunk).collect() } else { lens.into() };
    for (nth, len) in lens.into_iter().map(|len| valid(limits.length, len)).enumerate() {
        let key = prng.bytes(if nth % 2 == 0 { limits.keys.max } else { limits.keys.min });
        let origin = Origin::Contract(format!("inside {}, len={len} klen={}", pair.spelled, key.len()));
        let site = tally.site(Dir::Encrypt, &origin, &"in-place");
        let taken = model.set_key(&key);
        site.set_key(tfm.set_key(&key), taken.clone())?;
        if taken.is_err() {
            continue;
        }
        let (iv, mut input) = (prng.bytes(limits.iv_size), prng.bytes(len));
        for dir in Dir::BOTH {
            let (mut iv_out, mut output) = (iv.clone(), input.clone());
            site.value(model.crypt_chained(dir, &mut iv_out, InOut::in_place(&mut output)))?;
            let case =
                Case { dir, iv: &iv, iv_out: Some(&iv_out), input: &input, output: &output, origin: &origin };
            let [in_place, apart] = Cutting::plain();
            let whole = if nth % 2 == 0 { in_place } else { apart };
            let cut = Cutting::of(limits, &iv, Some(&iv_out)).random(len, &mut prng);
            for shape in [whole, cut] {
                bench.check(tally, &tfm, &case, &shape)?;
            }
            input = output;
        }
    }
    Ok(())
}
