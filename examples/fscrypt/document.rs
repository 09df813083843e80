//! A report for programs: one JSON document.

use std::io::{self, Write};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::open::{Kind, OpenedDirectory, OpenedEntry, Part};
use crate::report::Report;
use crate::text::preview;

/// Writes a report.
///
/// # Errors
/// Those of the output.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let summary = report.summary();
    let document = json!({
        "image": report.image,
        "wrong_key": report.wrong_key,
        "directories": report.directories.iter().map(directory).collect::<Vec<_>>(),
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

fn directory(dir: &OpenedDirectory) -> Value {
    json!({
        "name": dir.name,
        "names": { "algorithm": dir.policy.names.algorithm, "driver": dir.names_driver },
        "contents": { "algorithm": dir.policy.contents.algorithm, "driver": dir.contents_driver },
        "entries": dir.entries.iter().map(entry).collect::<Vec<_>>(),
    })
}

fn entry(entry: &OpenedEntry) -> Value {
    let (kind, ino, name) = (entry.kind.as_str(), entry.ino, text(&entry.name));
    match (entry.kind, &entry.body) {
        (Kind::File, Some(part)) => {
            json!({ "type": kind, "ino": ino, "name": name, "contents": contents(part) })
        }
        (Kind::Link, Some(part)) => json!({ "type": kind, "ino": ino, "name": name, "target": text(part) }),
        _ => json!({ "type": kind, "ino": ino, "name": name }),
    }
}

fn text(part: &Part) -> Value {
    match part.plaintext() {
        Ok(text) => json!({ "status": part.status(), "text": String::from_utf8_lossy(text) }),
        Err(algorithm) => json!({ "status": part.status(), "needs": algorithm }),
    }
}

fn contents(part: &Part) -> Value {
    match part.plaintext() {
        Ok(data) => json!({
            "status": part.status(),
            "size": data.len(),
            "sha256": hex::encode(Sha256::digest(data)),
            "preview": preview(data),
        }),
        Err(algorithm) => json!({ "status": part.status(), "needs": algorithm }),
    }
}
