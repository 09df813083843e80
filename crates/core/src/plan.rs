//! Resolution as a pure function of what is registered.

use alloc::sync::Arc;

use crate::Alg;

/// An algorithm chosen for a place in a composition.
pub(crate) struct Node {
    alg: Arc<Alg>,
}

impl Node {
    pub(crate) fn alg(&self) -> &Arc<Alg> {
        &self.alg
    }
}
