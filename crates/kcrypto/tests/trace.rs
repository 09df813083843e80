//! Events reach `tracing`.
#![cfg(feature = "tracing")]

use core::fmt::{self, Write};
use std::sync::{Arc, Mutex};

use kcrypto::{Defaults, Policy, Registry};
use tracing::field::{Field, Visit};
use tracing::span;
use tracing::{Event, Metadata, Subscriber};

/// Keeps a line for each event.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Subscriber for Lines {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

#[test]
fn events_are_forwarded() {
    let lines = Lines::default();
    let registry = Registry::with_defaults();
    let observation = kcrypto::trace::forward(&registry);
    tracing::subscriber::with_default(lines.clone(), || {
        registry.skcipher("cbc(aes-generic)").unwrap();
        registry.set_policy(Policy::new().deny("ecb(*"));
        assert!(registry.skcipher("ecb(aes)").is_err());
        drop(observation);
        registry.skcipher("ctr(aes-generic)").unwrap();
    });
    let lines = lines.0.lock().unwrap();
    assert!(lines.iter().any(|line| line.starts_with("DEBUG") && line.contains("driver=cbc(aes-generic)")));
    assert!(lines.iter().any(|line| line.starts_with("WARN") && line.contains("rule=deny ecb(*")));
    assert!(!lines.iter().any(|line| line.contains("ctr(")), "{lines:?}");
}
