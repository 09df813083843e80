//! The `kcrypto` command: list, explain, test, use and measure cryptographic algorithms by name.
#![forbid(unsafe_code)]

mod args;
mod ccm;
mod check;
mod crypt;
mod digest;
mod failure;
mod faults;
mod key;
mod kinds;
mod list;
mod output;
mod progress;
mod record;
mod seal;
mod selftest;
mod show;
mod sink;
mod source;
mod speed;
mod table;
mod tfm;

use std::process::ExitCode;

use args::{Args, Command};
use failure::{Failure, say};
use kcrypto::Dir;
use output::Output;

fn main() -> ExitCode {
    match Args::read() {
        Ok(args) => finish(|out| run(args, out)),
        Err(stop) if stop.use_stderr() => fail(&Failure::usage(args::one_line(&stop))),
        Err(help) => finish(|out| out.text(&help.render().to_string()).map(|()| ExitCode::SUCCESS)),
    }
}

/// Runs a command on standard output; the exit status is the command's, or that of its failure.
fn finish(command: impl FnOnce(&mut Output) -> Result<ExitCode, Failure>) -> ExitCode {
    let mut out = Output::new();
    let result = command(&mut out);
    // What was found comes before what is wrong with it.
    let flushed = out.flush();
    result.and_then(|status| flushed.map(|()| status)).unwrap_or_else(|failure| fail(&failure))
}

fn fail(failure: &Failure) -> ExitCode {
    say(failure);
    failure.status()
}

fn run(args: Args, out: &mut Output) -> Result<ExitCode, Failure> {
    if let Some(error) = kcrypto::cpu::environment_error() {
        return Err(Failure::usage(format!("{}: {error}", kcrypto::cpu::VARIABLE)));
    }
    if let Some(mask) = &args.cpu {
        kcrypto::cpu::mask(mask).map_err(|error| Failure::usage(format!("--cpu: {error}")))?;
    }
    let registry = kcrypto::registry();
    let hook = faults::install(registry)?;
    match args.command {
        Command::List(args) => list::run(registry, &args, out),
        Command::Show(args) => show::run(registry, &args, out),
        Command::Selftest(args) => selftest::run(registry, hook, &args, out),
        Command::Encrypt(args) => crypt::run(registry, Dir::Encrypt, &args),
        Command::Decrypt(args) => crypt::run(registry, Dir::Decrypt, &args),
        Command::Digest(args) => digest::digest(registry, &args, out),
        Command::Mac(args) => digest::mac(registry, &args, out),
        Command::Seal(args) => seal::seal(registry, &args),
        Command::Open(args) => seal::open(registry, &args),
        Command::Speed(args) => speed::run(registry, &args, out),
        Command::Check(args) => check::run(registry, &args, out),
    }
}
