//! Whole messages between inaccessible pages, read where nothing can be written: in a child process, whose death
//! is the verdict.

use std::io;

use kcrypto_core::{AadLength, Aead, Cipher, Dir, InOut, Kind, Result, Shash, Skcipher, Subject};
use kcrypto_guard::{End, Fenced, Progress, Side, in_child};

use crate::failure::{Check, Failure, Op, Origin};
use crate::keys::tried;
use crate::mode::Effort;
use crate::prng::Prng;
use crate::sample::valid;
use crate::tally::Tally;

/// Longest message in bytes.
const LONGEST: usize = 2048;
/// Longest key that is tried, in bytes.
const LONGEST_KEY: usize = 256;
/// Seconds until a child is given up.
const PATIENCE: u32 = 60;

/// A message with everything that belongs to it, and the right answer, which the subject itself gave before.
struct Case {
    op: Op,
    iv: Vec<u8>,
    aad: Vec<u8>,
    input: Vec<u8>,
    output: Vec<u8>,
    tag: Vec<u8>,
}

/// A transform of any kind.
enum Tfm {
    Cipher(Cipher),
    Skcipher(Skcipher),
    Shash(Shash),
    Aead(Aead),
}

/// Memory for one call.
struct Memory {
    iv: Fenced,
    aad: Fenced,
    src: Fenced,
    dst: Fenced,
    tag: Fenced,
}

/// Tests a subject so, in the full mode. Nothing is said where the system does not let us.
pub(crate) fn test(subject: &Subject<'_>, effort: Effort, tally: &Tally<'_>) -> Check {
    if !effort.exhaustive {
        return Ok(());
    }
    tally.enter("guard pages");
    let mut prng = Prng::new(effort.seed ^ 7);
    let Ok(mut tfm) = Tfm::of(subject) else { return Ok(()) };
    let key = prng.bytes(key_len(&subject.alg().kind));
    if tfm.set_key(&key).is_err() {
        return Ok(());
    }
    let cases = tfm.cases(&subject.alg().kind, &mut prng);
    cases.iter().for_each(|_| tally.count());
    let skipped = |error: io::Error| {
        tally.skip(format!("guard pages skipped: {error}"));
        Ok(())
    };
    let (mut memory, mut fenced_key) = match (Memory::new(), Fenced::new(LONGEST_KEY)) {
        (Ok(memory), Ok(key)) => (memory, key),
        (Err(error), _) | (_, Err(error)) => return skipped(error),
    };
    let work = |progress: &Progress| {
        let kept = fenced_key.bytes_mut(Side::End, key.len());
        kept.copy_from_slice(&key);
        let set = fenced_key.read_only(Side::End, key.len(), |key| tfm.set_key(key));
        matches!(set, Ok(Ok(()))) && all(&tfm, &cases, &mut memory, progress)
    };
    match in_child(PATIENCE, work) {
        Err(error) => skipped(error),
        Ok((End::Returned(true), _)) => Ok(()),
        Ok((end, nth)) => Err(failure(end, nth as usize, &cases, tally)),
    }
}

/// Runs every case at both sides of the memory; the number of a case is its place, from 1.
fn all(tfm: &Tfm, cases: &[Case], memory: &mut Memory, progress: &Progress) -> bool {
    cases.iter().zip(1..).all(|(case, nth)| {
        progress.set(nth);
        let sides = Side::BOTH.into_iter().flat_map(|src| Side::BOTH.map(|dst| (src, dst)));
        let mut apart = sides.map(|(src, dst)| memory.run(tfm, case, src, Some(dst)));
        let apart = apart.all(|done| matches!(done, Ok(true)));
        apart && Side::BOTH.into_iter().all(|side| matches!(memory.run(tfm, case, side, None), Ok(true)))
    })
}

fn failure(end: End, nth: usize, cases: &[Case], tally: &Tally<'_>) -> Failure {
    let case = nth.checked_sub(1).and_then(|nth| cases.get(nth));
    let what =
        case.map_or("setkey".into(), |case| format!("len={} alen={}", case.input.len(), case.aad.len()));
    let origin = Origin::Contract(what);
    let site = tally.site(case.map_or(Op::Encrypt, |case| case.op), &origin, &"between guard pages");
    match end {
        End::Fault => site.failure("read or write outside its buffer"),
        End::TimedOut => site.failure("did not come back"),
        End::Panicked => site.failure("panicked"),
        End::Other(status) => site.failure(format_args!("ended its process ({status})")),
        End::Returned(_) => site.failure("test failed (wrong result)"),
    }
}

/// The longest key within reason.
fn key_len(kind: &Kind) -> usize {
    let keys = match kind {
        Kind::Cipher(limits) => Some(limits.keys),
        Kind::Skcipher(limits) => Some(limits.keys),
        Kind::Shash(limits) => limits.keys,
        Kind::Aead(limits) => Some(limits.keys),
        _ => None,
    };
    let len = |keys| tried(keys).iter().take_while(|&len| len <= LONGEST_KEY).last().unwrap_or(0);
    keys.map_or(0, len)
}

/// Lengths around the chunks, and some that vector code takes many at a time.
fn lens(chunk: usize) -> Vec<usize> {
    let long = [4, 8, 16, 33].into_iter().flat_map(|n| [n * chunk - 1, n * chunk, n * chunk + 1]);
    (0..=2 * chunk + 1).chain(long).filter(|&len| len <= LONGEST).collect()
}

impl Tfm {
    fn of(subject: &Subject<'_>) -> Result<Self> {
        match &subject.alg().kind {
            Kind::Cipher(_) => subject.cipher().map(Tfm::Cipher),
            Kind::Skcipher(_) => subject.skcipher().map(Tfm::Skcipher),
            Kind::Shash(_) => subject.shash().map(Tfm::Shash),
            _ => subject.aead().map(Tfm::Aead),
        }
    }

    /// Sets the key, if it takes one.
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        match self {
            Tfm::Cipher(tfm) => tfm.set_key(key),
            Tfm::Skcipher(tfm) => tfm.set_key(key),
            Tfm::Shash(tfm) if tfm.needs_key() || !key.is_empty() => tfm.set_key(key),
            Tfm::Shash(_) => Ok(()),
            Tfm::Aead(tfm) => tfm.set_key(key),
        }
    }

    /// Messages of many lengths, with their answers; those that it refuses are left out.
    fn cases(&self, kind: &Kind, prng: &mut Prng) -> Vec<Case> {
        let chunk = match kind {
            Kind::Cipher(limits) => limits.block_size,
            Kind::Skcipher(limits) => limits.chunk_size,
            Kind::Shash(limits) => limits.block_size,
            Kind::Aead(limits) => limits.chunk_size,
            _ => 1,
        };
        let mut cases = Vec::new();
        for len in lens(chunk) {
            for op in [Op::Encrypt, Op::Decrypt] {
                let mut case = Case::random(op, kind, len, prng);
                if case.input.len() <= LONGEST && case.answer(self).is_ok() {
                    cases.push(case);
                }
            }
        }
        cases
    }
}

impl Case {
    /// A message without its answer yet.
    fn random(op: Op, kind: &Kind, len: usize, prng: &mut Prng) -> Self {
        let (iv_size, len, aad, op) = match kind {
            Kind::Cipher(limits) => (0, len.next_multiple_of(limits.block_size), 0, op),
            Kind::Skcipher(limits) => (limits.iv_size, valid(limits.length, len), 0, op),
            Kind::Aead(limits) => {
                let aad = if limits.aad == AadLength::Any { len % 41 } else { 16 };
                (limits.iv_size, valid(limits.length, len), aad, op)
            }
            _ => (0, len, 0, Op::Digest),
        };
        let (mut iv, aad, input) = (prng.bytes(iv_size), prng.bytes(aad), prng.bytes(len));
        // Where an IV begins with a length, this is one.
        if matches!(kind, Kind::Aead(_)) && iv_size == 16 {
            iv[0] = 1;
        }
        let output = vec![0; len];
        Case { op, iv, aad, input, output, tag: Vec::new() }
    }

    /// Fills in what the transform gives outside of any fence.
    fn answer(&mut self, tfm: &Tfm) -> Result<()> {
        self.output.copy_from_slice(&self.input);
        let (iv, output) = (&self.iv, &mut self.output);
        match tfm {
            Tfm::Cipher(tfm) => call_cipher(tfm, self.op, output.as_mut_slice().into()),
            Tfm::Skcipher(tfm) => tfm.crypt(dir(self.op), iv, output.as_mut_slice().into()),
            Tfm::Shash(tfm) => {
                self.tag = vec![0; tfm.digest_size()];
                tfm.digest(&self.input, &mut self.tag)
            }
            Tfm::Aead(tfm) => {
                self.tag = vec![0; tfm.tag_size()];
                tfm.seal(iv, &self.aad, output.as_mut_slice(), &mut self.tag)?;
                if self.op == Op::Decrypt {
                    core::mem::swap(&mut self.input, &mut self.output);
                }
                Ok(())
            }
        }
    }
}

fn dir(op: Op) -> Dir {
    if op == Op::Decrypt { Dir::Decrypt } else { Dir::Encrypt }
}

fn call_cipher(tfm: &Cipher, op: Op, io: InOut<'_>) -> Result<()> {
    match dir(op) {
        Dir::Encrypt => tfm.encrypt(io),
        Dir::Decrypt => tfm.decrypt(io),
    }
}

impl Memory {
    fn new() -> io::Result<Self> {
        let room = || Fenced::new(LONGEST);
        Ok(Memory { iv: room()?, aad: room()?, src: room()?, dst: room()?, tag: room()? })
    }

    /// Runs a case with its source at one side of its memory, and its destination at one of another, or in place.
    /// Whether the answer is right.
    fn run(&mut self, tfm: &Tfm, case: &Case, side: Side, dst: Option<Side>) -> io::Result<bool> {
        let (iv_len, aad_len, len, tag_len) =
            (case.iv.len(), case.aad.len(), case.input.len(), case.tag.len());
        let dst_side = dst.unwrap_or(side);
        self.iv.bytes_mut(side, iv_len).copy_from_slice(&case.iv);
        self.aad.bytes_mut(side, aad_len).copy_from_slice(&case.aad);
        self.src.bytes_mut(side, len).copy_from_slice(&case.input);
        let opens = case.op == Op::Decrypt;
        let tag = self.tag.bytes_mut(dst_side, tag_len);
        if opens {
            tag.copy_from_slice(&case.tag)
        } else {
            tag.fill(0xfe)
        }
        let output = self.dst.bytes_mut(dst_side, len);
        if dst.is_some() {
            output.fill(0xfe)
        } else {
            output.copy_from_slice(&case.input)
        }
        let Memory { iv, aad, src, dst: out, tag } = self;
        let done = iv.read_only(side, iv_len, |iv| {
            aad.read_only(side, aad_len, |aad| {
                src.read_only(side, len, |src| {
                    let output = out.bytes_mut(dst_side, len);
                    let io = match dst {
                        Some(_) => InOut::apart(src, output)?,
                        None => InOut::in_place(output),
                    };
                    match tfm {
                        Tfm::Cipher(tfm) => call_cipher(tfm, case.op, io),
                        Tfm::Skcipher(tfm) => tfm.crypt(dir(case.op), iv, io),
                        Tfm::Shash(tfm) => tfm.digest(src, tag.bytes_mut(dst_side, tag_len)),
                        Tfm::Aead(tfm) if opens => {
                            match tag.read_only(dst_side, tag_len, |tag| tfm.open(iv, aad, io, tag)) {
                                Ok(result) => result,
                                Err(_) => Err(kcrypto_core::Error::BadTag),
                            }
                        }
                        Tfm::Aead(tfm) => tfm.seal(iv, aad, io, tag.bytes_mut(dst_side, tag_len)),
                    }
                })
            })
        })???;
        let right = matches!(tfm, Tfm::Shash(_)) || *self.dst.bytes_mut(dst_side, len) == *case.output;
        Ok(done.is_ok() && right && *self.tag.bytes_mut(dst_side, tag_len) == *case.tag)
    }
}
