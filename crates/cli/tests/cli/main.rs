//! The command as its users run it: real processes, their output, their exit status.

mod check;
mod crypt;
mod digest;
mod fault;
mod list;
mod run;
mod seal;
mod speed;
mod usage;
