//! Blocks of a file-system image, raw or compressed with gzip.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use crate::{Error, Result};

/// An image, read block by block.
pub struct Image {
    path: PathBuf,
    bytes: Box<dyn Bytes>,
    len: u64,
    block_size: usize,
}

trait Bytes: Read + Seek {}
impl<T: Read + Seek> Bytes for T {}

impl Image {
    /// Opens an image; one that begins like a gzip file is decompressed into memory.
    ///
    /// # Errors
    /// A file that cannot be read, or a damaged gzip file.
    pub fn open(path: &Path, block_size: usize) -> Result<Image> {
        let open = || {
            let mut file = File::open(path)?;
            let mut magic = Vec::new();
            file.by_ref().take(2).read_to_end(&mut magic)?;
            file.rewind()?;
            let mut bytes: Box<dyn Bytes> = if magic == [0x1f, 0x8b] {
                let mut image = Vec::new();
                GzDecoder::new(BufReader::new(file)).read_to_end(&mut image)?;
                Box::new(Cursor::new(image))
            } else {
                Box::new(file)
            };
            let len = bytes.seek(SeekFrom::End(0))?;
            Ok(Image { path: path.to_owned(), bytes, len, block_size })
        };
        open()
            .map_err(|error: io::Error| Error(format!("{}: cannot read the image: {error}", path.display())))
    }

    /// Reads whole blocks, one after the other.
    ///
    /// # Errors
    /// A block outside the image.
    pub fn read(&mut self, blocks: &[u64]) -> Result<Vec<u8>> {
        let mut data = Vec::new();
        for &number in blocks {
            let start = number.checked_mul(self.block_size as u64);
            let inside =
                |start: &u64| self.len.checked_sub(*start).is_some_and(|n| n >= self.block_size as u64);
            let Some(start) = start.filter(inside) else {
                let (path, len, size) = (self.path.display(), self.len, self.block_size);
                return Err(Error(format!(
                    "{path}: no block {number} of {size} bytes in an image of {len} bytes"
                )));
            };
            let at = data.len();
            data.resize(at + self.block_size, 0);
            self.bytes
                .seek(SeekFrom::Start(start))
                .and_then(|_| self.bytes.read_exact(&mut data[at..]))
                .map_err(|error| Error(format!("{}: block {number}: {error}", self.path.display())))?;
        }
        Ok(data)
    }
}
