//! `rfc4543(gcm)`: GMAC as ESP uses it, authentication without encryption (RFC 4543).
//!
//! ```text
//!   key                     = GCM key ‖ salt (4)
//!   IV of GCM               = salt (4) ‖ IV (8)
//!   associated data of GCM  = SPI, sequence number and copy of the IV (16 or 20) ‖ payload
//! ```
//!
//! The child is an AEAD, a stream mode with IVs of 12 bytes; its text is empty. The payload is copied as it is.
//! Tags have 16 bytes.

use alloc::boxed::Box;

use kcrypto_core::{
    Aad, AeadAlg, AeadDriver, Alg, Create, Dir, InOut, KeySizes, Kind, KindTag, Length, Lens, MAX_UNIT, Make,
    Result, State, Template,
};
use zeroize::Zeroize;

use crate::esp;

/// Salt at the end of the key, in bytes.
const SALT: usize = 4;
/// State in bytes: what is held back of a chunk, and how much that is.
const FRAME: usize = esp::MAX_AAD + 1;

/// The template.
pub const RFC4543: Template = Template { name: "rfc4543", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static RFC4543_LINK: Template = RFC4543;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Aead)?;
    let gcm = c.aead(c.arg(0)?)?;
    if gcm.limits.iv_size != SALT + esp::IV {
        return Err(c.bad_child(&gcm.alg, "the IV must be 12 bytes"));
    }
    let limits = esp::limits(c, &gcm, SALT, &[16])?;
    let (keys, chunk, frame) = (limits.keys, limits.chunk_size, gcm.limits.state_size);
    c.instance(Kind::Aead(AeadAlg {
        tail: 0,
        length: Length::ANY,
        state_size: frame + FRAME,
        make: Make::aead(move || Ok(Rfc4543 { gcm: gcm.make()?, keys, salt: [0; SALT], chunk, frame })),
        ..limits
    }))
}

/// RFC 4543 over GCM. Its state is the child's, then what is held back of a chunk.
struct Rfc4543 {
    gcm: Box<dyn AeadDriver>,
    keys: KeySizes,
    salt: [u8; SALT],
    chunk: usize,
    /// Where this template's part of the state is.
    frame: usize,
}

/// Lengths of the child's message.
fn inner(lens: Lens) -> Lens {
    Lens { aad: lens.aad.saturating_add(lens.text), text: 0, ..lens }
}

impl Rfc4543 {
    /// Hands the child what is held back and `run`: whole chunks of it, or all of it if it is the last.
    fn feed(&self, state: &mut State, run: &[u8], last: bool) {
        let (bytes, len) = self.held(state);
        let held = usize::from(*len);
        // 1. What is held back is filled up to whole chunks.
        let mut filled = [0; MAX_UNIT];
        let (head, rest) = run.split_at((held.next_multiple_of(self.chunk) - held).min(run.len()));
        filled[..held].copy_from_slice(&bytes[..held]);
        filled[held..held + head.len()].copy_from_slice(head);
        let filled = &filled[..held + head.len()];
        // 2. As much is held back again, for a run that is not the last is whole chunks itself.
        let keep = if last { 0 } else { rest.len() % self.chunk };
        let (now, later) = rest.split_at(rest.len() - keep);
        bytes[..keep].copy_from_slice(later);
        *len = keep as u8;
        // 3. The rest is not copied.
        if !filled.is_empty() {
            self.gcm.aad(state, filled, last && now.is_empty());
        }
        if !now.is_empty() {
            self.gcm.aad(state, now, last);
        }
    }

    /// What is held back, and how many bytes.
    fn held<'s>(&self, state: &'s mut State) -> (&'s mut [u8], &'s mut u8) {
        let (bytes, rest) = state.bytes_mut()[self.frame..].split_at_mut(esp::MAX_AAD);
        (bytes, &mut rest[0])
    }
}

impl AeadDriver for Rfc4543 {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let (key, salt) = esp::split_key(key, self.keys)?;
        self.salt = *salt;
        self.gcm.set_key(key)
    }

    fn check(&self, iv: &[u8], lens: Lens) -> Result<()> {
        self.gcm.check(&esp::nonce(&self.salt, iv), inner(lens))
    }

    fn begin(&self, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        self.gcm.begin(dir, &esp::nonce(&self.salt, iv), inner(lens), state);
    }

    fn aad(&self, state: &mut State, run: &[u8], _last: bool) {
        let (bytes, len) = self.held(state);
        bytes[usize::from(*len)..][..run.len()].copy_from_slice(run);
        *len += run.len() as u8;
    }

    fn run(&self, _dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        io.copy();
        self.feed(state, io.src(), last);
    }

    fn end(&self, dir: Dir, state: &mut State, tag: &mut [u8]) {
        if *self.held(state).1 > 0 {
            // There was no text.
            self.feed(state, &[], true);
        }
        self.gcm.end(dir, state, tag);
    }

    fn crypt(&self, dir: Dir, iv: &[u8], aad: &Aad<'_>, mut io: InOut<'_>, tag: &mut [u8]) {
        io.copy();
        let (aad, len) = esp::gathered(aad);
        let aad = [&aad[..len], io.src()];
        let nothing = InOut::in_place(&mut []);
        self.gcm.crypt(dir, &esp::nonce(&self.salt, iv), &Aad::new(&aad), nothing, tag);
    }
}

impl Drop for Rfc4543 {
    fn drop(&mut self) {
        self.salt.zeroize();
    }
}
