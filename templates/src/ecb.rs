//! `ecb(cipher)`: each block on its own (SP 800-38A, 6.1).
//!
//! ```text
//!   P1 ──▶ E ──▶ C1      P2 ──▶ E ──▶ C2      ...
//! ```
//!
//! The child is a block cipher. No IV; messages are whole blocks, none included.

use alloc::boxed::Box;

use kcrypto_core::{
    Alg, CipherDriver, Create, Dir, InOut, Kind, KindTag, Length, Make, Result, SkcipherAlg, SkcipherDriver,
    State, Template,
};

/// The template.
pub const ECB: Template = Template { name: "ecb", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static ECB_LINK: Template = ECB;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Skcipher)?;
    let cipher = c.cipher(c.arg(0)?)?;
    let block_size = cipher.limits.block_size;
    if !block_size.is_power_of_two() {
        return Err(c.bad_child(&cipher.alg, "the block size must be a power of two"));
    }
    c.instance(Kind::Skcipher(SkcipherAlg {
        block_size,
        iv_size: 0,
        chunk_size: block_size,
        walk_size: block_size,
        tail: 0,
        length: Length::blocks(block_size),
        keys: cipher.limits.keys,
        state_size: 0,
        make: Make::skcipher(move || Ok(Ecb::over(cipher.make()?))),
    }))
}

/// ECB over a block cipher.
pub struct Ecb<C: ?Sized> {
    cipher: Box<C>,
}

impl<C: CipherDriver + ?Sized> Ecb<C> {
    /// Over this cipher.
    pub fn over(cipher: Box<C>) -> Self {
        Ecb { cipher }
    }
}

impl<C: CipherDriver + ?Sized> SkcipherDriver for Ecb<C> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.cipher.set_key(key)
    }

    fn check_weak_key(&self, key: &[u8]) -> Result<()> {
        self.cipher.check_weak_key(key)
    }

    fn begin(&self, _dir: Dir, _iv: &[u8], _state: &mut State) {}

    fn run(&self, dir: Dir, _state: &mut State, io: InOut<'_>, _last: bool) {
        self.crypt(dir, &mut [], io);
    }

    fn end(&self, _dir: Dir, _state: &State, _iv_out: &mut [u8]) {}

    fn crypt(&self, dir: Dir, _iv: &mut [u8], io: InOut<'_>) {
        match dir {
            Dir::Encrypt => self.cipher.encrypt_blocks(io),
            Dir::Decrypt => self.cipher.decrypt_blocks(io),
        }
    }
}

#[cfg(test)]
mod tests {
    use kcrypto_core::{Error, Length};

    use crate::toy::{refusal, registry};

    #[test]
    fn limits_are_those_of_the_cipher() {
        let tfm = registry().skcipher("ecb(toy8)").expect("ecb(toy8)");
        assert_eq!((tfm.block_size(), tfm.iv_size(), tfm.length()), (8, 0, Length::blocks(8)));
        assert_eq!((&*tfm.alg().name, &*tfm.alg().driver_name), ("ecb(toy8)", "ecb(toy8-plain)"));
        assert_eq!(tfm.alg().priority, 100);
    }

    #[test]
    fn refuses_children() {
        assert!(matches!(refusal("ecb(toy12)"), Error::BadChild { .. }));
        assert!(matches!(refusal("ecb(none)"), Error::NotFound { .. }));
        assert!(matches!(refusal("ecb(ecb(toy8))"), Error::WrongKind { .. } | Error::NotFound { .. }));
    }
}
