//! Lines with digests, as the tools of coreutils write and read them.
//!
//! `hex  name`, or in BSD style `LABEL (name) = hex`. A name with a backslash, a line feed or a carriage
//! return is written with `\\`, `\n` and `\r`, and its line starts with a backslash.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The line for a file; in BSD style if there is a label.
pub(super) fn write(path: &Path, digest: &[u8], label: Option<&str>) -> Vec<u8> {
    let (name, escaped) = escape(path);
    let hex = hex::encode(digest);
    let mut line = Vec::new();
    if escaped {
        line.push(b'\\');
    }
    match label {
        Some(label) => {
            line.extend_from_slice(label.as_bytes());
            line.extend_from_slice(b" (");
            line.extend(name);
            line.extend_from_slice(b") = ");
            line.extend_from_slice(hex.as_bytes());
        }
        None => {
            line.extend_from_slice(hex.as_bytes());
            line.extend_from_slice(b"  ");
            line.extend(name);
        }
    }
    line.push(b'\n');
    line
}

/// The line that says what became of a file.
pub(super) fn verdict(path: &Path, verdict: &str) -> Vec<u8> {
    let (name, escaped) = escape(path);
    let mut line = if escaped { vec![b'\\'] } else { Vec::new() };
    line.extend(name);
    line.extend_from_slice(format!(": {verdict}\n").as_bytes());
    line
}

/// A line that was read: a file, and the digest that it should have.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) path: PathBuf,
    pub(super) digest: Vec<u8>,
}

/// Reads a line of either style. It must have a digest of `size` bytes, and in BSD style this label.
pub(super) fn read(line: &[u8], label: &str, size: usize) -> Option<Entry> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line).trim_ascii_start();
    let (escaped, line) = match line.strip_prefix(b"\\") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (name, hex) = bsd(line, label).or_else(|| plain(line, size))?;
    let digest = hex::decode(hex).ok().filter(|digest| digest.len() == size)?;
    let name = if escaped { unescape(name)? } else { name.to_vec() };
    (!name.is_empty()).then_some(())?;
    Some(Entry { path: path(name)?, digest })
}

/// `LABEL (name) = hex`: name and hex. The name may hold parentheses.
fn bsd<'l>(line: &'l [u8], label: &str) -> Option<(&'l [u8], &'l [u8])> {
    let (head, rest) = line.split_at_checked(label.len())?;
    let rest = rest.strip_prefix(b" (").filter(|_| head.eq_ignore_ascii_case(label.as_bytes()))?;
    let close = rest.windows(4).rposition(|part| part == b") = ")?;
    Some((&rest[..close], &rest[close + 4..]))
}

/// `hex  name`, or `hex *name` of a tool that tells binary files from text: name and hex.
fn plain(line: &[u8], size: usize) -> Option<(&[u8], &[u8])> {
    let (hex, rest) = line.split_at_checked(2 * size)?;
    let name = rest.strip_prefix(b"  ").or_else(|| rest.strip_prefix(b" *"))?;
    Some((name, hex))
}

/// A file's name as it is written, and whether that differs from the name.
fn escape(path: &Path) -> (Vec<u8>, bool) {
    let name = path.as_os_str().as_encoded_bytes();
    let mut escaped = Vec::with_capacity(name.len());
    for &byte in name {
        match byte {
            b'\\' => escaped.extend_from_slice(br"\\"),
            b'\n' => escaped.extend_from_slice(br"\n"),
            b'\r' => escaped.extend_from_slice(br"\r"),
            _ => escaped.push(byte),
        }
    }
    let differs = escaped.len() > name.len();
    (escaped, differs)
}

fn unescape(escaped: &[u8]) -> Option<Vec<u8>> {
    let mut name = Vec::with_capacity(escaped.len());
    let mut bytes = escaped.iter();
    while let Some(&byte) = bytes.next() {
        name.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            _ => byte,
        });
    }
    Some(name)
}

#[cfg(unix)]
fn path(name: Vec<u8>) -> Option<PathBuf> {
    let name: OsString = std::os::unix::ffi::OsStringExt::from_vec(name);
    Some(name.into())
}

#[cfg(not(unix))]
fn path(name: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(name).ok().map(|name| OsString::from(name).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: Vec<u8>) -> String {
        String::from_utf8(line).unwrap()
    }

    #[test]
    fn names_are_escaped_as_coreutils_does() {
        for (name, plain, bsd) in [
            ("a b", "0102  a b\n", "CRC (a b) = 0102\n"),
            ("a\nb", "\\0102  a\\nb\n", "\\CRC (a\\nb) = 0102\n"),
            ("c\\d", "\\0102  c\\\\d\n", "\\CRC (c\\\\d) = 0102\n"),
            ("e\rf", "\\0102  e\\rf\n", "\\CRC (e\\rf) = 0102\n"),
            ("g) = (h", "0102  g) = (h\n", "CRC (g) = (h) = 0102\n"),
        ] {
            assert_eq!(text(write(Path::new(name), &[1, 2], None)), plain);
            assert_eq!(text(write(Path::new(name), &[1, 2], Some("CRC"))), bsd);
            for line in [plain, bsd] {
                let entry = Entry { path: name.into(), digest: vec![1, 2] };
                assert_eq!(read(line.as_bytes(), "CRC", 2), Some(entry), "{line}");
            }
        }
        assert_eq!(text(verdict(Path::new("a\nb"), "OK")), "\\a\\nb: OK\n");
    }

    #[test]
    fn other_tools_lines() {
        let entry = |name: &str| Some(Entry { path: name.into(), digest: vec![0xab, 0xcd] });
        for (line, expected) in [
            ("ABCD *x", entry("x")),
            ("abcd  x\r\n", entry("x")),
            ("  abcd   x", entry(" x")),
            ("crc (x) = abcd", entry("x")),
            ("abcd x", None),
            ("abcde  x", None),
            ("abc  x", None),
            ("abcg  x", None),
            ("abcd  ", None),
            ("\\abcd  x\\y", None),
            ("\\abcd  x\\", None),
            ("MD5 (x) = abcd", None),
            ("CRC (x) = abcd12", None),
            ("CRC (x = abcd", None),
            ("", None),
        ] {
            assert_eq!(read(line.as_bytes(), "CRC", 2), expected, "{line:?}");
        }
    }
}
