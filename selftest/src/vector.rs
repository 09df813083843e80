//! The text form of vectors, and its parser.
//!
//! The form is described in the documentation of this crate.

use core::fmt;

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Vector {
    /// Where it starts in its file.
    pub(crate) line: usize,
    pub(crate) boot: bool,
    pub(crate) key: Vec<u8>,
    pub(crate) iv: Vec<u8>,
    pub(crate) iv_out: Option<Vec<u8>>,
    pub(crate) ptext: Vec<u8>,
    pub(crate) answer: Answer,
}

/// What a driver has to say to a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// This ciphertext.
    Ciphertext(Vec<u8>),
    /// This refusal.
    Refusal(Expect),
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
    /// `bad-iv`: an IV of this length.
    BadIv,
    /// `bad-length`: a message of this length, in both directions.
    BadLength,
    /// `weak-key`: this key, where weak keys are forbidden; elsewhere it is accepted.
    WeakKey,
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

/// Parses a whole file.
pub(crate) fn parse(text: &str) -> Result<Vec<Vector>, Malformed> {
    let mut vectors = Vec::new();
    let mut sourced = false;
    let mut fields: Vec<Field<'_>> = Vec::new();
    for (n, line) in text.lines().chain([""]).enumerate() {
        let line_number = n + 1;
        let malformed = |why: &str| Err(Malformed { line: line_number, why: why.into() });
        if line.trim().is_empty() {
            vectors.extend(case(&mut fields)?);
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
fn case(fields: &mut Vec<Field<'_>>) -> Result<Option<Vector>, Malformed> {
    let Some(line) = fields.first().map(|field| field.line) else { return Ok(None) };
    let malformed = |why: &str| Malformed { line, why: why.into() };
    let mut vector = Vector { line, ..Vector::default() };
    let mut answers = Vec::new();
    let mut keyed = false;
    for field in fields.drain(..) {
        match field.name {
            "BOOT" if field.values.is_empty() => vector.boot = true,
            "KEY" => {
                vector.key = field.bytes()?;
                keyed = true;
            }
            "IV" => vector.iv = field.bytes()?,
            "IV_OUT" => vector.iv_out = Some(field.bytes()?),
            "PTEXT" => vector.ptext = field.bytes()?,
            "CTEXT" => answers.push(Answer::Ciphertext(field.bytes()?)),
            "EXPECT" => answers.push(Answer::Refusal(field.expect()?)),
            _ => return Err(field.malformed("not a field")),
        }
    }
    if !keyed {
        return Err(malformed("no KEY"));
    }
    vector.answer = match <[Answer; 1]>::try_from(answers) {
        Ok([answer]) => answer,
        Err(_) => return Err(malformed("exactly one of CTEXT and EXPECT is needed")),
    };
    match &vector.answer {
        Answer::Ciphertext(ctext) if ctext.len() != vector.ptext.len() => {
            Err(malformed("PTEXT and CTEXT differ in length"))
        }
        Answer::Refusal(_) if vector.iv_out.is_some() => Err(malformed("IV_OUT of a refusal")),
        _ => Ok(Some(vector)),
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
            let (pairs, rest) = part.as_bytes().as_chunks::<2>();
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
        }
        Ok(bytes)
    }

    fn expect(&self) -> Result<Expect, Malformed> {
        match self.values.as_slice() {
            ["bad-key"] => Ok(Expect::BadKey),
            ["bad-iv"] => Ok(Expect::BadIv),
            ["bad-length"] => Ok(Expect::BadLength),
            ["weak-key"] => Ok(Expect::WeakKey),
            _ => Err(self.malformed("not one of bad-key, bad-iv, bad-length, weak-key")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# SOURCE: nowhere\n\n";

    fn refusal(text: &str) -> String {
        parse(&format!("{HEAD}{text}")).unwrap_err().to_string()
    }

    #[test]
    fn a_case_in_full() {
        let text = "BOOT\nKEY = 00\n  01ff\nIV =\nIV_OUT = 02\nPTEXT = aBcd\nCTEXT = 0304\n\n\nKEY =\nEXPECT = bad-key";
        let vectors = parse(&format!("{HEAD}{text}")).unwrap();
        let [first, second] = vectors.as_slice() else { panic!("{vectors:?}") };
        assert_eq!(
            *first,
            Vector {
                line: 3,
                boot: true,
                key: vec![0, 1, 255],
                iv: vec![],
                iv_out: Some(vec![2]),
                ptext: vec![0xab, 0xcd],
                answer: Answer::Ciphertext(vec![3, 4]),
            }
        );
        assert_eq!((second.line, &second.answer), (12, &Answer::Refusal(Expect::BadKey)));
    }

    #[test]
    fn every_mistake_is_named() {
        assert_eq!(
            parse("KEY = 00\nCTEXT ="),
            Err(Malformed { line: 1, why: "no SOURCE comment above it".into() })
        );
        assert_eq!(parse("# SOURCE:\nKEY = 00\nCTEXT =").unwrap_err().line, 2);
        assert_eq!(refusal("KEY = 0\nCTEXT ="), "line 3: KEY: an odd number of hex digits on a line");
        assert_eq!(refusal("KEY = 0g\nCTEXT ="), "line 3: KEY: not hex");
        assert_eq!(refusal("KEY\nCTEXT ="), "line 3: KEY: no value");
        assert_eq!(refusal("KEY = 00\nKEY = 00"), "line 4: the case has this field already");
        assert_eq!(refusal("KEY = 00\nPTXT = 00"), "line 4: PTXT: not a field");
        assert_eq!(refusal("PTEXT =\nCTEXT ="), "line 3: no KEY");
        assert_eq!(refusal("KEY = 00"), "line 3: exactly one of CTEXT and EXPECT is needed");
        assert_eq!(refusal("KEY = 00\nPTEXT = 00\nCTEXT ="), "line 3: PTEXT and CTEXT differ in length");
        assert_eq!(refusal("KEY = 00\nIV_OUT =\nEXPECT = bad-iv"), "line 3: IV_OUT of a refusal");
        assert_eq!(
            refusal("KEY = 00\nEXPECT = bad"),
            "line 4: EXPECT: not one of bad-key, bad-iv, bad-length, weak-key"
        );
        assert_eq!(refusal(" 00"), "line 3: it continues nothing");
    }
}
