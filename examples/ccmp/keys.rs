//! A transform for each key identifier: 0 for the key of a pair of stations, 1 to 3 for those of groups.

use core::str::FromStr;

use kcrypto::batch::{self, Job};
use kcrypto::{Aad, Aead, Registry, Result};
use zeroize::Zeroizing;

use super::frame::{Ccmp, MIC};

/// The algorithm of CCMP.
const ALGORITHM: &str = "ccm(aes)";

/// A temporal key as given, wiped on drop.
pub(crate) struct Key {
    id: u8,
    bytes: Zeroizing<[u8; 16]>,
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (id, digits) = text.split_once(':').unwrap_or(("0", text));
        let id = id.parse().ok().filter(|id| *id < 4);
        let id = id.ok_or("temporal key: its identifier is 0, 1, 2 or 3")?;
        let mut bytes = Zeroizing::new([0; 16]);
        match hex::decode_to_slice(digits, &mut bytes[..]) {
            Ok(()) => Ok(Key { id, bytes }),
            Err(hex::FromHexError::InvalidStringLength) if digits.len().is_multiple_of(2) => {
                Err(format!("temporal key of {} bytes; CCMP takes 16 bytes", digits.len() / 2))
            }
            Err(error) => Err(format!("temporal key: {error}")),
        }
    }
}

/// What came of a frame.
pub(crate) enum Outcome {
    /// Its plaintext.
    Decrypted(Vec<u8>),
    /// It is not what its transmitter sent, or not under this key.
    Failed,
    /// No key of its identifier is known.
    NoKey,
}

/// The keyed transforms.
pub(crate) struct Keys([Option<Aead>; 4]);

impl Keys {
    /// Sets the keys; of two with the same identifier the last one counts.
    pub(crate) fn new(registry: &Registry, keys: &[Key]) -> Result<Keys> {
        let mut tfms = [const { None }; 4];
        for key in keys {
            let mut tfm = registry.aead(ALGORITHM)?;
            tfm.set_tag_size(MIC)?;
            tfm.set_key(&key.bytes[..])?;
            tfms[usize::from(key.id)] = Some(tfm);
        }
        Ok(Keys(tfms))
    }

    /// Who does it.
    pub(crate) fn driver(&self) -> &str {
        self.0.iter().flatten().next().map_or("nobody", |tfm| &tfm.alg().driver_name)
    }

    /// Decrypts the bodies of these frames, all in one batch; tells what came of each. As in Linux, a frame
    /// without payload is refused.
    pub(crate) fn open(&self, frames: &[Ccmp], mut bodies: Vec<Vec<u8>>) -> Vec<Outcome> {
        let aads: Vec<[&[u8]; 1]> = frames.iter().map(|frame| [&frame.aad[..]]).collect();
        let mut jobs = Vec::with_capacity(frames.len());
        // The number of its job, or what is known without.
        let mut asked = Vec::with_capacity(frames.len());
        for ((frame, aad), body) in frames.iter().zip(&aads).zip(&mut bodies) {
            asked.push(match (&self.0[usize::from(frame.key_id)], body.len().saturating_sub(MIC)) {
                (None, _) => Err(Outcome::NoKey),
                (Some(_), 0) => Err(Outcome::Failed),
                (Some(tfm), len) => {
                    let (text, mic) = body.split_at_mut(len);
                    jobs.push(Job::open(tfm, &frame.iv, Aad::new(aad), text, mic));
                    Ok(jobs.len() - 1)
                }
            });
        }
        batch::run(&mut jobs);
        let opened: Vec<bool> = jobs.iter().map(|job| job.result().is_ok()).collect();
        drop(jobs);
        let outcomes = asked.into_iter().zip(bodies).map(|(asked, mut body)| match asked {
            Ok(job) if opened[job] => {
                body.truncate(body.len() - MIC);
                Outcome::Decrypted(body)
            }
            Ok(_) => Outcome::Failed,
            Err(outcome) => outcome,
        });
        outcomes.collect()
    }
}
