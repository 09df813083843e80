//! Disk images: every sector is a message of its own, with an IV made of its number.

use kcrypto::{Dir, InOut, MAX_UNIT, Skcipher};
use zeroize::Zeroizing;

use crate::args::Crypt;
use crate::failure::Failure;
use crate::progress::Bytes;
use crate::sink::Sink;
use crate::source::{PIECE, Source};

/// Largest sector, in bytes.
const LARGEST: usize = 1 << 20;

/// Processes an image whose length is a multiple of the sector size.
pub(crate) fn run(tfm: &Skcipher, dir: Dir, size: usize, args: &Crypt) -> Result<(), Failure> {
    check(tfm, size)?;
    let mut source = Source::open(args.input.as_deref())?;
    let refused = |len: u64| {
        Failure::refused(format!(
            "input of {len} bytes; accepted: multiples of the sector size, {size} bytes"
        ))
    };
    if let Some(len) = source.len().filter(|len| !len.is_multiple_of(size as u64)) {
        return Err(refused(len));
    }
    let mut sink = Sink::create(args.output.as_deref())?;
    let mut progress = Bytes::new(source.len());
    let mut buf = Zeroizing::new(vec![0; size * (PIECE / size).max(1)]);
    let mut sector = 0u64;
    loop {
        let n = source.read(&mut buf)?;
        if n == 0 {
            break;
        }
        if !n.is_multiple_of(size) {
            return Err(refused(sector * size as u64 + n as u64));
        }
        for data in buf[..n].chunks_exact_mut(size) {
            let mut iv = [0; MAX_UNIT];
            iv[..8].copy_from_slice(&sector.to_le_bytes());
            tfm.crypt(dir, &iv[..tfm.iv_size()], InOut::in_place(data))?;
            sector += 1;
        }
        sink.write(&buf[..n])?;
        progress.add(n);
    }
    progress.finish();
    sink.commit()
}

/// Refuses what has no room for a sector number, and sizes that the mode does not take.
fn check(tfm: &Skcipher, size: usize) -> Result<(), Failure> {
    let name = &tfm.alg().name;
    if tfm.iv_size() < 8 {
        return Err(Failure::refused(format!(
            "{name} takes an IV of {} bytes; --iv-mode plain64 needs 8 or more",
            tfm.iv_size()
        )));
    }
    if size == 0 || size > LARGEST || !tfm.length().contains(size) {
        return Err(Failure::usage(format!(
            "--sector-size {size}: expected 1 to {LARGEST} bytes, and for {name} {}",
            tfm.length()
        )));
    }
    Ok(())
}
