//! Standard output of the commands that report.

use core::fmt;
use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Standard output. Once its reader has gone, as in `kcrypto list | head -1`, the rest is dropped in silence.
pub(crate) struct Output {
    out: BufWriter<StdoutLock<'static>>,
    closed: bool,
}

impl Output {
    pub(crate) fn new() -> Self {
        Output { out: BufWriter::new(io::stdout().lock()), closed: false }
    }

    /// Whether nobody reads any longer.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes one line.
    pub(crate) fn line(&mut self, line: impl fmt::Display) -> Result<(), Failure> {
        self.text(&format!("{line}\n"))
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }

    /// Writes bytes as they are: names of files need not be text.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.out.write_all(bytes);
        self.settle(written)
    }

    /// Writes a value as indented JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value).map_err(|e| Failure::refused(e.to_string()))?;
        self.line(text)
    }

    /// Hands on what was written, so that a reader sees it now.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        let flushed = self.out.flush();
        self.settle(flushed)
    }

    fn settle(&mut self, result: io::Result<()>) -> Result<(), Failure> {
        match result {
            _ if self.closed => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => Err(Failure::refused(format!("standard output: {error}"))),
            Ok(()) => Ok(()),
        }
    }
}
