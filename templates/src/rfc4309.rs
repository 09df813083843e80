//! `rfc4309(ccm(cipher))`: CCM as IPsec uses it, with part of the nonce in the key (RFC 4309).
//!
//! ```text
//!   key   = key of the child ‖ salt (3)
//!   IV    = 03 ‖ salt (3) ‖ IV (8) ‖ 00 00 00 00, of the child
//!   AAD   = AAD of the child (8, or 12 with extended sequence numbers) ‖ a copy of the IV (8), which is left out
//! ```
//!
//! The child is a stream mode with a 16-byte IV. Tags have 8, 12 or 16 bytes.

use alloc::boxed::Box;

use kcrypto_core::{
    Aad, AadLength, AeadAlg, AeadDriver, Alg, Create, Dir, Error, InOut, KeySizes, Kind, KindTag, Lens, Make,
    Result, State, TagSizes, Template,
};
use zeroize::Zeroize;

/// Salt at the end of the key, in bytes.
const SALT: usize = 3;
/// IV of a request, and its copy at the end of the associated data, in bytes.
const IV: usize = 8;
/// Lengths of associated data: the ESP header without and with extended sequence numbers, and the IV.
const AAD: [usize; 2] = [8 + IV, 12 + IV];

/// The template.
pub const RFC4309: Template = Template { name: "rfc4309", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static RFC4309_LINK: Template = RFC4309;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Aead)?;
    let child = c.aead(c.arg(0)?)?;
    let limits = child.limits.clone();
    let tags = [8, 12, 16];
    if limits.iv_size != 16 {
        return Err(c.bad_child(&child.alg, "the IV must be 16 bytes"));
    }
    if limits.block_size != 1 {
        return Err(c.bad_child(&child.alg, "it must be a stream mode"));
    }
    if !tags.iter().all(|&tag| limits.tags.contains(tag)) {
        return Err(c.bad_child(&child.alg, "it must make tags of 8, 12 and 16 bytes"));
    }
    let keys = limits.keys.plus(SALT);
    let after = limits.state_size;
    c.instance(Kind::Aead(AeadAlg {
        iv_size: IV,
        tags: TagSizes::of(&tags),
        // The first run has all of the associated data that the child gets.
        chunk_size: limits.chunk_size.max(16),
        aad: AadLength::Either(AAD[0] as u64, AAD[1] as u64),
        keys,
        state_size: after.saturating_add(1),
        make: Make::aead(move || Ok(Rfc4309 { ccm: child.make()?, keys, salt: [0; SALT], after })),
        ..limits
    }))
}

/// RFC 4309 over CCM. Its state is the child's, then the length of associated data that the child still gets.
struct Rfc4309 {
    ccm: Box<dyn AeadDriver>,
    keys: KeySizes,
    salt: [u8; SALT],
    /// Where the child's state ends.
    after: usize,
}

impl Rfc4309 {
    fn iv(&self, iv: &[u8]) -> [u8; 16] {
        let mut block = [0; 16];
        block[0] = 3;
        block[1..4].copy_from_slice(&self.salt);
        block[4..12].copy_from_slice(iv);
        block
    }
}

/// The lengths of the child's message.
fn inner(lens: Lens) -> Lens {
    Lens { aad: lens.aad.saturating_sub(IV as u64), ..lens }
}

impl AeadDriver for Rfc4309 {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let bad = Error::BadKeyLen { len: key.len(), accepted: self.keys };
        let (key, salt) = key.split_last_chunk().ok_or(bad)?;
        self.salt = *salt;
        self.ccm.set_key(key)
    }

    fn check(&self, iv: &[u8], lens: Lens) -> Result<()> {
        self.ccm.check(&self.iv(iv), inner(lens))
    }

    fn begin(&self, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        self.ccm.begin(dir, &self.iv(iv), inner(lens), state);
        state.bytes_mut()[self.after] = inner(lens).aad as u8;
    }

    fn aad(&self, state: &mut State, run: &[u8], _last: bool) {
        let left = usize::from(core::mem::take(&mut state.bytes_mut()[self.after]));
        if left > 0 {
            self.ccm.aad(state, &run[..left], true);
        }
    }

    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        self.ccm.run(dir, state, io, last);
    }

    fn end(&self, dir: Dir, state: &mut State, tag: &mut [u8]) {
        self.ccm.end(dir, state, tag);
    }

    fn crypt(&self, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) {
        let mut whole = [0; AAD[1]];
        let mut len = 0;
        for piece in aad.pieces() {
            whole[len..len + piece.len()].copy_from_slice(piece);
            len += piece.len();
        }
        self.ccm.crypt(dir, &self.iv(iv), &Aad::new(&[&whole[..len - IV]]), io, tag);
    }
}

impl Drop for Rfc4309 {
    fn drop(&mut self) {
        self.salt.as_mut_slice().zeroize();
    }
}
