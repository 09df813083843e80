//! Keys as given on the command line.

use core::convert::Infallible;
use core::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use kcrypto::Error;
use zeroize::Zeroizing;

use crate::failure::Failure;
use crate::tfm::Tfm;

/// Longest key file in bytes; a longer one is taken for a mistake.
const LONGEST: u64 = 1 << 20;

/// A key as given: hex digits, or `@` and the name of a file with its raw bytes. Wiped when dropped.
#[derive(Clone)]
pub(crate) struct Key(Zeroizing<String>);

impl Key {
    /// Takes the argument of `--key`. It is looked at later, so that no message repeats a key.
    pub(crate) fn parse(text: &str) -> Result<Self, Infallible> {
        Ok(Key(Zeroizing::new(text.to_owned())))
    }

    /// Sets the key of a transform.
    pub(crate) fn set(&self, tfm: &mut impl Tfm) -> Result<(), Failure> {
        match self.0.strip_prefix('@') {
            Some("") => Err(Failure::usage("--key: expected a file name after the @")),
            Some(path) => {
                let path = Path::new(path);
                let key = read(path).map_err(|error| Failure::file(path, &error))?;
                tfm.set_key(&key).map_err(|error| explain(path, &key, error))
            }
            None => {
                let key = hex::decode(self.0.as_str())
                    .map_err(|_| Failure::usage("--key: expected pairs of hex digits, or @FILE"))?;
                Ok(tfm.set_key(&Zeroizing::new(key))?)
            }
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

fn read(path: &Path) -> io::Result<Zeroizing<Vec<u8>>> {
    // With this capacity reading never moves the key and leaves a copy behind.
    let mut key = Zeroizing::new(Vec::with_capacity(LONGEST as usize + 1));
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut key)?;
    if key.len() as u64 > LONGEST {
        return Err(io::Error::other(format!("more than {LONGEST} bytes; that is no key")));
    }
    Ok(key)
}

/// The refusal of a key from a file, with what may have gone wrong.
fn explain(path: &Path, key: &[u8], error: Error) -> Failure {
    let file = path.display();
    let Error::BadKeyLen { accepted, .. } = error else {
        return Failure::refused(format!("{file}: {error}"));
    };
    let text = key.trim_ascii();
    let hint = if text.len().is_multiple_of(2)
        && accepted.contains(text.len() / 2)
        && text.iter().all(u8::is_ascii_hexdigit)
    {
        "; it seems to hold hex digits, but @FILE is read as raw bytes: give the digits to --key"
    } else if accepted.contains(text.len()) {
        "; there is white space around the key, and @FILE is read as raw bytes"
    } else {
        ""
    };
    Failure::refused(format!("{file}: {error}{hint}"))
}
