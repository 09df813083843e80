//! Where output goes: never to half a file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// Standard output, a device, or a file that appears under its name once it is complete.
pub(crate) struct Sink {
    name: PathBuf,
    write: Target,
}

enum Target {
    /// Standard output, a device or a pipe, which cannot be replaced by renaming.
    Stream(Box<dyn Write>),
    /// The same, with a nameless temporary file in front of it.
    Held(File, Box<dyn Write>),
    /// A temporary file in the same directory, removed unless it is committed.
    Temporary(NamedTempFile),
}

impl Sink {
    /// Opens the output: standard output for no name or `-`.
    pub(crate) fn create(path: Option<&Path>) -> Result<Self, Failure> {
        match path.filter(|path| path.as_os_str() != "-") {
            None => Ok(Sink {
                name: "standard output".into(),
                write: Target::Stream(Box::new(io::stdout().lock())),
            }),
            Some(path) => Sink::file(path).map_err(|error| Failure::file(path, &error)),
        }
    }

    /// Opens an output that gets nothing before it is committed, not even standard output or a device.
    pub(crate) fn create_held(path: Option<&Path>) -> Result<Self, Failure> {
        let Sink { name, write } = Sink::create(path)?;
        let write = match write {
            Target::Stream(to) => {
                let file = tempfile::tempfile()
                    .map_err(|error| Failure::refused(format!("no temporary file: {error}")))?;
                Target::Held(file, to)
            }
            other => other,
        };
        Ok(Sink { name, write })
    }

    fn file(path: &Path) -> io::Result<Self> {
        // A link stays, and what it points to is made or replaced.
        let (name, meta) = match fs::canonicalize(path) {
            Ok(name) => (name, Some(fs::metadata(path)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (end_of_links(path)?, None),
            Err(error) => return Err(error),
        };
        let open = || OpenOptions::new().write(true).open(&name);
        let write = match meta {
            Some(meta) if meta.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Some(meta) if !meta.is_file() => Target::Stream(Box::new(open()?)),
            // Replacing it by renaming would not ask, and whoever may write everywhere means to be asked too.
            Some(meta) if meta.permissions().readonly() => {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            Some(meta) => {
                open()?;
                Target::Temporary(temporary(&name, Some(meta))?)
            }
            None => Target::Temporary(temporary(&name, None)?),
        };
        Ok(Sink { name, write })
    }

    /// Writes all of it.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = match &mut self.write {
            Target::Stream(out) => out.write_all(bytes),
            Target::Held(file, _) => file.write_all(bytes),
            Target::Temporary(file) => file.write_all(bytes),
        };
        written.map_err(|error| Failure::file(&self.name, &error))
    }

    /// Ends the output; a file appears under its name.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        let done = match self.write {
            Target::Stream(mut out) => out.flush(),
            Target::Held(mut file, mut out) => {
                file.rewind().and_then(|()| io::copy(&mut file, &mut out)).and_then(|_| out.flush())
            }
            Target::Temporary(file) => file
                .as_file()
                .sync_all()
                .and_then(|()| file.persist(&self.name).map(drop).map_err(|failed| failed.error)),
        };
        done.map_err(|error| Failure::file(&self.name, &error))
    }
}

/// What the last of a chain of links points to; the path itself if it is no link.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MAX_LINKS: usize = 40;
    let mut name = path.to_owned();
    for _ in 0..=MAX_LINKS {
        let Ok(target) = fs::read_link(&name) else { return Ok(name) };
        name = name.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::ErrorKind::NotFound.into())
}

/// A temporary file beside `name`, with the permissions that the file has or will have.
fn temporary(name: &Path, old: Option<fs::Metadata>) -> io::Result<NamedTempFile> {
    let directory = name.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::metadata(directory)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".kcrypto-");
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(directory)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file)
}
