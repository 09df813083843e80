//! Drivers inside of what is built over them: with generic partners they give what generic ones give.
//!
//! Some faults show only there, such as those of a hash whose running state lies at an odd address.

use kcrypto_core::{Alg, Kind, KindTag, Reference, Subject};

use crate::failure::{Check, Failure};
use crate::mode::Effort;
use crate::tally::Tally;
use crate::{aead, shash, skcipher};

/// A composition that a subject is a part of.
struct Consumer {
    /// Its name with the subject's driver name in it.
    spelled: String,
    /// Its generic name.
    name: String,
    kind: KindTag,
}

/// A composition with the subject in it, and the reference of its name.
pub(crate) struct Pair {
    pub(crate) spelled: String,
    pub(crate) subject: Reference,
    pub(crate) model: Reference,
}

/// Tests a subject inside of everything that is known to be built over it, as far as there are templates and
/// partners for it.
pub(crate) fn test(subject: &Subject<'_>, effort: Effort, tally: &Tally<'_>) -> Check {
    tally.enter("consumers");
    for Consumer { spelled, name, kind } in consumers(subject.alg()) {
        let (Ok(inside), Ok(model)) = (subject.inside(&spelled, kind), subject.reference_of(&name, kind))
        else {
            continue;
        };
        if *inside.alg().driver_name == *model.alg().driver_name {
            continue;
        }
        let pair = Pair { spelled, subject: inside, model };
        let result = match kind {
            KindTag::Aead => aead::inside::compare(&pair, effort, tally),
            KindTag::Shash => shash::inside::compare(&pair, effort, tally),
            _ => skcipher::inside::compare(&pair, effort, tally),
        };
        if let Err(failure) = result {
            judge(&pair, failure, tally)?;
        }
    }
    Ok(())
}

/// If the reference does not give the known answers itself, it is to blame.
fn judge(pair: &Pair, failure: Failure, tally: &Tally<'_>) -> Check {
    let model = &pair.model;
    let own = Tally::new(model.alg());
    let right = match &model.alg().kind {
        Kind::Aead(limits) => {
            model.aead().is_ok_and(|mut tfm| aead::is_right(&own, limits.chunk_size, &mut tfm))
        }
        Kind::Shash(_) => model.shash().is_ok_and(|mut tfm| shash::is_right(&own, &mut tfm)),
        _ => model.skcipher().is_ok_and(|mut tfm| skcipher::is_right(&own, &mut tfm)),
    };
    if right {
        return Err(failure);
    }
    tally.skip_wrong_reference(model.alg());
    Ok(())
}

fn consumers(alg: &Alg) -> Vec<Consumer> {
    let driver = &alg.driver_name;
    let consumer = |kind, spelled: String, name: String| Consumer { spelled, name, kind };
    let of = |mode: &str| {
        let inner = alg.name.strip_prefix(mode)?.strip_prefix('(')?.strip_suffix(')')?;
        (!inner.contains(['(', ','])).then_some(inner)
    };
    let mut found = Vec::new();
    match alg.kind.tag() {
        KindTag::Cipher => {
            found.push(consumer(KindTag::Shash, format!("cmac({driver})"), format!("cmac({})", alg.name)));
        }
        KindTag::Skcipher => {
            if let Some(cipher) = of("ctr") {
                let ccm = format!("ccm_base({driver},cbcmac({cipher}-generic))");
                found.push(consumer(KindTag::Aead, ccm, format!("ccm({cipher})")));
                let gcm = format!("gcm_base({driver},ghash-generic)");
                found.push(consumer(KindTag::Aead, gcm, format!("gcm({cipher})")));
            }
            if of("cbc").is_some() {
                let cts = format!("cts({driver})");
                found.push(consumer(KindTag::Skcipher, cts, format!("cts({})", alg.name)));
            }
            if let Some(cipher) = of("cbc") {
                found.push(consumer(KindTag::Shash, format!("cmac({driver})"), format!("cmac({cipher})")));
            }
            if let Some(cipher) = of("ecb") {
                found.push(consumer(KindTag::Skcipher, format!("xts({driver})"), format!("xts({cipher})")));
            }
            if alg.name == "chacha20" {
                let sealed = format!("rfc7539({driver},poly1305-generic)");
                found.push(consumer(KindTag::Aead, sealed, "rfc7539(chacha20,poly1305)".into()));
            }
        }
        KindTag::Shash => {
            if let Some(cipher) = of("cbcmac") {
                let ccm = format!("ccm_base(ctr({cipher}-generic),{driver})");
                found.push(consumer(KindTag::Aead, ccm, format!("ccm({cipher})")));
            }
            match alg.name.as_ref() {
                "ghash" => {
                    let gcm = format!("gcm_base(ctr(aes-generic),{driver})");
                    found.push(consumer(KindTag::Aead, gcm, "gcm(aes)".into()));
                }
                "poly1305" => {
                    let sealed = format!("rfc7539(chacha20-generic,{driver})");
                    found.push(consumer(KindTag::Aead, sealed, "rfc7539(chacha20,poly1305)".into()));
                }
                _ => {}
            }
        }
        _ => {}
    }
    found
}
