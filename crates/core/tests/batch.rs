//! Batches of AEAD and hash messages, over toys with a batch of their own and without.

use std::cell::Cell;

use kcrypto_core::batch::{self, Job};
use kcrypto_core::{
    Aad, AadLength, Aead, AeadAlg, AeadDriver, Alg, Dir, Error, InOut, KeySizes, Length, Lens, Make,
    Registry, Result, Shash, ShashAlg, ShashDriver, State, TagSizes,
};
use rstest::rstest;

thread_local! {
    /// How many jobs were taken by batches.
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

/// XORs a key byte; its tag sums IV, associated data and plaintext. Takes its jobs by itself if it has lanes.
#[derive(Default)]
struct Toy<const LANES: bool>(u8);

impl<const LANES: bool> AeadDriver for Toy<LANES> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0 = key[0];
        Ok(())
    }
    fn check(&self, iv: &[u8], _: Lens) -> Result<()> {
        if iv[0] == 0xff { Err(Error::BadIv { why: "it must not be ff" }) } else { Ok(()) }
    }
    fn begin(&self, _: Dir, iv: &[u8], _: Lens, state: &mut State) {
        state.bytes_mut()[0] = iv[0];
    }
    fn aad(&self, state: &mut State, run: &[u8], _: bool) {
        let sum = &mut state.bytes_mut()[0];
        run.iter().for_each(|byte| *sum = sum.wrapping_mul(31).wrapping_add(*byte));
    }
    fn run(&self, dir: Dir, state: &mut State, mut io: InOut<'_>, _: bool) {
        io.copy();
        for byte in io.dst() {
            let plain = if dir == Dir::Encrypt { *byte } else { *byte ^ self.0 };
            *byte ^= self.0;
            let sum = &mut state.bytes_mut()[0];
            *sum = sum.wrapping_mul(17).wrapping_add(plain);
        }
    }
    fn end(&self, _: Dir, state: &mut State, tag: &mut [u8]) {
        tag.fill(state.bytes()[0] ^ self.0);
    }
    fn crypt_batch(&self, jobs: &mut [Job<'_, Aead>]) {
        if !LANES {
            return;
        }
        for job in jobs {
            if let Some(toy) = job.pending_for::<Self>() {
                let (dir, iv, aad, io, tag) = job.parts();
                toy.crypt(dir, iv, aad, io, tag);
                job.complete();
                TAKEN.set(TAKEN.get() + 1);
            }
        }
    }
}

impl<const LANES: bool> ShashDriver for Toy<LANES> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0 = key[0];
        Ok(())
    }
    fn init(&self, state: &mut [u8]) {
        state[0] = self.0;
    }
    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        blocks.iter().for_each(|byte| state[0] = state[0].wrapping_mul(31).wrapping_add(*byte));
    }
    fn finish(&self, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        ShashDriver::update(self, state, tail);
        digest.copy_from_slice(&[state[0], total as u8]);
    }
    fn check_total(&self, total: u64) -> Result<()> {
        if total == 7 { Err(Error::NeedKey) } else { Ok(()) }
    }
    fn digest_batch(&self, jobs: &mut [Job<'_, Shash>]) {
        if !LANES {
            return;
        }
        for job in jobs {
            if let Some(toy) = job.pending_for::<Self>() {
                let (message, digest) = job.parts();
                let mut state = [0];
                toy.init(&mut state);
                toy.finish(&mut state, message, message.len() as u64, digest);
                job.complete();
                TAKEN.set(TAKEN.get() + 1);
            }
        }
    }
}

/// Nothing to be keyed: all transforms of such a type lie at the same address.
struct Unkeyed<const ADD: u8>;

impl<const ADD: u8> ShashDriver for Unkeyed<ADD> {
    fn init(&self, _: &mut [u8]) {}
    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        blocks.iter().for_each(|byte| state[0] = state[0].wrapping_add(*byte));
    }
    fn finish(&self, state: &mut [u8], _: &[u8], _: u64, digest: &mut [u8]) {
        digest.copy_from_slice(&[state[0], ADD]);
    }
}

fn registry() -> Registry {
    let aead = |make| AeadAlg {
        block_size: 1,
        iv_size: 1,
        tags: TagSizes::of(&[2, 4]),
        chunk_size: 1,
        tail: 0,
        length: Length::ANY,
        aad: AadLength::Any,
        keys: KeySizes::exactly(1),
        state_size: 1,
        make,
    };
    let shash = |keys, block_size, make| ShashAlg {
        block_size,
        digest_size: 2,
        state_size: 1,
        keys,
        keeps_full_block: false,
        make,
    };
    let key = Some(KeySizes::exactly(1));
    Registry::with(
        [
            Alg::aead("seal", "seal-plain", aead(Make::Static(|| Box::new(Toy::<false>::default())))),
            Alg::aead("seal", "seal-lanes", aead(Make::Static(|| Box::new(Toy::<true>::default())))),
            Alg::shash("mac", "mac-plain", shash(key, 4, Make::Static(|| Box::new(Toy::<false>(0))))),
            Alg::shash("mac", "mac-lanes", shash(key, 4, Make::Static(|| Box::new(Toy::<true>(0))))),
            Alg::shash("one", "one-plain", shash(None, 1, Make::Static(|| Box::new(Unkeyed::<1>)))),
            Alg::shash("two", "two-plain", shash(None, 1, Make::Static(|| Box::new(Unkeyed::<2>)))),
        ],
        [],
    )
    .unwrap()
}

fn aead(driver: &str, key: u8, tag_size: usize) -> Aead {
    let mut tfm = registry().aead(driver).unwrap();
    tfm.set_key(&[key]).unwrap();
    tfm.set_tag_size(tag_size).unwrap();
    tfm
}

fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (5 * i + 1) as u8).collect()
}

/// Each with a transform, a direction and a length of its own; every third tag is forged.
#[rstest]
fn sealing_and_opening_mix(
    #[values(&["seal-plain"], &["seal-lanes"], &["seal-plain", "seal-lanes"])] drivers: &[&str],
) {
    let tfms: Vec<_> = drivers.iter().flat_map(|driver| [aead(driver, 3, 4), aead(driver, 9, 2)]).collect();
    let aad = message(9);
    let pieces = [&aad[..4], &aad[4..]];
    let pieces = Aad::new(&pieces);
    let tfm = |nth: usize| &tfms[nth % tfms.len()];
    let sealed: Vec<(Vec<u8>, Vec<u8>)> = (0..24)
        .map(|nth| {
            let (mut text, mut tag) = (message(nth), vec![0; tfm(nth).tag_size()]);
            tfm(nth).seal(&[nth as u8], &aad, &mut text, &mut tag).unwrap();
            (text, tag)
        })
        .collect();
    let forged = |nth: usize| nth.is_multiple_of(3);
    let opens = |nth: usize| (nth / 4).is_multiple_of(2);

    let ivs: Vec<[u8; 1]> = (0..24).map(|nth| [nth]).collect();
    let given: Vec<Vec<u8>> = sealed.iter().map(|(_, tag)| tag.clone()).collect();
    let given: Vec<Vec<u8>> = (0..24)
        .map(|nth| given[nth].iter().map(|byte| byte ^ (u8::from(forged(nth)) << (nth % 8))).collect())
        .collect();
    let mut texts: Vec<Vec<u8>> =
        (0..24).map(|nth| if opens(nth) { sealed[nth].0.clone() } else { message(nth) }).collect();
    let mut tags: Vec<Vec<u8>> = (0..24).map(|nth| vec![0xfe; tfm(nth).tag_size()]).collect();
    let mut jobs: Vec<_> = (texts.iter_mut().zip(&mut tags).enumerate())
        .map(|(nth, (text, tag))| match opens(nth) {
            true => Job::open(tfm(nth), &ivs[nth], pieces, text, &given[nth]),
            false => Job::seal(tfm(nth), &ivs[nth], pieces, text, tag),
        })
        .collect();
    assert!(matches!(jobs[3].result(), Err(Error::Busy { .. })), "not run yet");
    batch::run(&mut jobs);
    for (nth, job) in jobs.iter().enumerate() {
        let wrong = opens(nth) && forged(nth);
        assert_eq!(job.result(), if wrong { Err(Error::BadTag) } else { Ok(()) }, "{nth}");
    }
    drop(jobs);
    for nth in 0..24 {
        match (opens(nth), forged(nth)) {
            (true, true) => assert_eq!(texts[nth], vec![0; nth], "nothing is left of {nth}"),
            (true, false) => assert_eq!(texts[nth], message(nth), "{nth}"),
            (false, _) => assert_eq!((&texts[nth], &tags[nth]), (&sealed[nth].0, &sealed[nth].1), "{nth}"),
        }
    }
}

#[rstest]
fn a_refused_message_leaves_its_buffers_and_its_neighbours_alone(
    #[values("seal-plain", "seal-lanes")] driver: &str,
) {
    let good = aead(driver, 5, 4);
    let unkeyed = registry().aead(driver).unwrap();
    let mut texts = [[7u8; 5]; 5];
    let [a, b, c, d, e] = &mut texts;
    let mut tags = [[0xfeu8; 4]; 3];
    let [tag_a, tag_b, tag_e] = &mut tags;
    let mut short_tag = [0xfe; 2];
    let none = Aad::new(&[]);
    let mut jobs = [
        Job::seal(&good, &[1], none, a, tag_a),
        Job::seal(&unkeyed, &[1], none, b, tag_b),
        Job::seal(&good, &[1], none, c, &mut short_tag),
        Job::open(&good, &[0xff], none, d, &[0; 4]),
        Job::seal(&good, &[1], none, e, tag_e),
    ];
    batch::run(&mut jobs);
    let [a, b, c, d, e] = jobs.each_ref().map(Job::result);
    assert_eq!((a, e), (Ok(()), Ok(())));
    assert_eq!(b, Err(Error::NeedKey));
    assert!(matches!(c, Err(Error::BadTagLen { len: 2, .. })));
    assert!(matches!(d, Err(Error::BadIv { .. })));
    batch::run(&mut jobs);
    assert_eq!(jobs[0].result(), Ok(()), "what is done is not done again");
    assert_eq!(texts[1..4], [[7; 5]; 3]);
    assert_eq!((texts[0], tags[0]), (texts[4], tags[2]));
    assert_ne!(texts[0], [7; 5]);
    assert_eq!((tags[1], short_tag), ([0xfe; 4], [0xfe; 2]));
}

#[rstest]
fn an_opened_message_may_go_elsewhere(#[values("seal-plain", "seal-lanes")] driver: &str) {
    let tfm = aead(driver, 5, 4);
    let (mut sealed, mut tag) = (message(6), [0; 4]);
    tfm.seal(&[1], b"", &mut sealed, &mut tag).unwrap();
    let mut out = [[0xfe; 6]; 2];
    let [good, bad] = &mut out;
    let none = Aad::new(&[]);
    let mut jobs = [
        Job::open(&tfm, &[1], none, InOut::apart(&sealed, good).unwrap(), &tag),
        Job::open(&tfm, &[2], none, InOut::apart(&sealed, bad).unwrap(), &tag),
    ];
    batch::run(&mut jobs);
    assert_eq!(jobs.each_ref().map(Job::result), [Ok(()), Err(Error::BadTag)]);
    assert_eq!((&out[0][..], out[1]), (&message(6)[..], [0; 6]));
}

#[rstest]
fn digests_mix(#[values(&["mac-plain"], &["mac-lanes"], &["mac-plain", "mac-lanes"])] drivers: &[&str]) {
    let registry = registry();
    let mut tfms = Vec::new();
    for (driver, key) in drivers.iter().flat_map(|driver| [(driver, 3), (driver, 9)]) {
        let mut tfm = registry.shash(driver).unwrap();
        tfm.set_key(&[key]).unwrap();
        tfms.push(tfm);
    }
    tfms.push(registry.shash("one").unwrap());
    tfms.push(registry.shash("two").unwrap());
    tfms.push(registry.shash(drivers[0]).unwrap()); // has no key
    let messages: Vec<Vec<u8>> = (0..24).map(message).collect();
    let mut digests = vec![[0xfe; 2]; 24];
    let (mut short, mut early) = ([0xfe; 1], [0xfe; 2]);
    let mut jobs: Vec<_> = (messages.iter().zip(&mut digests).enumerate())
        .map(|(nth, (message, digest))| Job::digest(&tfms[nth % tfms.len()], message, digest))
        .collect();
    jobs.push(Job::digest(&tfms[0], b"", &mut short));
    jobs.push(Job::digest(&tfms[1], &messages[7], &mut early));
    batch::run(&mut jobs);
    let results: Vec<_> = jobs.iter().map(Job::result).collect();
    drop(jobs);
    for (nth, message) in messages.iter().enumerate() {
        let mut expected = [0xfe; 2];
        let result = tfms[nth % tfms.len()].digest(message, &mut expected);
        assert_eq!((&results[nth], digests[nth]), (&result, expected), "{nth}");
    }
    assert_eq!(results[24], Err(Error::LengthMismatch { src: 2, dst: 1 }));
    assert_eq!(results[25], Err(Error::NeedKey), "a message that may not end there");
    assert_eq!((short, early), ([0xfe; 1], [0xfe; 2]));
}

#[test]
fn a_driver_with_lanes_takes_what_is_its_own() {
    let [first, second] = [aead("seal-lanes", 1, 4), aead("seal-lanes", 2, 4)];
    let other = aead("seal-plain", 3, 4);
    let mut texts = [[0; 3]; 4];
    let mut tags = [[0; 4]; 4];
    let none = Aad::new(&[]);
    let mut jobs: Vec<_> = (texts.iter_mut().zip(&mut tags).zip([&other, &first, &other, &second]))
        .map(|((text, tag), tfm)| Job::seal(tfm, &[1], none, text, tag))
        .collect();
    batch::run(&mut jobs);
    assert_eq!(TAKEN.get(), 2);
    assert!(jobs.iter().all(|job| job.result().is_ok()));
    drop(jobs);
    assert_eq!(texts, [[3; 3], [1; 3], [3; 3], [2; 3]]);
}
