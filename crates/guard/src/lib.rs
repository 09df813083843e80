//! Memory between inaccessible pages, and calls in a child process that may die of using what is not theirs.
//!
//! The self-tests hand a driver a [`Fenced`] source and destination inside of [`in_child`]: a byte read or written
//! too far ends the child by a signal, and the parent tells of it. There is nothing here where there is no Unix.
//!
//! # Limits
//! The child is a copy of the thread that asked, alone. A lock that another thread held at that moment stays
//! locked in it; what the child calls must not need one. It is killed when its time is up, so that a mistake
//! costs time and nothing else. The C library takes care of its own locks, those of memory allocation among them.
#![cfg(unix)]

mod child;
mod fenced;

pub use child::{End, Progress, in_child};
pub use fenced::{Fenced, Side};
