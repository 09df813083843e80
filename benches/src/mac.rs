//! MACs of AES under a 128-bit key as contenders: kcrypto's through the public handle, and their peers with reused
//! contexts and key schedules.

use std::ffi::{CString, c_int};
use std::hint::black_box;
use std::ptr::{null, null_mut};

use aes::cipher::KeyInit;
use aws_lc_sys as lc;
use cmac::Mac as _;
use kcrypto::{Registry, Shash};

use crate::contender::{Contender, Loops};
use crate::message::Message;
use crate::peers::Param;

/// Bytes of key and digest.
const BLOCK: usize = 16;
/// The key: bytes that count up.
const KEY: [u8; BLOCK] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

/// One keyed way to authenticate a message.
trait Mac {
    fn digest(&mut self, message: &[u8], digest: &mut [u8; BLOCK]);
}

/// A [`Mac`] with its measuring loops compiled around it.
struct Digests<M>(M);

impl<M: Mac> Loops for Digests<M> {
    fn independent(&mut self, n: u64, message: &mut Message) {
        let (src, _) = message.apart();
        let mut digest = [0; BLOCK];
        for _ in 0..n {
            self.0.digest(black_box(src), black_box(&mut digest));
        }
    }

    /// The first bytes of a message are the digest of the one before.
    fn dependent(&mut self, n: u64, message: &mut Message) {
        let buf = message.in_place();
        let len = buf.len().min(BLOCK);
        let mut digest = [0; BLOCK];
        for _ in 0..n {
            buf[..len].copy_from_slice(&digest[..len]);
            self.0.digest(black_box(buf), &mut digest);
        }
        black_box(digest);
    }

    /// Leaves the digest at the start of the output.
    fn once(&mut self, message: &mut Message) {
        let (src, dst) = message.apart();
        let mut digest = [0; BLOCK];
        self.0.digest(src, &mut digest);
        let len = dst.len().min(BLOCK);
        dst[..len].copy_from_slice(&digest[..len]);
    }
}

fn contender(name: &str, mac: impl Mac + 'static) -> Contender {
    Contender { name: name.into(), aes_ni_only: true, shortest: 0, loops: Box::new(Digests(mac)) }
}

struct Handle(Shash);

impl Mac for Handle {
    #[inline(always)]
    fn digest(&mut self, message: &[u8], digest: &mut [u8; BLOCK]) {
        self.0.digest(message, digest).expect("a good request");
    }
}

/// The driver of this name.
pub fn driver(registry: &Registry, name: &str) -> Contender {
    let mut tfm = registry.shash(name).expect("it resolves");
    tfm.set_key(&KEY).expect("a good key");
    contender(name, Handle(tfm))
}

/// Everyone else's CMAC.
pub fn peers() -> Vec<Contender> {
    let key = KEY.into();
    vec![
        contender("openssl", OpenSsl::new()),
        contender("aws-lc", AwsLc::new()),
        Contender { aes_ni_only: false, ..contender("rustcrypto", RustCrypto(cmac::Cmac::new(&key))) },
    ]
}

struct RustCrypto(cmac::Cmac<aes::Aes128>);

impl Mac for RustCrypto {
    #[inline(always)]
    fn digest(&mut self, message: &[u8], digest: &mut [u8; BLOCK]) {
        self.0.update(message);
        *digest = self.0.finalize_reset().into_bytes().0;
    }
}

/// A message costs a call to start, one to process and one to end.
struct OpenSsl(*mut openssl_sys::EVP_MAC_CTX);

impl OpenSsl {
    fn new() -> Self {
        // SAFETY: the name ends with NUL; no library context means the default one. The MAC is never freed.
        let mac = unsafe { openssl_sys::EVP_MAC_fetch(null_mut(), c"CMAC".as_ptr(), null()) };
        assert!(!mac.is_null(), "OpenSSL has CMAC");
        // SAFETY: the MAC is live.
        let ctx = unsafe { openssl_sys::EVP_MAC_CTX_new(mac) };
        assert!(!ctx.is_null(), "no memory");
        let cipher = CString::new("AES-128-CBC").expect("no NUL");
        let params = [Param::string(c"cipher", &cipher), Param::END];
        // SAFETY: the context is live; the key has its length; the list ends with a parameter without key.
        let ok = unsafe { openssl_sys::EVP_MAC_init(ctx, KEY.as_ptr(), BLOCK, params.as_ptr().cast()) };
        assert_eq!(ok, 1, "CMAC takes the key");
        OpenSsl(ctx)
    }
}

impl Mac for OpenSsl {
    #[inline(always)]
    fn digest(&mut self, message: &[u8], digest: &mut [u8; BLOCK]) {
        // SAFETY: the context is live; without a key it starts again under the one it has.
        let started = unsafe { openssl_sys::EVP_MAC_init(self.0, null(), 0, null()) };
        // SAFETY: the context is live; the message has this length.
        let taken = unsafe { openssl_sys::EVP_MAC_update(self.0, message.as_ptr(), message.len()) };
        let mut len = 0;
        // SAFETY: the context is live; the digest has room for 16 bytes.
        let ended = unsafe { openssl_sys::EVP_MAC_final(self.0, digest.as_mut_ptr(), &mut len, BLOCK) };
        assert!((started, taken, ended) == (1, 1, 1) && len == BLOCK);
    }
}

impl Drop for OpenSsl {
    fn drop(&mut self) {
        // SAFETY: the context is live, and not used again.
        unsafe { openssl_sys::EVP_MAC_CTX_free(self.0) }
    }
}

struct AwsLc(*mut lc::CMAC_CTX);

impl AwsLc {
    fn new() -> Self {
        // SAFETY: it takes nothing.
        let ctx = unsafe { lc::CMAC_CTX_new() };
        assert!(!ctx.is_null(), "no memory");
        // SAFETY: it takes nothing and returns a static.
        let cipher = unsafe { lc::EVP_aes_128_cbc() };
        // SAFETY: the context is live; the key has the length of the cipher.
        let ok = unsafe { lc::CMAC_Init(ctx, KEY.as_ptr().cast(), BLOCK, cipher, null_mut()) };
        assert_eq!(ok, 1, "CMAC takes the key");
        AwsLc(ctx)
    }
}

impl Mac for AwsLc {
    #[inline(always)]
    fn digest(&mut self, message: &[u8], digest: &mut [u8; BLOCK]) {
        // SAFETY: the context is live and keyed.
        let started: c_int = unsafe { lc::CMAC_Reset(self.0) };
        // SAFETY: the context is live; the message has this length.
        let taken = unsafe { lc::CMAC_Update(self.0, message.as_ptr(), message.len()) };
        let mut len = 0;
        // SAFETY: the context is live; the digest has room for 16 bytes.
        let ended = unsafe { lc::CMAC_Final(self.0, digest.as_mut_ptr(), &mut len) };
        assert!((started, taken, ended) == (1, 1, 1) && len == BLOCK);
    }
}

impl Drop for AwsLc {
    fn drop(&mut self) {
        // SAFETY: the context is live, and not used again.
        unsafe { lc::CMAC_CTX_free(self.0) }
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
        contenders.extend(["cmac-aes-aesni", "cmac(aes-aesni)"].map(|name| driver(&registry, name)));
        for len in 16..200 {
            agree(&mut contenders, len);
        }
    }
}
