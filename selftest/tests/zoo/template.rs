//! A wrong template: what is built with it is refused over slow parts as over fast ones.

use std::sync::Arc;

use kcrypto_core::{Aad, AeadDriver, Alg, Create, Dir, Error, InOut, Kind, Make, Registry, Result, Template};
use kcrypto_selftest::Mode;
use kcrypto_templates::ccm::CCM_BASE;

use crate::wrap::{AeadFault, aead, wrapped_aead};

/// Wrong where associated data needs the longer header.
struct LongHeader;
impl AeadFault for LongHeader {
    fn crypt(
        &self,
        right: &dyn AeadDriver,
        dir: Dir,
        iv: &[u8],
        aad: &Aad<'_>,
        io: InOut<'_>,
        tag: &mut [u8],
    ) {
        right.crypt(dir, iv, aad, io, tag);
        tag[0] ^= u8::from(aad.len() >= 0xff00);
    }
}

fn wrong(c: &mut Create<'_>) -> Result<Alg> {
    let mut alg = (CCM_BASE.create)(c)?;
    let limits = aead(&mut alg.kind);
    let inner = limits.make.clone();
    limits.make = Make::aead(move || Ok(wrapped_aead(inner.call()?, Box::new(LongHeader))));
    Ok(alg)
}

#[test]
fn a_wrong_template_is_refused_whatever_its_parts_are() {
    let templates = kcrypto_templates::ALL.iter().copied().filter(|template| template.name != CCM_BASE.name);
    let templates = templates.chain([Template { name: CCM_BASE.name, create: wrong }]);
    let registry = Registry::with(kcrypto_generic::ALGS.iter().cloned(), templates).unwrap();
    registry.set_self_test(Arc::new(Mode::Lazy));
    let error = registry.aead("ccm_base(ctr(aes-generic),cbcmac(aes-generic))").err();
    assert!(matches!(error, Some(Error::SelfTestFailed { .. })), "{error:?}");
    // The right one stands for itself.
    assert!(matches!(registry.aead("gcm(aes)").unwrap().alg().kind, Kind::Aead(_)));
}
