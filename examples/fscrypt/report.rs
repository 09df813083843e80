//! Prints what was opened, for people and for programs, and counts it.

use core::fmt;
use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::open::{Kind, OpenedDirectory, OpenedEntry, Part};

/// Everything that was opened.
#[derive(Debug, Clone)]
pub struct Report {
    /// The image's name.
    pub image: String,
    /// Whether the master key is not the one that the manifest identifies.
    pub wrong_key: bool,
    /// What is in it.
    pub directories: Vec<OpenedDirectory>,
}

/// Counts of a report.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Names verified.
    pub names: usize,
    /// Link targets verified.
    pub links: usize,
    /// Files verified, all of their contents.
    pub files: usize,
    /// Entries that could not be verified in full for want of an algorithm.
    pub unopened: usize,
    /// What the registry does not have.
    pub missing: BTreeSet<&'static str>,
    /// Names, targets and contents that are not what the manifest says, and a wrong master key.
    pub mismatches: usize,
}

impl Summary {
    /// Whether something was verified, and nothing was wrong.
    pub fn is_good(&self) -> bool {
        self.mismatches == 0 && self.names + self.links + self.files > 0
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { names, links, files, unopened, missing, mismatches } = self;
        write!(f, "{names} names, {links} links, {files} files verified, ")?;
        write!(f, "{unopened} entries need a missing algorithm")?;
        if !missing.is_empty() {
            let list: Vec<&str> = missing.iter().copied().collect();
            write!(f, " ({})", list.join(", "))?;
        }
        write!(f, ", {mismatches} mismatches")
    }
}

impl Report {
    /// Counts.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary { mismatches: usize::from(self.wrong_key), ..Summary::default() };
        for entry in self.directories.iter().flat_map(|dir| &dir.entries) {
            let body = match entry.kind {
                Kind::Link => &mut summary.links,
                _ => &mut summary.files,
            };
            *body += usize::from(matches!(entry.body, Some(Part::Verified(_))));
            summary.names += usize::from(matches!(entry.name, Part::Verified(_)));
            for part in entry.parts() {
                match part {
                    Part::Verified(_) => {}
                    Part::Mismatch(_) => summary.mismatches += 1,
                    Part::Missing(algorithm) => drop(summary.missing.insert(algorithm)),
                }
            }
            summary.unopened += usize::from(entry.status() == "--");
        }
        summary
    }

    /// Writes text for people, the summary last.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for dir in &self.directories {
            writeln!(
                out,
                "{}  (policy {:?}, {:?})",
                dir.name.escape_debug(),
                dir.policy.version,
                dir.policy.separation
            )?;
            for (what, mode, driver) in [
                ("names", dir.policy.names, &dir.names_driver),
                ("contents", dir.policy.contents, &dir.contents_driver),
            ] {
                match driver {
                    Some(driver) => writeln!(out, "  {what:<8}  {} by {driver}", mode.algorithm)?,
                    None => writeln!(out, "  {what:<8}  {} is missing from the registry", mode.algorithm)?,
                }
            }
            dir.entries.iter().try_for_each(|entry| entry.write_text(out))?;
            writeln!(out)?;
        }
        if self.wrong_key {
            writeln!(out, "the master key is not the one that the manifest identifies")?;
        }
        writeln!(out, "{}", self.summary())
    }

    /// Writes one JSON document.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let summary = self.summary();
        let document = json!({
            "image": self.image,
            "wrong_key": self.wrong_key,
            "directories": self.directories.iter().map(directory_json).collect::<Vec<_>>(),
            "summary": {
                "names": summary.names,
                "links": summary.links,
                "files": summary.files,
                "unopened": summary.unopened,
                "missing": summary.missing,
                "mismatches": summary.mismatches,
            },
        });
        serde_json::to_writer_pretty(&mut *out, &document)?;
        writeln!(out)
    }
}

impl OpenedEntry {
    fn parts(&self) -> impl Iterator<Item = &Part> {
        core::iter::once(&self.name).chain(&self.body)
    }

    /// `ok`, `BAD` if something differs, `--` if something needs a missing algorithm.
    fn status(&self) -> &'static str {
        if self.parts().any(|part| matches!(part, Part::Mismatch(_))) {
            "BAD"
        } else if self.parts().any(|part| matches!(part, Part::Missing(_))) {
            "--"
        } else {
            "ok"
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (status, name) = (self.status(), text(&self.name));
        match (self.kind, &self.body) {
            (Kind::File, Some(part)) => {
                let size = part.plaintext().map_or("?".into(), |data| data.len().to_string());
                let preview = part.plaintext().map_or("?".into(), preview);
                writeln!(out, "  {status:<3} file {size:>6}  {preview:<34} {name}")
            }
            (Kind::Link, Some(target)) => {
                writeln!(out, "  {status:<3} link {:>6}  {:<34} {name} -> {}", "", "", text(target))
            }
            _ => writeln!(out, "  {status:<3} dir  {:>6}  {:<34} {name}/", "", ""),
        }
    }
}

impl Part {
    /// What it decrypted to, right or wrong.
    pub fn plaintext(&self) -> Option<&[u8]> {
        match self {
            Part::Verified(plaintext) | Part::Mismatch(plaintext) => Some(plaintext),
            Part::Missing(_) => None,
        }
    }

    fn status(&self) -> &'static str {
        match self {
            Part::Verified(_) => "verified",
            Part::Mismatch(_) => "mismatch",
            Part::Missing(_) => "missing",
        }
    }
}

/// A name for a terminal: nothing in it is a control character.
fn text(name: &Part) -> String {
    match name.plaintext() {
        Some(name) => String::from_utf8_lossy(name).escape_debug().to_string(),
        None => "?".into(),
    }
}

/// The start of some contents: in quotes if it is text, in hex if not.
fn preview(data: &[u8]) -> String {
    let is_text = |text: &&str| !text.is_empty() && text.chars().all(|c| !c.is_control() || c == '\n');
    match core::str::from_utf8(data).ok().filter(is_text) {
        Some(text) if text.chars().count() <= 32 => format!("{text:?}"),
        Some(text) => format!("{:?}..", text.chars().take(30).collect::<String>()),
        None if data.len() <= 16 => hex::encode(data),
        None => format!("{}..", hex::encode(&data[..16])),
    }
}

fn directory_json(dir: &OpenedDirectory) -> Value {
    json!({
        "name": dir.name,
        "names": { "algorithm": dir.policy.names.algorithm, "driver": dir.names_driver },
        "contents": { "algorithm": dir.policy.contents.algorithm, "driver": dir.contents_driver },
        "entries": dir.entries.iter().map(entry_json).collect::<Vec<_>>(),
    })
}

fn entry_json(entry: &OpenedEntry) -> Value {
    let lossy = |part: &Part| part.plaintext().map(|name| String::from_utf8_lossy(name).into_owned());
    let name = json!({ "status": entry.name.status(), "text": lossy(&entry.name) });
    match (entry.kind, &entry.body) {
        (Kind::File, Some(part)) => json!({
            "type": "file", "ino": entry.ino, "name": name,
            "contents": {
                "status": part.status(),
                "size": part.plaintext().map(<[u8]>::len),
                "sha256": part.plaintext().map(|data| hex::encode(Sha256::digest(data))),
                "preview": part.plaintext().map(preview),
            },
        }),
        (Kind::Link, Some(target)) => json!({
            "type": "symlink", "ino": entry.ino, "name": name,
            "target": { "status": target.status(), "text": lossy(target) },
        }),
        _ => json!({ "type": "dir", "ino": entry.ino, "name": name }),
    }
}
