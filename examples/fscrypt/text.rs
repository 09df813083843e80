//! A report for people.

use std::io::{self, Write};

use crate::open::{Kind, OpenedDirectory, OpenedEntry, Part};
use crate::report::Report;

/// Writes a report, its summary last.
///
/// # Errors
/// Those of the output.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    report.directories.iter().try_for_each(|dir| directory(dir, out))?;
    if report.wrong_key {
        writeln!(out, "the master key is not the one that the manifest identifies")?;
    }
    writeln!(out, "{}", report.summary())
}

fn directory(dir: &OpenedDirectory, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {}", dir.name.escape_debug(), dir.policy)?;
    for (what, mode, driver) in [
        ("names", dir.policy.names, &dir.names_driver),
        ("contents", dir.policy.contents, &dir.contents_driver),
    ] {
        match driver {
            Some(driver) => writeln!(out, "  {what:<8}  {} by {driver}", mode.algorithm)?,
            None => writeln!(out, "  {what:<8}  {} is missing from the registry", mode.algorithm)?,
        }
    }
    dir.entries.iter().try_for_each(|one| entry(one, out))?;
    writeln!(out)
}

fn entry(entry: &OpenedEntry, out: &mut dyn Write) -> io::Result<()> {
    let bad = entry.parts().any(|part| matches!(part, Part::Mismatch(_)));
    let missing = entry.parts().any(|part| matches!(part, Part::Missing(_)));
    let status = match (bad, missing) {
        (true, _) => "BAD",
        (false, true) => "--",
        (false, false) => "ok",
    };
    let name = text(&entry.name);
    let mut line = |kind: &str, size: &str, preview: &str, name: &str| {
        writeln!(out, "  {status:<3} {kind:<4} {size:>6}  {preview:<34} {name}")
    };
    match (entry.kind, &entry.body) {
        (Kind::File, Some(part)) => match part.plaintext() {
            Ok(data) => line("file", &data.len().to_string(), &preview(data), &name)?,
            Err(algorithm) => line("file", "", &format!("needs {algorithm}"), &name)?,
        },
        (Kind::Link, Some(target)) => line("link", "", "", &format!("{name} -> {}", text(target)))?,
        _ => line("dir", "", "", &format!("{name}/"))?,
    }
    if bad {
        writeln!(out, "      ^ differs from what the manifest says of {:?}", entry.expected)?;
    }
    Ok(())
}

/// A name for a terminal: nothing in it is a control character.
fn text(name: &Part) -> String {
    name.plaintext()
        .map_or("(encrypted)".into(), |name| String::from_utf8_lossy(name).escape_debug().to_string())
}

/// The start of some contents: in quotes if it is text, in hex if not.
pub(crate) fn preview(data: &[u8]) -> String {
    let is_text = |text: &&str| !text.is_empty() && text.chars().all(|c| !c.is_control() || c == '\n');
    match core::str::from_utf8(data).ok().filter(is_text) {
        Some(text) if text.chars().count() <= 32 => format!("{text:?}"),
        Some(text) => format!("{:?}..", text.chars().take(30).collect::<String>()),
        None if data.len() <= 16 => hex::encode(data),
        None => format!("{}..", hex::encode(&data[..16])),
    }
}
