//! What is told about an algorithm, as JSON and as a record of `/proc/crypto`.

use core::fmt;

use kcrypto::{Alg, Flags, Info, KeySizes, Kind, Origin, Report, TestState};
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
    #[serde(flatten)]
    keys: Option<Keys>,
    #[serde(flatten)]
    limits: Limits,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<String>,
}

/// Key lengths.
#[derive(Debug, Serialize)]
struct Keys {
    min_key_size: usize,
    /// Null if there is none.
    max_key_size: Option<usize>,
    key_step: usize,
}

impl From<KeySizes> for Keys {
    fn from(keys: KeySizes) -> Self {
        Keys {
            min_key_size: keys.min,
            max_key_size: (keys.max < usize::MAX).then_some(keys.max),
            key_step: keys.step,
        }
    }
}

/// Limits of a kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Limits {
    Cipher {},
    Skcipher {
        iv_size: usize,
        chunk_size: usize,
        walk_size: usize,
        min_length: usize,
        length_multiple: usize,
    },
    Shash {
        digest_size: usize,
        key_optional: bool,
    },
    Aead {
        iv_size: usize,
        tag_sizes: Vec<usize>,
        chunk_size: usize,
        min_length: usize,
        length_multiple: usize,
    },
}

impl Record {
    pub(crate) fn of(alg: &Alg) -> Option<Self> {
        let (block_size, keys, limits) = match &alg.kind {
            Kind::Cipher(limits) => (limits.block_size, Some(limits.keys), Limits::Cipher {}),
            Kind::Skcipher(limits) => {
                let mode = Limits::Skcipher {
                    iv_size: limits.iv_size,
                    chunk_size: limits.chunk_size,
                    walk_size: limits.walk_size,
                    min_length: limits.length.min,
                    length_multiple: limits.length.multiple,
                };
                (limits.block_size, Some(limits.keys), mode)
            }
            Kind::Shash(limits) => {
                let key_optional = alg.flags.contains(Flags::OPTIONAL_KEY);
                let hash = Limits::Shash { digest_size: limits.digest_size, key_optional };
                (limits.block_size, limits.keys, hash)
            }
            Kind::Aead(limits) => {
                let aead = Limits::Aead {
                    iv_size: limits.iv_size,
                    tag_sizes: limits.tags.iter().collect(),
                    chunk_size: limits.chunk_size,
                    min_length: limits.length.min,
                    length_multiple: limits.length.multiple,
                };
                (limits.block_size, Some(limits.keys), aead)
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
            keys: keys.map(Keys::from),
            limits,
            template: match &alg.origin {
                Origin::Driver => None,
                Origin::Instance { template, .. } => Some(template.to_string()),
            },
            children: alg.children().iter().map(|child| child.driver_name.to_string()).collect(),
        })
    }
}

/// The sizes of an algorithm, in bytes, that its callers have to know.
pub(crate) fn sizes(alg: &Alg) -> String {
    match &alg.kind {
        Kind::Cipher(limits) => format!("block {}", limits.block_size),
        Kind::Skcipher(limits) => format!("iv {}", limits.iv_size),
        Kind::Shash(limits) => format!("digest {}", limits.digest_size),
        Kind::Aead(limits) => format!("iv {}, tag {}", limits.iv_size, limits.tags),
        _ => String::new(),
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

/// What a finished self-test took, for people.
pub(crate) fn effort(report: &Report) -> String {
    format!("{} checks in {:.2} ms", report.checks, report.time.as_secs_f64() * 1e3)
}

/// The first line of a text, such as of a self-test's failure.
pub(crate) fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
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
            Kind::Shash(limits) => {
                writeln!(f, "type         : shash")?;
                writeln!(f, "blocksize    : {}", limits.block_size)?;
                writeln!(f, "digestsize   : {}", limits.digest_size)
            }
            Kind::Aead(limits) => {
                writeln!(f, "type         : aead")?;
                writeln!(f, "async        : {}", yes_no(Flags::ASYNC))?;
                writeln!(f, "blocksize    : {}", limits.block_size)?;
                writeln!(f, "ivsize       : {}", limits.iv_size)?;
                writeln!(f, "maxauthsize  : {}", limits.tags.max())?;
                writeln!(f, "geniv        : <none>")
            }
            _ => writeln!(f, "type         : unknown"),
        }
    }
}
