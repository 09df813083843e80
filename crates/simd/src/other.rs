//! Architectures without drivers of their own: no features.

use crate::Features;
use crate::feature::Feature;

/// There is nothing to look at.
pub(crate) enum Probe {}

pub(crate) static TABLE: &[Feature] = &[];

pub(crate) fn detect() -> Features {
    Features::probed(|probe| match *probe {})
}
