//! Bytes as given on the command line.

use std::path::PathBuf;

/// Bytes given in hex.
#[derive(Debug, Clone)]
pub(crate) struct Hex(pub(crate) Vec<u8>);

impl Hex {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        hex::decode(text).map(Hex).map_err(|error| format!("{error}; expected hex digits"))
    }
}

/// Bytes given in hex, or by the name of a file with them.
#[derive(Debug, Clone)]
pub(crate) enum Data {
    /// These.
    Bytes(Vec<u8>),
    /// Those in the file.
    File(PathBuf),
}

impl Data {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text.strip_prefix('@') {
            Some("") => Err("expected a file name after the @".into()),
            Some(path) => Ok(Data::File(path.into())),
            None => {
                Hex::parse(text).map(|Hex(bytes)| Data::Bytes(bytes)).map_err(|e| format!("{e}, or @FILE"))
            }
        }
    }
}
