//! CCM of AES under a 128-bit key as contenders: nonces of 13 bytes, tags of 16, associated data of 16.

use std::ffi::{c_int, c_void};
use std::hint::black_box;
use std::ptr::{null, null_mut};

use aws_lc_sys as lc;
use ccm::aead::{AeadInOut, KeyInit, inout::InOutBuf};
use ccm::consts::{U13, U16};
use kcrypto::{Aad, Aead, InOut, Registry};

use crate::contender::{Contender, Loops};
use crate::message::Message;

/// Bytes of key and tag.
const BLOCK: usize = 16;
const NONCE: usize = 13;
const KEY: [u8; BLOCK] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const AAD: [u8; BLOCK] = [0xad; BLOCK];

/// One keyed way to seal a message, apart.
trait Seal {
    fn seal(&mut self, nonce: &[u8; NONCE], src: &[u8], dst: &mut [u8], tag: &mut [u8; BLOCK]);
}

/// A [`Seal`] with its measuring loops compiled around it.
struct Seals<S>(S);

impl<S: Seal> Loops for Seals<S> {
    fn independent(&mut self, n: u64, message: &mut Message) {
        let nonce = nonce(message.iv);
        let (src, dst) = message.apart();
        let mut tag = [0; BLOCK];
        for _ in 0..n {
            self.0.seal(black_box(&nonce), black_box(src), black_box(&mut *dst), black_box(&mut tag));
        }
    }

    /// The nonce is the start of the tag before.
    fn dependent(&mut self, n: u64, message: &mut Message) {
        let mut tag = message.iv;
        let (src, dst) = message.apart();
        for _ in 0..n {
            self.0.seal(&nonce(tag), black_box(src), black_box(&mut *dst), &mut tag);
        }
        black_box(tag);
    }

    /// The tag shows in the first bytes of the output.
    fn once(&mut self, message: &mut Message) {
        let nonce = nonce(message.iv);
        let (src, dst) = message.apart();
        let mut tag = [0; BLOCK];
        self.0.seal(&nonce, src, dst, &mut tag);
        dst.iter_mut().zip(tag).for_each(|(byte, tag)| *byte ^= tag);
    }
}

#[inline(always)]
fn nonce(bytes: [u8; BLOCK]) -> [u8; NONCE] {
    *bytes.first_chunk().expect("a nonce is shorter")
}

fn contender(name: &str, seal: impl Seal + 'static) -> Contender {
    Contender { name: name.into(), aes_ni_only: true, shortest: 0, loops: Box::new(Seals(seal)) }
}

struct Handle(Aead);

impl Seal for Handle {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8; NONCE], src: &[u8], dst: &mut [u8], tag: &mut [u8; BLOCK]) {
        // The length of the text has two bytes.
        let mut iv = [1; BLOCK];
        iv[1..=NONCE].copy_from_slice(nonce);
        let io = InOut::apart(src, dst).expect("equal lengths");
        self.0.seal_with(&iv, &Aad::new(&[&AAD]), io, tag).expect("a good request");
    }
}

/// The driver of this name.
pub fn driver(registry: &Registry, name: &str) -> Contender {
    let mut tfm = registry.aead(name).expect("it resolves");
    tfm.set_key(&KEY).expect("a good key");
    contender(name, Handle(tfm))
}

/// Everyone else's CCM.
pub fn peers() -> Vec<Contender> {
    let cipher = ccm::Ccm::new(&KEY.into());
    vec![
        contender("openssl", OpenSsl::new()),
        contender("aws-lc", AwsLc::new()),
        Contender { aes_ni_only: false, ..contender("rustcrypto", RustCrypto(cipher)) },
    ]
}

struct RustCrypto(ccm::Ccm<aes::Aes128, U16, U13>);

impl Seal for RustCrypto {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8; NONCE], src: &[u8], dst: &mut [u8], tag: &mut [u8; BLOCK]) {
        let io = InOutBuf::new(src, dst).expect("equal lengths");
        *tag = self.0.encrypt_inout_detached(nonce.into(), &AAD, io).expect("a good request").0;
    }
}

/// A message costs a call for the nonce, one each for length, associated data, text and end, and one for the tag.
struct OpenSsl(*mut openssl_sys::EVP_CIPHER_CTX);

// Names of <openssl/evp.h>.
const EVP_CTRL_AEAD_SET_IVLEN: c_int = 0x9;
const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;
const EVP_CTRL_AEAD_SET_TAG: c_int = 0x11;

impl OpenSsl {
    fn new() -> Self {
        // SAFETY: it takes nothing.
        let ctx = unsafe { openssl_sys::EVP_CIPHER_CTX_new() };
        assert!(!ctx.is_null(), "no memory");
        // SAFETY: the name ends with NUL; no library context means the default one. The cipher is never freed.
        let cipher = unsafe { openssl_sys::EVP_CIPHER_fetch(null_mut(), c"AES-128-CCM".as_ptr(), null()) };
        assert!(!cipher.is_null(), "OpenSSL has CCM");
        let it = OpenSsl(ctx);
        // SAFETY: context and cipher are live.
        let ok = unsafe { openssl_sys::EVP_EncryptInit_ex(ctx, cipher, null_mut(), null(), null()) };
        assert_eq!(ok, 1);
        it.control(EVP_CTRL_AEAD_SET_IVLEN, NONCE, null_mut());
        it.control(EVP_CTRL_AEAD_SET_TAG, BLOCK, null_mut());
        // SAFETY: the context is live; the key has the length of the cipher.
        let ok = unsafe { openssl_sys::EVP_EncryptInit_ex(ctx, null(), null_mut(), KEY.as_ptr(), null()) };
        assert_eq!(ok, 1, "CCM takes the key");
        it
    }

    #[inline(always)]
    fn control(&self, what: c_int, len: usize, at: *mut c_void) {
        // SAFETY: the context is live; there is room for `len` bytes where something is written.
        let ok = unsafe { openssl_sys::EVP_CIPHER_CTX_ctrl(self.0, what, len as c_int, at) };
        assert_eq!(ok, 1);
    }

    /// # Safety
    /// `src` is readable and `dst` writable for `len` bytes where they are not null, and they do not overlap.
    #[inline(always)]
    unsafe fn update(&self, src: *const u8, dst: *mut u8, len: usize) {
        let mut written = 0;
        // SAFETY: the context is live; the caller's promise.
        let ok = unsafe { openssl_sys::EVP_EncryptUpdate(self.0, dst, &mut written, src, len as c_int) };
        assert_eq!(ok, 1);
    }
}

impl Seal for OpenSsl {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8; NONCE], src: &[u8], dst: &mut [u8], tag: &mut [u8; BLOCK]) {
        assert_eq!(src.len(), dst.len());
        // SAFETY: the context is live and keyed; the nonce has its length.
        let ok =
            unsafe { openssl_sys::EVP_EncryptInit_ex(self.0, null(), null_mut(), null(), nonce.as_ptr()) };
        assert_eq!(ok, 1);
        // SAFETY: without buffers it takes the length of the text.
        unsafe { self.update(null(), null_mut(), src.len()) };
        // SAFETY: without an output it takes associated data, of this length.
        unsafe { self.update(AAD.as_ptr(), null_mut(), AAD.len()) };
        // SAFETY: both have this length, and references to them exclude overlap.
        unsafe { self.update(src.as_ptr(), dst.as_mut_ptr(), src.len()) };
        let mut written = 0;
        // SAFETY: the context is live; CCM writes nothing at the end.
        let ok = unsafe { openssl_sys::EVP_EncryptFinal_ex(self.0, tag.as_mut_ptr(), &mut written) };
        assert!(ok == 1 && written == 0);
        self.control(EVP_CTRL_AEAD_GET_TAG, BLOCK, tag.as_mut_ptr().cast());
    }
}

impl Drop for OpenSsl {
    fn drop(&mut self) {
        // SAFETY: the context is live, and not used again.
        unsafe { openssl_sys::EVP_CIPHER_CTX_free(self.0) }
    }
}

struct AwsLc(*mut lc::EVP_AEAD_CTX);

impl AwsLc {
    fn new() -> Self {
        // SAFETY: it takes nothing and returns a static. CCM as Matter uses it has a nonce of 13 and a tag of 16.
        let aead = unsafe { lc::EVP_aead_aes_128_ccm_matter() };
        // SAFETY: the AEAD is a static; the key has its length.
        let ctx = unsafe { lc::EVP_AEAD_CTX_new(aead, KEY.as_ptr(), BLOCK, BLOCK) };
        assert!(!ctx.is_null(), "CCM takes the key");
        AwsLc(ctx)
    }
}

impl Seal for AwsLc {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8; NONCE], src: &[u8], dst: &mut [u8], tag: &mut [u8; BLOCK]) {
        assert_eq!(src.len(), dst.len());
        let mut len = 0;
        // SAFETY: the context is live; every pointer comes with its length, and the output is as long as the input.
        let ok = unsafe {
            lc::EVP_AEAD_CTX_seal_scatter(
                self.0,
                dst.as_mut_ptr(),
                tag.as_mut_ptr(),
                &mut len,
                BLOCK,
                nonce.as_ptr(),
                NONCE,
                src.as_ptr(),
                src.len(),
                null(),
                0,
                AAD.as_ptr(),
                AAD.len(),
            )
        };
        assert!(ok == 1 && len == BLOCK);
    }
}

impl Drop for AwsLc {
    fn drop(&mut self) {
        // SAFETY: the context is live, and not used again.
        unsafe { lc::EVP_AEAD_CTX_free(self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::agree;
    use crate::ours;

    #[test]
    fn everyone_computes_the_same() {
        let registry = ours::registry();
        let mut contenders = peers();
        let names = ["ccm-aes-aesni", "ccm_base(ctr-aes-aesni,cbcmac(aes-aesni))"];
        contenders.extend(names.map(|name| driver(&registry, name)));
        for len in 16..200 {
            agree(&mut contenders, len);
        }
    }
}
