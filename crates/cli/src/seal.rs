//! `kcrypto seal` and `kcrypto open`: files and streams with a tag, in constant memory.

use std::process::ExitCode;

use kcrypto::{Aead, Error, Registry};
use zeroize::Zeroizing;

use crate::args::{Data, Seal};
use crate::ccm;
use crate::failure::Failure;
use crate::progress::Bytes;
use crate::sink::Sink;
use crate::source::{Measured, PIECE, Source};
use crate::tfm;

/// Encrypts a message; the output is the ciphertext followed by the tag.
pub(crate) fn seal(registry: &Registry, args: &Seal) -> Result<ExitCode, Failure> {
    let (tfm, iv) = transform(registry, args)?;
    let (mut aad, mut text) = input(args)?;
    let mut sealer = tfm.sealer(&iv, aad.left(), text.left())?;
    let mut sink = Sink::create(args.output.as_deref())?;
    let mut progress = Bytes::new(Some(text.left()));
    let mut out = Zeroizing::new(vec![0; 2 * PIECE]);
    aad.pieces(aad.left(), |piece| Ok(sealer.aad(piece)?))?;
    text.pieces(text.left(), |piece| {
        let done = sealer.update(piece, &mut out)?;
        progress.add(piece.len());
        sink.write(&out[..done])
    })?;
    text.end()?;
    let mut tag = vec![0; tfm.tag_size()];
    let done = sealer.finish(&mut out, &mut tag)?;
    sink.write(&out[..done])?;
    sink.write(&tag)?;
    progress.finish();
    sink.commit()?;
    Ok(ExitCode::SUCCESS)
}

/// Decrypts what `seal` wrote; no byte leaves before the tag has verified.
pub(crate) fn open(registry: &Registry, args: &Seal) -> Result<ExitCode, Failure> {
    let (tfm, iv) = transform(registry, args)?;
    let (mut aad, mut sealed) = input(args)?;
    let Some(len) = sealed.left().checked_sub(tfm.tag_size() as u64) else {
        return Err(Failure::refused(format!(
            "input of {} bytes; it must end with a tag of {} bytes",
            sealed.left(),
            tfm.tag_size()
        )));
    };
    let mut opener = tfm.opener(&iv, aad.left(), len)?;
    let mut sink = Sink::create_held(args.output.as_deref())?;
    let mut progress = Bytes::new(Some(len));
    let mut out = Zeroizing::new(vec![0; 2 * PIECE]);
    aad.pieces(aad.left(), |piece| Ok(opener.aad(piece)?))?;
    sealed.pieces(len, |piece| {
        let text = opener.update(piece, &mut out)?;
        progress.add(piece.len());
        sink.write(text.as_unverified_bytes())
    })?;
    let mut tag = vec![0; tfm.tag_size()];
    sealed.exact(&mut tag)?;
    sealed.end()?;
    let done = opener.finish(&mut out, &tag)?;
    sink.write(&out[..done])?;
    progress.finish();
    sink.commit()?;
    Ok(ExitCode::SUCCESS)
}

/// The keyed transform and the IV for it.
fn transform(registry: &Registry, args: &Seal) -> Result<(Aead, Vec<u8>), Failure> {
    let mut tfm: Aead = tfm::allocate(registry, &args.name)?;
    if let Some(len) = args.tag_len {
        tfm.set_tag_size(len)?;
    }
    let iv = iv(&tfm, args)?;
    args.key.set(&mut tfm)?;
    Ok((tfm, iv))
}

/// The IV for the nonce that was given.
fn iv(tfm: &Aead, args: &Seal) -> Result<Vec<u8>, Failure> {
    let (alg, size) = (tfm.alg(), tfm.iv_size());
    let nonce = match &args.nonce {
        Some(nonce) => &nonce.0,
        None if size == 0 => return Ok(Vec::new()),
        None if ccm::takes_block(alg) => {
            return Err(Failure::usage(format!(
                "{} takes a nonce of {CCM}: give it to --nonce in hex",
                alg.name
            )));
        }
        None => {
            return Err(Failure::usage(format!(
                "{} takes a nonce of {size} bytes: give --nonce with {} hex digits",
                alg.name,
                2 * size
            )));
        }
    };
    match ccm::block(nonce) {
        _ if nonce.len() == size => Ok(nonce.clone()),
        Some(block) if ccm::takes_block(alg) => Ok(block.to_vec()),
        _ if ccm::takes_block(alg) => {
            Err(Failure::refused(format!("nonce of {} bytes; {} takes {CCM}", nonce.len(), alg.name)))
        }
        _ => Err(Error::BadIvLen { len: nonce.len(), want: size }.into()),
    }
}

/// The nonces of CCM.
const CCM: &str = "7 to 13 bytes, or the 16 bytes that hold it in the kernel's form";

/// Associated data and input, both of known length.
fn input(args: &Seal) -> Result<(Measured, Measured), Failure> {
    let aad = match &args.aad {
        None => Measured::bytes(Vec::new()),
        Some(Data::Bytes(bytes)) => Measured::bytes(bytes.clone()),
        Some(Data::File(path)) if path.as_os_str() == "-" && is_stdin(args) => {
            return Err(Failure::usage(
                "--aad @- and the input are both standard input: give one of them a file",
            ));
        }
        Some(Data::File(path)) => Source::open(Some(path))?.measured()?,
    };
    Ok((aad, Source::open(args.input.as_deref())?.measured()?))
}

fn is_stdin(args: &Seal) -> bool {
    args.input.as_ref().is_none_or(|path| path.as_os_str() == "-")
}
