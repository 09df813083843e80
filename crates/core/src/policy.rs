//! What a registry's owner allows.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

use crate::alg::Alg;
use crate::{Error, Result};

/// Rules of a registry; a refusal names the rule.
///
/// Patterns match generic names and driver names; `*` stands for any run of characters. A denied name is
/// refused when it is asked for and as a leaf of a composition; intermediate instances are not matched, so
/// denying `ecb(*` forbids ECB to callers and leaves `xts(ecb(aes-generic))` alone.
///
/// ```
/// # use kcrypto_core::{Policy, Registry};
/// let registry = Registry::new();
/// registry.set_policy(Policy::new().deny("ecb(*").min_key(16).constant_time());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    deny: Vec<Box<str>>,
    allow: Vec<Box<str>>,
    min_key: usize,
    constant_time: bool,
}

impl Policy {
    /// Allows everything.
    pub const fn new() -> Self {
        Policy { deny: Vec::new(), allow: Vec::new(), min_key: 0, constant_time: false }
    }

    /// Refuses what matches.
    pub fn deny(mut self, pattern: &str) -> Self {
        self.deny.push(pattern.into());
        self
    }

    /// Once used, only what matches one of the allowed patterns may be asked for. Leaves need not match.
    pub fn allow(mut self, pattern: &str) -> Self {
        self.allow.push(pattern.into());
        self
    }

    /// Refuses keys shorter than `bytes`, in `set_key`.
    pub fn min_key(mut self, bytes: usize) -> Self {
        self.min_key = bytes;
        self
    }

    /// Refuses drivers that are not constant time.
    pub fn constant_time(mut self) -> Self {
        self.constant_time = true;
        self
    }

    pub(crate) fn min_key_bytes(&self) -> usize {
        self.min_key
    }

    /// The rule against a driver, wherever it stands in a composition.
    pub(crate) fn against_driver(&self, alg: &Alg) -> Option<Box<str>> {
        self.against_composition(alg).or_else(|| self.denied(alg))
    }

    /// The rule against what a template made, wherever it stands: names are not matched there.
    pub(crate) fn against_composition(&self, alg: &Alg) -> Option<Box<str>> {
        let refused = self.constant_time && !alg.properties.constant_time;
        refused.then(|| "only constant-time drivers".into())
    }

    /// The rule against what was asked for.
    pub(crate) fn against_request(&self, alg: &Alg) -> Option<Box<str>> {
        if let Some(rule) = self.denied(alg) {
            return Some(rule);
        }
        let allowed = self.allow.is_empty() || self.allow.iter().any(|pattern| names(pattern, alg));
        if allowed { None } else { Some(format!("allow {}", self.allow.join(", ")).into()) }
    }

    fn denied(&self, alg: &Alg) -> Option<Box<str>> {
        let pattern = self.deny.iter().find(|pattern| names(pattern, alg))?;
        Some(format!("deny {pattern}").into())
    }
}

/// Refuses a key shorter than the policy's minimum.
pub(crate) fn check_key(min: usize, len: usize) -> Result<()> {
    if len < min {
        return Err(Error::Denied { rule: format!("keys of at least {min} bytes").into() });
    }
    Ok(())
}

fn names(pattern: &str, alg: &Alg) -> bool {
    matches(pattern.as_bytes(), alg.name.as_bytes())
        || matches(pattern.as_bytes(), alg.driver_name.as_bytes())
}

/// Whether `pattern`, in which `*` stands for any run of bytes, matches all of `text`.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            (p, t) = (p + 1, t + 1);
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            (p, t) = (at + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&b| b == b'*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, text, expected) in [
            ("aes", "aes", true),
            ("aes", "aes-generic", false),
            ("aes*", "aes-generic", true),
            ("*des*", "cbc(des3_ede)", true),
            ("ecb(*", "xts(ecb(aes))", false),
            ("*(*)", "cbc(aes)", true),
            ("*", "", true),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), text.as_bytes()), expected, "{pattern} on {text}");
        }
    }
}
