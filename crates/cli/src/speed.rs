//! `kcrypto speed`: measures drivers.

mod clock;
mod format;
mod measure;
mod subject;

use std::process::ExitCode;

use indicatif::ProgressBar;
use kcrypto::selftest::targets;
use kcrypto::{KindTag, Registry};

use crate::args::{self, Format};
use crate::failure::Failure;
use crate::output::Output;
use crate::progress;
use clock::Clock;
use format::{Json, Tcrypt, Text, Writer};
use measure::Measure;
use subject::{Size, Subject};

/// What a measurement gave, for one key length in bytes and message size.
pub(crate) struct Sample {
    pub(crate) key: usize,
    pub(crate) size: Size,
    pub(crate) result: kcrypto::Result<Measure>,
}

pub(crate) fn run(registry: &Registry, args: &args::Speed, out: &mut Output) -> Result<ExitCode, Failure> {
    let clock = if args.secs == 0.0 { Some(Clock::read()?) } else { None };
    let mut plan = Vec::new();
    for name in names(registry, args)? {
        let mut subject = Subject::new(registry, &name)?;
        let keys = subject.keys(&args.keylen)?;
        let sizes = subject.sizes(&args.size);
        plan.push((subject, keys, sizes));
    }
    let steps =
        plan.iter().map(|(subject, keys, sizes)| subject.directions().len() * keys.len() * sizes.len());
    let steps = steps.sum();
    // Lines that appear one by one are progress enough.
    let (mut writer, bar): (Box<dyn Writer>, _) = match args.format {
        Format::Table => (Box::new(Text::default()), progress::steps(steps)),
        Format::Tcrypt => (Box::new(Tcrypt::default()), ProgressBar::hidden()),
        Format::Json => (Box::new(Json::default()), progress::steps(steps)),
    };
    writer.start(clock, out)?;
    for (subject, keys, sizes) in &mut plan {
        for &dir in subject.directions() {
            writer.begin(subject.alg(), dir, out)?;
            for &key in keys.iter() {
                for &size in sizes.iter() {
                    if out.is_closed() {
                        return Ok(ExitCode::SUCCESS);
                    }
                    bar.set_message(subject.alg().driver_name.to_string());
                    let sample = subject.sample(dir, key, size, args.secs, clock);
                    writer.sample(&sample, out)?;
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
    let usable = all.into_iter().filter(|t| t.kind != KindTag::Cipher && t.obstacle.is_none());
    let mut names: Vec<String> = usable.map(|target| target.name).collect();
    names.sort();
    names.dedup();
    Ok(names)
}
