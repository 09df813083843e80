//! Transforms of the kinds that commands use, and names that are of another kind than the command's.

use kcrypto::{Aead, Alg, Kind, KindTag, Registry, Result, Shash, Skcipher, Want};

use crate::failure::Failure;

/// What the commands do with a transform of any kind.
pub(crate) trait Tfm: Sized {
    /// Its kind.
    const KIND: KindTag;
    /// Allocates the best driver of a name.
    fn allocate(registry: &Registry, name: &str) -> Result<Self>;
    /// The algorithm that was chosen.
    fn alg(&self) -> &Alg;
    /// Sets the key.
    fn set_key(&mut self, key: &[u8]) -> Result<()>;
}

macro_rules! kind {
    ($type:ident, $allocate:ident) => {
        impl Tfm for $type {
            const KIND: KindTag = KindTag::$type;
            fn allocate(registry: &Registry, name: &str) -> Result<Self> {
                registry.$allocate(name)
            }
            fn alg(&self) -> &Alg {
                $type::alg(self)
            }
            fn set_key(&mut self, key: &[u8]) -> Result<()> {
                $type::set_key(self, key)
            }
        }
    };
}

kind!(Skcipher, skcipher);
kind!(Shash, shash);
kind!(Aead, aead);

/// Allocates for a command of one kind. If the name is of another kind, the refusal says which command takes
/// it.
pub(crate) fn allocate<T: Tfm>(registry: &Registry, name: &str) -> Result<T, Failure> {
    T::allocate(registry, name)
        .map_err(|error| elsewhere(registry, name, T::KIND).unwrap_or_else(|| error.into()))
}

/// The refusal of a name that is of another kind than `asked`.
pub(crate) fn elsewhere(registry: &Registry, name: &str, asked: KindTag) -> Option<Failure> {
    let others = KindTag::ALL.iter().filter(|kind| **kind != asked);
    let found = others.filter_map(|kind| registry.resolve(name, Want::new(*kind)).ok()).next()?;
    let advice = match &found.alg.kind {
        Kind::Cipher(_) => format!("a single-block cipher, which takes a mode: such as ctr({name})"),
        Kind::Skcipher(_) => "a cipher: use `kcrypto encrypt` and `kcrypto decrypt`".into(),
        Kind::Shash(limits) if limits.keys.is_some() => "a MAC: use `kcrypto mac`".into(),
        Kind::Shash(_) => "a hash: use `kcrypto digest`".into(),
        Kind::Aead(_) => "an AEAD: use `kcrypto seal` and `kcrypto open`".into(),
        _ => return None,
    };
    Some(Failure::refused(format!("{name} is {advice}")))
}
