//! Good and bad keys and requests.

use kcrypto::{Dir, InOut, Skcipher};

use crate::check::bench::Bench;
use crate::check::exceptions::Step;
use crate::check::fields::{Fields, FormError, generate};
use crate::check::outcome::{Outcome, Problem, Skip, same_errno};

/// A case of the section `setkey`.
pub(crate) fn setkey(fields: &Fields<'_>, bench: &mut Bench<'_>) -> Result<Outcome, FormError> {
    let key = match fields.optional_bytes("key")? {
        Some(key) => key,
        None => generate("key", fields.len("keylen")?),
    };
    Ok(self::key(fields.text("name")?, &key, fields.optional_text("errno")?, bench))
}

/// Sets a key; after a refusal none is set, which matters to whatever takes one.
pub(crate) fn key(name: &str, key: &[u8], errno: Option<&str>, bench: &mut Bench<'_>) -> Outcome {
    bench.run(name, Step::Setkey, key.len(), |tfm: &mut Skcipher| {
        let result = tfm.set_key(key);
        let refused = result.is_err();
        same_errno("the key", result, errno)?;
        if refused {
            let unkeyed = tfm.encrypt(&vec![0; tfm.iv_size()], &mut vec![0; 64]);
            let expected = (tfm.key_sizes().max > 0).then_some("ENOKEY");
            same_errno("encryption after a refused key", unkeyed, expected)?;
        }
        Ok(())
    })
}

/// A case of the section `request`.
pub(crate) fn request(fields: &Fields<'_>, bench: &mut Bench<'_>) -> Result<Outcome, FormError> {
    let name = fields.text("name")?;
    let dir = match fields.text("op")? {
        "enc" => Dir::Encrypt,
        "dec" => Dir::Decrypt,
        other => return Err(FormError::new(format!("op {other:?}; expected enc or dec"))),
    };
    let key = fields.optional_len("keylen")?.map(|len| generate("key", len));
    let iv = generate("iv", fields.len("ivlen")?);
    let input = generate("input", fields.len("len")?);
    let errno = fields.optional_text("errno")?;
    let returned = fields.optional_len("returned")?;
    if let Some(what) = about_sockets(fields)? {
        return Ok(Skip::socket(what));
    }
    Ok(bench.run(name, Step::Request, input.len(), |tfm: &mut Skcipher| {
        if let Some(key) = &key {
            tfm.set_key(key).map_err(Problem::refused("the key"))?;
        }
        let mut apart = vec![0; input.len()];
        let result = InOut::apart(&input, &mut apart).and_then(|io| tfm.crypt(dir, &iv, io));
        same_errno("the request apart", result, errno)?;
        let mut in_place = input.clone();
        let result = tfm.crypt(dir, &iv, InOut::in_place(&mut in_place));
        same_errno("the request in place", result, errno)?;
        match returned {
            Some(returned) if returned != input.len() => {
                Err(Problem::Wrong(format!("gives {} bytes; expected {returned}", input.len())))
            }
            _ => Ok(()),
        }
    }))
}

/// What the case is about if it is not the algorithm.
fn about_sockets(fields: &Fields<'_>) -> Result<Option<&'static str>, FormError> {
    if fields.has("recv_buffer") {
        return Ok(Some("receive buffers that are too short"));
    }
    Ok(match fields.optional_text("note")?.unwrap_or_default() {
        note if note.starts_with("no iv given") => Some("a missing IV, which counts as zeros"),
        note if note.starts_with("ALG_SET_AEAD_ASSOCLEN") => Some("an AAD length that a cipher ignores"),
        note if note.starts_with("op ") => Some("unknown operation numbers"),
        _ => None,
    })
}
