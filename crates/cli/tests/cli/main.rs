//! The command as its users run it: real processes, their output, their exit status.

mod check;
mod crypt;
mod list;
mod run;
mod speed;
mod usage;
