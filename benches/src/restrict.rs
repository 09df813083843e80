//! Holds the peers that are written in C to AES-NI.

use std::os::unix::process::CommandExt;
use std::process::Command;

/// The environment variable that OpenSSL and AWS-LC read before `main`.
const VARIABLE: &str = "OPENSSL_ia32cap";
/// Takes VAES and VPCLMULQDQ off leaf 7 of CPUID; AVX-512 paths need them.
const NO_VAES: &str = ":~0x60000000000";

/// Starts this program again with the variable set, unless it is set already.
///
/// # Panics
/// If the program cannot be started.
pub fn to_aes_ni() {
    if std::env::var_os(VARIABLE).is_some() {
        return;
    }
    let mut arguments = std::env::args_os();
    let program = arguments.next().expect("a program has a name");
    let error = Command::new(program).args(arguments).env(VARIABLE, NO_VAES).exec();
    panic!("cannot start again with {VARIABLE}: {error}");
}

/// Whether this build has the software AES of the `aes` crate: then its numbers are not those of AES-NI.
pub const SOFT_PEER: bool = cfg!(aes_backend = "soft");
