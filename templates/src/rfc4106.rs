//! `rfc4106(gcm)`: GCM as ESP uses it (RFC 4106).
//!
//! ```text
//!   key              = GCM key ‖ salt (4)
//!   IV of GCM        = salt (4) ‖ IV (8)
//!   associated data  = SPI and sequence number (8 or 12), authenticated ‖ copy of the IV (8), not looked at
//! ```
//!
//! The child is an AEAD, a stream mode with IVs of 12 bytes. Tags have 8, 12 or 16 bytes, as far as the child
//! makes them.

use alloc::boxed::Box;

use kcrypto_core::{
    Aad, AeadAlg, AeadDriver, Alg, Create, Dir, InOut, KeySizes, Kind, KindTag, Lens, Make, Result, State,
    Template,
};
use zeroize::Zeroize;

use crate::esp;

/// Salt at the end of the key, in bytes.
const SALT: usize = 4;

/// The template.
pub const RFC4106: Template = Template { name: "rfc4106", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static RFC4106_LINK: Template = RFC4106;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Aead)?;
    let gcm = c.aead(c.arg(0)?)?;
    if gcm.limits.iv_size != SALT + esp::IV {
        return Err(c.bad_child(&gcm.alg, "the IV must be 12 bytes"));
    }
    let limits = esp::limits(c, &gcm, SALT, &[8, 12, 16])?;
    let (keys, frame) = (limits.keys, gcm.limits.state_size);
    c.instance(Kind::Aead(AeadAlg {
        state_size: frame + 1,
        make: Make::aead(move || Ok(Rfc4106 { gcm: gcm.make()?, keys, salt: [0; SALT], frame })),
        ..limits
    }))
}

/// RFC 4106 over GCM. Its state is the child's, then how much associated data is still to be authenticated.
struct Rfc4106 {
    gcm: Box<dyn AeadDriver>,
    keys: KeySizes,
    salt: [u8; SALT],
    /// Where this template's part of the state is.
    frame: usize,
}

/// Lengths of the child's message.
fn inner(lens: Lens) -> Lens {
    Lens { aad: lens.aad - esp::IV as u64, ..lens }
}

impl AeadDriver for Rfc4106 {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let (key, salt) = esp::split_key(key, self.keys)?;
        self.salt = *salt;
        self.gcm.set_key(key)
    }

    fn check(&self, iv: &[u8], lens: Lens) -> Result<()> {
        self.gcm.check(&esp::nonce(&self.salt, iv), inner(lens))
    }

    fn begin(&self, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        let lens = inner(lens);
        self.gcm.begin(dir, &esp::nonce(&self.salt, iv), lens, state);
        state.bytes_mut()[self.frame] = lens.aad as u8;
    }

    fn aad(&self, state: &mut State, run: &[u8], _last: bool) {
        let left = core::mem::take(&mut state.bytes_mut()[self.frame]);
        if left > 0 {
            self.gcm.aad(state, &run[..left.into()], true);
        }
    }

    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        self.gcm.run(dir, state, io, last);
    }

    fn end(&self, dir: Dir, state: &mut State, tag: &mut [u8]) {
        self.gcm.end(dir, state, tag);
    }

    fn crypt(&self, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) {
        let (aad, len) = esp::gathered(aad);
        let aad = &aad[..len - esp::IV];
        self.gcm.crypt(dir, &esp::nonce(&self.salt, iv), &Aad::new(&[aad]), io, tag);
    }
}

impl Drop for Rfc4106 {
    fn drop(&mut self) {
        self.salt.zeroize();
    }
}
