//! What is told about an algorithm, as JSON and as a record of `/proc/crypto`.

use core::fmt;

use kcrypto::{Alg, Flags, Info, Kind, Origin, TestState};
use serde::Serialize;

/// One algorithm for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Record {
    name: String,
    driver: String,
    #[serde(rename = "type")]
    kind: &'static str,
    module: String,
    priority: u32,
    #[serde(rename = "async")]
    asynchronous: bool,
    internal: bool,
    constant_time: bool,
    cpu: Vec<&'static str>,
    block_size: usize,
    min_key_size: usize,
    max_key_size: usize,
    key_step: usize,
    #[serde(flatten)]
    mode: Option<Mode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<String>,
}

/// Limits of a mode.
#[derive(Debug, Serialize)]
struct Mode {
    iv_size: usize,
    chunk_size: usize,
    walk_size: usize,
    min_length: usize,
    length_multiple: usize,
}

impl Record {
    pub(crate) fn of(alg: &Alg) -> Option<Self> {
        let (block_size, keys, mode) = match &alg.kind {
            Kind::Cipher(limits) => (limits.block_size, limits.keys, None),
            Kind::Skcipher(limits) => {
                let mode = Mode {
                    iv_size: limits.iv_size,
                    chunk_size: limits.chunk_size,
                    walk_size: limits.walk_size,
                    min_length: limits.length.min,
                    length_multiple: limits.length.multiple,
                };
                (limits.block_size, limits.keys, Some(mode))
            }
            _ => return None,
        };
        Some(Record {
            name: alg.name.to_string(),
            driver: alg.driver_name.to_string(),
            kind: alg.kind.tag().as_str(),
            module: alg.module.to_string(),
            priority: alg.priority,
            asynchronous: alg.flags.contains(Flags::ASYNC),
            internal: alg.flags.contains(Flags::INTERNAL),
            constant_time: alg.properties.constant_time,
            cpu: alg.cpu.to_vec(),
            block_size,
            min_key_size: keys.min,
            max_key_size: keys.max,
            key_step: keys.step,
            mode,
            template: match &alg.origin {
                Origin::Driver => None,
                Origin::Instance { template, .. } => Some(template.to_string()),
            },
            children: alg.children().iter().map(|child| child.driver_name.to_string()).collect(),
        })
    }
}

/// Where a self-test stands, for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Test {
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

impl Test {
    pub(crate) fn of(state: &TestState) -> Self {
        let report = state.report();
        Test {
            state: state.as_str(),
            checks: report.map(|report| report.checks),
            seconds: report.map(|report| report.time.as_secs_f64()),
            failure: report.and_then(|report| report.failure.clone()),
        }
    }
}

/// A record of `/proc/crypto`: `name : value` lines with the label padded to 13 characters.
pub(crate) struct Proc<'a>(pub(crate) &'a Info);

impl fmt::Display for Proc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Proc(info) = self;
        let alg = &info.alg;
        let yes_no = |flag| if alg.flags.contains(flag) { "yes" } else { "no" };
        writeln!(f, "name         : {}", alg.name)?;
        writeln!(f, "driver       : {}", alg.driver_name)?;
        writeln!(f, "module       : {}", alg.module)?;
        writeln!(f, "priority     : {}", alg.priority)?;
        writeln!(f, "refcnt       : {}", info.references)?;
        writeln!(f, "selftest     : {}", if info.test.is_eligible() { "passed" } else { "unknown" })?;
        writeln!(f, "internal     : {}", yes_no(Flags::INTERNAL))?;
        match &alg.kind {
            Kind::Cipher(limits) => {
                writeln!(f, "type         : cipher")?;
                writeln!(f, "blocksize    : {}", limits.block_size)?;
                writeln!(f, "min keysize  : {}", limits.keys.min)?;
                writeln!(f, "max keysize  : {}", limits.keys.max)
            }
            Kind::Skcipher(limits) => {
                writeln!(f, "type         : skcipher")?;
                writeln!(f, "async        : {}", yes_no(Flags::ASYNC))?;
                writeln!(f, "blocksize    : {}", limits.block_size)?;
                writeln!(f, "min keysize  : {}", limits.keys.min)?;
                writeln!(f, "max keysize  : {}", limits.keys.max)?;
                writeln!(f, "ivsize       : {}", limits.iv_size)?;
                writeln!(f, "chunksize    : {}", limits.chunk_size)?;
                writeln!(f, "walksize     : {}", limits.walk_size)?;
                // What continues a stream besides the IV; a chained call needs nothing else.
                writeln!(f, "statesize    : 0")
            }
            _ => writeln!(f, "type         : unknown"),
        }
    }
}
