//! The lines of the kernel's benchmark module.

use kcrypto::{Alg, Dir, Flags};

use super::{Writer, per, word};
use crate::failure::Failure;
use crate::output::Output;
use crate::speed::{Clock, Measure, Sample, Size};

/// The lines of the kernel's benchmark module.
#[derive(Default)]
pub(crate) struct Tcrypt {
    test: usize,
    hash: bool,
}

impl Writer for Tcrypt {
    fn start(&mut self, clock: Option<Clock>, out: &mut Output) -> Result<(), Failure> {
        clock.map_or(Ok(()), |clock| out.line(format_args!("tcrypt: {clock}")))
    }

    fn begin(&mut self, alg: &Alg, dir: Option<Dir>, out: &mut Output) -> Result<(), Failure> {
        self.test = 0;
        self.hash = dir.is_none();
        let sync = if alg.flags.contains(Flags::ASYNC) { "async" } else { "sync" };
        let Alg { name, driver_name, .. } = alg;
        let what = dir.map_or(String::new(), |dir| format!(" {}", word(dir)));
        out.line(format_args!("tcrypt: testing speed of {sync} {name} ({driver_name}){what}"))
    }

    fn sample(&mut self, sample: &Sample, out: &mut Output) -> Result<(), Failure> {
        let test = self.test;
        self.test += 1;
        let line = if self.hash { hash_line(test, sample) } else { cipher_line(test, sample) };
        out.line(format_args!("tcrypt: {line}"))?;
        out.flush()
    }
}

fn cipher_line(test: usize, sample: &Sample) -> String {
    let Sample { key, size, result } = sample;
    let bytes = size.bytes;
    let result = match result {
        Ok(Measure::Cycles(cycles)) => format!("1 operation in {cycles:.0} cycles ({bytes} bytes)"),
        Ok(Measure::Rate { operations, time }) => {
            let total = *operations as u128 * bytes as u128;
            format!("{operations} operations in {} seconds ({total} bytes)", seconds(time.as_secs_f64()))
        }
        Err(error) => error.to_string(),
    };
    format!("test {test} ({} bit key, {bytes} byte blocks): {result}", key * 8)
}

fn hash_line(test: usize, sample: &Sample) -> String {
    let Size { bytes, piece } = sample.size;
    let result = match &sample.result {
        Ok(Measure::Cycles(cycles)) => {
            let each = per(*cycles, bytes as f64).unwrap_or(0.0);
            format!("{cycles:>6.0} cycles/operation, {each:>4.0} cycles/byte")
        }
        Ok(Measure::Rate { operations, time }) => {
            let rate = *operations as f64 / time.as_secs_f64();
            format!("{rate:>6.0} opers/sec, {:>9.0} bytes/sec", rate * bytes as f64)
        }
        Err(error) => error.to_string(),
    };
    let updates = sample.size.updates();
    format!(
        "test{test:>3} ({bytes:>5} byte blocks,{piece:>5} bytes per update,{updates:>4} updates): {result}"
    )
}

/// Whole seconds as the kernel prints them; parts of seconds, which it does not know, with three digits.
fn seconds(seconds: f64) -> String {
    if (seconds - seconds.round()).abs() < 0.005 { format!("{seconds:.0}") } else { format!("{seconds:.3}") }
}
