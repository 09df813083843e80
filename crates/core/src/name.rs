//! The name grammar, in the only parser there is.

use alloc::vec::Vec;

use crate::{Error, MAX_NAME, Result};

/// Most arguments that a template takes.
const MAX_ARGS: usize = 31;

/// A request that is not a registered name: a template with the text of its arguments.
///
/// `request = ident | ident "(" arg *( "," arg ) ")"`, `arg = [ident] [ "(" balanced ")" ]`, not empty, and
/// `ident` of letters, digits, `-` and `_`. Nothing may follow the closing parenthesis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Name<'a> {
    /// An identifier without arguments.
    Plain(&'a str),
    /// A template and its arguments, each the name of a child.
    Templated {
        /// The template.
        template: &'a str,
        /// The arguments, in order; each is checked to be balanced, not to be a name.
        args: Vec<&'a str>,
    },
}

impl<'a> Name<'a> {
    /// Parses a request.
    ///
    /// # Errors
    /// [`Error::NameTooLong`] from 128 bytes on; [`Error::BadName`] for everything the grammar does not allow.
    ///
    /// ```
    /// use kcrypto_core::Name;
    /// let name = Name::parse("authenc(hmac(sha256),cbc(aes))")?;
    /// assert_eq!(name, Name::Templated { template: "authenc", args: vec!["hmac(sha256)", "cbc(aes)"] });
    /// assert!(Name::parse("cbc(aes)x").is_err());
    /// # Ok::<(), kcrypto_core::Error>(())
    /// ```
    pub fn parse(text: &'a str) -> Result<Self> {
        if text.len() > MAX_NAME {
            return Err(Error::NameTooLong { len: text.len() });
        }
        let bad = |why| Error::BadName { name: text.into(), why };
        let (head, mut rest) = ident(text);
        if head.is_empty() {
            return Err(bad(if text.is_empty() {
                "it is empty"
            } else {
                "it must start with an identifier"
            }));
        }
        if rest.is_empty() {
            return Ok(Name::Plain(head));
        }
        if !rest.starts_with('(') {
            return Err(bad("a character outside the alphabet"));
        }
        let mut args = Vec::new();
        loop {
            let (arg, after) = argument(&rest[1..]).ok_or(bad("a parenthesis is not closed"))?;
            if arg.is_empty() {
                return Err(bad("an argument is empty"));
            }
            if args.len() == MAX_ARGS {
                return Err(bad("more than 31 arguments"));
            }
            args.push(arg);
            rest = after;
            match rest.bytes().next() {
                Some(b',') => {}
                Some(b')') => break,
                Some(_) => return Err(bad("an argument is followed by neither ',' nor ')'")),
                None => return Err(bad("a parenthesis is not closed")),
            }
        }
        if rest.len() > 1 {
            return Err(bad("text after the closing parenthesis"));
        }
        Ok(Name::Templated { template: head, args })
    }
}

/// Splits off the identifier at the start, possibly empty.
fn ident(text: &str) -> (&str, &str) {
    let end = text.bytes().position(|b| !(b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
    text.split_at(end.unwrap_or(text.len()))
}

/// Splits off one argument: an identifier, then at most one balanced group. `None` if it is not closed.
fn argument(text: &str) -> Option<(&str, &str)> {
    let (head, rest) = ident(text);
    if !rest.starts_with('(') {
        return Some((head, rest));
    }
    let mut depth = 0usize;
    for (i, b) in rest.bytes().enumerate() {
        match b {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(text.split_at(head.len() + i + 1));
        }
    }
    None
}
