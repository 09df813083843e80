//! How measurements are written.

use kcrypto::{Alg, Dir, Flags};
use serde::Serialize;

use super::{Clock, Measure, Sample, Size};
use crate::failure::Failure;
use crate::output::Output;
use crate::table::Table;

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

/// A table for people; one per driver.
#[derive(Default)]
pub(crate) struct Text {
    title: String,
    encrypt: Vec<Row>,
    decrypt: Vec<Row>,
    hash: Vec<Row>,
    dir: Option<Dir>,
    cycles: bool,
}

struct Row {
    key: usize,
    size: Size,
    cells: [String; 2],
}

impl Writer for Text {
    fn start(&mut self, clock: Option<Clock>, out: &mut Output) -> Result<(), Failure> {
        self.cycles = clock.is_some();
        clock.map_or(Ok(()), |clock| out.line(format_args!("{clock}\n")))
    }

    fn begin(&mut self, alg: &Alg, dir: Option<Dir>, _out: &mut Output) -> Result<(), Failure> {
        self.title = format!("{} ({})", alg.name, alg.driver_name);
        self.dir = dir;
        Ok(())
    }

    fn sample(&mut self, sample: &Sample, _out: &mut Output) -> Result<(), Failure> {
        let bytes = sample.size.bytes as f64;
        let cells = match &sample.result {
            Ok(Measure::Cycles(cycles)) => {
                [format!("{cycles:.0}"), per(*cycles, bytes).map_or("-".into(), |n| format!("{n:.2}"))]
            }
            Ok(Measure::Rate { operations, time }) => {
                let each = time.as_secs_f64() / *operations as f64;
                [format!("{:.1}", each * 1e9), format!("{:.1}", bytes / each / 1e6)]
            }
            Err(_) => ["refused".into(), "-".into()],
        };
        let rows = match self.dir {
            Some(Dir::Encrypt) => &mut self.encrypt,
            Some(Dir::Decrypt) => &mut self.decrypt,
            None => &mut self.hash,
        };
        rows.push(Row { key: sample.key, size: sample.size, cells });
        Ok(())
    }

    fn end(&mut self, out: &mut Output) -> Result<(), Failure> {
        let table = if self.dir.is_some() { self.ciphers().to_string() } else { self.hashes().to_string() };
        out.line(format_args!("{}\n{table}", self.title))?;
        out.flush()
    }
}

impl Text {
    fn ciphers(&mut self) -> Table<6> {
        let mut table = Table::new(if self.cycles {
            [">KEY BITS", ">BYTES", ">ENCRYPT CYCLES", ">CYCLES/BYTE", ">DECRYPT CYCLES", ">CYCLES/BYTE"]
        } else {
            [">KEY BITS", ">BYTES", ">ENCRYPT NS", ">MB/S", ">DECRYPT NS", ">MB/S"]
        });
        for (encrypt, decrypt) in self.encrypt.drain(..).zip(self.decrypt.drain(..)) {
            let [each, rate] = encrypt.cells;
            let [back, back_rate] = decrypt.cells;
            let key = (encrypt.key * 8).to_string();
            table.row([key, encrypt.size.bytes.to_string(), each, rate, back, back_rate]);
        }
        table
    }

    fn hashes(&mut self) -> Table<6> {
        let [each, rate] = if self.cycles { [">CYCLES", ">CYCLES/BYTE"] } else { [">NS", ">MB/S"] };
        let mut table = Table::new([">KEY BITS", ">BYTES", ">PER UPDATE", ">UPDATES", each, rate]);
        for Row { key, size, cells: [each, rate] } in self.hash.drain(..) {
            let updates = size.updates();
            let [key, bytes, piece, updates] =
                [key * 8, size.bytes, size.piece, updates].map(|n| n.to_string());
            table.row([key, bytes, piece, updates, each, rate]);
        }
        table
    }
}

fn per(cycles: f64, bytes: f64) -> Option<f64> {
    (bytes > 0.0).then(|| cycles / bytes)
}

/// Records for programs.
#[derive(Default)]
pub(crate) struct Json {
    alg: (String, String),
    direction: Option<&'static str>,
    mhz: Option<String>,
    records: Vec<Record>,
}

#[derive(Serialize)]
struct Record {
    name: String,
    driver: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<&'static str>,
    key_bits: usize,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_per_update: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles_per_operation: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

impl Writer for Json {
    fn start(&mut self, clock: Option<Clock>, _out: &mut Output) -> Result<(), Failure> {
        self.mhz = clock.map(|clock| clock.to_string());
        Ok(())
    }

    fn begin(&mut self, alg: &Alg, dir: Option<Dir>, _out: &mut Output) -> Result<(), Failure> {
        self.alg = (alg.name.to_string(), alg.driver_name.to_string());
        self.direction = dir.map(word);
        Ok(())
    }

    fn sample(&mut self, sample: &Sample, _out: &mut Output) -> Result<(), Failure> {
        let (operations, time) = match &sample.result {
            Ok(Measure::Rate { operations, time }) => (Some(*operations), Some(time.as_secs_f64())),
            _ => (None, None),
        };
        self.records.push(Record {
            name: self.alg.0.clone(),
            driver: self.alg.1.clone(),
            direction: self.direction,
            key_bits: sample.key * 8,
            bytes: sample.size.bytes,
            bytes_per_update: self.direction.is_none().then_some(sample.size.piece),
            operations,
            seconds: time,
            bytes_per_second: operations
                .zip(time)
                .map(|(n, time)| n as f64 * sample.size.bytes as f64 / time),
            cycles_per_operation: match &sample.result {
                Ok(Measure::Cycles(cycles)) => Some(*cycles),
                _ => None,
            },
            cycle: self.mhz.clone(),
            refused: sample.result.as_ref().err().map(ToString::to_string),
        });
        Ok(())
    }

    fn finish(&mut self, out: &mut Output) -> Result<(), Failure> {
        out.json(&self.records)
    }
}
