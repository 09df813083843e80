//! `rfc3686(ctr(cipher))`: CTR as IPsec uses it, with part of the counter in the key (RFC 3686, 4).
//!
//! ```text
//!   key     = cipher key ‖ nonce (4)
//!   counter = nonce (4) ‖ IV (8) ‖ 00 00 00 01, the first block of the child's stream
//! ```
//!
//! The child is a stream mode with a 16-byte IV. The caller's IV stays as it is. Any length.

use alloc::boxed::Box;

use kcrypto_core::{
    Alg, Create, Dir, Error, InOut, KeySizes, Kind, KindTag, Make, Result, SkcipherAlg, SkcipherDriver,
    State, Template,
};
use zeroize::Zeroize;

/// Nonce at the end of the key, in bytes.
const NONCE: usize = 4;
/// IV of a request, in bytes.
const IV: usize = 8;

/// The template.
pub const RFC3686: Template = Template { name: "rfc3686", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static RFC3686_LINK: Template = RFC3686;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Skcipher)?;
    let child = c.skcipher(c.arg(0)?)?;
    if child.limits.iv_size != 16 {
        return Err(c.bad_child(&child.alg, "the IV must be 16 bytes"));
    }
    if child.limits.block_size != 1 {
        return Err(c.bad_child(&child.alg, "it must be a stream mode"));
    }
    let limits = child.limits.clone();
    let keys = limits.keys.plus(NONCE);
    let saved = limits.state_size;
    c.instance(Kind::Skcipher(SkcipherAlg {
        iv_size: IV,
        keys,
        state_size: saved.saturating_add(IV),
        make: Make::skcipher(move || Ok(Rfc3686 { ctr: child.make()?, keys, nonce: [0; NONCE], saved })),
        ..limits
    }))
}

/// RFC 3686 over a counter mode. Its state is the child's, then the caller's IV.
struct Rfc3686 {
    ctr: Box<dyn SkcipherDriver>,
    keys: KeySizes,
    nonce: [u8; NONCE],
    /// Where the caller's IV is in the state.
    saved: usize,
}

impl Rfc3686 {
    fn counter(&self, iv: &[u8]) -> [u8; 16] {
        let mut block = [0; 16];
        block[..NONCE].copy_from_slice(&self.nonce);
        block[NONCE..NONCE + IV].copy_from_slice(iv);
        block[15] = 1;
        block
    }

    fn split<'k>(&self, key: &'k [u8]) -> Result<(&'k [u8], &'k [u8; NONCE])> {
        key.split_last_chunk().ok_or(Error::BadKeyLen { len: key.len(), accepted: self.keys })
    }
}

impl SkcipherDriver for Rfc3686 {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let (key, nonce) = self.split(key)?;
        self.nonce = *nonce;
        self.ctr.set_key(key)
    }

    fn check_weak_key(&self, key: &[u8]) -> Result<()> {
        self.ctr.check_weak_key(self.split(key)?.0)
    }

    fn begin(&self, dir: Dir, iv: &[u8], state: &mut State) {
        self.ctr.begin(dir, &self.counter(iv), state);
        state.bytes_mut()[self.saved..][..IV].copy_from_slice(iv);
    }

    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        self.ctr.run(dir, state, io, last);
    }

    fn end(&self, _dir: Dir, state: &State, iv_out: &mut [u8]) {
        iv_out.copy_from_slice(&state.bytes()[self.saved..][..IV]);
    }

    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        self.ctr.crypt(dir, &mut self.counter(iv), io);
    }
}

impl Drop for Rfc3686 {
    fn drop(&mut self) {
        self.nonce.as_mut_slice().zeroize();
    }
}

#[cfg(test)]
mod tests {
    use kcrypto_core::{Dir, Error};

    use crate::toy::{bytes, crypt, keyed, refusal, registry};

    #[test]
    fn refuses_children() {
        assert!(matches!(refusal("rfc3686(ctr(toy8))"), Error::BadChild { .. }));
        assert!(matches!(refusal("rfc3686(cbc(toy16))"), Error::BadChild { .. }));
        assert!(matches!(refusal("rfc3686(toy16)"), Error::NotFound { .. }));
    }

    #[test]
    fn is_the_child_from_the_nonce_on() {
        let registry = registry();
        let mut tfm = registry.skcipher("rfc3686(ctr(toy16))").expect("rfc3686");
        assert!(tfm.key_sizes().iter().eq([8, 10]));
        assert!(tfm.set_key(&[0; 9]).is_err());
        tfm.set_key(&[1, 2, 3, 4, 0xa, 0xb, 0xc, 0xd]).expect("a key and a nonce");
        let ctr = keyed(&registry, "ctr(toy16)");
        let counter = [0xa, 0xb, 0xc, 0xd, 0, 37, 74, 111, 148, 185, 222, 4, 0, 0, 0, 1];
        let iv = bytes(8);
        assert_eq!(iv, counter[4..12], "the counter block holds the IV");
        let (want, _) = crypt(&ctr, Dir::Encrypt, &counter, &bytes(100));
        assert_eq!(crypt(&tfm, Dir::Encrypt, &iv, &bytes(100)), (want, iv));
    }
}
