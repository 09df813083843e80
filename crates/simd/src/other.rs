//! Architectures without drivers of their own: no features.

use crate::Features;
use crate::feature::Feature;

/// There is nothing to look at.
pub(crate) enum Probe {}

pub(crate) static TABLE: &[Feature] = &[];

/// Without features there is nothing that it could keep from running.
pub(crate) const OBSTACLE: Option<&str> = None;

pub(crate) fn detect() -> Features {
    Features::probed(|probe| match *probe {})
}
