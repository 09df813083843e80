//! Vector files: `{"vectors": [...]}`, or the sections of misuse.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Map, Value};

use super::fields::FormError;

/// Vector files are not longer, in bytes.
const LONGEST: u64 = 256 << 20;

/// One case of a file.
pub(crate) struct Case {
    pub(crate) section: Section,
    /// Where it stands, such as `vectors[12]`.
    pub(crate) place: String,
    pub(crate) fields: Map<String, Value>,
}

/// The list that a case stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// Inputs and outputs.
    Vectors,
    /// Names that resolve or are refused.
    Bind,
    /// Key lengths.
    Setkey,
    /// Tag sizes.
    Authsize,
    /// Requests with good and bad lengths.
    Request,
}

const SECTIONS: [(&str, Section); 5] = [
    ("vectors", Section::Vectors),
    ("bind", Section::Bind),
    ("setkey", Section::Setkey),
    ("authsize", Section::Authsize),
    ("request", Section::Request),
];

/// Every case of a file in the order of the sections.
pub(crate) fn read(path: &Path) -> Result<Vec<Case>, FormError> {
    let bytes = load(path).map_err(|error| FormError::new(error.to_string()))?;
    let not_json = |error| FormError::new(format!("not a vector file: {error}"));
    let Value::Object(mut file) = serde_json::from_slice(&bytes).map_err(not_json)? else {
        return Err(other_form());
    };
    let mut cases = Vec::new();
    let mut known = false;
    for (key, section) in SECTIONS {
        let Some(list) = file.remove(key) else { continue };
        let Value::Array(list) = list else { return Err(other_form()) };
        known = true;
        for (i, case) in list.into_iter().enumerate() {
            let place = format!("{key}[{i}]");
            let Value::Object(fields) = case else {
                return Err(FormError::new("not an object").at(&place));
            };
            cases.push(Case { section, place, fields });
        }
    }
    if known { Ok(cases) } else { Err(other_form()) }
}

fn load(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(io::Error::other(format!("not a vector file: more than {LONGEST} bytes")));
    }
    Ok(bytes)
}

fn other_form() -> FormError {
    let names = SECTIONS.map(|(name, _)| name).join(", ");
    FormError::new(format!("not a vector file: expected an object with lists named {names}"))
}
