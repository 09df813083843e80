//! How measurements are written.

mod json;
mod tcrypt;
mod text;

use kcrypto::{Alg, Dir};

use super::{Clock, Sample};
use crate::failure::Failure;
use crate::output::Output;
pub(super) use json::Json;
pub(super) use tcrypt::Tcrypt;
pub(super) use text::Text;

/// Writes measurements: `begin` per driver and direction, of which hashes have none; `end` per driver.
pub(crate) trait Writer {
    /// Before everything; with a clock, cycles are measured.
    fn start(&mut self, _clock: Option<Clock>, _out: &mut Output) -> Result<(), Failure> {
        Ok(())
    }
    fn begin(&mut self, alg: &Alg, dir: Option<Dir>, out: &mut Output) -> Result<(), Failure>;
    fn sample(&mut self, sample: &Sample, out: &mut Output) -> Result<(), Failure>;
    fn end(&mut self, _out: &mut Output) -> Result<(), Failure> {
        Ok(())
    }
    fn finish(&mut self, _out: &mut Output) -> Result<(), Failure> {
        Ok(())
    }
}

fn word(dir: Dir) -> &'static str {
    match dir {
        Dir::Encrypt => "encryption",
        Dir::Decrypt => "decryption",
    }
}

/// Cycles for each byte, of which there may be none.
fn per(cycles: f64, bytes: f64) -> Option<f64> {
    (bytes > 0.0).then(|| cycles / bytes)
}
