//! OpenSSL and AWS-LC. The context is made once; a message costs one call to set the IV and one to process.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

use kcrypto::Dir;

use crate::contender::{Case, Cipher, Contender, Mode};

/// OpenSSL's parameter of a context.
#[repr(C)]
pub(crate) struct Param {
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

/// `OSSL_PARAM_UTF8_STRING`
const UTF8_STRING: c_uint = 4;

impl Param {
    /// Ends a list.
    pub(crate) const END: Param =
        Param { key: null(), data_type: 0, data: null_mut(), data_size: 0, return_size: 0 };

    /// A parameter that is a string. Both are only read, and must live as long as the list.
    pub(crate) fn string(key: &'static CStr, value: &CStr) -> Self {
        Param {
            key: key.as_ptr(),
            data_type: UTF8_STRING,
            data: value.as_ptr().cast_mut().cast(),
            data_size: value.count_bytes(),
            return_size: 0,
        }
    }
}

unsafe extern "C" {
    fn EVP_CIPHER_CTX_set_params(ctx: *mut openssl_sys::EVP_CIPHER_CTX, params: *const Param) -> c_int;
}

/// A keyed context of OpenSSL or AWS-LC, whose functions have the same names and types.
macro_rules! context {
    ($name:ident, $sys:ident) => {
        struct $name {
            ctx: *mut $sys::EVP_CIPHER_CTX,
            sets_iv: bool,
        }

        impl $name {
            fn new(cipher: *const $sys::EVP_CIPHER, case: Case) -> Self {
                assert!(!cipher.is_null(), "no such cipher");
                let key = case.key();
                let enc = c_int::from(case.dir == Dir::Encrypt);
                // SAFETY: it takes nothing.
                let ctx = unsafe { $sys::EVP_CIPHER_CTX_new() };
                assert!(!ctx.is_null(), "no memory");
                // SAFETY: the context is live, the key has the length of the cipher, the IV 16 bytes.
                let ok = unsafe {
                    $sys::EVP_CipherInit_ex(ctx, cipher, null_mut(), key.as_ptr(), [0; 16].as_ptr(), enc)
                };
                assert_eq!(ok, 1, "the cipher takes the key");
                // SAFETY: the context is live.
                let ok = unsafe { $sys::EVP_CIPHER_CTX_set_padding(ctx, 0) };
                assert_eq!(ok, 1, "the cipher goes without padding");
                $name { ctx, sets_iv: case.mode != Mode::Ecb }
            }

            /// # Safety
            /// `src` is readable and `dst` writable for `len` bytes; they are equal or do not overlap.
            #[inline(always)]
            unsafe fn crypt(&mut self, iv: &[u8; 16], src: *const u8, dst: *mut u8, len: usize) {
                if self.sets_iv {
                    // SAFETY: the context is live and keyed; the IV has 16 bytes.
                    let ok = unsafe {
                        $sys::EVP_CipherInit_ex(self.ctx, null(), null_mut(), null(), iv.as_ptr(), -1)
                    };
                    assert_eq!(ok, 1);
                }
                let mut written = 0;
                // SAFETY: the context is live and keyed; without padding it writes `len` bytes.
                let ok = unsafe { $sys::EVP_CipherUpdate(self.ctx, dst, &mut written, src, len as c_int) };
                assert!(ok == 1 && written as usize == len);
            }
        }

        impl Cipher for $name {
            #[inline(always)]
            fn apart(&mut self, iv: &[u8; 16], src: &[u8], dst: &mut [u8]) {
                assert_eq!(src.len(), dst.len());
                // SAFETY: both have this length, and references to them exclude overlap.
                unsafe { self.crypt(iv, src.as_ptr(), dst.as_mut_ptr(), src.len()) }
            }

            #[inline(always)]
            fn in_place(&mut self, iv: &[u8; 16], buf: &mut [u8]) {
                let at = buf.as_mut_ptr();
                // SAFETY: it has this length.
                unsafe { self.crypt(iv, at, at, buf.len()) }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the context is live, and not used again.
                unsafe { $sys::EVP_CIPHER_CTX_free(self.ctx) }
            }
        }
    };
}

context!(OpenSsl, openssl_sys);
context!(AwsLc, aws_lc_sys);

/// OpenSSL, which has every mode. For stealing it is told the form that RFC 3962 and the kernel use.
pub fn openssl(case: Case) -> Option<Contender> {
    let mode = match case.mode {
        Mode::Ecb => "ECB",
        Mode::Cbc => "CBC",
        Mode::Ctr => "CTR",
        Mode::Xts => "XTS",
        Mode::Cts => "CBC-CTS",
    };
    if case.mode == Mode::Xts && case.bits == 192 {
        return None;
    }
    let name = CString::new(format!("AES-{}-{mode}", case.bits)).expect("no NUL");
    // SAFETY: the name ends with NUL; no library context means the default one. The cipher is never freed.
    let cipher = unsafe { openssl_sys::EVP_CIPHER_fetch(null_mut(), name.as_ptr(), null()) };
    let context = OpenSsl::new(cipher, case);
    if case.mode == Mode::Cts {
        let params = [Param::string(c"cts_mode", c"CS3"), Param::END];
        // SAFETY: the context is live; the list ends with a parameter without key, and its string is only read.
        let ok = unsafe { EVP_CIPHER_CTX_set_params(context.ctx, params.as_ptr()) };
        assert_eq!(ok, 1, "OpenSSL knows CS3");
    }
    Some(Contender::new("openssl", context))
}

/// AWS-LC, which has no stealing, no XTS with 128-bit keys.
pub fn aws_lc(case: Case) -> Option<Contender> {
    use aws_lc_sys as lc;
    let make: unsafe extern "C" fn() -> *const lc::EVP_CIPHER = match (case.mode, case.bits) {
        (Mode::Ecb, 128) => lc::EVP_aes_128_ecb,
        (Mode::Ecb, 192) => lc::EVP_aes_192_ecb,
        (Mode::Ecb, 256) => lc::EVP_aes_256_ecb,
        (Mode::Cbc, 128) => lc::EVP_aes_128_cbc,
        (Mode::Cbc, 192) => lc::EVP_aes_192_cbc,
        (Mode::Cbc, 256) => lc::EVP_aes_256_cbc,
        (Mode::Ctr, 128) => lc::EVP_aes_128_ctr,
        (Mode::Ctr, 192) => lc::EVP_aes_192_ctr,
        (Mode::Ctr, 256) => lc::EVP_aes_256_ctr,
        (Mode::Xts, 256) => lc::EVP_aes_256_xts,
        _ => return None,
    };
    // SAFETY: it takes nothing and returns a static.
    let cipher = unsafe { make() };
    Some(Contender::new("aws-lc", AwsLc::new(cipher, case)))
}
