//! The command line of `seal` and `open`.

use std::path::PathBuf;

use clap::Args as Group;

use super::{Data, Hex};
use crate::key::Key;

#[derive(Debug, Group)]
pub(crate) struct Seal {
    /// Generic name such as `gcm(aes)`, or driver name.
    pub(crate) name: String,
    /// The key in hex, which others may see in the list of processes, or `@FILE` with its raw bytes.
    #[arg(long, value_name = "HEX|@FILE", value_parser = Key::parse)]
    pub(crate) key: Key,
    /// The nonce in hex: the IV as the kernel takes it. For `ccm(..)` that is a block of 16 bytes; a nonce of
    /// n = 7 to 13 bytes, as RFC 3610 has it, is put into one: 14 - n, the nonce, zeros. The longer the
    /// nonce, the shorter the longest message: 65535 bytes for 13. Use no nonce twice with a key.
    #[arg(long, value_name = "HEX", value_parser = Hex::parse)]
    pub(crate) nonce: Option<Hex>,
    /// Associated data in hex, or `@FILE` with its raw bytes: authenticated, and not part of the output. For
    /// the ESP kinds (rfc4106, rfc4309, rfc4543, rfc7539esp) it ends with a copy of the IV.
    #[arg(long, value_name = "HEX|@FILE", value_parser = Data::parse)]
    pub(crate) aad: Option<Data>,
    /// Length of the tag in bytes; the longest one if absent.
    #[arg(long, value_name = "N")]
    pub(crate) tag_len: Option<usize>,
    /// Input; standard input if absent or `-`. A pipe is first copied to a nameless temporary file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Output; standard output if absent or `-`. A file appears, or is replaced, only once all of it is
    /// written, and what is opened only once it is authentic.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
