//! What came of the frames of a capture, for people and for programs.

use core::fmt;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::frame::Ccmp;
use super::keys::{Keys, Outcome};

/// Everything that was found.
pub(crate) struct Report<'k> {
    driver: &'k str,
    frames: Vec<Frame>,
    summary: Summary,
}

/// A frame that CCMP protects.
struct Frame {
    /// Number of its packet, from 1 on.
    packet: usize,
    ccmp: Ccmp,
    outcome: Outcome,
}

/// How many frames there are of which sort.
#[derive(Default)]
struct Summary {
    decrypted: usize,
    failed: usize,
    not_ccmp: usize,
    without_key: usize,
}

impl<'k> Report<'k> {
    /// Decrypts what can be.
    pub(crate) fn of(keys: &'k Keys, packets: Vec<Vec<u8>>) -> Self {
        let mut summary = Summary::default();
        let (mut numbers, mut headers, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
        for (number, mut bytes) in (1..).zip(packets) {
            let Some(ccmp) = Ccmp::parse(&bytes) else {
                summary.not_ccmp += 1;
                continue;
            };
            numbers.push(number);
            bodies.push(bytes.split_off(ccmp.body));
            headers.push(ccmp);
        }
        let outcomes = keys.open(&headers, bodies);
        outcomes.iter().for_each(|outcome| summary.count(outcome));
        let frames = numbers.into_iter().zip(headers).zip(outcomes);
        let frames = frames.map(|((packet, ccmp), outcome)| Frame { packet, ccmp, outcome }).collect();
        Report { driver: keys.driver(), frames, summary }
    }

    /// Whether something was decrypted and nothing failed.
    pub(crate) fn is_good(&self) -> bool {
        self.summary.decrypted > 0 && self.summary.failed == 0
    }

    /// One line for each frame, the summary last.
    pub(crate) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "ccm(aes) by {}", self.driver)?;
        self.frames.iter().try_for_each(|frame| writeln!(out, "{frame}"))?;
        writeln!(out, "{}", self.summary)
    }

    /// One JSON document.
    pub(crate) fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let Summary { decrypted, failed, not_ccmp, without_key } = self.summary;
        let document = json!({
            "algorithm": "ccm(aes)",
            "driver": self.driver,
            "frames": self.frames.iter().map(Frame::json).collect::<Vec<_>>(),
            "summary": {
                "decrypted": decrypted, "failed": failed, "not_ccmp": not_ccmp, "without_key": without_key,
            },
        });
        serde_json::to_writer_pretty(&mut *out, &document)?;
        writeln!(out)
    }
}

impl Summary {
    fn count(&mut self, outcome: &Outcome) {
        *match outcome {
            Outcome::Decrypted(_) => &mut self.decrypted,
            Outcome::Failed => &mut self.failed,
            Outcome::NoKey => &mut self.without_key,
        } += 1;
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { decrypted, failed, not_ccmp, without_key } = self;
        write!(f, "{decrypted} frames decrypted, {failed} failed, {not_ccmp} not CCMP")?;
        if *without_key > 0 {
            write!(f, ", {without_key} under keys that were not given")?;
        }
        Ok(())
    }
}

impl Frame {
    fn json(&self) -> Value {
        let (status, plaintext) = match &self.outcome {
            Outcome::Decrypted(text) => ("decrypted", Some(hex::encode(text))),
            Outcome::Failed => ("failed", None),
            Outcome::NoKey => ("no key", None),
        };
        json!({
            "packet": self.packet,
            "transmitter": self.ccmp.transmitter.to_string(),
            "receiver": self.ccmp.receiver.to_string(),
            "packet_number": self.ccmp.packet_number,
            "key_id": self.ccmp.key_id,
            "status": status,
            "plaintext": plaintext,
        })
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Frame { packet, ccmp, outcome } = self;
        let Ccmp { transmitter, receiver, packet_number, key_id, .. } = ccmp;
        write!(f, "{packet:>6}  {transmitter} -> {receiver}  PN {packet_number:012x}  key {key_id}  ")?;
        match outcome {
            Outcome::Decrypted(text) => write!(f, "{:>4} bytes  {}", text.len(), preview(text)),
            Outcome::Failed => f.write_str("FAILED"),
            Outcome::NoKey => f.write_str("no key"),
        }
    }
}

/// The first bytes in hex.
fn preview(text: &[u8]) -> String {
    match text.get(..20) {
        Some(start) if text.len() > 20 => format!("{}..", hex::encode(start)),
        _ => hex::encode(text),
    }
}
