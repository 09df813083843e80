//! AEADs.

use std::sync::Mutex;

use kcrypto_core::batch::Job;
use kcrypto_core::{Aad, Aead, AeadDriver, Dir, InOut, Lens, Result, State, TagSizes};

use crate::format::Ccm;
use crate::wrap::{AeadFault, Right, Specimen, WrappedAead, aead};

const WRONG: &str = "wrong result";
const WRONG_TAG: &str = "wrong tag";

pub(crate) fn specimens() -> Vec<Specimen> {
    let wrong = Specimen::aead;
    vec![
        // The length field of CCM.
        wrong("ccm(aes)", "nonce of 13 bytes", WRONG_TAG, || Box::new(Tag(|call| call.iv[0] == 1))),
        wrong("ccm(aes)", "nonce of 12 bytes", WRONG_TAG, || Box::new(Tag(|call| call.iv[0] == 2))),
        wrong("ccm(aes)", "nonce of 11 bytes", WRONG_TAG, || Box::new(Tag(|call| call.iv[0] == 3))),
        wrong("ccm(aes)", "nonce of 10 bytes", WRONG_TAG, || Box::new(Tag(|call| call.iv[0] == 4))),
        wrong("ccm(aes)", "nonce of 9 bytes", WRONG_TAG, || Box::new(Tag(|call| call.iv[0] == 5))),
        wrong("ccm(aes)", "nonce of 8 bytes", WRONG_TAG, || Box::new(Tag(|call| call.iv[0] == 6))),
        wrong("ccm(aes)", "nonce of 7 bytes", WRONG_TAG, || Box::new(Tag(|call| call.iv[0] == 7))),
        // Lengths.
        wrong("gcm(aes)", "AAD without a text", WRONG_TAG, || {
            Box::new(Tag(|call| call.lens.text == 0 && call.lens.aad > 0))
        }),
        wrong("gcm(aes)", "AAD that ends within a block, and a long text", WRONG_TAG, || {
            Box::new(Tag(|call| call.lens.aad % 16 != 0 && call.lens.text > 512))
        }),
        wrong("rfc7539(chacha20,poly1305)", "text over four blocks", WRONG_TAG, || {
            Box::new(Tag(|call| call.lens.text > 256))
        }),
        wrong("gcm(aes)", "tag of 12 bytes", WRONG_TAG, || Box::new(Tag(|call| call.lens.tag == 12))),
        wrong("gcm(aes)", "declares no short tags", "authsize", || Box::new(Right))
            .declaring(|kind| aead(kind).tags = TagSizes::of(&[16])),
        // Where it shows first depends on where buffers happen to lie.
        wrong("gcm(aes)", "text across a page", "alg: aead: ", || {
            Box::new(Tag(|call| call.address / 4096 != (call.address + call.lens.text as usize) / 4096))
        }),
        // Pieces.
        wrong("gcm(aes)", "pieces of a text without AAD", WRONG, || Box::new(NoAad::default())),
        // What was before.
        wrong("gcm(aes)", "the third key is the second", WRONG, || Box::new(ThirdKey::default())),
        wrong("ccm(aes)", "sealing right after opening", WRONG_TAG, || Box::new(Turned::default())),
        wrong("gcm(aes)", "a message that was given up spoils the next", "decryption failed", || {
            Box::new(GivenUp::default())
        }),
        wrong("ccm(aes)", "batch ends at an empty text", "cfg=\"batch of ", || Box::new(EmptyJob)),
    ]
}

pub(crate) fn late_specimens() -> Vec<Specimen> {
    vec![Specimen::aead("ccm(aes)", "65279 bytes of AAD with the long header", WRONG_TAG, || {
        Ccm::with(|format| {
            if format.aad_len == 0xfeff {
                format.header = vec![0xff, 0xfe, 0, 0, 0xfe, 0xff];
                format.padding = (6 + 0xfeff_usize).next_multiple_of(16) - 6 - 0xfeff;
            }
        })
    })]
}

/// What is known of a call.
struct Call<'a> {
    iv: &'a [u8],
    lens: Lens,
    address: usize,
}

/// Changes the tag of messages that come in one call, where the function says so.
struct Tag(fn(&Call<'_>) -> bool);
impl AeadFault for Tag {
    fn crypt(
        &self,
        right: &dyn AeadDriver,
        dir: Dir,
        iv: &[u8],
        aad: &Aad<'_>,
        io: InOut<'_>,
        tag: &mut [u8],
    ) {
        let lens = Lens { aad: aad.len(), text: io.len() as u64, tag: tag.len() };
        let call = Call { iv, lens, address: io.src().as_ptr().addr() };
        right.crypt(dir, iv, aad, io, tag);
        tag[0] ^= u8::from((self.0)(&call));
    }
}

/// Waits for associated data before it takes what follows as text.
#[derive(Default)]
struct NoAad(Mutex<bool>);
impl AeadFault for NoAad {
    fn begin(&self, right: &dyn AeadDriver, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        *self.0.lock().unwrap() = lens.aad == 0;
        right.begin(dir, iv, lens, state);
    }

    fn run(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        right.run(dir, state, io.reborrow(), last);
        io.dst()[0] ^= u8::from(*self.0.lock().unwrap());
    }

    fn crypt(
        &self,
        right: &dyn AeadDriver,
        dir: Dir,
        iv: &[u8],
        aad: &Aad<'_>,
        io: InOut<'_>,
        tag: &mut [u8],
    ) {
        right.crypt(dir, iv, aad, io, tag);
    }
}

/// Keeps the key before where a third one is set.
#[derive(Default)]
struct ThirdKey {
    before: Vec<u8>,
    count: usize,
}
impl AeadFault for ThirdKey {
    fn set_key(&mut self, right: &mut dyn AeadDriver, key: &[u8]) -> Result<()> {
        self.count += 1;
        if self.count == 3 {
            return right.set_key(&self.before);
        }
        self.before = key.to_vec();
        right.set_key(key)
    }
}

/// A state that was left as opening needs it.
#[derive(Default)]
struct Turned(Mutex<bool>);
impl AeadFault for Turned {
    fn crypt(
        &self,
        right: &dyn AeadDriver,
        dir: Dir,
        iv: &[u8],
        aad: &Aad<'_>,
        io: InOut<'_>,
        tag: &mut [u8],
    ) {
        right.crypt(dir, iv, aad, io, tag);
        let turned = core::mem::replace(&mut *self.0.lock().unwrap(), dir == Dir::Decrypt);
        tag[0] ^= u8::from(turned && dir == Dir::Encrypt);
    }
}

/// Minds whether the message before this one came to its end.
#[derive(Default)]
struct GivenUp(Mutex<bool>);
impl AeadFault for GivenUp {
    fn begin(&self, right: &dyn AeadDriver, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        let mut iv = iv.to_vec();
        iv[1] ^= u8::from(core::mem::replace(&mut *self.0.lock().unwrap(), true));
        right.begin(dir, &iv, lens, state);
    }

    fn end(&self, right: &dyn AeadDriver, dir: Dir, state: &mut State, tag: &mut [u8]) {
        *self.0.lock().unwrap() = false;
        right.end(dir, state, tag);
    }
}

/// Takes an empty text for the end of the list.
struct EmptyJob;
impl AeadFault for EmptyJob {
    fn crypt_batch(&self, jobs: &mut [Job<'_, Aead>]) {
        let mut ended = false;
        for job in jobs {
            let Some(driver) = job.pending_for::<WrappedAead>() else { continue };
            let (dir, iv, aad, io, tag) = job.parts();
            let empty = io.is_empty();
            ended |= empty;
            driver.inner.crypt(dir, iv, aad, io, tag);
            tag[0] ^= u8::from(ended && !empty);
            job.complete();
        }
    }
}
