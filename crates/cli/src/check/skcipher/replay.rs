//! Replaying a vector on one transform, in every way that it describes.

use kcrypto::{Dir, InOut, Segments, Skcipher, Stream};

use crate::check::expected::{Expected, same};
use crate::check::outcome::{Problem, same_errno};
use crate::check::pieces::{Placed, split, split_ref};

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
    /// The IV that continues after encryption, if it is known.
    pub(crate) iv_out: Option<Vec<u8>>,
    /// The same after decryption.
    pub(crate) decrypt_iv_out: Option<Vec<u8>>,
    /// Misalignment of message and IV in bytes.
    pub(crate) offset: usize,
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

    /// The message in one call, as a stream of these pieces, and as lists of these segments; and back again.
    pub(crate) fn cut(
        &self,
        tfm: &mut Skcipher,
        chunks: &[usize],
        dst_chunks: &[usize],
    ) -> Result<(), Problem> {
        self.whole(tfm)?;
        if self.expected.errno().is_some() {
            return Ok(());
        }
        let output = self.cut_so(tfm, Dir::Encrypt, &self.input, chunks, dst_chunks)?;
        self.expected.compare("encryption in pieces", &output)?;
        if self.decrypts {
            let back = self.cut_so(tfm, Dir::Decrypt, &output, chunks, dst_chunks)?;
            same("decryption in pieces", &back, &self.input)?;
        }
        Ok(())
    }

    /// A message as a stream, as segments in place and as segments apart; all must give the same.
    fn cut_so(
        &self,
        tfm: &Skcipher,
        dir: Dir,
        input: &[u8],
        chunks: &[usize],
        dst_chunks: &[usize],
    ) -> Result<Vec<u8>, Problem> {
        let what = word(dir);
        let streamed = self.streamed(tfm, dir, input, chunks)?;
        let mut in_place = Placed::new(input, self.offset);
        let mut segments = split(&mut in_place, chunks);
        tfm.crypt_segments(dir, &self.iv, Segments::InPlace(&mut segments))
            .map_err(Problem::refused(what))?;
        same(&format!("{what} of segments in place, compared with a stream"), &in_place, &streamed)?;
        let src = Placed::new(input, self.offset);
        let mut dst = Placed::new(&vec![0xfe; input.len()], self.offset + 1);
        let (from, mut to) = (split_ref(&src, chunks), split(&mut dst, dst_chunks));
        tfm.crypt_segments(dir, &self.iv, Segments::Apart(&from, &mut to)).map_err(Problem::refused(what))?;
        same(&format!("{what} of segments apart, compared with a stream"), &dst, &streamed)?;
        Ok(streamed)
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
        self.expected.compare("encryption piece by piece", &data)?;
        if !self.decrypts || outputs.is_some() {
            return Ok(());
        }
        iv.copy_from_slice(&self.iv);
        for piece in split(&mut data, chunks) {
            tfm.crypt_chained(Dir::Decrypt, &mut iv, InOut::in_place(piece))
                .map_err(Problem::refused("decryption of a piece"))?;
        }
        same("decryption piece by piece", &data, &self.input)
    }

    fn set_key(&self, tfm: &mut Skcipher) -> Result<(), Problem> {
        tfm.set_key(&self.key).map_err(Problem::refused("the key"))
    }

    /// Processes a message apart and in place; both must give the same.
    fn both_ways(&self, tfm: &Skcipher, dir: Dir, input: &[u8]) -> Result<Vec<u8>, Problem> {
        let what = word(dir);
        let (src, iv) = (Placed::new(input, self.offset), Placed::new(&self.iv, self.offset));
        let mut apart = Placed::new(&vec![0xfe; input.len()], self.offset + 1);
        InOut::apart(&src, &mut apart)
            .and_then(|io| tfm.crypt(dir, &iv, io))
            .map_err(Problem::refused(what))?;
        let mut in_place = Placed::new(input, self.offset);
        tfm.crypt(dir, &iv, InOut::in_place(&mut in_place)).map_err(Problem::refused(what))?;
        same(&format!("{what} in place, compared with apart"), &in_place, &apart)?;
        let iv_out = if dir == Dir::Encrypt { &self.iv_out } else { &self.decrypt_iv_out };
        if let Some(expected) = iv_out {
            let mut iv = Placed::new(&self.iv, self.offset);
            let mut chained = Placed::new(input, self.offset);
            tfm.crypt_chained(dir, &mut iv, InOut::in_place(&mut chained)).map_err(Problem::refused(what))?;
            same(&format!("{what}, the IV that continues"), &iv, expected)?;
        }
        Ok(apart.to_vec())
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

    fn streamed(&self, tfm: &Skcipher, dir: Dir, input: &[u8], chunks: &[usize]) -> Result<Vec<u8>, Problem> {
        let refused = Problem::refused(if dir == Dir::Encrypt {
            "encryption as a stream"
        } else {
            "decryption as a stream"
        });
        let mut stream = Stream::new(tfm, dir, &self.iv).map_err(&refused)?;
        let mut output = Vec::with_capacity(input.len());
        let mut rest = input;
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
