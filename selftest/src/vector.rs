//! The text form of vectors, and its parser.
//!
//! The form is described in the documentation of this crate.

use core::fmt;

use kcrypto_core::KindTag;

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Vector {
    /// Where it starts in its file.
    pub(crate) line: usize,
    pub(crate) boot: bool,
    /// `None` for a hash without key.
    pub(crate) key: Option<Vec<u8>>,
    pub(crate) iv: Vec<u8>,
    pub(crate) iv_out: Option<Vec<u8>>,
    pub(crate) aad: Vec<u8>,
    /// The plaintext, or what is hashed.
    pub(crate) text: Vec<u8>,
    pub(crate) answer: Answer,
}

/// What a driver has to say to a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// This ciphertext.
    Ciphertext(Vec<u8>),
    /// This ciphertext and tag.
    Sealed { ctext: Vec<u8>, tag: Vec<u8> },
    /// This digest, and this exported state before it.
    Digest { digest: Vec<u8>, state: Option<Vec<u8>> },
    /// This refusal.
    Refusal(Expect),
    /// Refusal of this ciphertext for this tag.
    Forged { ctext: Vec<u8>, tag: Vec<u8> },
}

impl Default for Answer {
    fn default() -> Self {
        Answer::Ciphertext(Vec::new())
    }
}

/// The refusals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expect {
    /// `bad-key`: a key of this length.
    BadKey,
    /// `weak-key`: this key, where weak keys are forbidden; elsewhere it is accepted.
    WeakKey,
    /// `need-key`: a message that should begin with its key.
    NeedKey,
    /// `bad-iv`: an IV of this length, or with this content.
    BadIv,
    /// `bad-length`: a message of this length, in both directions.
    BadLength,
    /// `too-long N`: a message of so many bytes, in both directions.
    TooLong(u64),
    /// `bad-aad`: associated data of this length, in both directions.
    BadAad,
    /// `bad-tag-size N`: tags of so many bytes.
    BadTagSize(usize),
    /// `bad-tag`: the tag.
    BadTag,
}

impl Expect {
    /// Whether algorithms of this kind refuse so.
    fn concerns(self, kind: KindTag) -> bool {
        match self {
            Expect::BadKey => true,
            Expect::WeakKey => kind == KindTag::Skcipher,
            Expect::NeedKey => kind == KindTag::Shash,
            Expect::BadIv | Expect::BadLength => matches!(kind, KindTag::Skcipher | KindTag::Aead),
            _ => kind == KindTag::Aead,
        }
    }
}

/// Why a file is not in the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Malformed {
    line: usize,
    why: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

/// Parses a whole file of cases of this kind.
pub(crate) fn parse(kind: KindTag, text: &str) -> Result<Vec<Vector>, Malformed> {
    let mut vectors = Vec::new();
    let mut sourced = false;
    let mut fields: Vec<Field<'_>> = Vec::new();
    for (n, line) in text.lines().chain([""]).enumerate() {
        let line_number = n + 1;
        let malformed = |why: &str| Err(Malformed { line: line_number, why: why.into() });
        if line.trim().is_empty() {
            vectors.extend(case(kind, &mut fields)?);
        } else if let Some(comment) = line.strip_prefix('#') {
            sourced |= comment.trim_start().strip_prefix("SOURCE:").is_some_and(|s| !s.trim().is_empty());
        } else if line.starts_with([' ', '\t']) {
            match fields.last_mut() {
                Some(field) => field.values.push(line.trim()),
                None => return malformed("it continues nothing"),
            }
        } else {
            let (name, value) = line.split_once('=').map_or((line, None), |(n, v)| (n, Some(v.trim())));
            let name = name.trim();
            if fields.iter().any(|field| field.name == name) {
                return malformed("the case has this field already");
            }
            if !sourced {
                return malformed("no SOURCE comment above it");
            }
            fields.push(Field { line: line_number, name, values: value.into_iter().collect() });
        }
    }
    Ok(vectors)
}

struct Field<'a> {
    line: usize,
    name: &'a str,
    /// The parts of the value; none if there is no `=`.
    values: Vec<&'a str>,
}

/// Makes a case of the fields gathered, if there are any.
fn case(kind: KindTag, fields: &mut Vec<Field<'_>>) -> Result<Option<Vector>, Malformed> {
    use KindTag::{Aead, Shash, Skcipher};
    let Some(line) = fields.first().map(|field| field.line) else { return Ok(None) };
    let malformed = |why: &str| Err(Malformed { line, why: why.into() });
    let mut vector = Vector { line, ..Vector::default() };
    let [mut ctext, mut tag, mut digest, mut state] = [const { None }; 4];
    let mut expect = None;
    for field in fields.drain(..) {
        match (field.name, kind) {
            ("BOOT", _) if field.values.is_empty() => vector.boot = true,
            ("KEY", _) => vector.key = Some(field.bytes()?),
            ("IV", Skcipher | Aead) => vector.iv = field.bytes()?,
            ("IV_OUT", Skcipher) => vector.iv_out = Some(field.bytes()?),
            ("AAD", Aead) => vector.aad = field.bytes()?,
            ("PTEXT", Skcipher | Aead) | ("MSG", Shash) => vector.text = field.bytes()?,
            ("CTEXT", Skcipher | Aead) => ctext = Some(field.bytes()?),
            ("TAG", Aead) => tag = Some(field.bytes()?),
            ("DIGEST", Shash) => digest = Some(field.bytes()?),
            ("STATE", Shash) => state = Some(field.bytes()?),
            ("EXPECT", _) => {
                let refusal = field.expect()?;
                if !refusal.concerns(kind) {
                    return Err(field.malformed("not a refusal of this kind"));
                }
                expect = Some(refusal);
            }
            _ => return Err(field.malformed("not a field")),
        }
    }
    if vector.key.is_none() && kind != Shash {
        return malformed("no KEY");
    }
    vector.answer = match (expect, ctext, tag, digest) {
        (None, Some(ctext), None, None) if kind == Skcipher => Answer::Ciphertext(ctext),
        (None, Some(ctext), Some(tag), None) => Answer::Sealed { ctext, tag },
        (None, None, None, Some(digest)) => Answer::Digest { digest, state: state.take() },
        (Some(Expect::BadTag), Some(ctext), Some(tag), None) => Answer::Forged { ctext, tag },
        (Some(expect), None, None, None) if expect != Expect::BadTag => Answer::Refusal(expect),
        _ => {
            return malformed(match kind {
                Shash => "exactly one of DIGEST and EXPECT is needed",
                Aead => "CTEXT and TAG are needed, or EXPECT",
                _ => "exactly one of CTEXT and EXPECT is needed",
            });
        }
    };
    match &vector.answer {
        Answer::Ciphertext(ctext) | Answer::Sealed { ctext, .. } if ctext.len() != vector.text.len() => {
            malformed("PTEXT and CTEXT differ in length")
        }
        Answer::Refusal(_) if vector.iv_out.is_some() => malformed("IV_OUT of a refusal"),
        _ if state.is_some() => malformed("STATE of a refusal"),
        _ => Ok(Some(vector)),
    }
}

impl Vector {
    /// The key; empty if there is none.
    pub(crate) fn key(&self) -> &[u8] {
        self.key.as_deref().unwrap_or_default()
    }
}

impl Field<'_> {
    fn malformed(&self, why: &str) -> Malformed {
        Malformed { line: self.line, why: format!("{}: {why}", self.name) }
    }

    fn bytes(&self) -> Result<Vec<u8>, Malformed> {
        if self.values.is_empty() {
            return Err(self.malformed("no value"));
        }
        let digits = self.values.iter().map(|part| part.len()).sum::<usize>();
        let mut bytes = Vec::with_capacity(digits / 2);
        for part in &self.values {
            match part.split_once(['+', '*']) {
                Some((first, rest)) => bytes.extend(self.ascending(first, rest)?),
                None => self.hex(part, &mut bytes)?,
            }
        }
        Ok(bytes)
    }

    fn hex(&self, digits: &str, bytes: &mut Vec<u8>) -> Result<(), Malformed> {
        let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
        if !rest.is_empty() {
            return Err(self.malformed("an odd number of hex digits on a line"));
        }
        for &[high, low] in pairs {
            let digit = |c: u8| char::from(c).to_digit(16);
            let (Some(high), Some(low)) = (digit(high), digit(low)) else {
                return Err(self.malformed("not hex"));
            };
            bytes.push((high * 16 + low) as u8);
        }
        Ok(())
    }

    /// `FIRST+STEP*N`: so many bytes, each more than the one before by the step.
    fn ascending(&self, first: &str, rest: &str) -> Result<impl Iterator<Item = u8>, Malformed> {
        let parts = rest.split_once('*');
        let parts = parts.and_then(|(step, count)| Some((step, count.parse::<usize>().ok()?)));
        let (step, count) = parts.ok_or_else(|| self.malformed("neither hex nor FIRST+STEP*N"))?;
        let mut ends = Vec::with_capacity(2);
        self.hex(first, &mut ends)?;
        self.hex(step, &mut ends)?;
        let [first, step] = ends[..] else { return Err(self.malformed("neither hex nor FIRST+STEP*N")) };
        Ok((0..count).map(move |i| first.wrapping_add(step.wrapping_mul(i as u8))))
    }

    fn expect(&self) -> Result<Expect, Malformed> {
        let [value] = self.values.as_slice() else { return Err(self.malformed("one line is needed")) };
        let (word, number) =
            value.split_once(' ').map_or((*value, None), |(w, n)| (w, n.parse::<u64>().ok()));
        match (word, number) {
            ("bad-key", None) => Ok(Expect::BadKey),
            ("weak-key", None) => Ok(Expect::WeakKey),
            ("need-key", None) => Ok(Expect::NeedKey),
            ("bad-iv", None) => Ok(Expect::BadIv),
            ("bad-length", None) => Ok(Expect::BadLength),
            ("too-long", Some(len)) => Ok(Expect::TooLong(len)),
            ("bad-aad", None) => Ok(Expect::BadAad),
            ("bad-tag-size", Some(len)) => Ok(Expect::BadTagSize(len as usize)),
            ("bad-tag", None) => Ok(Expect::BadTag),
            _ => Err(self.malformed("not a refusal")),
        }
    }
}

/// How many vectors are marked BOOT.
pub(crate) fn marked(vectors: &[Vector]) -> usize {
    vectors.iter().filter(|vector| vector.boot).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# SOURCE: nowhere\n\n";

    fn parsed(kind: KindTag, text: &str) -> Result<Vec<Vector>, String> {
        parse(kind, &format!("{HEAD}{text}")).map_err(|why| why.to_string())
    }

    fn refusal(text: &str) -> String {
        parsed(KindTag::Skcipher, text).unwrap_err()
    }

    #[test]
    fn a_case_in_full() {
        let text = "BOOT\nKEY = 00\n  01ff\nIV =\nIV_OUT = 02\nPTEXT = aBcd\nCTEXT = 0304\n\n\nKEY =\nEXPECT = bad-key";
        let vectors = parsed(KindTag::Skcipher, text).unwrap();
        let [first, second] = vectors.as_slice() else { panic!("{vectors:?}") };
        assert_eq!(
            *first,
            Vector {
                line: 3,
                boot: true,
                key: Some(vec![0, 1, 255]),
                iv_out: Some(vec![2]),
                text: vec![0xab, 0xcd],
                answer: Answer::Ciphertext(vec![3, 4]),
                ..Vector::default()
            }
        );
        assert_eq!((second.line, &second.answer), (12, &Answer::Refusal(Expect::BadKey)));
    }

    #[test]
    fn cases_of_hashes() {
        let vectors = parsed(KindTag::Shash, "MSG = 01\nDIGEST = 02\nSTATE = 03\n\nKEY =\nEXPECT = need-key");
        let vectors = vectors.unwrap();
        let [first, second] = vectors.as_slice() else { panic!("{vectors:?}") };
        assert_eq!((&first.key, first.key(), first.text.as_slice()), (&None, &[][..], &[1][..]));
        assert_eq!(first.answer, Answer::Digest { digest: vec![2], state: Some(vec![3]) });
        assert_eq!((&second.key, &second.answer), (&Some(vec![]), &Answer::Refusal(Expect::NeedKey)));
        let refused = |text| parsed(KindTag::Shash, text).unwrap_err();
        assert_eq!(refused("MSG = 01"), "line 3: exactly one of DIGEST and EXPECT is needed");
        assert_eq!(refused("MSG =\nSTATE =\nEXPECT = need-key"), "line 3: STATE of a refusal");
        assert_eq!(refused("PTEXT = 01"), "line 3: PTEXT: not a field");
    }

    #[test]
    fn cases_of_aeads() {
        let text = "KEY = 00\nAAD = f0+08*4\nPTEXT = 01\nCTEXT = 02\nTAG = 0304\n\n\
                    KEY = 00\nCTEXT = 02\nTAG = 0305\nEXPECT = bad-tag\n\n\
                    KEY = 00\nEXPECT = too-long 65536\n\nKEY = 00\nEXPECT = bad-tag-size 5";
        let vectors = parsed(KindTag::Aead, text).unwrap();
        assert_eq!(vectors[0].aad, [0xf0, 0xf8, 0, 8]);
        let answers: Vec<_> = vectors.into_iter().map(|vector| vector.answer).collect();
        assert_eq!(
            answers,
            [
                Answer::Sealed { ctext: vec![2], tag: vec![3, 4] },
                Answer::Forged { ctext: vec![2], tag: vec![3, 5] },
                Answer::Refusal(Expect::TooLong(65536)),
                Answer::Refusal(Expect::BadTagSize(5)),
            ]
        );
        let refused = |text| parsed(KindTag::Aead, text).unwrap_err();
        assert_eq!(refused("KEY = 00\nCTEXT ="), "line 3: CTEXT and TAG are needed, or EXPECT");
        assert_eq!(refused("KEY = 00\nEXPECT = bad-tag"), "line 3: CTEXT and TAG are needed, or EXPECT");
        assert_eq!(
            refused("KEY = 00\nPTEXT = 00\nCTEXT =\nTAG ="),
            "line 3: PTEXT and CTEXT differ in length"
        );
        assert_eq!(refused("KEY = 00\nMSG = 00"), "line 4: MSG: not a field");
        assert_eq!(refused("KEY = 00\nAAD = 00+01"), "line 4: AAD: neither hex nor FIRST+STEP*N");
        assert_eq!(refused("KEY = 00\nAAD = 0001+02*3"), "line 4: AAD: neither hex nor FIRST+STEP*N");
    }

    #[test]
    fn every_mistake_is_named() {
        assert_eq!(
            parse(KindTag::Skcipher, "KEY = 00\nCTEXT ="),
            Err(Malformed { line: 1, why: "no SOURCE comment above it".into() })
        );
        assert_eq!(parse(KindTag::Skcipher, "# SOURCE:\nKEY = 00\nCTEXT =").unwrap_err().line, 2);
        assert_eq!(refusal("KEY = 0\nCTEXT ="), "line 3: KEY: an odd number of hex digits on a line");
        assert_eq!(refusal("KEY = 0g\nCTEXT ="), "line 3: KEY: not hex");
        assert_eq!(refusal("KEY\nCTEXT ="), "line 3: KEY: no value");
        assert_eq!(refusal("KEY = 00\nKEY = 00"), "line 4: the case has this field already");
        assert_eq!(refusal("KEY = 00\nPTXT = 00"), "line 4: PTXT: not a field");
        assert_eq!(refusal("PTEXT =\nCTEXT ="), "line 3: no KEY");
        assert_eq!(refusal("KEY = 00"), "line 3: exactly one of CTEXT and EXPECT is needed");
        assert_eq!(refusal("KEY = 00\nPTEXT = 00\nCTEXT ="), "line 3: PTEXT and CTEXT differ in length");
        assert_eq!(refusal("KEY = 00\nIV_OUT =\nEXPECT = bad-iv"), "line 3: IV_OUT of a refusal");
        for value in ["bad", "too-long", "bad-key 3", "too-long x"] {
            assert_eq!(refusal(&format!("KEY = 00\nEXPECT = {value}")), "line 4: EXPECT: not a refusal");
        }
        assert_eq!(refusal("KEY = 00\nEXPECT"), "line 4: EXPECT: one line is needed");
        assert_eq!(refusal("KEY = 00\nEXPECT = bad-aad"), "line 4: EXPECT: not a refusal of this kind");
        assert_eq!(refusal(" 00"), "line 3: it continues nothing");
    }
}
