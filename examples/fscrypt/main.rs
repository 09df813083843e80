//! Opens a real fscrypt directory: prints the plaintext names and contents of an ext4 image that a Linux kernel
//! encrypted, and checks each against the manifest.
//!
//! ```sh
//! cargo run --release --example fscrypt
//! cargo run --release --example fscrypt -- --image FILE --manifest FILE --json
//! ```
//!
//! What it shows: a client that asks the registry for `cts(cbc(aes))`, `xts(aes)` or whatever the directory's policy
//! names, and gets the fastest driver of this machine without naming one. A name that the registry does not know is
//! reported and skipped. Exit status: 0 all verified, 1 something differs, 2 bad input.
#![forbid(unsafe_code)]

use std::io::{stderr, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    let registry = kcrypto::registry();
    ExitCode::from(kcrypto_fscrypt::run(registry, std::env::args_os(), &mut stdout().lock(), &mut stderr()))
}
