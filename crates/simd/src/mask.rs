//! The grammar of masks: `none`, or removals such as `-vaes,-avx512f`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use crate::Features;
use crate::arch::TABLE;

/// What is wrong with a mask.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MaskError {
    /// An item is neither a removal nor the single word `none`.
    BadItem(String),
    /// A feature that this architecture's drivers do not know.
    UnknownFeature(String),
    /// The value is not Unicode.
    NotUnicode,
}

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MaskError::BadItem(item) => {
                write!(f, "`{item}` in a CPU mask: expected `none` alone, or removals such as `-aes,-avx`")
            }
            MaskError::UnknownFeature(name) => {
                write!(f, "`{name}` in a CPU mask is not a feature known here (")?;
                if TABLE.is_empty() {
                    f.write_str("none is")?;
                }
                for (i, feature) in TABLE.iter().enumerate() {
                    write!(f, "{}{}", if i > 0 { " " } else { "" }, feature.name)?;
                }
                f.write_str(")")
            }
            MaskError::NotUnicode => f.write_str("a CPU mask must be text"),
        }
    }
}

impl core::error::Error for MaskError {}

/// The features that a mask names. An empty mask names none.
pub(crate) fn parse(mask: &str) -> Result<Features, MaskError> {
    match mask.trim() {
        "" => Ok(Features::NONE),
        "none" => Ok(Features::ALL),
        items => items.split(',').map(str::trim).try_fold(Features::NONE, |set, item| {
            let name = item.strip_prefix('-').ok_or_else(|| MaskError::BadItem(item.to_owned()))?;
            let known = TABLE.iter().find(|f| f.name == name);
            let known = known.ok_or_else(|| MaskError::UnknownFeature(name.to_owned()))?;
            Ok(set.union(Features::of(&[known.name])))
        }),
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn words_that_mask() {
        assert_eq!(parse(""), Ok(Features::NONE));
        assert_eq!(parse("none"), Ok(Features::ALL));
        assert_eq!(parse(" none\n"), Ok(Features::ALL));
        for feature in TABLE {
            assert_eq!(parse(&format!("-{}", feature.name)), Ok(Features::of(&[feature.name])));
        }
        if let [first, second, ..] = TABLE {
            let both = Features::of(&[first.name, second.name]);
            assert_eq!(parse(&format!("-{}, -{}", second.name, first.name)), Ok(both));
        }
    }

    #[test]
    fn refusals() {
        for item in ["aes", "+aes", "all", "none,none", "-", "--aes", "-AES", "-ae", ",", "-none"] {
            assert!(parse(item).is_err(), "{item}");
        }
        if let [first, ..] = TABLE {
            let name = first.name;
            assert_eq!(parse(&format!("-{name},none")), Err(MaskError::BadItem("none".into())));
            assert_eq!(parse(&format!("-{name},")), Err(MaskError::BadItem("".into())));
            assert_eq!(parse(&format!("-{name},-x")), Err(MaskError::UnknownFeature("x".into())));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let text = MaskError::UnknownFeature("sse9".into()).to_string();
        assert!(text.contains("`sse9`"), "{text}");
        assert!(TABLE.iter().all(|f| text.contains(f.name)), "{text}");
    }
}
