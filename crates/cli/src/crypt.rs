//! `kcrypto encrypt` and `kcrypto decrypt`: files and streams, in constant memory.

mod sectors;

use std::process::ExitCode;

use kcrypto::{Dir, Registry, Skcipher, Stream};
use zeroize::Zeroizing;

use crate::args::Crypt;
use crate::failure::Failure;
use crate::progress::Bytes;
use crate::sink::Sink;
use crate::source::{PIECE, Source};
use crate::tfm;

pub(crate) fn run(registry: &Registry, dir: Dir, args: &Crypt) -> Result<ExitCode, Failure> {
    let mut tfm: Skcipher = tfm::allocate(registry, &args.name)?;
    args.key.set(&mut tfm)?;
    match args.sector_size {
        Some(size) => sectors::run(&tfm, dir, size, args)?,
        None => message(&tfm, dir, args)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// One message, streamed.
fn message(tfm: &Skcipher, dir: Dir, args: &Crypt) -> Result<(), Failure> {
    let mut stream = Stream::new(tfm, dir, iv(tfm, args)?)?;
    let mut source = Source::open(args.input.as_deref())?;
    // Of a file the length is known, and a wrong one refused before anything is written.
    if let Some(len) = source.len()
        && !usize::try_from(len).is_ok_and(|len| tfm.length().contains(len))
    {
        return Err(Failure::refused(format!("message of {len} bytes; accepted: {}", tfm.length())));
    }
    let mut sink = Sink::create(args.output.as_deref())?;
    let mut progress = Bytes::new(source.len());
    let mut input = Zeroizing::new(vec![0; PIECE]);
    // What an update writes is at most what it reads and what was held back before.
    let mut output = Zeroizing::new(vec![0; 2 * PIECE]);
    loop {
        let n = source.read(&mut input)?;
        if n == 0 {
            break;
        }
        let done = stream.update(&input[..n], &mut output)?;
        sink.write(&output[..done])?;
        progress.add(n);
    }
    let done = stream.finish(&mut output)?;
    sink.write(&output[..done])?;
    progress.finish();
    sink.commit()
}

/// The IV given, or why there must be one.
fn iv<'a>(tfm: &Skcipher, args: &'a Crypt) -> Result<&'a [u8], Failure> {
    match (&args.iv, tfm.iv_size()) {
        (Some(iv), _) => Ok(&iv.0),
        (None, 0) => Ok(&[]),
        (None, size) => Err(Failure::usage(format!(
            "{} takes an IV of {size} bytes: give --iv with {} hex digits",
            tfm.alg().name,
            2 * size
        ))),
    }
}
