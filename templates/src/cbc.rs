//! `cbc(cipher)`: each block chained to the one before (SP 800-38A, 6.2).
//!
//! ```text
//!         P1          P2
//!         │           │
//!   IV ──▶⊕    ┌─────▶⊕    ┌──▶ ...
//!         E    │      E    │
//!         ├────┘      ├────┘
//!         C1          C2
//! ```
//!
//! The child is a block cipher; it gets the whole chain in one call. The IV is one block, and becomes the
//! last ciphertext block; messages are whole blocks, none included.

use alloc::boxed::Box;

use kcrypto_core::batch::Job;
use kcrypto_core::engine::Fused;
use kcrypto_core::{
    Alg, CipherDriver, Create, Dir, InOut, Kind, KindTag, Length, Make, Result, SkcipherAlg, SkcipherDriver,
    State, Template,
};

use crate::lanes::{self, Message, Parallel};

/// The template.
pub const CBC: Template = Template { name: "cbc", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static CBC_LINK: Template = CBC;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Skcipher)?;
    let cipher = c.cipher(c.arg(0)?)?;
    let block_size = cipher.limits.block_size;
    if !block_size.is_power_of_two() {
        return Err(c.bad_child(&cipher.alg, "the block size must be a power of two"));
    }
    c.instance(Kind::Skcipher(SkcipherAlg {
        block_size,
        iv_size: block_size,
        chunk_size: block_size,
        walk_size: block_size,
        tail: 0,
        length: Length::blocks(block_size),
        keys: cipher.limits.keys,
        state_size: block_size,
        make: Make::skcipher(move || Ok(Cbc { cipher: Boxed(cipher.make()?) })),
    }))
}

/// CBC over a block cipher. Its state is the chaining block.
pub struct Cbc<C> {
    cipher: C,
}

impl<F: Fused> Cbc<F> {
    /// Over a cipher whose chains of several messages go side by side.
    pub fn fused(cipher: F) -> Self {
        Cbc { cipher }
    }
}

impl<C: Cipher> SkcipherDriver for Cbc<C> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.cipher.driver_mut().set_key(key)
    }

    fn check_weak_key(&self, key: &[u8]) -> Result<()> {
        self.cipher.driver().check_weak_key(key)
    }

    fn begin(&self, _dir: Dir, iv: &[u8], state: &mut State) {
        state.bytes_mut()[..iv.len()].copy_from_slice(iv);
    }

    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        self.crypt(dir, &mut state.bytes_mut()[..self.cipher.driver().block_size()], io);
    }

    fn end(&self, _dir: Dir, state: &State, iv_out: &mut [u8]) {
        iv_out.copy_from_slice(&state.bytes()[..iv_out.len()]);
    }

    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        match dir {
            Dir::Encrypt => self.cipher.driver().cbc_encrypt(iv, io),
            Dir::Decrypt => self.cipher.driver().cbc_decrypt(iv, io),
        }
    }

    fn crypt_batch(&self, jobs: &mut [Job<'_>]) {
        lanes::chains(
            encryptions(jobs, |mode: &Self| mode.cipher.goes_with(&self.cipher))
                .map(|(mode, job)| Whole { cipher: &mode.cipher, job }),
        );
    }
}

/// The jobs of drivers of a type that encrypt, where blocks wait for each other, and are long enough for lanes; none
/// if the first is no such job.
pub(crate) fn encryptions<'j, 'a, D: 'static>(
    jobs: &'j mut [Job<'a>],
    fits: impl Fn(&D) -> bool,
) -> impl Iterator<Item = (&'a D, &'j mut Job<'a>)> {
    let serial = |job: &mut Job<'_>| {
        let (dir, _, io) = job.parts();
        dir == Dir::Encrypt && io.len() >= lanes::SHORTEST
    };
    let count = if jobs.first_mut().is_some_and(serial) { jobs.len() } else { 0 };
    jobs[..count].iter_mut().filter_map(move |job| {
        let mode = job.pending_for()?;
        (serial(job) && fits(mode)).then_some((mode, job))
    })
}

/// What [`Cbc`] works over: a boxed cipher, or one whose type is known.
pub trait Cipher: Parallel + Send + Sync {
    /// The cipher.
    fn driver(&self) -> &(impl CipherDriver + ?Sized);
    /// The cipher.
    fn driver_mut(&mut self) -> &mut (impl CipherDriver + ?Sized);
}

impl<F: Fused> Cipher for F {
    fn driver(&self) -> &(impl CipherDriver + ?Sized) {
        self
    }

    fn driver_mut(&mut self) -> &mut (impl CipherDriver + ?Sized) {
        self
    }
}

/// Any cipher that was chosen at run time.
struct Boxed(Box<dyn CipherDriver>);

impl Parallel for Boxed {}

impl Cipher for Boxed {
    fn driver(&self) -> &(impl CipherDriver + ?Sized) {
        &*self.0
    }

    fn driver_mut(&mut self) -> &mut (impl CipherDriver + ?Sized) {
        &mut *self.0
    }
}

/// A message to be encrypted beside others.
struct Whole<'j, 'a, C> {
    cipher: &'a C,
    job: &'j mut Job<'a>,
}

impl<C: Cipher> Message for Whole<'_, '_, C> {
    type Key = C;
    type Text<'l>
        = InOut<'l>
    where
        Self: 'l;

    fn block_size(&self) -> usize {
        self.cipher.driver().block_size()
    }

    fn start(&mut self) -> (usize, bool) {
        (self.job.parts().2.len(), false)
    }

    fn parts(&mut self) -> (&C, &mut [u8], InOut<'_>) {
        let (_, iv, io) = self.job.parts();
        (self.cipher, iv, io)
    }

    fn last(&mut self, _block: &mut [u8]) {}

    fn end(&mut self) {
        self.job.complete();
    }
}

#[cfg(test)]
mod tests {
    use kcrypto_core::{Dir, Error};

    use crate::toy::{bytes, crypt, keyed, refusal, registry};

    #[test]
    fn refuses_children() {
        assert!(matches!(refusal("cbc(toy12)"), Error::BadChild { .. }));
        assert!(matches!(refusal("cbc(none)"), Error::NotFound { .. }));
    }

    #[test]
    fn refuses_partial_blocks_and_leaves_them() {
        let tfm = keyed(&registry(), "cbc(toy8)");
        let mut message = bytes(17);
        assert!(matches!(tfm.encrypt(&bytes(8), &mut message), Err(Error::BadLength { len: 17, .. })));
        assert_eq!(message, bytes(17));
    }

    #[test]
    fn iv_becomes_the_last_ciphertext_block() {
        let tfm = keyed(&registry(), "cbc(toy4)");
        let (cipher, iv) = crypt(&tfm, Dir::Encrypt, &bytes(4), &bytes(40));
        assert_eq!(iv, cipher[36..]);
        assert_eq!(crypt(&tfm, Dir::Decrypt, &bytes(4), &cipher), (bytes(40), iv));
    }
}
