//! OpenSSL, AWS-LC and RustCrypto as ChaCha20-Poly1305, keyed once: text to ciphertext and tag, without
//! associated data.

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use chacha20poly1305::aead::AeadInPlace;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};

use crate::lineup::Entrant;

/// Tag in bytes.
const TAG: usize = 16;
/// The nonce of every message.
pub const NONCE: [u8; 12] = [7; 12];

/// OpenSSL through EVP: set the nonce, process, end, get the tag.
pub fn openssl(key: &[u8; 32]) -> Entrant {
    use openssl_sys as ssl;
    // SAFETY: the name ends with NUL; no library context means the default one. The cipher is never freed.
    let cipher = unsafe { ssl::EVP_CIPHER_fetch(null_mut(), c"ChaCha20-Poly1305".as_ptr(), null()) };
    assert!(!cipher.is_null(), "no such cipher");
    // SAFETY: it takes nothing. The context is never freed.
    let ctx = unsafe { ssl::EVP_CIPHER_CTX_new() };
    assert!(!ctx.is_null(), "no memory");
    // SAFETY: the context is live, the key has 32 bytes, the nonce 12.
    let keyed = unsafe { ssl::EVP_CipherInit_ex(ctx, cipher, null_mut(), key.as_ptr(), NONCE.as_ptr(), 1) };
    assert_eq!(keyed, 1, "it takes the key");
    Entrant::new("openssl", move |message, output| {
        let (text, tag) = output.split_at_mut(message.len());
        assert_eq!(tag.len(), TAG);
        let (mut len, mut rest): (c_int, c_int) = (0, 0);
        // SAFETY: the context is live and keyed; the nonce has 12 bytes.
        let began = unsafe { ssl::EVP_CipherInit_ex(ctx, null(), null_mut(), null(), NONCE.as_ptr(), -1) };
        // SAFETY: the context is live; source and destination have this length.
        let took = unsafe {
            ssl::EVP_CipherUpdate(ctx, text.as_mut_ptr(), &mut len, message.as_ptr(), message.len() as c_int)
        };
        // SAFETY: the context is live; a stream mode has nothing left to write.
        let ended = unsafe { ssl::EVP_CipherFinal(ctx, tag.as_mut_ptr(), &mut rest) };
        // SAFETY: the context is live; the tag has 16 bytes.
        let tagged = unsafe {
            ssl::EVP_CIPHER_CTX_ctrl(
                ctx,
                ssl::EVP_CTRL_GCM_GET_TAG,
                TAG as c_int,
                tag.as_mut_ptr().cast::<c_void>(),
            )
        };
        assert!(began == 1 && took == 1 && ended == 1 && tagged == 1 && len as usize == text.len());
    })
}

/// AWS-LC through its AEAD interface.
pub fn aws_lc(key: &[u8; 32]) -> Entrant {
    use aws_lc_sys as lc;
    // SAFETY: it takes nothing and returns a static.
    let aead = unsafe { lc::EVP_aead_chacha20_poly1305() };
    // SAFETY: the algorithm is live, the key has 32 bytes. The context is never freed.
    let ctx = unsafe { lc::EVP_AEAD_CTX_new(aead, key.as_ptr(), key.len(), TAG) };
    assert!(!ctx.is_null(), "it takes the key");
    Entrant::new("aws-lc", move |message, output| {
        let mut len = 0;
        // SAFETY: the context is live; each length is that of its slice.
        let sealed = unsafe {
            lc::EVP_AEAD_CTX_seal(
                ctx,
                output.as_mut_ptr(),
                &mut len,
                output.len(),
                NONCE.as_ptr(),
                NONCE.len(),
                message.as_ptr(),
                message.len(),
                null(),
                0,
            )
        };
        assert!(sealed == 1 && len == output.len());
    })
}

/// RustCrypto, which works in place: the message is copied first.
pub fn rustcrypto(key: &[u8; 32]) -> Entrant {
    let aead = ChaCha20Poly1305::new(key.into());
    Entrant::new("rustcrypto", move |message, output| {
        let (text, tag) = output.split_at_mut(message.len());
        text.copy_from_slice(message);
        let sealed = aead.encrypt_in_place_detached(&NONCE.into(), &[], text).expect("a short message");
        tag.copy_from_slice(&sealed);
    })
}
