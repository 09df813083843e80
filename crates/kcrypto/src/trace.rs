//! Events of a registry, told to the `tracing` crate.

use kcrypto_core::{Event, Observation, Registry};
use tracing::{debug, info, warn};

/// Tells `tracing` every event of a registry until the guard is dropped.
///
/// A quarantine and a refusal by policy are warnings, registrations are information, the rest is for
/// debugging. The default registry does this by itself.
pub fn forward(registry: &Registry) -> Observation {
    registry.observe(tell)
}

/// The same for as long as the process lives.
pub(crate) fn forward_for_good(registry: &Registry) {
    core::mem::forget(forward(registry));
}

fn tell(event: &Event) {
    match event {
        Event::Registered { driver } => info!(%driver, "registered"),
        Event::Unregistered { driver } => info!(%driver, "unregistered"),
        Event::TemplateRegistered { template } => info!(%template, "template registered"),
        Event::TemplateUnregistered { template } => info!(%template, "template unregistered"),
        Event::Built { driver } => debug!(%driver, "instance built"),
        Event::Tested { driver, time } => debug!(%driver, ?time, "self-test passed"),
        Event::Quarantined { driver, reason } => warn!(%driver, %reason, "self-test failed: quarantined"),
        Event::Retired { driver, cause } => debug!(%driver, %cause, "instance retired"),
        Event::Denied { name, rule } => warn!(%name, %rule, "denied by policy"),
        other => info!(?other, "event"),
    }
}
