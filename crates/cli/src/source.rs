//! Where input comes from.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::failure::Failure;

/// Bytes read at a time.
pub(crate) const PIECE: usize = 64 << 10;

/// A file, standard input, or bytes.
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
        // Files that are made while they are read, as in /proc, say that they are empty.
        let len = (meta.is_file() && meta.len() > 0).then_some(meta.len());
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

    /// The same as a stream of the standard library.
    pub(crate) fn into_reader(self) -> Box<dyn Read> {
        self.read
    }

    /// Finds out the length. What has none yet, such as a pipe, is copied to a nameless temporary file.
    pub(crate) fn measured(self) -> Result<Measured, Failure> {
        let Source { name, mut read, len } = self;
        let spool = |read: &mut dyn Read| -> io::Result<(File, u64)> {
            let mut file = tempfile::tempfile()?;
            let len = io::copy(read, &mut file)?;
            file.rewind()?;
            Ok((file, len))
        };
        if let Some(len) = len {
            return Ok(Measured { source: Source { name, read, len: Some(len) }, left: len });
        }
        let (file, len) = spool(&mut read).map_err(|error| Failure::file(&name, &error))?;
        Ok(Measured { source: Source { name, read: Box::new(file), len: Some(len) }, left: len })
    }
}

/// Input of known length.
pub(crate) struct Measured {
    source: Source,
    left: u64,
}

impl Measured {
    /// These bytes.
    pub(crate) fn bytes(bytes: Vec<u8>) -> Self {
        let len = bytes.len() as u64;
        let source = Source { name: PathBuf::new(), read: Box::new(Cursor::new(bytes)), len: Some(len) };
        Measured { source, left: len }
    }

    /// Bytes that were not read yet.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Hands out the next `len` bytes, piece by piece.
    pub(crate) fn pieces(
        &mut self,
        len: u64,
        mut take: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut buf = Zeroizing::new(vec![0; len.min(PIECE as u64) as usize]);
        let mut todo = len;
        while todo > 0 {
            let piece = &mut buf[..todo.min(PIECE as u64) as usize];
            self.exact(piece)?;
            take(piece)?;
            todo -= piece.len() as u64;
        }
        Ok(())
    }

    /// Reads the next bytes.
    pub(crate) fn exact(&mut self, buf: &mut [u8]) -> Result<(), Failure> {
        if self.source.read(buf)? < buf.len() {
            return Err(self.changed());
        }
        self.left = self.left.saturating_sub(buf.len() as u64);
        Ok(())
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&mut self) -> Result<(), Failure> {
        if self.source.read(&mut [0])? > 0 { Err(self.changed()) } else { Ok(()) }
    }

    fn changed(&self) -> Failure {
        Failure::refused(format!("{}: its length changed while it was read", self.source.name.display()))
    }
}
