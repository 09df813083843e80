//! `kcrypto list`: what is in the registry.

use std::process::ExitCode;

use kcrypto::{Alg, Info, Registry, TestState};
use serde::Serialize;

use crate::args::List;
use crate::failure::Failure;
use crate::output::Output;
use crate::record::{Proc, Record, Test, effort, first_line, sizes};
use crate::table::Table;

pub(crate) fn run(registry: &Registry, args: &List, out: &mut Output) -> Result<ExitCode, Failure> {
    let mut found = registry.list();
    found.retain(|info| wanted(args, &info.alg));
    if found.is_empty()
        && let Some(pattern) = &args.pattern
    {
        return Err(Failure::refused(format!(
            "nothing listed matches {pattern:?}; `kcrypto list` shows all, and `kcrypto show NAME` what templates compose"
        )));
    }
    if args.proc {
        found.retain(|info| info.unavailable.is_none());
        found.iter().try_for_each(|info| out.line(Proc(info)))?;
    } else if args.json {
        let algorithms = found.iter().filter_map(entry).collect();
        out.json(&Json { algorithms, templates: registry.templates() })?;
    } else {
        found.sort_by(|a, b| {
            let key = |info: &Info| (info.alg.name.clone(), core::cmp::Reverse(info.alg.priority));
            key(a).cmp(&key(b)).then_with(|| a.alg.driver_name.cmp(&b.alg.driver_name))
        });
        out.text(&table(&found).to_string())?;
        out.line(format_args!("\ntemplates: {}", registry.templates().join(", ")))?;
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Json {
    algorithms: Vec<Entry>,
    templates: Vec<&'static str>,
}

#[derive(Serialize)]
struct Entry {
    #[serde(flatten)]
    record: Record,
    selftest: Test,
    available: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    unavailable: Option<String>,
    references: usize,
}

fn entry(info: &Info) -> Option<Entry> {
    Some(Entry {
        record: Record::of(&info.alg)?,
        selftest: Test::of(&info.test),
        available: info.unavailable.is_none(),
        unavailable: info.unavailable.clone(),
        references: info.references,
    })
}

fn table(found: &[Info]) -> Table<7> {
    let mut table = Table::new(["NAME", "DRIVER", "TYPE", "SIZES", ">PRIORITY", "STATE", "REMARK"]);
    for info in found {
        let (state, reason) = match (&info.unavailable, &info.test) {
            (Some(reason), _) => ("unavailable", reason.clone()),
            (None, TestState::Failed(report)) => {
                ("quarantined", first_line(report.failure.as_deref().unwrap_or_default()).to_owned())
            }
            (None, state) => (state.as_str(), state.report().map(effort).unwrap_or_default()),
        };
        table.row([
            info.alg.name.to_string(),
            info.alg.driver_name.to_string(),
            info.alg.kind.tag().to_string(),
            sizes(&info.alg),
            info.alg.priority.to_string(),
            state.to_owned(),
            reason,
        ]);
    }
    table
}

fn wanted(args: &List, alg: &Alg) -> bool {
    let kind = args.kind.is_none_or(|kind| alg.kind.tag() == kind);
    let named = |name: &str| match &args.pattern {
        None => true,
        Some(pattern) if pattern.contains('*') => matches(pattern, name),
        Some(text) => name.contains(text.as_str()),
    };
    kind && (named(&alg.name) || named(&alg.driver_name))
}

/// Whether `pattern`, in which `*` stands for any run of characters, matches all of `name`.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name, expected) in [
            ("aes", "aes", true),
            ("aes", "aes-generic", false),
            ("aes*", "aes-generic", true),
            ("*des*", "cbc(des3_ede)", true),
            ("*(*)", "cbc(aes)", true),
            ("*", "", true),
            ("a*a", "a", false),
            ("a*b*c", "abc", true),
            ("a*b*c", "acb", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} on {name}");
        }
    }
}
