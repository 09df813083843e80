//! `kcrypto check`: replays vector files through every driver that answers their names.

mod bench;
mod bind;
mod exceptions;
mod fields;
mod file;
mod outcome;
mod skcipher;
mod tally;

use std::path::Path;
use std::process::ExitCode;

use kcrypto::Registry;

use crate::args::Check;
use crate::failure::{Failure, say};
use crate::kinds;
use crate::output::Output;
use crate::progress;
use bench::Bench;
use exceptions::Exceptions;
use fields::{Fields, FormError};
use file::{Case, Section};
use outcome::{Outcome, Skip};
use tally::Tally;

pub(crate) fn run(registry: &Registry, args: &Check, out: &mut Output) -> Result<ExitCode, Failure> {
    if let Some(driver) = &args.driver {
        kinds::explain(registry, driver, None).outcome?;
    }
    let mut bench = Bench::new(registry, Exceptions::documented(), args.driver.as_deref());
    let mut tally = Tally::default();
    let mut sound = true;
    for path in &args.files {
        if let Err(error) = replay(path, &mut bench, &mut tally) {
            say(format_args!("{}: {error}", path.display()));
            sound = false;
        }
    }
    tally.report(bench.scores(), out)?;
    out.flush()?;
    if tally.passed() == 0 && sound {
        say("nothing passed: no case names an algorithm that is here; `kcrypto list` names what there is");
    }
    let good = sound && tally.passed() > 0 && tally.failed() == 0;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Replays one file, as far as it is in the form.
fn replay(path: &Path, bench: &mut Bench<'_>, tally: &mut Tally) -> Result<(), FormError> {
    let cases = file::read(path)?;
    let label = path.file_name().unwrap_or(path.as_os_str()).display();
    let bar = progress::steps(cases.len());
    for case in &cases {
        let outcome = judge(case, bench).map_err(|error| error.at(&case.place))?;
        tally.count(&format!("{label} {}", case.place), outcome);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// What becomes of a case. Every kind of algorithm has a module of its own.
fn judge(case: &Case, bench: &mut Bench<'_>) -> Result<Outcome, FormError> {
    let fields = Fields::new(&case.fields);
    let kind = match case.section {
        Section::Bind => return bind::case(&fields, bench),
        // Tag sizes are of AEADs; the type is written only where it is another.
        Section::Authsize => fields.optional_text("type")?.unwrap_or("aead"),
        _ => fields.text("type")?,
    };
    match (kind, case.section) {
        ("skcipher", Section::Vectors) => skcipher::vector(&fields, bench),
        ("skcipher", Section::Setkey) => skcipher::setkey(&fields, bench),
        ("skcipher", Section::Request) => skcipher::request(&fields, bench),
        ("skcipher", Section::Authsize) => Ok(Skip::socket("the tag size of a cipher")),
        ("hash" | "aead" | "rng", _) => Ok(Outcome::Skipped(Skip::Unknown(fields.text("name")?.into()))),
        (other, _) => Err(FormError::new(format!("type {other:?}; expected skcipher, hash, aead or rng"))),
    }
}
