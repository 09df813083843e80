//! Long associated data of compositions, sealed over a cipher that costs little in the place of their own.
//!
//! What long associated data takes, another form of its length, is the template's work, and the same over every
//! cipher; 64 KiB through a portable AES, block after block, would cost more than all other checks.

use kcrypto_core::{Alg, Dir, KindTag, Origin};

use crate::aead::known::LONG;
use crate::aead::{Cutting, Trial};
use crate::failure::Check;
use crate::vector::{Answer, Vector};
use crate::vectors::{self, File};

/// A cipher with blocks as large as those of AES.
const CHEAP: &str = "speck128";

impl Trial<'_> {
    /// Whether the subject is a composition, and the same one over the cheap cipher gives the known answers for
    /// long associated data. If not, the subject has to answer for itself.
    pub(super) fn stand_in_is_right(&mut self) -> bool {
        let Some((spelled, name)) = stand_in(self.tally.alg) else { return false };
        let Some(file) = vectors::find(KindTag::Aead, &name) else { return false };
        self.seals_long(&spelled, file).is_ok_and(|checks| checks > 0)
    }

    /// Runs the long vectors that are marked; says how many there are.
    fn seals_long(&mut self, spelled: &str, file: &'static File) -> Check<usize> {
        let made = |why| self.tally.unmade(&why);
        let mut tfm = self.subject.inside(spelled, KindTag::Aead).and_then(|it| it.aead()).map_err(made)?;
        let vectors = self.tally.read(file)?;
        let long = |vector: &&Vector| vector.boot && vector.aad.len() > LONG;
        for (nth, vector) in vectors.iter().filter(long).enumerate() {
            let Answer::Sealed { ctext, tag } = &vector.answer else { continue };
            let origin = vector.origin(file, nth);
            let site = self.tally.site(Dir::Encrypt, &origin, &spelled);
            site.set_key(tfm.set_key(vector.key()), Ok(()))?;
            site.result(tfm.set_tag_size(tag.len()), Ok(()))?;
            let [seal, _] = vector.sealed_cases(ctext, tag, &origin);
            let [in_place, ..] = Cutting { aad: vector.aad.len(), text: ctext.len(), chunk: 16 }.plain();
            self.bench.check(self.tally, &tfm, &seal, &in_place)?;
        }
        Ok(vectors.iter().filter(long).count())
    }
}

/// How a composition is spelled over the cheap cipher, and what its generic name is there.
fn stand_in(alg: &Alg) -> Option<(String, String)> {
    let Origin::Instance { children, .. } = &alg.origin else { return None };
    let (template, _) = alg.driver_name.split_once('(')?;
    let (_, cipher) = alg.name.strip_suffix(')')?.split_once('(')?;
    let over = |name: &str, leaf: &str| name.replace(&format!("({cipher})"), &format!("({leaf})"));
    let parts: Vec<_> = children.iter().map(|part| over(&part.name, &format!("{CHEAP}-generic"))).collect();
    Some((format!("{template}({})", parts.join(",")), over(&alg.name, CHEAP)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kcrypto_core::{Registry, Want};

    #[test]
    fn spelled_over_the_cheap_cipher() {
        let algs = kcrypto_generic::ALGS.iter().cloned();
        let registry = Registry::with(algs, kcrypto_templates::ALL.iter().copied()).unwrap();
        let alg = |name: &str| registry.resolve(name, Want::new(KindTag::Aead)).unwrap().alg;
        let spelled = "ccm_base(ctr(speck128-generic),cbcmac(speck128-generic))";
        for name in ["ccm(aes)", "ccm_base(ctr(aes-generic),cbcmac(aes-generic))"] {
            assert_eq!(stand_in(&alg(name)), Some((spelled.into(), "ccm(speck128)".into())), "{name}");
        }
    }
}
