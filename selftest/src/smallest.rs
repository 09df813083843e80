//! The smallest case that fails, as a vector that `kcrypto check` replays.

use core::fmt::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use kcrypto_core::Error;

use crate::failure::{Check, Failure};

/// Most attempts to make a case smaller.
const ATTEMPTS: usize = 400;

/// Makes an input smaller as long as it fails. `smaller` says what to try next, the smallest first.
pub(crate) fn smallest<T>(
    mut input: T,
    mut failure: Failure,
    smaller: impl Fn(&T) -> Vec<T>,
    mut check: impl FnMut(&T) -> Check,
) -> (T, Failure) {
    let mut left = ATTEMPTS;
    'found: loop {
        for candidate in smaller(&input) {
            if left == 0 {
                break 'found;
            }
            left -= 1;
            // A panic is another fault than the one at hand.
            if let Ok(Err(found)) = catch_unwind(AssertUnwindSafe(|| check(&candidate))) {
                (input, failure) = (candidate, found);
                continue 'found;
            }
        }
        break;
    }
    (input, failure)
}

/// Lengths below this one, worth trying in this order.
pub(crate) fn lengths(len: usize) -> Vec<usize> {
    let steps = (0..usize::BITS).map(|bits| len >> bits).take_while(|step| *step > 0);
    steps.map(|step| len - step).collect()
}

/// Lengths of pieces, cut off where the message now ends.
pub(crate) fn fit(pieces: &[usize], len: usize) -> Vec<usize> {
    let mut left = len;
    let mut lens = Vec::new();
    for &piece in pieces {
        let piece = piece.min(left);
        lens.push(piece);
        left -= piece;
        if left == 0 {
            break;
        }
    }
    if let Some(last) = lens.last_mut() {
        *last += left;
    }
    lens
}

/// The same in fewer pieces: each with its neighbour.
pub(crate) fn fewer(pieces: &[usize]) -> Vec<Vec<usize>> {
    let merged = |at: usize| {
        let mut lens = pieces.to_vec();
        let gone = lens.remove(at + 1);
        lens[at] += gone;
        lens
    };
    (0..pieces.len().saturating_sub(1)).map(merged).collect()
}

/// A case in the form of the vector files that `kcrypto check` replays.
pub(crate) struct Json {
    section: &'static str,
    fields: String,
}

impl Json {
    /// A case of inputs and outputs.
    pub(crate) fn vector(kind: &str, name: &str, op: &str) -> Self {
        Json { section: "vectors", fields: String::new() }
            .text("type", kind)
            .text("name", name)
            .text("op", op)
    }

    /// A key that is taken, or refused with this error.
    pub(crate) fn set_key(kind: &str, name: &str, key: &[u8], error: Option<&Error>) -> Self {
        let json = Json { section: "setkey", fields: String::new() };
        json.text("type", kind).text("name", name).bytes("key", key).error("errno", error)
    }

    fn field(mut self, name: &str, value: fmt::Arguments<'_>) -> Self {
        let comma = if self.fields.is_empty() { "" } else { "," };
        let _ = write!(self.fields, "{comma}\"{name}\":{value}");
        self
    }

    /// A text without anything to be escaped.
    pub(crate) fn text(self, name: &str, text: &str) -> Self {
        self.field(name, format_args!("\"{text}\""))
    }

    pub(crate) fn number(self, name: &str, number: usize) -> Self {
        self.field(name, format_args!("{number}"))
    }

    /// A number that is left out if it is 0.
    pub(crate) fn unless_zero(self, name: &str, number: usize) -> Self {
        if number == 0 { self } else { self.number(name, number) }
    }

    pub(crate) fn bytes(self, name: &str, bytes: &[u8]) -> Self {
        let hex = bytes.iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        self.text(name, &hex)
    }

    pub(crate) fn lens(self, name: &str, lens: &[usize]) -> Self {
        self.field(name, format_args!("{lens:?}"))
    }

    pub(crate) fn error(self, name: &str, error: Option<&Error>) -> Self {
        match error {
            Some(error) => self.text(name, error.errno_name()),
            None => self,
        }
    }

    /// Ends a failure's text with the case.
    pub(crate) fn explain(&self, failure: Failure, driver: &str) -> Failure {
        let Failure(mut text) = failure;
        let (section, fields) = (self.section, &self.fields);
        let _ = writeln!(text, "as a vector for kcrypto check --driver '{driver}':");
        let _ = writeln!(text, "{{\"{section}\":[{{{fields}}}]}}");
        Failure(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_that_fails_is_found() {
        let fails = |&len: &usize| match len >= 37 {
            true => Err(Failure(format!("{len} fails"))),
            false => Ok(()),
        };
        let first = Failure("first".into());
        let (len, Failure(text)) = smallest(5000, first, |&len| lengths(len), fails);
        assert_eq!((len, text.as_str()), (37, "37 fails"));
        let (len, Failure(text)) = smallest(5, Failure("first".into()), |&len| lengths(len), |_| Ok(()));
        assert_eq!((len, text.as_str()), (5, "first"));
    }

    #[test]
    fn attempts_are_bounded() {
        let mut tries = 0;
        let (_, _) = smallest(
            0_u64,
            Failure(String::new()),
            |&n| vec![n + 1],
            |_| {
                tries += 1;
                Err(Failure(String::new()))
            },
        );
        assert_eq!(tries, ATTEMPTS);
    }

    #[test]
    fn pieces_follow_the_length() {
        assert_eq!(fit(&[3, 0, 5, 9], 6), [3, 0, 3]);
        assert_eq!(fit(&[3, 2], 9), [3, 6]);
        assert_eq!(fit(&[3, 2], 0), [0]);
        assert_eq!(fewer(&[1, 2, 3]), [vec![3, 3], vec![1, 5]]);
        assert!(fewer(&[4]).is_empty());
        assert_eq!(lengths(5), [0, 3, 4]);
        assert!(lengths(0).is_empty());
    }

    #[test]
    fn the_form() {
        let json = Json::vector("hash", "sha1", "update").bytes("input", &[1, 0xab]).lens("chunks", &[1, 1]);
        let Failure(text) = json.unless_zero("offset", 0).explain(Failure("why\n".into()), "mine");
        let vector =
            r#"{"vectors":[{"type":"hash","name":"sha1","op":"update","input":"01ab","chunks":[1, 1]}]}"#;
        assert_eq!(text, format!("why\nas a vector for kcrypto check --driver 'mine':\n{vector}\n"));
    }
}
