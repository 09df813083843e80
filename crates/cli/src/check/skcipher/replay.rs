//! Replaying a vector on one transform, in every way that it describes.

use kcrypto::{Dir, InOut, Segments, Skcipher, Stream};

use crate::check::expected::{Expected, same};
use crate::check::outcome::{Problem, same_errno};
use crate::check::pieces::split;

/// Key, IV, input and what is expected of them.
pub(crate) struct Replay<'a> {
    pub(crate) key: Vec<u8>,
    pub(crate) iv: Vec<u8>,
    pub(crate) input: Vec<u8>,
    pub(crate) expected: Expected<'a>,
    /// Whether decrypting the output gives the input back.
    pub(crate) decrypts: bool,
    /// What decrypting an input of this length fails with.
    pub(crate) decrypt_errno: Option<&'a str>,
}

impl Replay<'_> {
    /// The message in one call, in place and apart, and back again.
    pub(crate) fn whole(&self, tfm: &mut Skcipher) -> Result<(), Problem> {
        self.set_key(tfm)?;
        if let Some(errno) = self.expected.errno() {
            self.fails(tfm, Dir::Encrypt, errno)?;
            return self.decrypt_errno.map_or(Ok(()), |errno| self.fails(tfm, Dir::Decrypt, errno));
        }
        let output = self.both_ways(tfm, Dir::Encrypt, &self.input)?;
        self.expected.compare("encryption", &output)?;
        if self.decrypts {
            let back = self.both_ways(tfm, Dir::Decrypt, &output)?;
            same("decryption", &back, &self.input)?;
        }
        Ok(())
    }

    /// The message in one call, as a stream of these pieces, and as a list of these segments.
    pub(crate) fn cut(&self, tfm: &mut Skcipher, chunks: &[usize]) -> Result<(), Problem> {
        self.whole(tfm)?;
        if self.expected.errno().is_some() {
            return Ok(());
        }
        let streamed = self.streamed(tfm, chunks)?;
        self.expected.compare("encryption as a stream", &streamed)?;
        let mut data = self.input.clone();
        let mut segments = split(&mut data, chunks);
        tfm.crypt_segments(Dir::Encrypt, &self.iv, Segments::InPlace(&mut segments))
            .map_err(Problem::refused("encryption of segments"))?;
        self.expected.compare("encryption of segments", &data)
    }

    /// A message for each piece; the IV carries on.
    pub(crate) fn piece_by_piece(
        &self,
        tfm: &mut Skcipher,
        chunks: &[usize],
        outputs: Option<&[Vec<u8>]>,
    ) -> Result<(), Problem> {
        self.set_key(tfm)?;
        let mut data = self.input.clone();
        let mut iv = self.iv.clone();
        for (i, piece) in split(&mut data, chunks).into_iter().enumerate() {
            let result = tfm.crypt_chained(Dir::Encrypt, &mut iv, InOut::in_place(piece));
            if result.is_err() {
                // Linux fails at some piece as well, or this is a refusal.
                return same_errno("encryption of a piece", result, self.expected.errno());
            }
            if let Some(expected) = outputs.and_then(|outputs| outputs.get(i)) {
                same(&format!("encryption of piece {i}"), piece, expected)?;
            }
        }
        self.expected.compare("encryption piece by piece", &data)
    }

    fn set_key(&self, tfm: &mut Skcipher) -> Result<(), Problem> {
        tfm.set_key(&self.key).map_err(Problem::refused("the key"))
    }

    /// Processes a message apart and in place; both must give the same.
    fn both_ways(&self, tfm: &Skcipher, dir: Dir, input: &[u8]) -> Result<Vec<u8>, Problem> {
        let what = word(dir);
        let mut apart = vec![0xfe; input.len()];
        InOut::apart(input, &mut apart)
            .and_then(|io| tfm.crypt(dir, &self.iv, io))
            .map_err(Problem::refused(what))?;
        let mut in_place = input.to_vec();
        tfm.crypt(dir, &self.iv, InOut::in_place(&mut in_place)).map_err(Problem::refused(what))?;
        same(&format!("{what} in place, compared with apart"), &in_place, &apart)?;
        Ok(apart)
    }

    /// The message must be refused, apart and in place, before anything is written.
    fn fails(&self, tfm: &Skcipher, dir: Dir, errno: &str) -> Result<(), Problem> {
        let mut apart = vec![0xfe; self.input.len()];
        let result = InOut::apart(&self.input, &mut apart).and_then(|io| tfm.crypt(dir, &self.iv, io));
        same_errno(word(dir), result, Some(errno))?;
        let mut in_place = self.input.clone();
        same_errno(word(dir), tfm.crypt(dir, &self.iv, InOut::in_place(&mut in_place)), Some(errno))?;
        if apart.iter().any(|b| *b != 0xfe) || in_place != self.input {
            return Err(Problem::Wrong(format!("{} is refused after something was written", word(dir))));
        }
        Ok(())
    }

    fn streamed(&self, tfm: &Skcipher, chunks: &[usize]) -> Result<Vec<u8>, Problem> {
        let refused = Problem::refused("encryption as a stream");
        let mut stream = Stream::new(tfm, Dir::Encrypt, &self.iv).map_err(&refused)?;
        let mut output = Vec::with_capacity(self.input.len());
        let mut rest = &self.input[..];
        for &len in chunks {
            let (piece, later) = rest.split_at(len);
            rest = later;
            let at = output.len();
            output.resize(at + stream.update_len(len), 0);
            stream.update(piece, &mut output[at..]).map_err(&refused)?;
        }
        let at = output.len();
        output.resize(at + stream.finish_len(), 0);
        stream.finish(&mut output[at..]).map_err(&refused)?;
        Ok(output)
    }
}

fn word(dir: Dir) -> &'static str {
    match dir {
        Dir::Encrypt => "encryption",
        Dir::Decrypt => "decryption",
    }
}
