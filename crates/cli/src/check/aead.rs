//! Cases about AEADs.

mod misuse;
mod replay;
mod shape;

use kcrypto::{Aead, KindTag};

use super::bench::Bench;
use super::bind;
use super::exceptions::Step;
use super::expected::Expected;
use super::fields::{Fields, FormError};
use super::outcome::Outcome;
use super::pieces::uneven;
pub(crate) use misuse::{authsize, request, setkey};
use replay::{Flips, Replay};
use shape::Cuts;

/// A case of the list `vectors`.
pub(crate) fn vector(fields: &Fields<'_>, bench: &mut Bench<'_>) -> Result<Outcome, FormError> {
    let name = fields.text("name")?;
    match fields.text("op")? {
        "enc" => {}
        "setup" => return misuse::setup(fields, bench),
        "bind" => return Ok(bind::refused(name, KindTag::Aead, bench)),
        other => return Err(FormError::new(format!("op {other:?}; expected enc, setup or bind"))),
    }
    let replay = Replay {
        key: fields.bytes("key")?,
        tag_size: fields.len("authsize")?,
        iv: fields.bytes("iv")?,
        aad: fields.bytes("aad")?,
        input: fields.bytes("input")?,
        expected: Expected::read(fields)?,
        cuts: Cuts::default(),
        decrypts: fields.optional_text("dec")? == Some("ok"),
        decrypt_errno: fields.optional_text("dec_errno")?,
        flips: Flips {
            tag_end: fields.optional_text("dec_flip_tag")?,
            tag_start: fields.optional_text("dec_flip_tag0")?,
            text: fields.optional_text("dec_flip_ct")?,
            aad: fields.optional_text("dec_flip_aad")?,
        },
    };
    let cuts = Cuts {
        text: fields.optional_chunks("chunks")?.unwrap_or_else(|| uneven(replay.input.len())),
        dst: fields.optional_chunks("dst_chunks")?,
        aad: fields.optional_chunks("aad_chunks")?.unwrap_or_else(|| uneven(replay.aad.len())),
        offset: fields.optional_len("offset")?.unwrap_or(0),
    };
    if !cuts.fit(replay.aad.len(), replay.input.len()) {
        return Err(FormError::new("the chunks are not as long as the input"));
    }
    let replay = Replay { cuts, ..replay };
    let bytes = replay.input.len();
    Ok(bench.run(name, Step::Request, bytes, |tfm: &mut Aead| replay.run(tfm)))
}
