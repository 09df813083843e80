//! Source files, and the code in them without comments and strings.

use std::fs;
use std::path::{Path, PathBuf};

/// Every Rust file below a folder, in order.
///
/// # Panics
/// If the folder cannot be read.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The text with comments, strings and characters blanked out; lines stay where they are.
///
/// It knows what rustfmt leaves: nested block comments, raw strings, escapes, and lifetimes beside characters.
pub fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let before = out.chars().next_back();
        let in_word = before.is_some_and(|b| b.is_alphanumeric() || b == '_');
        let skip = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if c == '"' {
            quoted(rest, '"')
        } else if !in_word && let Some(len) = raw_string(rest) {
            len
        } else if c == '\'' {
            character(rest)
        } else {
            0
        };
        if skip == 0 {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            out.extend(rest[..skip].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[skip..];
        }
    }
    out
}

fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == mark => return at + mark.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

fn raw_string(text: &str) -> Option<usize> {
    let head = ["br", "cr", "r"].into_iter().find(|head| text.starts_with(head))?;
    let hashes = text[head.len()..].bytes().take_while(|&b| b == b'#').count();
    let open = head.len() + hashes;
    if text.as_bytes().get(open) != Some(&b'"') {
        return None;
    }
    let close = format!("\"{}", "#".repeat(hashes));
    let len = text[open + 1..].find(&close).map(|at| open + 1 + at + close.len());
    Some(len.unwrap_or(text.len()))
}

/// Length of a character literal, or 0 for the tick of a lifetime.
fn character(text: &str) -> usize {
    let mut chars = text.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => quoted(text, '\''),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn comments_and_strings_are_blanked() {
        for (text, expected) in [
            ("a // unsafe\nb", "a          \nb"),
            ("/* x /* y */ z */ a", "                  a"),
            (r#"f("unsafe \" {", 'x')"#, "f(             ,    )"),
            ("r#\"unsafe \" \"# + a", "               + a"),
            ("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}"),
            (r"'\'' unsafe", "     unsafe"),
            ("bar\"x\"", "bar   "),
        ] {
            assert_eq!(code(text), expected, "{text}");
        }
    }
}
