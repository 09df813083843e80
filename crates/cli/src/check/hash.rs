//! Cases about hashes and MACs.

mod replay;

use kcrypto::{KindTag, Shash};

use super::bench::Bench;
use super::bind;
use super::exceptions::Step;
use super::expected::Expected;
use super::fields::{Fields, FormError, generate};
use super::outcome::{Outcome, same_errno};
use super::pieces::uneven;
use replay::Replay;

/// A case of the list `vectors`.
pub(crate) fn vector(fields: &Fields<'_>, bench: &mut Bench<'_>) -> Result<Outcome, FormError> {
    let name = fields.text("name")?;
    let pieces = match fields.text("op")? {
        "digest" => None,
        "update" => Some(fields.optional_chunks("chunks")?.ok_or_else(|| FormError::new("no chunks"))?),
        "bind" => return Ok(bind::refused(name, KindTag::Shash, bench)),
        "setkey" => {
            let key = fields.bytes("key")?;
            return Ok(self::key(name, &key, fields.optional_text("errno")?, bench));
        }
        other => {
            return Err(FormError::new(format!("op {other:?}; expected digest, update, setkey or bind")));
        }
    };
    let replay = Replay {
        key: fields.optional_bytes("key")?,
        input: fields.bytes("input")?,
        expected: Expected::read(fields)?,
        offset: fields.optional_len("offset")?.unwrap_or(0),
    };
    let pieces = pieces.unwrap_or_else(|| uneven(replay.input.len()));
    if pieces.iter().sum::<usize>() != replay.input.len() {
        return Err(FormError::new("the chunks are not as long as the input"));
    }
    let bytes = replay.input.len();
    Ok(bench.run(name, Step::Request, bytes, |tfm: &mut Shash| replay.run(tfm, &pieces)))
}

/// A case of the section `setkey`.
pub(crate) fn setkey(fields: &Fields<'_>, bench: &mut Bench<'_>) -> Result<Outcome, FormError> {
    let key = match fields.optional_bytes("key")? {
        Some(key) => key,
        None => generate("key", fields.len("keylen")?),
    };
    Ok(self::key(fields.text("name")?, &key, fields.optional_text("errno")?, bench))
}

/// Sets a key; after a refusal no key is set.
fn key(name: &str, key: &[u8], errno: Option<&str>, bench: &mut Bench<'_>) -> Outcome {
    bench.run(name, Step::Setkey, key.len(), |tfm: &mut Shash| {
        let result = tfm.set_key(key);
        let refused = result.is_err();
        same_errno("the key", result, errno)?;
        if refused && tfm.needs_key() {
            let unkeyed = tfm.digest(&[0; 64], &mut vec![0; tfm.digest_size()]);
            same_errno("a digest after a refused key", unkeyed, Some("ENOKEY"))?;
        }
        Ok(())
    })
}
