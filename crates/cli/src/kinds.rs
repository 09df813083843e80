//! Kinds as words of the command line, and names whose kind is not given.

use kcrypto::{Error, Explanation, KindTag, Registry, Want};

/// Parses the argument of `--type`.
pub(crate) fn parse(word: &str) -> Result<KindTag, String> {
    let kind = KindTag::ALL.iter().copied().find(|kind| kind.as_str() == word);
    kind.ok_or_else(|| {
        let words: Vec<&str> = KindTag::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("expected one of: {}", words.join(", "))
    })
}

/// Resolves a name, so that it is built and tested, and explains it. Without a kind it is the one that
/// answers, or the one with the most telling refusal.
pub(crate) fn explain(registry: &Registry, name: &str, kind: Option<KindTag>) -> Explanation {
    let explain = |kind: KindTag| {
        let want = Want::new(kind);
        // A refusal is in the explanation as well.
        let _ = registry.resolve(name, want);
        registry.explain(name, want)
    };
    match kind {
        Some(kind) => explain(kind),
        None => {
            let all = KindTag::ALL.iter().rev().map(|&kind| explain(kind));
            let mut tree = all.min_by_key(silence).unwrap_or_else(|| explain(KindTag::Skcipher));
            if let Err(Error::NotFound { kind, name: missing, .. }) = &mut tree.outcome
                && **missing == *name
            {
                // It is of no kind, not only of this one.
                *kind = None;
            }
            tree
        }
    }
}

/// The less, the more an explanation has to say.
fn silence(explanation: &Explanation) -> u8 {
    match &explanation.outcome {
        Ok(_) => 0,
        Err(Error::WrongKind { .. }) => 3,
        Err(Error::NotFound { .. }) => 2,
        Err(_) => 1,
    }
}
