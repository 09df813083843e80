//! Decrypts recorded Wi-Fi frames: WPA2 with CCMP, from a pcap file, under temporal keys that you know.
//!
//! ```sh
//! cargo run --release --example ccmp
//! cargo run --release --example ccmp -- --pcap FILE --tk HEX --tk 1:HEX --json
//! ```
//!
//! What it shows: a client of `ccm(aes)` with a tag of 8 bytes that makes its own IV and associated data, keys one
//! transform and opens many messages with it in place. Exit status: 0 all decrypted, 1 a frame failed or there was
//! none, 2 bad input.
//!
//! | module | what it knows |
//! |---|---|
//! | `pcap` | packets of a capture file, radiotap headers and frame check sequences |
//! | `frame` | the header of IEEE 802.11, and what CCMP makes of it |
//! | `keys` | a transform for each key identifier |
//! | `report` | what came of the frames, for people and for programs |
#![forbid(unsafe_code)]

mod frame;
mod keys;
mod pcap;
mod report;

use std::ffi::OsString;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use kcrypto::Registry;

use keys::{Key, Keys};
use report::Report;

/// The temporal key of the shipped capture.
const SHIPPED_KEY: &str = "c97c1f67ce371185514a8a19f2bdd52f";

fn main() -> ExitCode {
    ExitCode::from(run(kcrypto::registry(), std::env::args_os(), &mut stdout().lock(), &mut stderr()))
}

/// Decrypts the CCMP frames of a capture.
#[derive(Debug, Parser)]
#[command(name = "ccmp")]
struct Args {
    /// Capture of IEEE 802.11 frames, classic pcap, raw or compressed with gzip [default: the one that comes with
    /// the example]
    #[arg(long, value_name = "FILE", requires = "tk")]
    pcap: Option<PathBuf>,
    /// Temporal key of 16 bytes, after its key identifier if that is not 0; may be repeated
    #[arg(long, value_name = "[ID:]HEX", default_value = SHIPPED_KEY)]
    tk: Vec<String>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// The capture that comes with the example.
pub(crate) fn shipped_capture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ccmp/data/annex.pcap")
}

/// The whole program over any registry; returns the exit status.
pub(crate) fn run(
    registry: &Registry,
    args: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(usage) => {
            let _ = if usage.use_stderr() { write!(err, "{usage}") } else { write!(out, "{usage}") };
            return u8::try_from(usage.exit_code()).unwrap_or(2);
        }
    };
    match decrypt(registry, &args, out) {
        Ok(good) => u8::from(!good),
        Err(why) => {
            let _ = writeln!(err, "ccmp: {why}");
            2
        }
    }
}

/// Prints what came of every frame; whether all is well.
fn decrypt(registry: &Registry, args: &Args, out: &mut dyn Write) -> Result<bool, String> {
    let keys = args.tk.iter().map(|text| text.parse()).collect::<Result<Vec<Key>, String>>()?;
    let keys = Keys::new(registry, &keys).map_err(|error| error.to_string())?;
    let path = args.pcap.clone().unwrap_or_else(shipped_capture);
    let packets = pcap::read(&path).map_err(|why| format!("{}: {why}", path.display()))?;
    let report = Report::of(&keys, packets);
    let written = if args.json { report.write_json(out) } else { report.write_text(out) };
    written.and_then(|()| out.flush()).map_err(|error| format!("cannot write the output: {error}"))?;
    Ok(report.is_good())
}
