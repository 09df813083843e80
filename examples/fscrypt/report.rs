//! What came of an image, and its counts.

use core::fmt;
use std::collections::BTreeSet;

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

impl Report {
    /// Counts.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary { mismatches: usize::from(self.wrong_key), ..Summary::default() };
        self.directories.iter().flat_map(|dir| &dir.entries).for_each(|entry| summary.count(entry));
        summary
    }
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
    /// Entries of which some part could not be decrypted for want of an algorithm.
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

    fn count(&mut self, entry: &OpenedEntry) {
        let verified = |part: &Part| usize::from(matches!(part, Part::Verified(_)));
        let body = entry.body.as_ref().map_or(0, verified);
        match entry.kind {
            Kind::Link => self.links += body,
            Kind::File | Kind::Dir => self.files += body,
        }
        self.names += verified(&entry.name);
        self.mismatches += entry.parts().filter(|part| matches!(part, Part::Mismatch(_))).count();
        let missing = entry.parts().filter_map(|part| match part {
            Part::Missing(algorithm) => Some(*algorithm),
            _ => None,
        });
        self.unopened += usize::from(missing.clone().next().is_some());
        self.missing.extend(missing);
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
