//! The vector files, by generic name.

/// One line for each algorithm.
static FILES: &[(&str, &str)] = &[];

/// Every name that has vectors.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}
