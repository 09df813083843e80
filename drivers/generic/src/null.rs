//! `cipher_null-generic`, `ecb-cipher_null` and `digest_null-generic`: what stands where IPsec is told to use no
//! cipher, or no authentication (RFC 2410).
//!
//! The cipher takes no key and leaves its blocks of one byte as they are. The digest has no bytes; it takes a key of
//! any length, which has to be set, and forgets it.

use alloc::boxed::Box;

use kcrypto_core::{
    Alg, CipherAlg, CipherDriver, Dir, InOut, KeySizes, Length, Make, Result, ShashAlg, ShashDriver,
    SkcipherAlg, SkcipherDriver, State,
};

/// Keys of the cipher.
const NO_KEY: KeySizes = KeySizes::exactly(0);

/// The cipher. As in Linux, its priority is 0.
pub(crate) const CIPHER_NULL: Alg = Alg::cipher(
    "cipher_null",
    "cipher_null-generic",
    CipherAlg { block_size: 1, keys: NO_KEY, make: Make::Static(|| Box::new(Null)) },
)
.with_module("generic");

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static CIPHER_NULL_LINK: Alg = CIPHER_NULL;

/// The same for messages in one call.
pub(crate) const ECB_CIPHER_NULL: Alg = Alg::skcipher(
    "ecb(cipher_null)",
    "ecb-cipher_null",
    SkcipherAlg {
        block_size: 1,
        iv_size: 0,
        chunk_size: 1,
        walk_size: 1,
        tail: 0,
        length: Length::ANY,
        keys: NO_KEY,
        state_size: 0,
        make: Make::Static(|| Box::new(Null)),
    },
)
.with_priority(100)
.with_module("generic");

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static ECB_CIPHER_NULL_LINK: Alg = ECB_CIPHER_NULL;

/// The digest.
pub(crate) const DIGEST_NULL: Alg = Alg::shash(
    "digest_null",
    "digest_null-generic",
    ShashAlg {
        block_size: 1,
        digest_size: 0,
        state_size: 0,
        keys: Some(KeySizes::ANY),
        keeps_full_block: false,
        make: Make::Static(|| Box::new(Null)),
    },
)
.with_module("generic");

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static DIGEST_NULL_LINK: Alg = DIGEST_NULL;

/// Nothing at all.
struct Null;

impl CipherDriver for Null {
    fn block_size(&self) -> usize {
        1
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        NO_KEY.check(key.len())
    }

    fn encrypt_block(&self, _block: &mut [u8]) {}

    fn decrypt_block(&self, _block: &mut [u8]) {}

    fn encrypt_blocks(&self, mut io: InOut<'_>) {
        io.copy();
    }

    fn decrypt_blocks(&self, mut io: InOut<'_>) {
        io.copy();
    }
}

impl SkcipherDriver for Null {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        NO_KEY.check(key.len())
    }

    fn begin(&self, _dir: Dir, _iv: &[u8], _state: &mut State) {}

    fn run(&self, _dir: Dir, _state: &mut State, mut io: InOut<'_>, _last: bool) {
        io.copy();
    }

    fn end(&self, _dir: Dir, _state: &State, _iv_out: &mut [u8]) {}

    fn crypt(&self, _dir: Dir, _iv: &mut [u8], mut io: InOut<'_>) {
        io.copy();
    }
}

impl ShashDriver for Null {
    fn set_key(&mut self, _key: &[u8]) -> Result<()> {
        Ok(())
    }

    fn init(&self, _state: &mut [u8]) {}

    fn update(&self, _state: &mut [u8], _blocks: &[u8]) {}

    fn finish(&self, _state: &mut [u8], _tail: &[u8], _total: u64, _digest: &mut [u8]) {}

    fn digest(&self, _message: &[u8], _digest: &mut [u8]) -> bool {
        true
    }
}
