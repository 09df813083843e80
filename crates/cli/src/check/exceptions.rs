//! Where we differ from Linux on purpose, as the documentation lists it.

use crate::list::matches;

const BEYOND: &str = include_str!("../../../../docs/beyond-linux.md");
const STRICTER: &str = include_str!("../../../../docs/stricter-than-linux.md");

/// The documented differences.
pub(crate) struct Exceptions {
    beyond: Vec<String>,
    stricter: Vec<Stricter>,
}

/// Something that we refuse and Linux accepts.
struct Stricter {
    name: String,
    step: String,
    /// The only length in bytes that it is about; any if absent.
    bytes: Option<usize>,
}

/// The step of a case that is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Allocation by name.
    Bind,
    /// Setting the key; its length counts.
    Setkey,
    /// Setting the length of the tag, which counts.
    Authsize,
    /// Encrypting, decrypting or hashing; the message's length counts, without associated data and tag.
    Request,
}

impl Step {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Step::Bind => "bind",
            Step::Setkey => "setkey",
            Step::Authsize => "authsize",
            Step::Request => "request",
        }
    }
}

impl Exceptions {
    /// Those of the documentation.
    pub(crate) fn documented() -> Self {
        Exceptions::parse(BEYOND, STRICTER)
    }

    /// Those of these documents.
    pub(crate) fn parse(beyond: &str, stricter: &str) -> Self {
        let row = |cells: Vec<String>| -> Option<Stricter> {
            let [name, step, bytes, ..] = <[String; 4]>::try_from(cells).ok()?;
            Some(Stricter { name, step, bytes: bytes.parse().ok() })
        };
        Exceptions {
            beyond: rows(beyond).filter_map(|cells| cells.into_iter().next()).collect(),
            stricter: rows(stricter).filter_map(row).collect(),
        }
    }

    /// Whether we mean to resolve this name although Linux refuses it.
    pub(crate) fn beyond(&self, name: &str) -> bool {
        self.beyond.iter().any(|pattern| matches(pattern, name))
    }

    /// Whether we mean to refuse this although Linux accepts it.
    pub(crate) fn stricter(&self, name: &str, step: Step, bytes: usize) -> bool {
        self.stricter.iter().any(|row| {
            matches(&row.name, name) && row.step == step.word() && row.bytes.is_none_or(|only| only == bytes)
        })
    }
}

/// The rows of the tables of a document: those whose first cell is a name in backticks.
fn rows(document: &str) -> impl Iterator<Item = Vec<String>> {
    document.lines().filter_map(|line| {
        let cells = line.trim().strip_prefix('|')?.strip_suffix('|')?.split('|');
        let cells: Vec<&str> = cells.map(str::trim).collect();
        let is_name = cells.first()?.len() > 2 && cells[0].starts_with('`') && cells[0].ends_with('`');
        is_name.then(|| cells.into_iter().map(|cell| cell.trim_matches('`').to_owned()).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read() {
        let beyond = "| Name | Why |\n|---|---|\n| `cmac(cbc(*))` | works |\n";
        let stricter = "| Name | Step | Bytes | Why |\n|--|--|--|--|\n\
            | `ccm(*)` | request | 65536 | too long |\n| `x` | setkey | any | never |\n";
        let exceptions = Exceptions::parse(beyond, stricter);
        assert!(exceptions.beyond("cmac(cbc(aes))") && !exceptions.beyond("cmac(aes)"));
        assert!(exceptions.stricter("ccm(aes)", Step::Request, 65536));
        assert!(!exceptions.stricter("ccm(aes)", Step::Request, 16));
        assert!(!exceptions.stricter("ccm(aes)", Step::Setkey, 65536));
        assert!(exceptions.stricter("x", Step::Setkey, 3));
    }

    #[test]
    fn the_documents_are_complete() {
        let words = [Step::Bind, Step::Setkey, Step::Authsize, Step::Request].map(Step::word);
        for cells in rows(BEYOND) {
            assert!(cells.len() == 2 && !cells[1].is_empty(), "{cells:?}");
        }
        for cells in rows(STRICTER) {
            assert!(cells.len() == 4 && words.contains(&cells[1].as_str()), "{cells:?}");
            assert!(cells[2] == "any" || cells[2].parse::<usize>().is_ok(), "{cells:?}");
        }
    }
}
