//! What happens in a registry, as told to observers.

use alloc::boxed::Box;
use core::time::Duration;

/// A change of a registry. Observers are called after it took effect, outside every lock.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A driver was registered.
    Registered {
        /// Its driver name.
        driver: Box<str>,
    },
    /// A driver was unregistered.
    Unregistered {
        /// Its driver name.
        driver: Box<str>,
    },
    /// A template was registered.
    TemplateRegistered {
        /// Its name.
        template: Box<str>,
    },
    /// A template was unregistered.
    TemplateUnregistered {
        /// Its name.
        template: Box<str>,
    },
    /// An instance of a template was built and entered.
    Built {
        /// Its driver name.
        driver: Box<str>,
    },
    /// An algorithm passed its self-test.
    Tested {
        /// Its driver name.
        driver: Box<str>,
        /// Time spent.
        time: Duration,
    },
    /// An algorithm failed its self-test and will not be used.
    Quarantined {
        /// Its driver name.
        driver: Box<str>,
        /// The first failure.
        reason: Box<str>,
    },
    /// An instance was removed because what it was built on went away or was outdone.
    Retired {
        /// Its driver name.
        driver: Box<str>,
        /// The driver that caused it.
        cause: Box<str>,
    },
    /// A request was refused by the policy.
    Denied {
        /// The request.
        name: Box<str>,
        /// The rule that refused it.
        rule: Box<str>,
    },
}
