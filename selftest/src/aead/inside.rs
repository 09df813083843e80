//! An AEAD with the subject in it, compared with one of generic parts.

use kcrypto_core::{Aead, Dir, Kind};

use crate::aead::Sample;
use crate::aead::compare::AAD_LENS;
use crate::aead::shape::{Bench, Case, Cutting};
use crate::aead::tags::{open_case, sealed};
use crate::failure::{Check, Origin};
use crate::inside::Pair;
use crate::mode::Effort;
use crate::prng::Prng;
use crate::tally::Tally;

/// Associated data as long as that of a Wi-Fi frame, with and without QoS and a fourth address.
const WIFI: [usize; 2] = [22, 30];

/// Associated data of 0 to 40 bytes, texts around the blocks, tags of 8 and 16 bytes as of Wi-Fi, in every way to
/// hand over a message.
pub(crate) fn compare(pair: &Pair, effort: Effort, tally: &Tally<'_>) -> Check {
    let (Ok(mut tfm), Ok(mut model)) = (pair.subject.aead(), pair.model.aead()) else { return Ok(()) };
    let Kind::Aead(limits) = &pair.subject.alg().kind else { return Ok(()) };
    let mut prng = Prng::new(effort.seed ^ 6);
    let mut bench = Bench::default();
    let chunk = limits.chunk_size;
    let aads: Vec<usize> = if effort.exhaustive { (0..=40).collect() } else { AAD_LENS.into() };
    for (nth, aad_len) in aads.into_iter().enumerate() {
        let texts = [1, chunk - 1, 0, 2 * chunk, 3 * chunk + 5, chunk, 100];
        let texts = if effort.exhaustive { &texts[..] } else { &texts[nth % 7..][..1] };
        for (other, &len) in texts.iter().enumerate() {
            let tag_size = match WIFI.contains(&aad_len) && limits.tags.contains(8) {
                true => 8,
                false => limits.tags.max(),
            };
            let key = prng.bytes(if nth % 2 == 0 { limits.keys.min } else { limits.keys.max });
            let what = format!("inside {}, alen={aad_len} plen={len} authsize={tag_size}", pair.spelled);
            let origin = Origin::Contract(what);
            let site = tally.site(Dir::Encrypt, &origin, &"in-place");
            let taken = model.set_key(&key);
            site.set_key(tfm.set_key(&key), taken.clone())?;
            if taken.is_err() || model.set_tag_size(tag_size).is_err() {
                continue;
            }
            site.result(tfm.set_tag_size(tag_size), Ok(()))?;
            let sample = sample(&mut prng, &model, aad_len, len);
            let (ctext, tag) = site.value(sealed(&model, &sample))?;
            let open = open_case(&sample, &ctext, &tag, &origin);
            let seal = Case { dir: Dir::Encrypt, input: &sample.text, output: &ctext, ..open };
            let cutting = Cutting { aad: aad_len, text: len, chunk };
            let plain = cutting.plain();
            for shape in [&plain[(nth + other) % 5], &cutting.random(&mut prng)] {
                bench.check(tally, &tfm, &seal, shape)?;
                bench.check(tally, &tfm, &open, shape)?;
            }
        }
    }
    Ok(())
}

/// A random message with an IV that is accepted: for CCM, a nonce of 13 bytes.
fn sample(prng: &mut Prng, model: &Aead, aad_len: usize, len: usize) -> Sample {
    let mut iv = prng.bytes(model.iv_size());
    if model.sealer(&iv, aad_len as u64, len as u64).is_err()
        && let Some(first) = iv.first_mut()
    {
        *first = 1;
    }
    Sample { iv, aad: prng.bytes(aad_len), text: prng.bytes(len) }
}
