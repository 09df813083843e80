//! A transform for each key identifier: 0 for the key of a pair of stations, 1 to 3 for those of groups.

use core::str::FromStr;

use kcrypto::{Aead, Registry, Result};
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

    /// Decrypts the body of a frame in place. As in Linux, a frame without payload is refused.
    pub(crate) fn open(&self, ccmp: &Ccmp, mut frame: Vec<u8>) -> Outcome {
        let Some(tfm) = &self.0[usize::from(ccmp.key_id)] else { return Outcome::NoKey };
        let mut body = frame.split_off(ccmp.body);
        if body.len() <= MIC || tfm.open_appended(&ccmp.iv, &ccmp.aad, &mut body).is_err() {
            return Outcome::Failed;
        }
        body.truncate(body.len() - MIC);
        Outcome::Decrypted(body)
    }
}
