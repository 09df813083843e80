//! The fused MACs, and CCM: each is the template's code over this crate's ciphers.
//!
//! A MAC's blocks wait for each other, so that what is to be saved is everything around them: the message stays
//! where it is, and subkeys and padding are in registers by the time the chain needs them. CCM takes a block of its
//! key stream through the rounds together with each block of the chain.

use alloc::boxed::Box;

use kcrypto_core::link::ALGS;
use kcrypto_core::{AeadDriver, Alg, KeySizes, Make, ShashAlg, ShashDriver};
use kcrypto_templates::cbcmac::CbcMac;
use kcrypto_templates::ccm::{self, Ccm};
use kcrypto_templates::cmac::{self, Cmac};
use kcrypto_templates::xcbc::Xcbc;

use crate::aes::AesArm;
use crate::ce::Ce;
use crate::neon::Lookup;
use crate::vector::BLOCK;
use crate::way::Way;

/// With the AES extension.
pub(crate) const CBCMAC_CE: Alg = cbcmac_of::<Ce>("cbcmac-aes-ce");

#[linkme::distributed_slice(ALGS)]
static CBCMAC_CE_LINK: Alg = CBCMAC_CE;

/// With the AES extension.
pub(crate) const CMAC_CE: Alg = cmac_of::<Ce>("cmac-aes-ce");

#[linkme::distributed_slice(ALGS)]
static CMAC_CE_LINK: Alg = CMAC_CE;

/// With the AES extension.
pub(crate) const XCBC_CE: Alg = xcbc_of::<Ce>("xcbc-aes-ce");

#[linkme::distributed_slice(ALGS)]
static XCBC_CE_LINK: Alg = XCBC_CE;

/// With the AES extension.
pub(crate) const CCM_CE: Alg = ccm_of::<Ce>("ccm-aes-ce");

#[linkme::distributed_slice(ALGS)]
static CCM_CE_LINK: Alg = CCM_CE;

/// Without it.
pub(crate) const CBCMAC_NEON: Alg = cbcmac_of::<Lookup>("cbcmac-aes-neon");

#[linkme::distributed_slice(ALGS)]
static CBCMAC_NEON_LINK: Alg = CBCMAC_NEON;

/// Without it.
pub(crate) const CMAC_NEON: Alg = cmac_of::<Lookup>("cmac-aes-neon");

#[linkme::distributed_slice(ALGS)]
static CMAC_NEON_LINK: Alg = CMAC_NEON;

/// Without it.
pub(crate) const XCBC_NEON: Alg = xcbc_of::<Lookup>("xcbc-aes-neon");

#[linkme::distributed_slice(ALGS)]
static XCBC_NEON_LINK: Alg = XCBC_NEON;

/// Without it.
pub(crate) const CCM_NEON: Alg = ccm_of::<Lookup>("ccm-aes-neon");

#[linkme::distributed_slice(ALGS)]
static CCM_NEON_LINK: Alg = CCM_NEON;

/// What the drivers here have in common.
const fn driver<W: Way>(alg: Alg) -> Alg {
    alg.with_priority(W::PRIORITY).with_cpu(W::FEATURES, W::require).with_module(W::MODULE)
}

/// The chain of CCM.
const fn cbcmac_of<W: Way>(driver_name: &'static str) -> Alg {
    let limits = ShashAlg {
        block_size: BLOCK,
        digest_size: BLOCK,
        state_size: BLOCK,
        keys: Some(KeySizes::AES),
        keeps_full_block: false,
        make: Make::Static(|| Box::new(CbcMac::fused(AesArm::<W>::new()))),
    };
    driver::<W>(Alg::shash("cbcmac(aes)", driver_name, limits))
}

/// SP 800-38B.
const fn cmac_of<W: Way>(driver_name: &'static str) -> Alg {
    let make: Make<dyn ShashDriver> = Make::Static(|| Box::new(Cmac::fused(AesArm::<W>::new())));
    driver::<W>(Alg::shash("cmac(aes)", driver_name, cmac::limits(BLOCK, KeySizes::AES, make)))
}

/// RFC 3566.
const fn xcbc_of<W: Way>(driver_name: &'static str) -> Alg {
    let make: Make<dyn ShashDriver> = Make::Static(|| Box::new(Xcbc::fused(AesArm::<W>::new())));
    driver::<W>(Alg::shash("xcbc(aes)", driver_name, cmac::limits(BLOCK, KeySizes::AES, make)))
}

/// RFC 3610.
const fn ccm_of<W: Way>(driver_name: &'static str) -> Alg {
    let make: Make<dyn AeadDriver> = Make::Static(|| Box::new(Ccm::fused(AesArm::<W>::new())));
    driver::<W>(Alg::aead("ccm(aes)", driver_name, ccm::limits(KeySizes::AES, BLOCK, make)))
}
