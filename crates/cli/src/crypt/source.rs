//! Where input comes from.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A file or standard input.
pub(crate) struct Source {
    name: PathBuf,
    read: Box<dyn Read>,
    len: Option<u64>,
}

impl Source {
    /// Opens a file, or standard input for no name or `-`.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        match path.filter(|path| path.as_os_str() != "-") {
            None => {
                Ok(Source { name: "standard input".into(), read: Box::new(io::stdin().lock()), len: None })
            }
            Some(path) => Source::file(path).map_err(|error| Failure::file(path, &error)),
        }
    }

    fn file(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let meta = file.metadata()?;
        if meta.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let len = meta.is_file().then_some(meta.len());
        Ok(Source { name: path.into(), read: Box::new(file), len })
    }

    /// Length in bytes where it is known: of regular files.
    pub(crate) fn len(&self) -> Option<u64> {
        self.len
    }

    /// Fills the buffer; fewer bytes mean the end.
    pub(crate) fn read(&mut self, buf: &mut [u8]) -> Result<usize, Failure> {
        let mut filled = 0;
        while filled < buf.len() {
            match self.read.read(&mut buf[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::file(&self.name, &error)),
            }
        }
        Ok(filled)
    }
}
