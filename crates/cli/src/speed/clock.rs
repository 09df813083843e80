//! Cycles without a cycle counter: time multiplied by the clock frequency that the system names.

use core::fmt;
use core::time::Duration;
use std::fs;

use crate::failure::Failure;

/// The CPU's clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    mhz: f64,
}

impl Clock {
    /// Takes the first CPU's frequency from `/proc/cpuinfo`.
    pub(crate) fn read() -> Result<Self, Failure> {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let mhz = text.lines().find_map(|line| {
            let (label, value) = line.split_once(':')?;
            if label.trim() == "cpu MHz" { value.trim().parse().ok() } else { None }
        });
        mhz.filter(|mhz| *mhz > 0.0).map(|mhz| Clock { mhz }).ok_or_else(|| {
            Failure::refused(
                "--secs 0 needs the clock frequency, which this system does not tell; give seconds",
            )
        })
    }

    pub(crate) fn cycles(self, time: Duration) -> f64 {
        time.as_secs_f64() * self.mhz * 1e6
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a cycle is 1/{:.0} of a microsecond (cpu MHz of /proc/cpuinfo), best of 8 rounds",
            self.mhz
        )
    }
}
