//! AES of another crate.

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use kcrypto_core::{Alg, CipherAlg, CipherDriver, Error, KeySizes, Make, Result};

/// One block at a time.
pub(crate) const AES: Alg = Alg::cipher(
    "aes",
    "aes-other",
    CipherAlg { block_size: 16, keys: KeySizes::AES, make: Make::Static(|| Box::new(Other(None))) },
)
.with_priority(1);

struct Other(Option<Keyed>);

enum Keyed {
    Aes128(aes::Aes128),
    Aes192(aes::Aes192),
    Aes256(aes::Aes256),
}

impl CipherDriver for Other {
    fn block_size(&self) -> usize {
        16
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let bad = |_| Error::BadKeyLen { len: key.len(), accepted: KeySizes::AES };
        self.0 = Some(match key.len() {
            16 => Keyed::Aes128(aes::Aes128::new_from_slice(key).map_err(bad)?),
            24 => Keyed::Aes192(aes::Aes192::new_from_slice(key).map_err(bad)?),
            _ => Keyed::Aes256(aes::Aes256::new_from_slice(key).map_err(bad)?),
        });
        Ok(())
    }

    fn encrypt_block(&self, block: &mut [u8]) {
        let block = block.try_into().expect("16 bytes");
        match self.0.as_ref().expect("a key") {
            Keyed::Aes128(aes) => aes.encrypt_block(block),
            Keyed::Aes192(aes) => aes.encrypt_block(block),
            Keyed::Aes256(aes) => aes.encrypt_block(block),
        }
    }

    fn decrypt_block(&self, block: &mut [u8]) {
        let block = block.try_into().expect("16 bytes");
        match self.0.as_ref().expect("a key") {
            Keyed::Aes128(aes) => aes.decrypt_block(block),
            Keyed::Aes192(aes) => aes.decrypt_block(block),
            Keyed::Aes256(aes) => aes.decrypt_block(block),
        }
    }
}
