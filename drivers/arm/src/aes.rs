//! `aes-ce` and `aes-neon`: AES with 128, 192 and 256-bit keys (FIPS 197).
//!
//! Every bulk method is one function with all blocks in registers, so that a template over this cipher is as
//! fast as a fused driver.

use alloc::boxed::Box;
use core::marker::PhantomData;
use core::mem::discriminant;

use kcrypto_core::chain::{Cbc, CbcMac, Ctr, Ecb};
use kcrypto_core::engine::{Engine, Fused, Mac, Masks, Mode, Seal, Work};
use kcrypto_core::{Aad, Alg, CipherAlg, CipherDriver, Dir, InOut, KeySizes, Make, Result};

use crate::ce::Ce;
use crate::engine::Aes;
use crate::key::{Rounds, Schedule};
use crate::neon::Lookup;
use crate::way::{Task, Way};

/// With the AES extension.
pub(crate) const AES_CE: Alg = cipher::<Ce>();

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static AES_CE_LINK: Alg = AES_CE;

/// Without it.
pub(crate) const AES_NEON: Alg = cipher::<Lookup>();

#[linkme::distributed_slice(kcrypto_core::link::ALGS)]
static AES_NEON_LINK: Alg = AES_NEON;

const fn cipher<W: Way>() -> Alg {
    let make: Make<dyn CipherDriver> = Make::Static(|| Box::new(AesArm::<W>::new()));
    Alg::cipher("aes", W::CIPHER, CipherAlg { block_size: 16, keys: KeySizes::AES, make })
        .with_priority(W::CIPHER_PRIORITY)
        .with_cpu(W::FEATURES, W::require)
        .with_mac_chain()
        .with_module(W::MODULE)
}

/// AES under a key. Without a key it leaves its buffers alone.
#[derive(Debug)]
pub(crate) struct AesArm<W>(pub(crate) Schedule<W>);

impl<W> AesArm<W> {
    /// Without key.
    pub(crate) fn new() -> Self {
        AesArm(Schedule::new())
    }
}

impl<W: Way> Fused for AesArm<W> {
    const LANES: usize = W::LANES;

    #[inline(always)]
    fn enter<const N: usize, M: Mode<N>>(keys: [&Self; N], dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let keys = keys.map(|key| &key.0);
        match dir {
            Dir::Encrypt => enter(keys, Crypt::<M, true> { iv, io, mode: PhantomData }),
            Dir::Decrypt => enter(keys, Crypt::<M, false> { iv, io, mode: PhantomData }),
        }
    }

    #[inline(always)]
    fn enter_mac<M: Mac>(&self, masks: &Masks, message: &[u8], out: &mut [u8]) {
        enter([&self.0], Authenticate::<M> { masks, message, out, mode: PhantomData });
    }

    #[inline(always)]
    fn enter_seal<S: Seal>(&self, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) {
        enter([&self.0], Both::<S> { dir, iv, aad, io, tag, mode: PhantomData });
    }

    #[inline(always)]
    fn enter_work<const N: usize>(keys: [&Self; N], work: impl Work<N>) {
        enter(keys.map(|key| &key.0), work);
    }

    fn goes_with(&self, other: &Self) -> bool {
        discriminant(&self.0.rounds) == discriminant(&other.0.rounds)
    }
}

/// Does work under keys of the same length, in one function that has the instructions. Without a key it does
/// nothing.
#[inline(always)]
fn enter<W: Way, const N: usize, J: Work<N>>(keys: [&Schedule<W>; N], work: J) {
    match keys.first().map_or(Rounds::None, |key| key.rounds) {
        Rounds::None => {}
        Rounds::Ten(way) => way.enter(Keyed::<W, J, N, 10> { keys, way, work }),
        Rounds::Twelve(way) => way.enter(Keyed::<W, J, N, 12> { keys, way, work }),
        Rounds::Fourteen(way) => way.enter(Keyed::<W, J, N, 14> { keys, way, work }),
    }
}

/// Work with its keys.
struct Keyed<'k, W, J, const N: usize, const ROUNDS: usize> {
    keys: [&'k Schedule<W>; N],
    way: W,
    work: J,
}

impl<W: Way, J: Work<N>, const N: usize, const ROUNDS: usize> Task for Keyed<'_, W, J, N, ROUNDS> {
    #[inline(always)]
    fn run(self) {
        self.work.run(self.keys.map(|key| Aes::<W, ROUNDS>::new(key, self.way)));
    }
}

/// A mode that encrypts or decrypts. Each direction is a type, and so a function, of its own: what one needs of
/// registers and stack, the other does not pay for.
struct Crypt<'a, M, const ENCRYPT: bool> {
    iv: &'a mut [u8],
    io: InOut<'a>,
    mode: PhantomData<M>,
}

impl<const N: usize, M: Mode<N>, const ENCRYPT: bool> Work<N> for Crypt<'_, M, ENCRYPT> {
    #[inline(always)]
    fn run<E: Engine>(self, engines: [E; N]) {
        M::run(engines, if ENCRYPT { Dir::Encrypt } else { Dir::Decrypt }, self.iv, self.io);
    }
}

/// A mode that authenticates.
struct Authenticate<'a, M> {
    masks: &'a Masks,
    message: &'a [u8],
    out: &'a mut [u8],
    mode: PhantomData<M>,
}

impl<M: Mac> Work<1> for Authenticate<'_, M> {
    #[inline(always)]
    fn run<E: Engine>(self, [e]: [E; 1]) {
        M::run(e, self.masks, self.message, self.out);
    }
}

/// A mode that does both.
struct Both<'a, S> {
    dir: Dir,
    iv: &'a [u8],
    aad: &'a Aad<'a>,
    io: InOut<'a>,
    tag: &'a mut [u8],
    mode: PhantomData<S>,
}

impl<S: Seal> Work<1> for Both<'_, S> {
    #[inline(always)]
    fn run<E: Engine>(self, [e]: [E; 1]) {
        S::run(e, self.dir, self.iv, self.aad, self.io, self.tag);
    }
}

impl<W: Way> CipherDriver for AesArm<W> {
    fn block_size(&self) -> usize {
        16
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.set(key)
    }

    fn encrypt_block(&self, block: &mut [u8]) {
        self.encrypt_blocks(InOut::in_place(block));
    }

    fn decrypt_block(&self, block: &mut [u8]) {
        self.decrypt_blocks(InOut::in_place(block));
    }

    fn encrypt_blocks(&self, io: InOut<'_>) {
        Self::enter::<1, Ecb>([self], Dir::Encrypt, &mut [], io);
    }

    fn decrypt_blocks(&self, io: InOut<'_>) {
        Self::enter::<1, Ecb>([self], Dir::Decrypt, &mut [], io);
    }

    fn cbc_encrypt(&self, iv: &mut [u8], io: InOut<'_>) {
        Self::enter::<1, Cbc>([self], Dir::Encrypt, iv, io);
    }

    fn cbc_decrypt(&self, iv: &mut [u8], io: InOut<'_>) {
        Self::enter::<1, Cbc>([self], Dir::Decrypt, iv, io);
    }

    fn cbc_mac(&self, chain: &mut [u8], blocks: &[u8]) {
        self.enter_mac::<CbcMac>(&Masks::default(), blocks, chain);
    }

    fn ctr(&self, counter: &mut [u8], io: InOut<'_>) {
        Self::enter::<1, Ctr>([self], Dir::Encrypt, counter, io);
    }
}
