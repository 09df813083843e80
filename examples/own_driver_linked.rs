//! A driver of your own for a name that exists, registered at link time: `cts(cbc(aes))` at priority 1000.
//!
//! The cipher is the AES of the `aes` crate, in the place of a vendor's library. Its mode is the template's own code,
//! compiled over that cipher: one virtual call for a message. It shows the one line that registers a driver,
//! the self-test that admits it, and that everybody who asks for `cts(cbc(aes))` gets it.
#![forbid(unsafe_code)]

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use kcrypto::engine::Fused;
use kcrypto::{Alg, CipherDriver, Error, KeySizes, KindTag, Length, Make, Result, SkcipherAlg, Want};
use kcrypto_templates::cts::Cts;

#[kcrypto::linkme::distributed_slice(kcrypto::link::ALGS)]
#[linkme(crate = kcrypto::linkme)]
static VENDOR: Alg = Alg::skcipher(
    "cts(cbc(aes))",
    "cts-cbc-aes-vendor",
    SkcipherAlg {
        block_size: 16,
        iv_size: 16,
        chunk_size: 16,
        walk_size: 16,
        tail: 17,
        length: Length::at_least(16),
        keys: KeySizes::AES,
        state_size: 16,
        make: Make::Static(|| Box::new(Cts::fused(VendorAes::None))),
    },
)
.with_priority(1000)
.with_module("own_driver_linked");

/// A key of the library.
enum VendorAes {
    None,
    Bits128(Aes128),
    Bits192(Aes192),
    Bits256(Aes256),
}

impl CipherDriver for VendorAes {
    fn block_size(&self) -> usize {
        16
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        *self = VendorAes::None;
        let key = match key.len() {
            16 => Aes128::new_from_slice(key).map(VendorAes::Bits128),
            24 => Aes192::new_from_slice(key).map(VendorAes::Bits192),
            _ => Aes256::new_from_slice(key).map(VendorAes::Bits256),
        };
        *self = key.map_err(|_| Error::NotSupported { what: "this key" })?;
        Ok(())
    }

    fn encrypt_block(&self, block: &mut [u8]) {
        let Ok(block) = block.try_into() else { return };
        match self {
            VendorAes::None => {}
            VendorAes::Bits128(key) => key.encrypt_block(block),
            VendorAes::Bits192(key) => key.encrypt_block(block),
            VendorAes::Bits256(key) => key.encrypt_block(block),
        }
    }

    fn decrypt_block(&self, block: &mut [u8]) {
        let Ok(block) = block.try_into() else { return };
        match self {
            VendorAes::None => {}
            VendorAes::Bits128(key) => key.decrypt_block(block),
            VendorAes::Bits192(key) => key.decrypt_block(block),
            VendorAes::Bits256(key) => key.decrypt_block(block),
        }
    }
}

impl Fused for VendorAes {}

/// Allocates the name as anybody would, and takes the driver away again.
pub fn main() -> Result<()> {
    let registry = kcrypto::registry();
    let mut tfm = registry.skcipher("cts(cbc(aes))")?;
    assert_eq!(tfm.alg().driver_name, "cts-cbc-aes-vendor");
    print!("{}", registry.explain("cts(cbc(aes))", Want::new(KindTag::Skcipher)));
    let listed = registry.list().into_iter().find(|info| info.alg.priority == 1000).expect("it is listed");
    println!("{} {}: {:?}", listed.alg.driver_name, listed.test.as_str(), listed.test.report());
    assert_eq!(listed.test.as_str(), "passed");

    registry.unregister("cts-cbc-aes-vendor")?;
    tfm.set_key(b"chicken teriyaki")?;
    let mut data = *b"I would like the "; // RFC 3962, appendix B
    tfm.encrypt(&[0; 16], &mut data)?;
    assert_eq!(hex::encode(data), "c6353568f2bf8cb4d8a580362da7ff7f97");
    let next = registry.skcipher("cts(cbc(aes))")?;
    println!("unregistered, the transform keeps working; the next one is {}", next.alg().driver_name);
    assert_ne!(next.alg().driver_name, "cts-cbc-aes-vendor");
    Ok(())
}
