//! Checking files against lines with their digests.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use subtle::ConstantTimeEq;

use super::{Summer, line};
use crate::failure::{Failure, say};
use crate::output::Output;
use crate::source::Source;

/// Longest line in bytes, its end included; no path is that long.
const LONGEST: u64 = 64 << 10;

/// What became of the lines of one file.
#[derive(Default)]
struct Counts {
    matched: usize,
    failed: usize,
    unreadable: usize,
    malformed: usize,
}

impl Counts {
    fn is_good(&self) -> bool {
        self.matched > 0 && self.failed == 0 && self.unreadable == 0
    }

    /// Says what went wrong, one line for each sort.
    fn warn(&self) {
        let lines = |n: usize| if n == 1 { "line is" } else { "lines are" };
        let files = |n: usize| if n == 1 { "file" } else { "files" };
        let digests = |n: usize| if n == 1 { "digest" } else { "digests" };
        if self.malformed > 0 {
            let n = self.malformed;
            say(format_args!("WARNING: {n} {} improperly formatted", lines(n)));
        }
        if self.unreadable > 0 {
            let n = self.unreadable;
            say(format_args!("WARNING: {n} listed {} could not be read", files(n)));
        }
        if self.failed > 0 {
            let n = self.failed;
            say(format_args!("WARNING: {n} computed {} did NOT match", digests(n)));
        }
    }
}

impl Summer<'_> {
    /// Checks what the lines of these files name. All must be as listed, and something must be.
    pub(super) fn check(&mut self, lists: &[PathBuf], out: &mut Output) -> Result<ExitCode, Failure> {
        let mut status = ExitCode::SUCCESS;
        for list in lists {
            let mut counts = Counts::default();
            let read = self.check_list(list, &mut counts, out);
            out.flush()?;
            match read {
                Err(failure) => say(failure),
                Ok(()) if counts.matched + counts.failed + counts.unreadable == 0 => {
                    let name = &self.tfm.alg().name;
                    say(format_args!("{}: no line with a digest of {name}", list.display()));
                }
                Ok(()) => {
                    counts.warn();
                    if counts.is_good() {
                        continue;
                    }
                }
            }
            status = ExitCode::FAILURE;
        }
        Ok(status)
    }

    fn check_list(&mut self, list: &Path, counts: &mut Counts, out: &mut Output) -> Result<(), Failure> {
        let mut reader = BufReader::new(Source::open(Some(list))?.into_reader());
        let mut line = Vec::new();
        while !out.is_closed() {
            line.clear();
            let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            if read.map_err(|error| Failure::file(list, &error))? == 0 {
                break;
            }
            if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
                return Err(Failure::refused(format!(
                    "{}: a line of more than {LONGEST} bytes; expected lines with digests",
                    list.display()
                )));
            }
            if !line.starts_with(b"#") && line != b"\n" {
                self.check_line(&line, counts, out)?;
            }
        }
        Ok(())
    }

    fn check_line(&mut self, line: &[u8], counts: &mut Counts, out: &mut Output) -> Result<(), Failure> {
        let Some(entry) = line::read(line, &self.label, self.tfm.digest_size()) else {
            counts.malformed += 1;
            return Ok(());
        };
        let verdict = match self.sum(&entry.path) {
            // A tag must not be found out byte by byte.
            Ok(digest) if bool::from(digest.ct_eq(&entry.digest)) => {
                counts.matched += 1;
                "OK"
            }
            Ok(_) => {
                counts.failed += 1;
                "FAILED"
            }
            Err(failure) => {
                counts.unreadable += 1;
                out.flush()?;
                say(failure);
                "FAILED open or read"
            }
        };
        out.bytes(&line::verdict(&entry.path, verdict))
    }
}
