//! OpenSSL, AWS-LC and RustCrypto as hashes and as HMAC, with contexts that are made and keyed once.

use std::ffi::{CStr, c_char, c_uint, c_void};
use std::ptr::{null, null_mut};

use hmac::{Hmac, KeyInit, Mac};
use sha2::digest::FixedOutputReset;
use sha2::{Digest, Sha256};

use crate::lineup::Entrant;

unsafe extern "C" {
    fn OSSL_PARAM_construct_utf8_string(
        key: *const c_char,
        value: *mut c_char,
        size: usize,
    ) -> openssl_sys::OSSL_PARAM;
}

/// OpenSSL's digest of this name: begin, take the message, end.
pub fn openssl(name: &CStr) -> Entrant {
    use openssl_sys as ssl;
    // SAFETY: the name ends with NUL; no library context means the default one. The digest is never freed.
    let digest = unsafe { ssl::EVP_MD_fetch(null_mut(), name.as_ptr(), null()) };
    assert!(!digest.is_null(), "no such digest");
    // SAFETY: it takes nothing. The context is never freed.
    let ctx = unsafe { ssl::EVP_MD_CTX_new() };
    assert!(!ctx.is_null(), "no memory");
    Entrant::new("openssl", move |message, output| {
        let mut len: c_uint = 0;
        // SAFETY: the context is live, and so is the digest.
        let began = unsafe { ssl::EVP_DigestInit_ex(ctx, digest, null_mut()) };
        // SAFETY: the context is live; the message is readable.
        let took = unsafe { ssl::EVP_DigestUpdate(ctx, message.as_ptr().cast::<c_void>(), message.len()) };
        // SAFETY: the context is live; the output has room for the digest, as the length says afterwards.
        let ended = unsafe { ssl::EVP_DigestFinal_ex(ctx, output.as_mut_ptr(), &mut len) };
        assert!(began == 1 && took == 1 && ended == 1 && len as usize == output.len());
    })
}

/// OpenSSL's HMAC with SHA-256 through EVP_MAC: begin under the key that was set, take the message, end.
pub fn openssl_hmac(key: &[u8]) -> Entrant {
    use openssl_sys as ssl;
    // SAFETY: the name ends with NUL; no library context means the default one. The MAC is never freed.
    let mac = unsafe { ssl::EVP_MAC_fetch(null_mut(), c"HMAC".as_ptr(), null()) };
    assert!(!mac.is_null(), "OpenSSL has HMAC");
    // SAFETY: the MAC is live. The context is never freed.
    let ctx = unsafe { ssl::EVP_MAC_CTX_new(mac) };
    assert!(!ctx.is_null(), "no memory");
    let name: *mut c_char = c"SHA256".as_ptr().cast_mut();
    // SAFETY: both strings end with NUL and live as long as the program.
    let digest = unsafe { OSSL_PARAM_construct_utf8_string(c"digest".as_ptr(), name, 0) };
    // SAFETY: it takes nothing.
    let end = unsafe { ssl::OSSL_PARAM_construct_end() };
    let params = [digest, end];
    // SAFETY: the context is live, the key readable, the list ended.
    let keyed = unsafe { ssl::EVP_MAC_init(ctx, key.as_ptr(), key.len(), params.as_ptr()) };
    assert_eq!(keyed, 1, "it takes the key");
    Entrant::new("openssl", move |message, output| {
        let mut len = 0;
        // SAFETY: the context is live and keeps its key and parameters.
        let began = unsafe { ssl::EVP_MAC_init(ctx, null(), 0, null()) };
        // SAFETY: the context is live; the message is readable.
        let took = unsafe { ssl::EVP_MAC_update(ctx, message.as_ptr(), message.len()) };
        // SAFETY: the context is live; the output is writable for its length.
        let ended = unsafe { ssl::EVP_MAC_final(ctx, output.as_mut_ptr(), &mut len, output.len()) };
        assert!(began == 1 && took == 1 && ended == 1 && len == output.len());
    })
}

/// AWS-LC's SHA-256 of a message in one piece.
pub fn aws_lc_sha256() -> Entrant {
    Entrant::new("aws-lc", |message, output| {
        assert_eq!(output.len(), 32);
        // SAFETY: the message is readable, and the output has 32 bytes.
        unsafe { aws_lc_sys::SHA256(message.as_ptr(), message.len(), output.as_mut_ptr()) };
    })
}

/// AWS-LC's SHA-1 of a message in one piece.
pub fn aws_lc_sha1() -> Entrant {
    Entrant::new("aws-lc", |message, output| {
        assert_eq!(output.len(), 20);
        // SAFETY: the message is readable, and the output has 20 bytes.
        unsafe { aws_lc_sys::SHA1(message.as_ptr(), message.len(), output.as_mut_ptr()) };
    })
}

/// AWS-LC's HMAC with SHA-256 with a reused context.
pub fn aws_lc_hmac(key: &[u8]) -> Entrant {
    use aws_lc_sys as lc;
    // SAFETY: it takes nothing. The context is never freed.
    let ctx = unsafe { lc::HMAC_CTX_new() };
    assert!(!ctx.is_null(), "no memory");
    // SAFETY: it takes nothing and returns a static.
    let digest = unsafe { lc::EVP_sha256() };
    // SAFETY: the context is live, the key readable.
    let keyed = unsafe { lc::HMAC_Init_ex(ctx, key.as_ptr().cast(), key.len(), digest, null_mut()) };
    assert_eq!(keyed, 1, "it takes the key");
    Entrant::new("aws-lc", move |message, output| {
        let mut len: c_uint = 0;
        // SAFETY: the context is live and keeps its key.
        let began = unsafe { lc::HMAC_Init_ex(ctx, null(), 0, null(), null_mut()) };
        // SAFETY: the context is live; the message is readable.
        let took = unsafe { lc::HMAC_Update(ctx, message.as_ptr(), message.len()) };
        // SAFETY: the context is live; the output has room for the digest, as the length says afterwards.
        let ended = unsafe { lc::HMAC_Final(ctx, output.as_mut_ptr(), &mut len) };
        assert!(began == 1 && took == 1 && ended == 1 && len as usize == output.len());
    })
}

/// A hash of RustCrypto.
pub fn rustcrypto<D: Digest + FixedOutputReset + 'static>() -> Entrant {
    Entrant::new("rustcrypto", |message, output| output.copy_from_slice(&D::digest(message)))
}

/// RustCrypto's HMAC with SHA-256, from a clone of a keyed one.
pub fn rustcrypto_hmac(key: &[u8]) -> Entrant {
    let keyed = Hmac::<Sha256>::new_from_slice(key).expect("it takes any key");
    Entrant::new("rustcrypto", move |message, output| {
        let mut mac = keyed.clone();
        mac.update(message);
        output.copy_from_slice(&mac.finalize().into_bytes());
    })
}
