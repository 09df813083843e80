//! Good and bad keys, tag sizes and requests.

use kcrypto::{Aead, InOut};

use crate::ccm;
use crate::check::bench::Bench;
use crate::check::exceptions::Step;
use crate::check::fields::{Fields, FormError, generate};
use crate::check::outcome::{Outcome, Problem, Skip, same_errno};

/// A case of the section `setkey`: after a refusal no key is set.
pub(crate) fn setkey(fields: &Fields<'_>, bench: &mut Bench<'_>) -> Result<Outcome, FormError> {
    let key = match fields.optional_bytes("key")? {
        Some(key) => key,
        None => generate("key", fields.len("keylen")?),
    };
    let errno = fields.optional_text("errno")?;
    Ok(bench.run(fields.text("name")?, Step::Setkey, key.len(), |tfm: &mut Aead| {
        let result = tfm.set_key(&key);
        let refused = result.is_err();
        same_errno("the key", result, errno)?;
        if refused {
            let iv = vec![0; tfm.iv_size()];
            let unkeyed = tfm.seal(&iv, &[], &mut [0; 64][..], &mut vec![0; tfm.tag_size()]);
            same_errno("sealing after a refused key", unkeyed, Some("ENOKEY"))?;
        }
        Ok(())
    }))
}

/// A case of the section `authsize`: a refused tag size leaves the old one.
pub(crate) fn authsize(fields: &Fields<'_>, bench: &mut Bench<'_>) -> Result<Outcome, FormError> {
    let size = fields.number("authsize")?;
    let errno = fields.optional_text("errno")?;
    Ok(bench.run(fields.text("name")?, Step::Authsize, size, |tfm: &mut Aead| {
        let before = tfm.tag_size();
        let result = tfm.set_tag_size(size);
        let expected = if result.is_ok() { size } else { before };
        same_errno("the tag size", result, errno)?;
        if tfm.tag_size() == expected {
            Ok(())
        } else {
            Err(Problem::Wrong(format!("tag size {} after {size} was set", tfm.tag_size())))
        }
    }))
}

/// A vector whose key or tag size is refused.
pub(super) fn setup(fields: &Fields<'_>, bench: &mut Bench<'_>) -> Result<Outcome, FormError> {
    let key = fields.bytes("key")?;
    let size = fields.len("authsize")?;
    let errno = fields.optional_text("errno")?;
    Ok(bench.run(fields.text("name")?, Step::Authsize, size, |tfm: &mut Aead| {
        let result = tfm.set_key(&key).and_then(|()| tfm.set_tag_size(size));
        same_errno("the key or the tag size", result, errno)
    }))
}

/// A case of the section `request`. Its length counts the associated data, and when opening the tag as well.
pub(crate) fn request(fields: &Fields<'_>, bench: &mut Bench<'_>) -> Result<Outcome, FormError> {
    let name = fields.text("name")?;
    let sealing = match fields.text("op")? {
        "enc" => true,
        "dec" => false,
        other => return Err(FormError::new(format!("op {other:?}; expected enc or dec"))),
    };
    let key = fields.optional_len("keylen")?.map(|len| generate("key", len));
    let tag_size = fields.optional_len("authsize")?;
    let input = generate("input", fields.len("len")?);
    let aad_len = fields.optional_number("assoclen")?.unwrap_or(0);
    let note = fields.optional_text("note")?.unwrap_or_default();
    if let Some(what) = about_sockets(note) {
        return Ok(Skip::socket(what));
    }
    let Some((aad, message)) = input.split_at_checked(aad_len) else {
        return Ok(Skip::socket("an AAD length beyond the data"));
    };
    let iv = generate("iv", fields.len("ivlen")?);
    // The first byte of CCM's block says how long its length field is; random bytes seldom do.
    let length_field = match note.strip_prefix("ccm iv[0]=") {
        None => 3,
        Some(rest) => {
            let digits = rest.split(',').next().unwrap_or_default();
            digits.parse().map_err(|_| FormError::new(format!("note {note:?}; expected a first byte")))?
        }
    };
    let errno = fields.optional_text("errno")?;
    let returned = fields.optional_len("returned")?;
    let text = if sealing { message.len() } else { message.len().saturating_sub(tag_size.unwrap_or(0)) };
    Ok(bench.run(name, Step::Request, text, |tfm: &mut Aead| {
        if let Some(key) = &key {
            tfm.set_key(key).map_err(Problem::refused("the key"))?;
        }
        if let Some(size) = tag_size {
            tfm.set_tag_size(size).map_err(Problem::refused("the tag size"))?;
        }
        let mut iv = iv.clone();
        if ccm::takes_block(tfm.alg())
            && let Some(first) = iv.first_mut()
        {
            *first = length_field;
        }
        let (apart, in_place, len) = if sealing {
            let mut buf = vec![0; message.len() + tfm.tag_size()];
            let (to, tag) = buf.split_at_mut(message.len());
            let apart = InOut::apart(message, to).and_then(|io| tfm.seal(&iv, aad, io, tag));
            buf[..message.len()].copy_from_slice(message);
            (apart, tfm.seal_appended(&iv, aad, &mut buf), aad_len + buf.len())
        } else {
            let mut buf = message.to_vec();
            let in_place = tfm.open_appended(&iv, aad, &mut buf).map(drop);
            let len = message.len().saturating_sub(tfm.tag_size());
            let (from, tag) = message.split_at(len);
            let mut to = vec![0; len];
            let apart = InOut::apart(from, &mut to).and_then(|io| tfm.open(&iv, aad, io, tag));
            (apart, in_place, aad_len + len)
        };
        same_errno("the request apart", apart, errno)?;
        same_errno("the request in place", in_place, errno)?;
        match returned {
            Some(returned) if returned != len => {
                Err(Problem::Wrong(format!("gives {len} bytes; expected {returned}")))
            }
            _ => Ok(()),
        }
    }))
}

/// What the case is about if it is not the algorithm.
fn about_sockets(note: &str) -> Option<&'static str> {
    match note {
        note if note.starts_with("no iv given") => Some("a missing IV, which counts as zeros"),
        note if note.starts_with("recv buffer") => Some("receive buffers that are too short"),
        note if note.starts_with("assoclen") => Some("an AAD length beyond the data"),
        note if note.starts_with("op ") => Some("unknown operation numbers"),
        _ => None,
    }
}
