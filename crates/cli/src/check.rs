//! `kcrypto check`: replays vector files through every driver that answers their names.

mod aead;
mod bench;
mod bind;
mod exceptions;
mod expected;
mod fields;
mod file;
mod hash;
mod outcome;
mod pieces;
#[cfg(test)]
mod printed;
mod skcipher;
mod tally;
mod words;

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
use words::Words;

pub(crate) fn run(registry: &Registry, args: &Check, out: &mut Output) -> Result<ExitCode, Failure> {
    if let Some(driver) = &args.driver {
        kinds::explain(registry, driver, None).outcome?;
    }
    let mut sound = true;
    let mut fail = |path: &Path, error: FormError| {
        say(format_args!("{}: {error}", path.display()));
        sound = false;
    };
    let mut files = Vec::new();
    let mut linux = Words::default();
    for path in &args.files {
        match file::read(path) {
            Ok(cases) => {
                cases.iter().for_each(|case| linux.learn_case(case));
                files.push((path, cases));
            }
            Err(error) => fail(path, error),
        }
    }
    let mut bench = Bench::new(registry, Exceptions::documented(), linux, args.driver.as_deref());
    let mut tally = Tally::default();
    for (path, cases) in &files {
        if let Err(error) = replay(path, cases, &mut bench, &mut tally) {
            fail(path, error);
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

/// Replays the cases of a file, as far as they are in the form.
fn replay(path: &Path, cases: &[Case], bench: &mut Bench<'_>, tally: &mut Tally) -> Result<(), FormError> {
    let label = path.file_name().unwrap_or(path.as_os_str()).display();
    let bar = progress::steps(cases.len());
    for case in cases {
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
    if fields.optional_text("errno")? == Some("HANG") {
        return Ok(Skip::socket("what waits for more input"));
    }
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
        ("hash", Section::Vectors) => hash::vector(&fields, bench),
        ("hash", Section::Setkey) => hash::setkey(&fields, bench),
        ("hash", Section::Authsize) => Ok(Skip::socket("the tag size of a hash")),
        ("aead", Section::Vectors) => aead::vector(&fields, bench),
        ("aead", Section::Setkey) => aead::setkey(&fields, bench),
        ("aead", Section::Authsize) => aead::authsize(&fields, bench),
        ("aead", Section::Request) => aead::request(&fields, bench),
        ("hash" | "rng", _) => Ok(Outcome::Skipped(Skip::Unknown(fields.text("name")?.into()))),
        (other, _) => Err(FormError::new(format!("type {other:?}; expected skcipher, hash, aead or rng"))),
    }
}
