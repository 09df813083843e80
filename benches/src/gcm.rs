//! `gcm(aes)` and its peers: whole messages with associated data, sealed, or opened with their right tag.
//!
//! OpenSSL is called through EVP with a reused context, AWS-LC through its AEAD interface, which is faster than its
//! EVP, and RustCrypto with a reused key.

use std::ffi::{CString, c_int};
use std::ptr::{null, null_mut};

use aes_gcm::AeadInOut;
use aes_gcm::aead::consts::{U12, U16};
use aes_gcm_ni_only::AeadInPlace;
use aes_gcm_ni_only::aead::consts::{U12 as OldU12, U16 as OldU16};
use kcrypto::{Dir, InOut, Registry};

use crate::contender::{Cipher, Contender};

/// Name of the fused driver.
pub const FUSED: &str = "gcm-aes-aesni";
/// Name of the composition over the same instructions.
pub const COMPOSED: &str = "gcm_base(ctr-aes-aesni,ghash-clmulni)";

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Seal or open.
    pub dir: Dir,
    /// AES key bits: 128 or 256.
    pub bits: usize,
    /// Associated data in bytes.
    pub aad: usize,
    /// Text in bytes.
    pub len: usize,
}

impl Case {
    fn key(self) -> Vec<u8> {
        (1..).take(self.bits / 8).collect()
    }

    fn aad(self) -> Vec<u8> {
        (0x80..).take(self.aad).collect()
    }
}

/// One keyed way to process a whole message.
trait Aead {
    /// Seals or opens; the tag is written, or must be the right one.
    fn crypt(&mut self, iv: &[u8; 12], aad: &[u8], io: InOut<'_>, tag: &mut [u8; 16]);
}

/// An [`Aead`] with its associated data and tag.
struct Framed<A> {
    aead: A,
    aad: Vec<u8>,
    tag: [u8; 16],
}

impl<A: Aead> Cipher for Framed<A> {
    #[inline(always)]
    fn apart(&mut self, iv: &[u8; 16], src: &[u8], dst: &mut [u8]) {
        let io = InOut::apart(src, dst).expect("equal lengths");
        self.aead.crypt(iv.first_chunk().expect("12 bytes"), &self.aad, io, &mut self.tag);
    }

    #[inline(always)]
    fn in_place(&mut self, iv: &[u8; 16], buf: &mut [u8]) {
        let io = InOut::in_place(buf);
        self.aead.crypt(iv.first_chunk().expect("12 bytes"), &self.aad, io, &mut self.tag);
    }
}

/// Everyone, kcrypto's fused and composed drivers first.
pub fn all(registry: &Registry, case: Case) -> Vec<Contender> {
    let tag = tag(registry, case);
    let ours = |name| contender(Contender::new, name, Ours::new(registry, name, case), case, tag);
    let mut all = vec![
        ours(FUSED),
        ours(COMPOSED),
        contender(Contender::new, "openssl", OpenSsl::new(case), case, tag),
        contender(Contender::new, "aws-lc", AwsLc::new(case), case, tag),
    ];
    match case.bits {
        128 => {
            let (past, present) =
                (Past::<aes_gcm_ni_only::Aes128Gcm>::new(case), Present::<aes_gcm::Aes128Gcm>::new(case));
            all.push(contender(Contender::new, PAST, past, case, tag));
            all.push(contender(Contender::wide, "rustcrypto", present, case, tag));
        }
        _ => {
            let (past, present) =
                (Past::<aes_gcm_ni_only::Aes256Gcm>::new(case), Present::<aes_gcm::Aes256Gcm>::new(case));
            all.push(contender(Contender::new, PAST, past, case, tag));
            all.push(contender(Contender::wide, "rustcrypto", present, case, tag));
        }
    }
    all
}

/// The release of RustCrypto that knew AES-NI alone.
const PAST: &str = "rustcrypto-aes-gcm-0.10";

/// The IV that [`Message`](crate::message::Message) begins with.
const IV: [u8; 12] = [0xff; 12];

/// The tag of the message that everyone processes, whose input is filled with 0xff.
fn tag(registry: &Registry, case: Case) -> [u8; 16] {
    let sealing = Case { dir: Dir::Encrypt, ..case };
    let mut aead = Ours::new(registry, FUSED, sealing);
    let (mut text, mut tag) = (vec![0xff; case.len], [0; 16]);
    aead.crypt(&IV, &case.aad(), InOut::in_place(&mut text), &mut tag);
    if case.dir == Dir::Decrypt {
        // What is encrypted to the message's input is what that is encrypted to.
        aead.crypt(&IV, &case.aad(), InOut::in_place(&mut text), &mut tag);
    }
    tag
}

fn contender<A: Aead + 'static>(
    make: fn(String, Framed<A>) -> Contender,
    name: &str,
    mut aead: A,
    case: Case,
    tag: [u8; 16],
) -> Contender {
    let (mut text, mut its) = (vec![0xff; case.len], tag);
    aead.crypt(&IV, &case.aad(), InOut::in_place(&mut text), &mut its);
    assert_eq!(its, tag, "{name}");
    make(name.into(), Framed { aead, aad: case.aad(), tag })
}

/// A driver of kcrypto through the public handle.
struct Ours {
    tfm: kcrypto::Aead,
    dir: Dir,
}

impl Ours {
    fn new(registry: &Registry, name: &str, case: Case) -> Self {
        let mut tfm = registry.aead(name).expect("it resolves");
        tfm.set_key(&case.key()).expect("a good key");
        Ours { tfm, dir: case.dir }
    }
}

impl Aead for Ours {
    #[inline(always)]
    fn crypt(&mut self, iv: &[u8; 12], aad: &[u8], io: InOut<'_>, tag: &mut [u8; 16]) {
        match self.dir {
            Dir::Encrypt => self.tfm.seal(iv, aad, io, tag).expect("a good request"),
            Dir::Decrypt => self.tfm.open(iv, aad, io, tag).expect("the right tag"),
        }
    }
}

struct OpenSsl {
    ctx: *mut openssl_sys::EVP_CIPHER_CTX,
    dir: Dir,
}

impl OpenSsl {
    fn new(case: Case) -> Self {
        let name = CString::new(format!("AES-{}-GCM", case.bits)).expect("no NUL");
        // SAFETY: the name ends with NUL; no library context means the default one. The cipher is never freed.
        let cipher = unsafe { openssl_sys::EVP_CIPHER_fetch(null_mut(), name.as_ptr(), null()) };
        assert!(!cipher.is_null(), "no such cipher");
        // SAFETY: it takes nothing.
        let ctx = unsafe { openssl_sys::EVP_CIPHER_CTX_new() };
        assert!(!ctx.is_null(), "no memory");
        let enc = c_int::from(case.dir == Dir::Encrypt);
        // SAFETY: the context is live, the key has the length of the cipher, and the IV 12 bytes.
        let ok = unsafe {
            openssl_sys::EVP_CipherInit_ex(ctx, cipher, null_mut(), case.key().as_ptr(), IV.as_ptr(), enc)
        };
        assert_eq!(ok, 1, "the cipher takes the key");
        OpenSsl { ctx, dir: case.dir }
    }
}

impl Aead for OpenSsl {
    #[inline(always)]
    fn crypt(&mut self, iv: &[u8; 12], aad: &[u8], mut io: InOut<'_>, tag: &mut [u8; 16]) {
        use openssl_sys as ssl;
        let (src, len) = (io.src().as_ptr(), io.len() as c_int);
        let (dst, mut written) = (io.dst().as_mut_ptr(), 0);
        // SAFETY: the context is live and keyed; the IV has 12 bytes.
        let mut ok = unsafe { ssl::EVP_CipherInit_ex(self.ctx, null(), null_mut(), null(), iv.as_ptr(), -1) };
        if !aad.is_empty() {
            // SAFETY: without a destination the source is associated data; it has this length.
            ok &= unsafe {
                ssl::EVP_CipherUpdate(self.ctx, null_mut(), &mut written, aad.as_ptr(), aad.len() as c_int)
            };
        }
        // SAFETY: both buffers have this length.
        ok &= unsafe { ssl::EVP_CipherUpdate(self.ctx, dst, &mut written, src, len) };
        let at = tag.as_mut_ptr().cast();
        if self.dir == Dir::Decrypt {
            // SAFETY: a tag has 16 bytes.
            ok &= unsafe { ssl::EVP_CIPHER_CTX_ctrl(self.ctx, ssl::EVP_CTRL_GCM_SET_TAG, 16, at) };
        }
        let mut nothing = [0; 16];
        // SAFETY: a stream mode writes nothing at the end.
        ok &= unsafe { ssl::EVP_CipherFinal(self.ctx, nothing.as_mut_ptr(), &mut written) };
        if self.dir == Dir::Encrypt {
            // SAFETY: a tag has 16 bytes.
            ok &= unsafe { ssl::EVP_CIPHER_CTX_ctrl(self.ctx, ssl::EVP_CTRL_GCM_GET_TAG, 16, at) };
        }
        assert_eq!(ok, 1, "a good request");
    }
}

impl Drop for OpenSsl {
    fn drop(&mut self) {
        // SAFETY: the context is live, and not used again.
        unsafe { openssl_sys::EVP_CIPHER_CTX_free(self.ctx) }
    }
}

struct AwsLc {
    ctx: *mut aws_lc_sys::EVP_AEAD_CTX,
    dir: Dir,
}

impl AwsLc {
    fn new(case: Case) -> Self {
        let aead = match case.bits {
            // SAFETY: it takes nothing and returns a static.
            128 => unsafe { aws_lc_sys::EVP_aead_aes_128_gcm() },
            // SAFETY: as above.
            _ => unsafe { aws_lc_sys::EVP_aead_aes_256_gcm() },
        };
        let key = case.key();
        // SAFETY: the key has this length.
        let ctx = unsafe { aws_lc_sys::EVP_AEAD_CTX_new(aead, key.as_ptr(), key.len(), 16) };
        assert!(!ctx.is_null(), "the cipher takes the key");
        AwsLc { ctx, dir: case.dir }
    }
}

impl Aead for AwsLc {
    #[inline(always)]
    fn crypt(&mut self, iv: &[u8; 12], aad: &[u8], mut io: InOut<'_>, tag: &mut [u8; 16]) {
        let (src, len, dst) = (io.src().as_ptr(), io.len(), io.dst().as_mut_ptr());
        let (iv, iv_len, aad, aad_len) = (iv.as_ptr(), iv.len(), aad.as_ptr(), aad.len());
        let ok = match self.dir {
            Dir::Encrypt => {
                let mut size = 0;
                let at = tag.as_mut_ptr();
                // SAFETY: the context is live; every buffer has the length that follows it, both texts the same.
                unsafe {
                    aws_lc_sys::EVP_AEAD_CTX_seal_scatter(
                        self.ctx,
                        dst,
                        at,
                        &mut size,
                        16,
                        iv,
                        iv_len,
                        src,
                        len,
                        null(),
                        0,
                        aad,
                        aad_len,
                    )
                }
            }
            // SAFETY: as above.
            Dir::Decrypt => unsafe {
                aws_lc_sys::EVP_AEAD_CTX_open_gather(
                    self.ctx,
                    dst,
                    iv,
                    iv_len,
                    src,
                    len,
                    tag.as_ptr(),
                    16,
                    aad,
                    aad_len,
                )
            },
        };
        assert_eq!(ok, 1, "a good request");
    }
}

impl Drop for AwsLc {
    fn drop(&mut self) {
        // SAFETY: the context is live, and not used again.
        unsafe { aws_lc_sys::EVP_AEAD_CTX_free(self.ctx) }
    }
}

/// The present release of RustCrypto, which takes VAES where the CPU has it.
struct Present<A> {
    aead: A,
    dir: Dir,
}

impl<A: aes_gcm::KeyInit> Present<A> {
    fn new(case: Case) -> Self {
        Present { aead: A::new_from_slice(&case.key()).expect("a good key"), dir: case.dir }
    }
}

impl<A> Aead for Present<A>
where
    A: AeadInOut<NonceSize = U12, TagSize = U16>,
{
    #[inline(always)]
    fn crypt(&mut self, iv: &[u8; 12], aad: &[u8], mut io: InOut<'_>, tag: &mut [u8; 16]) {
        io.copy();
        let (iv, io) = (&(*iv).into(), io.dst().into());
        match self.dir {
            Dir::Encrypt => {
                *tag = self.aead.encrypt_inout_detached(iv, aad, io).expect("a good request").into()
            }
            Dir::Decrypt => {
                self.aead.decrypt_inout_detached(iv, aad, io, &(*tag).into()).expect("the right tag");
            }
        }
    }
}

/// The release before, whose only vector code is AES-NI and PCLMULQDQ. It works in place, and pays a copy.
struct Past<A> {
    aead: A,
    dir: Dir,
}

impl<A: aes_gcm_ni_only::KeyInit> Past<A> {
    fn new(case: Case) -> Self {
        Past { aead: A::new_from_slice(&case.key()).expect("a good key"), dir: case.dir }
    }
}

impl<A> Aead for Past<A>
where
    A: AeadInPlace<NonceSize = OldU12, TagSize = OldU16>,
{
    #[inline(always)]
    fn crypt(&mut self, iv: &[u8; 12], aad: &[u8], mut io: InOut<'_>, tag: &mut [u8; 16]) {
        io.copy();
        match self.dir {
            Dir::Encrypt => {
                let made = self.aead.encrypt_in_place_detached(iv.into(), aad, io.dst());
                *tag = made.expect("a good request").into();
            }
            Dir::Decrypt => {
                let tag = (&*tag).into();
                self.aead.decrypt_in_place_detached(iv.into(), aad, io.dst(), tag).expect("the right tag");
            }
        }
    }
}
