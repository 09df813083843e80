//! The fused MACs of AES-NI, and CCM: each is the template's code over this crate's cipher.
//!
//! A MAC's blocks wait for each other, forty cycles each under a 128-bit key, so that what is to be saved is
//! everything around them: the message stays where it is, and subkeys and padding are in registers by the time
//! the chain needs them. CCM takes a block of its key stream through the rounds together with each block of the
//! chain, which alone leaves the AES unit idle most of the time: a block costs a fortieth more than in the chain.

use alloc::boxed::Box;

use kcrypto_core::link::ALGS;
use kcrypto_core::{Alg, KeySizes, Make, ShashAlg};
use kcrypto_simd::x86::AesNi;
use kcrypto_templates::cbcmac::CbcMac;
use kcrypto_templates::ccm::{self, Ccm};
use kcrypto_templates::cmac::{self, Cmac};
use kcrypto_templates::xcbc::Xcbc;

use crate::aes::AesAesni;
use crate::xmm::BLOCK;

/// What the drivers here have in common.
const fn driver(alg: Alg) -> Alg {
    alg.with_priority(400).with_cpu(AesNi::FEATURES, AesNi::require).with_module("aesni")
}

/// The chain of CCM.
pub(crate) const CBCMAC: Alg = driver(Alg::shash(
    "cbcmac(aes)",
    "cbcmac-aes-aesni",
    ShashAlg {
        block_size: BLOCK,
        digest_size: BLOCK,
        state_size: BLOCK,
        keys: Some(KeySizes::AES),
        keeps_full_block: false,
        make: Make::Static(|| Box::new(CbcMac::fused(AesAesni::new()))),
    },
));

#[linkme::distributed_slice(ALGS)]
static CBCMAC_LINK: Alg = CBCMAC;

/// SP 800-38B.
pub(crate) const CMAC: Alg = driver(Alg::shash(
    "cmac(aes)",
    "cmac-aes-aesni",
    cmac::limits(BLOCK, KeySizes::AES, Make::Static(|| Box::new(Cmac::fused(AesAesni::new())))),
));

#[linkme::distributed_slice(ALGS)]
static CMAC_LINK: Alg = CMAC;

/// RFC 3566.
pub(crate) const XCBC: Alg = driver(Alg::shash(
    "xcbc(aes)",
    "xcbc-aes-aesni",
    cmac::limits(BLOCK, KeySizes::AES, Make::Static(|| Box::new(Xcbc::fused(AesAesni::new())))),
));

#[linkme::distributed_slice(ALGS)]
static XCBC_LINK: Alg = XCBC;

/// RFC 3610.
pub(crate) const CCM: Alg = driver(Alg::aead(
    "ccm(aes)",
    "ccm-aes-aesni",
    ccm::limits(KeySizes::AES, BLOCK, Make::Static(|| Box::new(Ccm::fused(AesAesni::new())))),
));

#[linkme::distributed_slice(ALGS)]
static CCM_LINK: Alg = CCM;
