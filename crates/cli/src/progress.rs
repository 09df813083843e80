//! A progress bar on standard error, for work that takes long in front of a person.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressStyle};

/// Input of this many bytes is long.
const LONG: u64 = 32 << 20;

/// Progress through bytes. Nothing is shown for short input, or where nobody looks.
pub(crate) struct Bytes {
    total: Option<u64>,
    done: u64,
    bar: ProgressBar,
}

impl Bytes {
    pub(crate) fn new(total: Option<u64>) -> Self {
        Bytes { total, done: 0, bar: ProgressBar::hidden() }
    }

    pub(crate) fn add(&mut self, bytes: usize) {
        self.done += bytes as u64;
        let long = self.total.unwrap_or(self.done) >= LONG;
        if self.bar.is_hidden() && long && stderr().is_terminal() {
            self.bar = match self.total {
                Some(total) => ProgressBar::new(total)
                    .with_style(style("{bar:40} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta} left")),
                None => ProgressBar::no_length().with_style(style("{bytes} {binary_bytes_per_sec}")),
            };
        }
        self.bar.set_position(self.done);
    }

    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// Progress through `steps` steps, shown where somebody looks.
pub(crate) fn steps(steps: usize) -> ProgressBar {
    if stderr().is_terminal() {
        ProgressBar::new(steps as u64).with_style(style("{bar:40} {pos}/{len} {msg}"))
    } else {
        ProgressBar::hidden()
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
