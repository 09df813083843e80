//! What names are made of: templates, algorithms and drivers.

use std::collections::HashSet;

use kcrypto::Registry;

use super::fields::Fields;
use super::file::{Case, Section};

/// Words that names are made of.
#[derive(Debug, Default)]
pub(crate) struct Words(HashSet<String>);

impl Words {
    /// Those that a registry knows.
    pub(crate) fn of(registry: &Registry) -> Self {
        let mut words = Words::default();
        for info in registry.list() {
            words.learn(&info.alg.name);
            words.learn(&info.alg.driver_name);
        }
        registry.templates().into_iter().for_each(|template| words.learn(template));
        words
    }

    /// Learns the words of a name.
    pub(crate) fn learn(&mut self, name: &str) {
        for word in split(name) {
            if !self.has(word) {
                self.0.insert(word.to_owned());
            }
        }
    }

    /// Learns the words of a name that Linux resolves, if the case says that it does.
    pub(crate) fn learn_case(&mut self, case: &Case) {
        let fields = Fields::new(&case.fields);
        let text = |key| fields.optional_text(key).ok().flatten();
        let name = match case.section {
            Section::Bind if fields.has("errno") => None,
            Section::Bind => text("bind"),
            Section::Vectors if text("op") == Some("bind") => None,
            _ => text("name"),
        };
        name.into_iter().for_each(|name| self.learn(name));
    }

    /// Whether this is one of them.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    /// The words of a name that are among them.
    pub(crate) fn parts<'n>(&self, name: &'n str) -> impl Iterator<Item = &'n str> {
        split(name).filter(|word| self.has(word))
    }
}

fn split(name: &str) -> impl Iterator<Item = &str> {
    name.split(['(', ')', ',']).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_of_words() {
        let mut words = Words::default();
        words.learn("authenc(hmac(sha256),cbc(aes))");
        assert!(words.has("sha256") && words.has("authenc") && !words.has("hmac(sha256)"));
        assert_eq!(words.parts("cts(cbc(des))x,aes").collect::<Vec<_>>(), ["cbc", "aes"]);
        let ours = Words::of(&Registry::new());
        assert!(!ours.has("sha256"));
    }
}
