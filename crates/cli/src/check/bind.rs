//! Names: what Linux resolves and refuses.

use kcrypto::{Alg, Error, Kind, KindTag, Want};

use super::bench::Bench;
use super::fields::{Fields, FormError};
use super::outcome::{Outcome, Skip};

/// A case of the section `bind`.
pub(crate) fn case(fields: &Fields<'_>, bench: &mut Bench<'_>) -> Result<Outcome, FormError> {
    let name = name(fields)?;
    let kind = match fields.text("bind_type")? {
        "skcipher" => KindTag::Skcipher,
        "hash" => KindTag::Shash,
        "aead" => KindTag::Aead,
        "rng" if fields.has("driver") => return Ok(Outcome::Skipped(Skip::Unknown(name))),
        "rng" => {
            let why = "refusals by a kind of algorithm that is not here (rng)";
            return Ok(Outcome::Skipped(Skip::Because(why.into())));
        }
        _ => return Ok(Skip::socket("types of sockets")),
    };
    if fields.has("errno") {
        return Ok(refused(&name, kind, bench));
    }
    match bench.registry.resolve(&name, Want::new(kind)) {
        Ok(info) => {
            let differences = differences(fields, &info.alg)?;
            let line = |what| format!("{name} ({}): {what}", info.alg.driver_name);
            Ok(if differences.is_empty() {
                Outcome::Passed
            } else {
                Outcome::Failed(differences.into_iter().map(line).collect())
            })
        }
        Err(error) => Ok(bench.no_answer(&name, error)),
    }
}

/// A name that Linux refuses; the registry must refuse it as well, and keep nothing of the attempt.
pub(crate) fn refused(name: &str, kind: KindTag, bench: &Bench<'_>) -> Outcome {
    let before = bench.registry.list().len();
    match bench.registry.resolve(name, Want::new(kind)) {
        Err(error @ Error::SelfTestFailed { .. }) => Outcome::Failed(vec![format!("{name}: {error}")]),
        Err(_) if bench.registry.list().len() != before => {
            Outcome::Failed(vec![format!("{name}: the refused request leaves something in the registry")])
        }
        // The refusal says nothing about the name where a part of it is merely not here.
        Err(Error::NotFound { .. }) if bench.is_incomplete(name) => {
            Outcome::Skipped(Skip::Unknown(name.into()))
        }
        Err(error @ Error::Unavailable { .. }) => Outcome::Skipped(Skip::Because(error.to_string())),
        Err(_) => Outcome::Passed,
        Ok(_) if bench.exceptions.beyond(name) => Outcome::Beyond(name.into()),
        Ok(info) => Outcome::Failed(vec![format!(
            "{name}: resolves to {}, and Linux refuses it",
            info.alg.driver_name
        )]),
    }
}

/// The name asked for. Long ones are cut short in the file; they repeat their last character.
fn name(fields: &Fields<'_>) -> Result<String, FormError> {
    let text = fields.text("bind")?;
    let len = fields.optional_len("len")?.unwrap_or(text.len());
    let Some(start) = text.strip_suffix("...").filter(|_| text.len() < len) else {
        return Ok(text.to_owned());
    };
    let last = start.chars().next_back().unwrap_or('x');
    Ok(start.chars().chain(core::iter::repeat(last)).take(len).collect())
}

/// Properties in which the algorithm differs from what Linux says. Driver names are each side's own.
fn differences(fields: &Fields<'_>, alg: &Alg) -> Result<Vec<String>, FormError> {
    let mut found = Vec::new();
    if let Some(name) = fields.optional_text("alg_name")?
        && name != alg.name
    {
        found.push(format!("is {}, and in Linux {name}", alg.name));
    }
    for (field, ours) in sizes(alg) {
        match fields.optional_number(field)? {
            Some(theirs) if theirs != ours => found.push(format!("{field} {ours}, and in Linux {theirs}")),
            _ => {}
        }
    }
    Ok(found)
}

/// The sizes of an algorithm that Linux tells as well, by the names of their fields.
fn sizes(alg: &Alg) -> Vec<(&'static str, usize)> {
    match &alg.kind {
        Kind::Skcipher(limits) => vec![
            ("blocksize", limits.block_size),
            ("ivsize", limits.iv_size),
            ("min_keysize", limits.keys.min),
            ("max_keysize", limits.keys.max),
            ("chunksize", limits.chunk_size),
        ],
        Kind::Shash(limits) => vec![("blocksize", limits.block_size), ("digestsize", limits.digest_size)],
        Kind::Aead(limits) => vec![
            ("blocksize", limits.block_size),
            ("ivsize", limits.iv_size),
            ("maxauthsize", limits.tags.max()),
        ],
        _ => Vec::new(),
    }
}
