//! `kcrypto speed`: measures drivers.

mod clock;
mod format;
mod measure;

use std::process::ExitCode;

use indicatif::ProgressBar;
use kcrypto::selftest::targets;
use kcrypto::{Dir, KindTag, Registry, Skcipher};

use crate::args::{self, Format};
use crate::failure::Failure;
use crate::output::Output;
use crate::progress;
use clock::Clock;
use format::{Json, Tcrypt, Text, Writer};
use measure::{Sample, measure};

/// Of more key lengths only the shortest and the longest are measured by default.
const MANY_KEYS: usize = 8;

pub(crate) fn run(registry: &Registry, args: &args::Speed, out: &mut Output) -> Result<ExitCode, Failure> {
    let clock = if args.secs == 0.0 { Some(Clock::read()?) } else { None };
    let mut plan = Vec::new();
    for name in names(registry, args)? {
        let mut tfm = registry.skcipher(&name)?;
        let keys = keys(&mut tfm, args)?;
        plan.push((tfm, keys));
    }
    let steps: usize = plan.iter().map(|(_, keys)| 2 * keys.len() * args.size.len()).sum();
    // Lines that appear one by one are progress enough.
    let (mut writer, bar): (Box<dyn Writer>, _) = match args.format {
        Format::Table => (Box::new(Text::default()), progress::steps(steps)),
        Format::Tcrypt => (Box::new(Tcrypt::default()), ProgressBar::hidden()),
        Format::Json => (Box::new(Json::default()), progress::steps(steps)),
    };
    writer.start(clock, out)?;
    for (tfm, keys) in &mut plan {
        for dir in Dir::BOTH {
            writer.begin(tfm.alg(), dir, out)?;
            for &key in keys.iter() {
                for &bytes in &args.size {
                    if out.is_closed() {
                        return Ok(ExitCode::SUCCESS);
                    }
                    bar.set_message(tfm.alg().driver_name.to_string());
                    let result = measure(tfm, dir, key, bytes, args.secs, clock);
                    writer.sample(&Sample { key, bytes, result }, out)?;
                    bar.inc(1);
                }
            }
        }
        bar.suspend(|| writer.end(out))?;
    }
    bar.finish_and_clear();
    writer.finish(out)?;
    Ok(ExitCode::SUCCESS)
}

/// What to measure: the names given, or the generic name of everything that can run.
fn names(registry: &Registry, args: &args::Speed) -> Result<Vec<String>, Failure> {
    if !args.names.is_empty() {
        return Ok(args.names.clone());
    }
    let all = targets(registry, &[])?;
    let usable = all.into_iter().filter(|t| t.kind == KindTag::Skcipher && t.obstacle.is_none());
    let mut names: Vec<String> = usable.map(|target| target.name).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// Key lengths in bytes.
fn keys(tfm: &mut Skcipher, args: &args::Speed) -> Result<Vec<usize>, Failure> {
    let accepted = tfm.key_sizes();
    if let Some(&len) = args.keylen.iter().find(|&&len| !accepted.contains(len)) {
        return Err(Failure::from(kcrypto::Error::BadKeyLen { len, accepted }));
    }
    if !args.keylen.is_empty() {
        return Ok(args.keylen.clone());
    }
    if accepted.iter().count() > MANY_KEYS {
        return Ok(vec![accepted.min, accepted.max]);
    }
    // A mode may take fewer lengths than the range that it declares.
    Ok(accepted.iter().filter(|&len| tfm.set_key(&vec![1; len]).is_ok()).collect())
}
