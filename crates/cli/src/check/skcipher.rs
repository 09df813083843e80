//! Cases about symmetric-key ciphers.

mod misuse;
mod replay;

use kcrypto::{KindTag, Skcipher};

use super::bench::Bench;
use super::bind;
use super::exceptions::Step;
use super::expected::Expected;
use super::fields::{Fields, FormError};
use super::outcome::Outcome;
pub(crate) use misuse::{request, setkey};
use replay::Replay;

/// A case of the list `vectors`.
pub(crate) fn vector(fields: &Fields<'_>, bench: &mut Bench<'_>) -> Result<Outcome, FormError> {
    let name = fields.text("name")?;
    match fields.text("op")? {
        "enc" => {}
        "bind" => return Ok(bind::refused(name, KindTag::Skcipher, bench)),
        "setkey" => {
            let key = fields.bytes("key")?;
            return Ok(misuse::key(name, &key, fields.optional_text("errno")?, bench));
        }
        other => return Err(FormError::new(format!("op {other:?}; expected enc, setkey or bind"))),
    }
    let replay = Replay {
        key: fields.bytes("key")?,
        iv: fields.bytes("iv")?,
        input: fields.bytes("input")?,
        expected: Expected::read(fields)?,
        decrypts: fields.optional_text("dec")? == Some("ok"),
        decrypt_errno: fields.optional_text("dec_errno")?,
        iv_out: fields.optional_bytes("iv_out")?,
        decrypt_iv_out: fields.optional_bytes("dec_iv_out")?,
        offset: fields.optional_len("offset")?.unwrap_or(0),
    };
    let chunks = fields.optional_chunks("chunks")?;
    let dst_chunks = fields.optional_chunks("dst_chunks")?.or(chunks.clone());
    if [&chunks, &dst_chunks]
        .into_iter()
        .flatten()
        .any(|lens| lens.iter().sum::<usize>() != replay.input.len())
    {
        return Err(FormError::new("the chunks are not as long as the input"));
    }
    let by_piece = fields.optional_text("note")?.is_some_and(|note| note.contains("recv of each piece"));
    let pieces = fields.optional_byte_lists("piece_outputs")?;
    Ok(bench.run(name, Step::Request, replay.input.len(), |tfm: &mut Skcipher| {
        match (&chunks, &dst_chunks) {
            (Some(chunks), _) if by_piece => replay.piece_by_piece(tfm, chunks, pieces.as_deref()),
            (Some(chunks), Some(dst_chunks)) => replay.cut(tfm, chunks, dst_chunks),
            _ => replay.whole(tfm),
        }
    }))
}
