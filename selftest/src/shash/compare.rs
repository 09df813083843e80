//! Random comparison with the reference: the same limits, the same digests, the same states, the same errors.

use kcrypto_core::{Flags, KeySizes, Kind, Result, Shash, ShashAlg};

use crate::failure::{Check, Op, Origin};
use crate::prng::Prng;
use crate::shash::Trial;
use crate::shash::known;
use crate::shash::shape::{Between, Case, Shape, exported};
use crate::shash::states::HEADER;
use crate::smallest::{Json, lengths, smallest};
use crate::tally::Tally;

/// What the subject is compared with.
struct Model {
    tfm: Shash,
    /// It is of the subject itself, and hashes in the plainest way: block by block.
    own: bool,
}

/// So many blocks ago a message began: beyond 2^29 and 2^32 bytes for every size of a block.
const FAR_ON: u64 = 1 << 40 | 1 << 28 | 1 << 23;

/// Whether the lazy mode tries this length: every one of the first block, and of the second one some, and its ends.
fn is_tried(len: usize, block: usize) -> bool {
    len <= block + 1 || len >= 2 * block - 1 || len % 4 == 3
}

/// The ways to hand over a message of this length in the lazy mode: by turns, both around the end of a block, and
/// within the second block with the state handed over, to the other driver and back.
fn some_ways(len: usize, block: usize, prng: &mut Prng) -> Vec<Shape> {
    if block + 1 < len && len < 2 * block - 1 {
        let first = block + (len - block) / 2;
        return vec![Shape::pieces(vec![first, len - first, 0], Between::HandOver)];
    }
    let [whole, random] = [Shape::whole(len % 16), Shape::random(len, block, prng)];
    match len % 2 {
        _ if len + 1 >= block => vec![whole, random],
        0 => vec![whole],
        _ => vec![random],
    }
}

impl Trial<'_> {
    /// The declared limits are those of the reference.
    pub(super) fn same_limits(&self) -> Check {
        let Some(reference) = &self.reference else { return Ok(()) };
        let Kind::Shash(theirs) = &reference.alg().kind else { return Ok(()) };
        self.tally.enter("limits");
        let ShashAlg { block_size, digest_size, state_size, keys, keeps_full_block, .. } = self.limits;
        let check = |what: &str, ours: usize, theirs: usize| self.tally.same_limit(what, ours, theirs);
        check("digestsize", *digest_size, theirs.digest_size)?;
        check("blocksize", *block_size, theirs.block_size)?;
        check("statesize", *state_size, theirs.state_size)?;
        let none = KeySizes::exactly(0);
        let (ours, their_keys) = (keys.unwrap_or(none), theirs.keys.unwrap_or(none));
        check("min keysize", ours.min, their_keys.min)?;
        check("max keysize", ours.max, their_keys.max)?;
        check("keysize step", ours.step, their_keys.step)?;
        let optional = |flags: Flags| flags.contains(Flags::OPTIONAL_KEY);
        let (ours, their_flags) = (optional(self.tally.alg.flags), optional(reference.alg().flags));
        self.tally.same_limit("key optional", ours, their_flags)?;
        self.tally.same_limit("full block kept", *keeps_full_block, theirs.keeps_full_block)
    }

    /// Every short length, then random keys and messages, bad keys included. Without a reference, the subject
    /// is compared with itself block by block.
    pub(super) fn random_comparison(&mut self) -> Check {
        self.tally.enter("random comparison");
        let Some(tfm) = self.reference.as_ref().and_then(|reference| reference.shash().ok()) else {
            let mut own = Model { tfm: self.transform()?, own: true };
            self.lengths(&mut own)?;
            return self.compare(&mut own);
        };
        let mut model = Model { tfm, own: false };
        let result = self.lengths(&mut model).and_then(|()| self.compare(&mut model));
        // If the reference does not give the known answers, which the subject gave, it is to blame.
        if result.is_err() {
            let fresh = self.reference.as_ref().and_then(|reference| reference.shash().ok());
            if fresh.is_some_and(|mut fresh| !known::is_right(&Tally::new(self.tally.alg), &mut fresh)) {
                self.tally.skip_wrong_reference(model.tfm.alg());
                return Ok(());
            }
        }
        result
    }

    /// Every length up to two blocks, and two longer ones, under one key or none. The lazy mode leaves out some in the
    /// second block.
    fn lengths(&mut self, model: &mut Model) -> Check {
        let mut prng = Prng::new(self.effort.seed ^ 4);
        let mut tfm = self.transform()?;
        let key_len = self.key_lens()[0];
        let key = key_len.map(|len| prng.bytes(len));
        if let Some(key) = &key
            && (model.tfm.set_key(key).is_err() || tfm.set_key(key).is_err())
        {
            return Ok(());
        }
        let (block, exhaustive) = (self.limits.block_size, self.effort.exhaustive);
        let origin = |len| Origin::Contract(format!("psize={len} ksize={}", key_len.unwrap_or(0)));
        for len in (0..=2 * block + 1).filter(|&len| exhaustive || is_tried(len, block)) {
            let message = prng.bytes(len);
            let shapes = match exhaustive {
                true => vec![Shape::whole(len % 16), Shape::random(len, block, &mut prng)],
                false => some_ways(len, block, &mut prng),
            };
            for shape in shapes {
                self.same_or_smallest(&tfm, model, key.as_deref(), (&message, shape), &origin)?;
            }
        }
        // A group of blocks that some process at a time, and one more.
        for group in [4 * block, 8 * block] {
            let message = prng.bytes(group + block);
            let pieces = Shape::pieces(vec![group, block], Between::Nothing);
            for shape in [Shape::whole(0), pieces] {
                self.same_or_smallest(&tfm, model, key.as_deref(), (&message, shape), &origin)?;
            }
        }
        Ok(())
    }

    fn compare(&mut self, model: &mut Model) -> Check {
        let mut seeds = Prng::new(self.effort.seed ^ 3);
        let mut tfm = self.transform()?;
        for nth in 0..self.effort.random {
            let mut prng = Prng::new(seeds.next());
            let (key, len) = (self.random_key(&mut prng), prng.length(self.effort.max_len));
            let ksize = key.as_ref().map_or(0, Vec::len);
            let seed = self.effort.seed;
            let random = |len| Origin::Random { what: format!("psize={len} ksize={ksize}"), seed, nth };
            let origin = random(len);
            if let Some(key) = &key {
                let taken = model.tfm.set_key(key);
                let site = self.tally.site(Op::Digest, &origin, &"");
                self.tally.count();
                site.set_key(tfm.set_key(key), taken.clone()).map_err(|failure| {
                    let json = Json::set_key("hash", &self.tally.alg.name, key, taken.as_ref().err());
                    json.explain(failure, &self.tally.alg.driver_name)
                })?;
                if taken.is_err() {
                    continue;
                }
            }
            let message = prng.bytes(len);
            let shape = Shape::random(len, self.limits.block_size, &mut prng);
            self.same_or_smallest(&tfm, model, key.as_deref(), (&message, shape), &random)?;
            if !model.own {
                self.same_states(&tfm, &model.tfm, &message[..prng.below(len + 1)], &origin)?;
            }
        }
        Ok(())
    }

    /// Without key if that is possible and none was set before; else mostly accepted.
    fn random_key(&self, prng: &mut Prng) -> Option<Vec<u8>> {
        let keys = self.keys()?;
        let lens: Vec<usize> = self.key_lens().into_iter().flatten().collect();
        let len = if prng.one_in(6) { prng.below(keys.max + 3) } else { lens[prng.below(lens.len())] };
        Some(prng.bytes(len))
    }

    /// As [`Trial::same`]; a failure is that of the smallest message that fails, with that message as a vector.
    fn same_or_smallest(
        &mut self,
        tfm: &Shash,
        model: &Model,
        key: Option<&[u8]>,
        (message, shape): (&[u8], Shape),
        origin: &dyn Fn(usize) -> Origin,
    ) -> Check {
        let Err(failure) = self.same(tfm, model, message, &shape, &origin(message.len())) else {
            return Ok(());
        };
        let smaller = |(len, shape): &(usize, Shape)| {
            let shorter = lengths(*len).into_iter().map(|len| (len, shape.fit(len)));
            shorter.chain(shape.plainer().into_iter().map(|shape| (*len, shape))).collect()
        };
        let ((len, shape), failure) = smallest((message.len(), shape), failure, smaller, |(len, shape)| {
            self.same(tfm, model, &message[..*len], shape, &origin(*len))
        });
        let json = shape.vector(&self.tally.alg.name, &message[..len]);
        let json = if let Some(key) = key { json.bytes("key", key) } else { json };
        let json = match model.digest(&message[..len]) {
            Ok(digest) => json.bytes("output", &digest),
            Err(error) => json.error("errno", Some(&error)),
        };
        Err(json.explain(failure, &self.tally.alg.driver_name))
    }

    /// The same digest, or the same refusal.
    fn same(&mut self, tfm: &Shash, model: &Model, message: &[u8], shape: &Shape, origin: &Origin) -> Check {
        match model.digest(message) {
            Ok(digest) => {
                let case = Case { message, digest: &digest, origin };
                self.bench.check(self.tally, [tfm, &model.tfm], &case, shape)
            }
            Err(error) => self.refused(tfm, message, &error, origin),
        }
    }

    /// The same exported state, and the same opinion of one that was changed.
    fn same_states(&self, tfm: &Shash, model: &Shash, message: &[u8], origin: &Origin) -> Check {
        let site = self.tally.site(Op::Digest, origin, &"init+update+export");
        let export = |tfm: &Shash| {
            let mut hashing = tfm.hasher()?;
            hashing.update(message);
            exported(&hashing, tfm)
        };
        self.tally.count();
        let mut state = site.value(export(model))?;
        site.same("wrong exported state", &site.value(export(tfm))?, &state)?;
        self.far_on([tfm, model], &state, message, origin)?;
        let at = message.len() % state.len();
        state[at] ^= 0x10;
        let site = self.tally.site(Op::Digest, origin, &"import");
        site.result(tfm.import(&state), model.import(&state).map(drop))
    }
}

impl Trial<'_> {
    /// The same digest of a message of which more was hashed than anybody has the time for: lengths carry.
    fn far_on(&self, tfms: [&Shash; 2], state: &[u8], message: &[u8], origin: &Origin) -> Check {
        let total = message.len() as u64 + FAR_ON * self.limits.block_size as u64;
        let mut state = state.to_vec();
        state[HEADER - 8..HEADER].copy_from_slice(&total.to_le_bytes());
        let digest = |tfm: &Shash| -> Result<Vec<u8>> {
            let mut digest = vec![0; tfm.digest_size()];
            let mut hashing = tfm.import(&state)?;
            hashing.update(message);
            hashing.finalize(&mut digest)?;
            Ok(digest)
        };
        let cfg = format_args!("import after {total} bytes");
        let site = self.tally.site(Op::Digest, origin, &cfg);
        self.tally.count();
        let [ours, theirs] = tfms.map(digest);
        site.result(
            ours.as_ref().map(drop).map_err(Clone::clone),
            theirs.as_ref().map(drop).map_err(Clone::clone),
        )?;
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => site.same("wrong result", &ours, &theirs),
            _ => Ok(()),
        }
    }
}

impl Model {
    fn digest(&self, message: &[u8]) -> Result<Vec<u8>> {
        let mut digest = vec![0; self.tfm.digest_size()];
        if self.own {
            let mut hashing = self.tfm.hasher()?;
            message.chunks(self.tfm.block_size()).for_each(|block| hashing.update(block));
            hashing.finalize(&mut digest)?;
        } else {
            self.tfm.digest(message, &mut digest)?;
        }
        Ok(digest)
    }
}
