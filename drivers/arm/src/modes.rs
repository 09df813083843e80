//! The fused modes: each is the template's code over this crate's ciphers.

use alloc::boxed::Box;

use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, KeySizes, Length, Make, SkcipherAlg, SkcipherDriver};
use kcrypto_templates::cbc::Cbc;
use kcrypto_templates::ctr::Ctr;
use kcrypto_templates::cts::Cts;
use kcrypto_templates::ecb::Ecb;
use kcrypto_templates::xts::Xts;

use crate::aes::AesArm;
use crate::ce::Ce;
use crate::neon::Lookup;
use crate::vector::BLOCK;
use crate::way::Way;

/// With the AES extension.
pub(crate) const ECB_CE: Alg = ecb::<Ce>("ecb-aes-ce");

#[linkme::distributed_slice(ALGS)]
static ECB_CE_LINK: Alg = ECB_CE;

/// With the AES extension.
pub(crate) const CBC_CE: Alg = cbc::<Ce>("cbc-aes-ce");

#[linkme::distributed_slice(ALGS)]
static CBC_CE_LINK: Alg = CBC_CE;

/// With the AES extension.
pub(crate) const CTR_CE: Alg = ctr::<Ce>("ctr-aes-ce");

#[linkme::distributed_slice(ALGS)]
static CTR_CE_LINK: Alg = CTR_CE;

/// With the AES extension.
pub(crate) const CTS_CBC_CE: Alg = cts_cbc::<Ce>("cts-cbc-aes-ce");

#[linkme::distributed_slice(ALGS)]
static CTS_CBC_CE_LINK: Alg = CTS_CBC_CE;

/// With the AES extension.
pub(crate) const XTS_CE: Alg = xts::<Ce>("xts-aes-ce");

#[linkme::distributed_slice(ALGS)]
static XTS_CE_LINK: Alg = XTS_CE;

/// Without it.
pub(crate) const ECB_NEON: Alg = ecb::<Lookup>("ecb-aes-neon");

#[linkme::distributed_slice(ALGS)]
static ECB_NEON_LINK: Alg = ECB_NEON;

/// Without it.
pub(crate) const CBC_NEON: Alg = cbc::<Lookup>("cbc-aes-neon");

#[linkme::distributed_slice(ALGS)]
static CBC_NEON_LINK: Alg = CBC_NEON;

/// Without it.
pub(crate) const CTR_NEON: Alg = ctr::<Lookup>("ctr-aes-neon");

#[linkme::distributed_slice(ALGS)]
static CTR_NEON_LINK: Alg = CTR_NEON;

/// Without it.
pub(crate) const CTS_CBC_NEON: Alg = cts_cbc::<Lookup>("cts-cbc-aes-neon");

#[linkme::distributed_slice(ALGS)]
static CTS_CBC_NEON_LINK: Alg = CTS_CBC_NEON;

/// Without it.
pub(crate) const XTS_NEON: Alg = xts::<Lookup>("xts-aes-neon");

#[linkme::distributed_slice(ALGS)]
static XTS_NEON_LINK: Alg = XTS_NEON;

/// Limits that the modes here share: whole blocks, one block of IV, which is the state.
const fn limits(make: Make<dyn SkcipherDriver>) -> SkcipherAlg {
    SkcipherAlg {
        block_size: BLOCK,
        iv_size: BLOCK,
        chunk_size: BLOCK,
        walk_size: BLOCK,
        tail: 0,
        length: Length::blocks(BLOCK),
        keys: KeySizes::AES,
        state_size: BLOCK,
        make,
    }
}

/// A driver of this file.
const fn driver<W: Way>(name: &'static str, driver_name: &'static str, limits: SkcipherAlg) -> Alg {
    Alg::skcipher(name, driver_name, limits)
        .with_priority(W::PRIORITY)
        .with_cpu(W::FEATURES, W::require)
        .with_module(W::MODULE)
}

/// Each block on its own.
const fn ecb<W: Way>(driver_name: &'static str) -> Alg {
    let mut limits = limits(Make::Static(|| Box::new(Ecb::over(Box::new(AesArm::<W>::new())))));
    limits.iv_size = 0;
    limits.state_size = 0;
    driver::<W>("ecb(aes)", driver_name, limits)
}

/// Chained blocks.
const fn cbc<W: Way>(driver_name: &'static str) -> Alg {
    let limits = limits(Make::Static(|| Box::new(Cbc::fused(AesArm::<W>::new()))));
    driver::<W>("cbc(aes)", driver_name, limits)
}

/// A key stream.
const fn ctr<W: Way>(driver_name: &'static str) -> Alg {
    let mut limits = limits(Make::Static(|| Box::new(Ctr::over(Box::new(AesArm::<W>::new())))));
    limits.block_size = 1;
    limits.length = Length::ANY;
    driver::<W>("ctr(aes)", driver_name, limits)
}

/// Chained blocks of any length.
const fn cts_cbc<W: Way>(driver_name: &'static str) -> Alg {
    let mut limits = limits(Make::Static(|| Box::new(Cts::fused(AesArm::<W>::new()))));
    limits.tail = BLOCK + 1;
    limits.length = Length::at_least(BLOCK);
    driver::<W>("cts(cbc(aes))", driver_name, limits)
}

/// Sectors.
const fn xts<W: Way>(driver_name: &'static str) -> Alg {
    let make: Make<dyn SkcipherDriver> =
        Make::Static(|| Box::new(Xts::fused(AesArm::<W>::new(), AesArm::<W>::new())));
    let mut limits = limits(make);
    limits.tail = BLOCK;
    limits.length = Length::at_least(BLOCK);
    limits.keys = KeySizes { min: 32, max: 64, step: 16 };
    limits.state_size = 2 * BLOCK;
    driver::<W>("xts(aes)", driver_name, limits)
}
