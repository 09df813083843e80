//! Tables for people.

use kcrypto::{Alg, Dir};

use super::{Writer, per};
use crate::failure::Failure;
use crate::output::Output;
use crate::speed::{Clock, Measure, Sample, Size};
use crate::table::Table;

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
