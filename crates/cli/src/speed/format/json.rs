//! Records for programs.

use kcrypto::{Alg, Dir};
use serde::Serialize;

use super::{Writer, word};
use crate::failure::Failure;
use crate::output::Output;
use crate::speed::{Clock, Measure, Sample};

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
