//! The command line.

mod digest;
mod hex;
mod seal;

use std::path::PathBuf;

use clap::{Args as Group, Parser, Subcommand, ValueEnum};
use kcrypto::KindTag;

pub(crate) use digest::{Digest, Files, Mac};
pub(crate) use hex::{Data, Hex};
pub(crate) use seal::Seal;

use crate::key::Key;
use crate::kinds;

/// List, explain, test, use and measure cryptographic algorithms by name.
#[derive(Debug, Parser)]
#[command(name = "kcrypto", version, disable_help_subcommand = true, subcommand_required = true)]
#[command(arg_required_else_help = false)]
pub(crate) struct Args {
    /// Do without CPU features: `none`, or a list such as `-vaes,-avx512f`.
    #[arg(long, global = true, value_name = "MASK", allow_hyphen_values = true)]
    pub(crate) cpu: Option<String>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// Reads the command line.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        Args::try_parse()
    }
}

/// A usage error of clap in one line.
pub(crate) fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let mut line = String::new();
    for part in text.lines().map(str::trim).take_while(|part| !part.starts_with("For more information")) {
        let part = part.strip_prefix("error: ").unwrap_or(part);
        if part.is_empty() {
            continue;
        }
        if !line.is_empty() {
            line += if part.starts_with("Usage:") || part.starts_with("tip:") { "; " } else { " " };
        }
        line += part;
    }
    line
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List drivers and instances, also those that this CPU cannot run.
    List(List),
    /// Explain what a name resolves to: every candidate, and why each other one lost.
    Show(Show),
    /// Run self-tests; exit status 1 if one fails.
    Selftest(Selftest),
    /// Encrypt a file or a stream.
    Encrypt(Crypt),
    /// Decrypt a file or a stream.
    Decrypt(Crypt),
    /// Print the digests of files, or check lines with digests.
    Digest(Digest),
    /// Print the message authentication codes of files, or check lines with them.
    Mac(Mac),
    /// Encrypt and authenticate a file or a stream: the output is the ciphertext followed by the tag.
    Seal(Seal),
    /// Decrypt what was sealed; nothing is written unless all of it is authentic.
    Open(Seal),
    /// Measure drivers.
    Speed(Speed),
    /// Replay vector files; exit status 1 unless something passed and nothing failed.
    Check(Check),
}

#[derive(Debug, Group)]
pub(crate) struct List {
    /// Only what holds this text in its generic or driver name; with `*` for any run of characters it is a
    /// pattern for the whole name.
    pub(crate) pattern: Option<String>,
    /// Only this kind.
    #[arg(long = "type", value_name = "TYPE", value_parser = kinds::parse)]
    pub(crate) kind: Option<KindTag>,
    /// JSON for programs.
    #[arg(long, conflicts_with = "proc")]
    pub(crate) json: bool,
    /// The record format of /proc/crypto, newest first, without what this CPU cannot run.
    #[arg(long)]
    pub(crate) proc: bool,
}

#[derive(Debug, Group)]
pub(crate) struct Show {
    /// Generic name such as `cts(cbc(aes))`, or driver name.
    pub(crate) name: String,
    /// Ask for this kind.
    #[arg(long = "type", value_name = "TYPE", value_parser = kinds::parse)]
    pub(crate) kind: Option<KindTag>,
    /// JSON for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Group)]
pub(crate) struct Selftest {
    /// Generic names (all their drivers and compositions) or driver names; none means everything.
    pub(crate) names: Vec<String>,
    /// Every vector, every cut, and a long random comparison.
    #[arg(long)]
    pub(crate) full: bool,
    /// JSON for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Group)]
pub(crate) struct Crypt {
    /// Generic name such as `xts(aes)`, or driver name.
    pub(crate) name: String,
    /// The key in hex, which others may see in the list of processes, or `@FILE` with its raw bytes.
    #[arg(long, value_name = "HEX|@FILE", value_parser = Key::parse)]
    pub(crate) key: Key,
    /// The IV in hex, for modes that take one.
    #[arg(long, value_name = "HEX", value_parser = Hex::parse)]
    pub(crate) iv: Option<Hex>,
    /// Input; standard input if absent or `-`.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Output; standard output if absent or `-`. A file appears, or is replaced, only once all of it is
    /// written.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Process sectors of N bytes, each as a message of its own.
    #[arg(long, value_name = "N", requires = "iv_mode")]
    pub(crate) sector_size: Option<usize>,
    /// How a sector's IV is made; `plain64` is its number, from 0, as 64-bit little-endian, padded with zeros.
    #[arg(long, value_name = "MODE", requires = "sector_size", conflicts_with = "iv")]
    pub(crate) iv_mode: Option<IvMode>,
}

/// How the IV of a sector is made.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum IvMode {
    /// The sector's number as a 64-bit little-endian number, padded with zeros.
    Plain64,
}

#[derive(Debug, Group)]
pub(crate) struct Speed {
    /// Generic names (their best driver) or driver names; none means every name that resolves.
    pub(crate) names: Vec<String>,
    /// Message sizes in bytes; if absent, those that the kernel's benchmark has for the kind.
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = parse_bytes)]
    pub(crate) size: Vec<usize>,
    /// Key lengths in bytes; if absent, all accepted ones, and of a MAC one.
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = parse_bytes)]
    pub(crate) keylen: Vec<usize>,
    /// Seconds for each measurement, also as a fraction; 0 counts cycles per operation instead.
    #[arg(long, value_name = "S", default_value_t = 0.1, value_parser = parse_seconds)]
    pub(crate) secs: f64,
    /// Table for people, the kernel's tcrypt lines, or JSON.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

/// Most bytes that a measurement keeps in memory at once.
const MOST: usize = 1 << 30;

fn parse_bytes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(bytes) if bytes <= MOST => Ok(bytes),
        _ => Err(format!("expected bytes from 0 to {MOST}")),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds from 0 to 3600, such as 1 or 0.5".into()),
    }
}

/// How measurements are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Table,
    /// The kernel's benchmark lines.
    Tcrypt,
    /// For programs.
    Json,
}

#[derive(Debug, Group)]
pub(crate) struct Check {
    /// Vector files in JSON.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Only this driver, instead of every one that answers a name.
    #[arg(long, value_name = "DRIVER")]
    pub(crate) driver: Option<String>,
}
