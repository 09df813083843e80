//! Replaying a vector on one hash, in every way that a message can be hashed.

use kcrypto::{Error, Hashing, Shash};

use crate::check::expected::Expected;
use crate::check::outcome::{Problem, same_errno};
use crate::check::pieces::{Placed, split_ref};

/// Key and input, and what is expected of them.
pub(super) struct Replay<'a> {
    pub(super) key: Option<Vec<u8>>,
    pub(super) input: Vec<u8>,
    pub(super) expected: Expected<'a>,
    /// Misalignment of the message in bytes.
    pub(super) offset: usize,
}

impl Replay<'_> {
    /// The message in one call, and in pieces of these lengths.
    pub(super) fn run(&self, tfm: &mut Shash, lens: &[usize]) -> Result<(), Problem> {
        if let Some(key) = &self.key {
            tfm.set_key(key).map_err(Problem::refused("the key"))?;
        }
        let input = Placed::new(&self.input, self.offset);
        let pieces = split_ref(&input, lens);
        let mut digest = vec![0xfe; tfm.digest_size()];
        self.compare("the digest", tfm.digest(&input, &mut digest), &digest)?;
        if self.expected.errno().is_none() {
            self.verify(tfm, &digest)?;
        }
        digest.fill(0xfe);
        self.compare("the digest of segments", tfm.digest_segments(&pieces, &mut digest), &digest)?;
        digest.fill(0xfe);
        self.compare("the digest in pieces", in_pieces(tfm, &pieces, &mut digest), &digest)?;
        digest.fill(0xfe);
        let moved = moved(tfm, &pieces, &mut digest);
        self.compare("the digest in pieces, exported and imported between them", moved, &digest)
    }

    /// Compares what came of the message; after an error nothing is written.
    fn compare(&self, what: &'static str, result: kcrypto::Result<()>, digest: &[u8]) -> Result<(), Problem> {
        same_errno(what, result, self.expected.errno())?;
        if self.expected.errno().is_none() {
            return self.expected.compare(what, digest);
        }
        if digest.iter().any(|byte| *byte != 0xfe) {
            return Err(Problem::Wrong(format!("{what} is refused after something was written")));
        }
        Ok(())
    }

    /// The digest and its first half verify, and not with a bit flipped.
    fn verify(&self, tfm: &Shash, digest: &[u8]) -> Result<(), Problem> {
        tfm.verify(&self.input, digest).map_err(Problem::refused("verification"))?;
        let half = &digest[..digest.len().div_ceil(2)];
        tfm.verify(&self.input, half).map_err(Problem::refused("verification of a truncated tag"))?;
        for at in [0, digest.len() - 1] {
            let mut wrong = digest.to_vec();
            wrong[at] ^= 0x80;
            if tfm.verify(&self.input, &wrong) != Err(Error::BadTag) {
                return Err(Problem::Wrong(format!("a tag with byte {at} changed verifies")));
            }
        }
        Ok(())
    }
}

fn in_pieces(tfm: &Shash, pieces: &[&[u8]], digest: &mut [u8]) -> kcrypto::Result<()> {
    let mut hashing = tfm.hasher()?;
    pieces.iter().for_each(|piece| hashing.update(piece));
    hashing.finalize(digest)
}

/// The same, with the state going through its exported form before each piece and before the end.
fn moved(tfm: &Shash, pieces: &[&[u8]], digest: &mut [u8]) -> kcrypto::Result<()> {
    let pass = |hashing: Hashing<'_>| -> kcrypto::Result<Vec<u8>> {
        let mut state = vec![0; tfm.export_size()];
        hashing.export(&mut state)?;
        Ok(state)
    };
    let mut hashing = tfm.hasher()?;
    for piece in pieces {
        hashing = tfm.import(&pass(hashing)?)?;
        hashing.update(piece);
    }
    tfm.import(&pass(hashing)?)?.finalize(digest)
}
