//! Wrong AEADs.

use std::sync::Mutex;

use kcrypto_core::{Aad, AadLength, AeadDriver, Dir, Error, InOut, KeySizes, Lens, Result, State, TagSizes};

use crate::format::{Ccm, Format, Gcm};
use crate::wrap::{AeadFault, Right, Specimen, aead};

const WRONG: &str = "wrong result";
const WRONG_TAG: &str = "wrong tag";

pub(crate) fn specimens() -> Vec<Specimen> {
    let wrong = Specimen::aead;
    vec![
        // The formats of CCM and GCM.
        wrong("ccm(aes)", "65280 bytes of AAD with the short header", WRONG_TAG, || Ccm::with(short_header)),
        wrong("ccm(aes)", "AAD that ends with its block is padded", WRONG_TAG, || Ccm::with(padded_block)),
        wrong("ccm(aes)", "length field of one byte", WRONG_TAG, || Ccm::with(|format| format.b0[14] = 0)),
        wrong("ccm(aes)", "tag size left out of the flags", WRONG_TAG, || {
            Ccm::with(|format| format.b0[0] |= 0x38)
        }),
        wrong("ccm(aes)", "flag of AAD always set", WRONG_TAG, || Ccm::with(|format| format.b0[0] |= 0x40)),
        wrong("ccm(aes)", "takes every IV", "test vector", || Box::new(Unchecked(true))),
        wrong("ccm(aes)", "takes texts that its length field cannot hold", "unexpectedly succeeded", || {
            Box::new(Unchecked(false))
        }),
        wrong("gcm(aes)", "tag masked with counter 0", WRONG_TAG, || Gcm::with(|parts| parts.counter = 0)),
        wrong("gcm(aes)", "lengths in bytes", WRONG_TAG, || Gcm::with(|parts| parts.scale = 1)),
        wrong("gcm(aes)", "text over 4 blocks aggregated wrongly", WRONG_TAG, || Box::new(Long(64))),
        wrong("gcm(aes)", "text over 8 blocks aggregated wrongly", WRONG_TAG, || Box::new(Long(128))),
        // Tags.
        wrong("gcm(aes)", "short tags lack their last byte", WRONG_TAG, || Box::new(ShortTag)),
        wrong("ccm(aes)", "only 8 bytes of tag", WRONG_TAG, || Box::new(EightBytes)),
        wrong("rfc7539(chacha20,poly1305)", "tag of an empty text", WRONG_TAG, || Box::new(Empty)),
        wrong("gcm(aes)", "declares tags of 5 bytes", "authsizes", || Box::new(Right))
            .declaring(|kind| aead(kind).tags = TagSizes::up_to(16)),
        // Texts.
        wrong("gcm(aes)", "opening in place authenticates the plaintext", "decryption failed", || {
            Box::new(PlainInPlace)
        }),
        wrong("ccm(aes)", "a text of one byte is left as it is", WRONG, || Box::new(OneByte)),
        wrong("rfc4543(gcm(aes))", "text not copied", WRONG, || Box::new(NotCopied)),
        wrong("gcm(aes)", "every piece is the first", WRONG, || Box::new(FirstPiece)),
        wrong("rfc4106(gcm(aes))", "pieces of several chunks", WRONG, || Box::new(LongPiece)),
        // Associated data.
        wrong("gcm(aes)", "last run of AAD ignored", WRONG_TAG, || Box::new(NoLastAad)),
        wrong("ccm(aes)", "second piece of AAD ignored", WRONG_TAG, || Box::new(OnePieceOfAad)),
        wrong("rfc7539(chacha20,poly1305)", "misaligned AAD", WRONG_TAG, || Box::new(MisalignedAad)),
        wrong("rfc4106(gcm(aes))", "the copy of the IV in the place of the IV", WRONG_TAG, || Box::new(Copy)),
        wrong("rfc4309(ccm(aes))", "takes any AAD", "assoclen", || Box::new(Right))
            .declaring(|kind| aead(kind).aad = AadLength::Any),
        wrong("rfc7539esp(chacha20,poly1305)", "IV of 12 bytes", "ivsize", || Box::new(Right))
            .declaring(|kind| aead(kind).iv_size = 12),
        // Keys.
        wrong("gcm(aes)", "stale after a new key", WRONG, || Box::new(FirstKey(false))),
        wrong("rfc4106(gcm(aes))", "salt taken from the front", WRONG, || Box::new(Key(front))),
        wrong("rfc4309(ccm(aes))", "salt reversed", WRONG, || Box::new(Key(reversed))),
        // Sharing.
        wrong("gcm(aes)", "AAD of a request kept in the transform", WRONG_TAG, || Box::new(Kept::default())),
        wrong("ccm(aes)", "worn by use", WRONG_TAG, || Box::new(Worn::default())),
        // Worse.
        wrong("rfc7539esp(chacha20,poly1305)", "panics", "panicked in known answers, check", || {
            Box::new(Panics)
        }),
    ]
}

/// What only the full mode finds: threads.
pub(crate) fn late_specimens() -> Vec<Specimen> {
    vec![Specimen::aead(
        "gcm(aes)",
        "scratch shared by threads",
        "4 threads",
        || Box::new(Scratch::default()),
    )]
}

/// A fault that one call shows, and pieces do not.
pub(crate) fn one_call() -> Box<dyn AeadFault> {
    Gcm::with(|parts| parts.scale = 1)
}

/// Refuses every key as one of a wrong length.
pub(crate) fn no_key() -> Box<dyn AeadFault> {
    Box::new(KeyRefused)
}

struct KeyRefused;
impl AeadFault for KeyRefused {
    fn set_key(&mut self, _right: &mut dyn AeadDriver, key: &[u8]) -> Result<()> {
        Err(Error::BadKeyLen { len: key.len(), accepted: KeySizes::AES })
    }
}

/// Works in a scratch that other threads write to as well.
#[derive(Default)]
struct Scratch(Mutex<Vec<u8>>);
impl AeadFault for Scratch {
    fn run(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        let mut text = io.src().to_vec();
        right.run(dir, state, InOut::in_place(&mut text), last);
        *self.0.lock().unwrap() = text;
        std::thread::yield_now();
        let scratch = self.0.lock().unwrap();
        let len = io.len().min(scratch.len());
        io.dst()[..len].copy_from_slice(&scratch[..len]);
    }
}

fn short_header(format: &mut Format) {
    if (0xff00..0x1_0000).contains(&format.aad_len) {
        format.header = (format.aad_len as u16).to_be_bytes().into();
    }
}

fn padded_block(format: &mut Format) {
    if format.padding == 0 && format.aad_len > 0 {
        format.padding = 16;
    }
}

/// Checks no IV, or no length.
struct Unchecked(bool);
impl AeadFault for Unchecked {
    fn check(&self, right: &dyn AeadDriver, iv: &[u8], lens: Lens) -> Result<()> {
        if self.0 { Ok(()) } else { right.check(iv, Lens { text: 0, ..lens }) }
    }
}

/// Changes the tag of texts longer than this.
struct Long(u64);
impl AeadFault for Long {
    fn begin(&self, right: &dyn AeadDriver, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        right.begin(dir, iv, lens, state);
        mark(state, u8::from(lens.text > self.0));
    }

    fn end(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, tag: &mut [u8]) {
        let marked = marked(state);
        right.end(dir, state, tag);
        tag[0] ^= marked;
    }
}

/// A byte of the state that nobody uses.
fn mark(state: &mut State, byte: u8) {
    if let Some(last) = state.bytes_mut().last_mut() {
        *last = byte;
    }
}

fn marked(state: &State) -> u8 {
    state.bytes().last().copied().unwrap_or_default()
}

struct ShortTag;
impl AeadFault for ShortTag {
    fn end(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, tag: &mut [u8]) {
        right.end(dir, state, tag);
        if tag.len() < 16 {
            tag[tag.len() - 1] = 0;
        }
    }
}

struct EightBytes;
impl AeadFault for EightBytes {
    fn end(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, tag: &mut [u8]) {
        right.end(dir, state, tag);
        tag.iter_mut().skip(8).for_each(|byte| *byte = 0);
    }
}

struct Empty;
impl AeadFault for Empty {
    fn begin(&self, right: &dyn AeadDriver, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        Long(0).begin(right, dir, iv, lens, state);
    }

    fn end(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, tag: &mut [u8]) {
        let some = marked(state);
        right.end(dir, state, tag);
        tag[5] ^= 1 - some;
    }
}

struct PlainInPlace;
impl AeadFault for PlainInPlace {
    fn crypt(
        &self,
        right: &dyn AeadDriver,
        dir: Dir,
        iv: &[u8],
        aad: &Aad<'_>,
        mut io: InOut<'_>,
        tag: &mut [u8],
    ) {
        let in_place = core::ptr::eq(io.src().as_ptr(), io.dst().as_ptr());
        right.crypt(dir, iv, aad, io.reborrow(), tag);
        if in_place && dir == Dir::Decrypt {
            right.crypt(dir, iv, aad, InOut::in_place(&mut io.dst().to_vec()), tag);
        }
    }
}

struct OneByte;
impl AeadFault for OneByte {
    fn run(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        let before = io.src().to_vec();
        right.run(dir, state, io.reborrow(), last);
        if before.len() == 1 {
            io.dst().copy_from_slice(&before);
        }
    }
}

struct NotCopied;
impl AeadFault for NotCopied {
    fn run(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        right.run(dir, state, InOut::in_place(&mut io.src().to_vec()), last);
    }
}

/// What a piece did to the state is lost.
struct FirstPiece;
impl AeadFault for FirstPiece {
    fn run(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        let mut copy = State::new();
        copy.bytes_mut().copy_from_slice(state.bytes());
        right.run(dir, &mut copy, io, last);
        if last {
            state.bytes_mut().copy_from_slice(copy.bytes());
        }
    }
}

struct LongPiece;
impl AeadFault for LongPiece {
    fn run(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        right.run(dir, state, io.reborrow(), last);
        if !last && io.len() > 64 {
            io.dst()[64] ^= 1;
        }
    }
}

struct NoLastAad;
impl AeadFault for NoLastAad {
    fn aad(&self, right: &dyn AeadDriver, state: &mut State, run: &[u8], last: bool) {
        let whole = run.len() - run.len() % 16;
        if whole > 0 {
            right.aad(state, &run[..whole], last);
        }
    }
}

struct OnePieceOfAad;
impl AeadFault for OnePieceOfAad {
    fn begin(&self, right: &dyn AeadDriver, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        right.begin(dir, iv, lens, state);
        mark(state, 0);
    }

    fn aad(&self, right: &dyn AeadDriver, state: &mut State, run: &[u8], last: bool) {
        let mut run = run.to_vec();
        if marked(state) == 1 {
            run.fill(0);
        }
        right.aad(state, &run, last);
        mark(state, 1);
    }
}

struct MisalignedAad;
impl AeadFault for MisalignedAad {
    fn aad(&self, right: &dyn AeadDriver, state: &mut State, run: &[u8], last: bool) {
        let mut copy = run.to_vec();
        if run.as_ptr().addr() % 8 == 5 {
            copy[0] ^= 2;
        }
        right.aad(state, &copy, last);
    }
}

/// Takes the IV from the end of the associated data.
struct Copy;
impl AeadFault for Copy {
    fn crypt(
        &self,
        right: &dyn AeadDriver,
        dir: Dir,
        _iv: &[u8],
        aad: &Aad<'_>,
        io: InOut<'_>,
        tag: &mut [u8],
    ) {
        let all = aad.pieces().concat();
        right.crypt(dir, &all[all.len() - 8..], aad, io, tag);
    }
}

struct FirstKey(bool);
impl AeadFault for FirstKey {
    fn set_key(&mut self, right: &mut dyn AeadDriver, key: &[u8]) -> Result<()> {
        if core::mem::replace(&mut self.0, true) { Ok(()) } else { right.set_key(key) }
    }
}

/// Makes another key of each.
struct Key(fn(&[u8]) -> Vec<u8>);
impl AeadFault for Key {
    fn set_key(&mut self, right: &mut dyn AeadDriver, key: &[u8]) -> Result<()> {
        right.set_key(&(self.0)(key))
    }
}

fn front(key: &[u8]) -> Vec<u8> {
    let mut key = key.to_vec();
    key.rotate_left(4);
    key
}

fn reversed(key: &[u8]) -> Vec<u8> {
    let mut key = key.to_vec();
    let at = key.len() - 3;
    key[at..].reverse();
    key
}

/// Right for one message at a time.
#[derive(Default)]
struct Kept(Mutex<Vec<u8>>);
impl AeadFault for Kept {
    fn begin(&self, right: &dyn AeadDriver, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        right.begin(dir, iv, lens, state);
        self.0.lock().unwrap().clear();
    }

    fn aad(&self, right: &dyn AeadDriver, state: &mut State, run: &[u8], last: bool) {
        let mut aad = self.0.lock().unwrap();
        aad.extend(run);
        if last {
            right.aad(state, &aad, true);
        }
    }
}

#[derive(Default)]
struct Worn(Mutex<u32>);
impl AeadFault for Worn {
    fn end(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, tag: &mut [u8]) {
        right.end(dir, state, tag);
        let mut uses = self.0.lock().unwrap();
        *uses += 1;
        if *uses > 100 {
            tag[3] ^= 1;
        }
    }
}

struct Panics;
impl AeadFault for Panics {
    fn run(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, io: InOut<'_>, last: bool) {
        assert_ne!(io.len(), 48, "48 bytes");
        right.run(dir, state, io, last);
    }
}
