//! `xts(cipher)`: encryption of sectors (IEEE 1619; SP 800-38E).
//!
//! ```text
//!   IV ─▶ E(K2) ─▶ T1 ──×x──▶ T2 ──×x──▶ T3 ...
//!                  │          │
//!          P1 ──▶ ⊕ E(K1) ⊕ ──▶ C1
//! ```
//!
//! The key is K1 ‖ K2. The children are an `ecb(..)` of 16-byte blocks under K1, which gets runs of blocks,
//! and its cipher under K2. A last part of 1 to 15 bytes steals from the block before it. The IV stays as it
//! is. Messages have at least 16 bytes.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;

use kcrypto_core::chain::{Blocks, Runs};
use kcrypto_core::engine::{Block, Engine, Fused, Lanes, Mode, Registers};
use kcrypto_core::{
    Alg, CipherDriver, Create, Dir, Error, InOut, Kind, KindTag, Length, Make, Origin, Result, SkcipherAlg,
    SkcipherDriver, Spawn, State, Template,
};
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

/// Block size of every cipher in this mode, in bytes.
const BLOCK: usize = 16;

/// The template.
pub const XTS: Template = Template { name: "xts", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static XTS_LINK: Template = XTS;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Skcipher)?;
    let ecb = ecb_child(c)?;
    if ecb.limits.block_size != BLOCK {
        return Err(c.bad_child(&ecb.alg, "the block size must be 16 bytes"));
    }
    if ecb.limits.iv_size != 0 {
        return Err(c.bad_child(&ecb.alg, "it must take no IV"));
    }
    let Some(inner) = ecb.alg.name.strip_prefix("ecb(").and_then(|name| name.strip_suffix(')')) else {
        return Err(c.bad_child(&ecb.alg, "it must be an ecb(..)"));
    };
    let tweak = c.cipher(&tweak_cipher(&ecb.alg, inner))?;
    if tweak.limits.block_size != BLOCK {
        return Err(c.bad_child(&tweak.alg, "the block size must be 16 bytes"));
    }
    let keys = ecb.limits.keys;
    let name = format!("xts({inner})");
    let driver_name = format!("xts({})", ecb.alg.driver_name);
    let kind = Kind::Skcipher(SkcipherAlg {
        block_size: BLOCK,
        iv_size: BLOCK,
        chunk_size: BLOCK,
        walk_size: BLOCK,
        tail: BLOCK,
        length: Length::at_least(BLOCK),
        keys: keys.doubled(),
        state_size: 2 * BLOCK,
        make: {
            let ecb = ecb.clone();
            Make::skcipher(move || Ok(Xts { keys: Boxed { ecb: ecb.make()?, tweak: tweak.make()? } }))
        },
    });
    c.instance_named(name, driver_name, ecb.alg.priority, kind)
}

/// The argument as it is, or `ecb(argument)` where it names no skcipher.
fn ecb_child(c: &mut Create<'_>) -> Result<Spawn<SkcipherAlg>> {
    let arg = c.arg(0)?;
    match c.skcipher(arg) {
        Err(Error::NotFound { .. }) => c.skcipher(&format!("ecb({arg})")),
        found => found,
    }
}

/// The very cipher that an instance of `ecb` stands on, or the best one of the name.
fn tweak_cipher<'a>(ecb: &'a Alg, inner: &'a str) -> Cow<'a, str> {
    match &ecb.origin {
        Origin::Instance { template, children } if template == "ecb" && children.len() == 1 => {
            Cow::Borrowed(&children[0].driver_name)
        }
        _ => Cow::Borrowed(inner),
    }
}

/// XTS under two keys. Its state is the running tweak, then the caller's IV.
pub struct Xts<K> {
    keys: K,
}

impl<F: Fused + CipherDriver> Xts<[F; 2]> {
    /// Over a cipher that compiles the mode into one function, keyed for the data and for the tweak.
    pub fn fused(data: F, tweak: F) -> Self {
        Xts { keys: [data, tweak] }
    }
}

impl<K: Keys> SkcipherDriver for Xts<K> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let (data, tweak) = key.split_at(key.len() / 2);
        self.keys.set_keys(data, tweak)
    }

    fn check_weak_key(&self, key: &[u8]) -> Result<()> {
        let (data, tweak) = key.split_at(key.len() / 2);
        if data.ct_eq(tweak).into() {
            return Err(Error::WeakKey { why: "both halves of an XTS key are equal" });
        }
        self.keys.check_weak_keys(data, tweak)
    }

    fn begin(&self, _dir: Dir, iv: &[u8], state: &mut State) {
        let state = &mut state.bytes_mut()[..2 * BLOCK];
        state[..BLOCK].copy_from_slice(iv);
        state[BLOCK..].copy_from_slice(iv);
        self.keys.start(&mut state[..BLOCK]);
    }

    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        self.keys.run(dir, &mut state.bytes_mut()[..BLOCK], io);
    }

    fn end(&self, _dir: Dir, state: &State, iv_out: &mut [u8]) {
        iv_out.copy_from_slice(&state.bytes()[BLOCK..2 * BLOCK]);
    }

    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        self.keys.crypt(dir, iv, io);
    }
}

/// What [`Xts`] works over: boxed children, or a cipher with everything in one function.
pub trait Keys: Send + Sync + 'static {
    /// Expands the halves of the key.
    ///
    /// # Errors
    /// Those of the cipher.
    fn set_keys(&mut self, data: &[u8], tweak: &[u8]) -> Result<()>;
    /// Refuses halves that the cipher's standard calls weak.
    ///
    /// # Errors
    /// Those of the cipher.
    fn check_weak_keys(&self, data: &[u8], tweak: &[u8]) -> Result<()>;
    /// Makes the IV the first tweak.
    fn start(&self, iv: &mut [u8]);
    /// At least one block from this tweak on, which becomes that of the next block.
    fn run(&self, dir: Dir, tweak: &mut [u8], io: InOut<'_>);
    /// A whole message; the IV stays as it is.
    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>);
}

/// Any ciphers that were chosen at run time.
struct Boxed {
    ecb: Box<dyn SkcipherDriver>,
    tweak: Box<dyn CipherDriver>,
}

impl Keys for Boxed {
    fn set_keys(&mut self, data: &[u8], tweak: &[u8]) -> Result<()> {
        self.tweak.set_key(tweak)?;
        self.ecb.set_key(data)
    }

    fn check_weak_keys(&self, data: &[u8], tweak: &[u8]) -> Result<()> {
        self.tweak.check_weak_key(tweak)?;
        self.ecb.check_weak_key(data)
    }

    fn start(&self, iv: &mut [u8]) {
        self.tweak.encrypt_block(iv);
    }

    fn run(&self, dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
        Run::run([Blocks::new(Calls(&*self.ecb))], dir, tweak, io);
    }

    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let mut tweak = [0; BLOCK];
        tweak.copy_from_slice(iv);
        self.start(&mut tweak);
        self.run(dir, &mut tweak, io);
        tweak.as_mut_slice().zeroize();
    }
}

impl<F: Fused + CipherDriver> Keys for [F; 2] {
    fn set_keys(&mut self, data: &[u8], tweak: &[u8]) -> Result<()> {
        self[1].set_key(tweak)?;
        self[0].set_key(data)
    }

    fn check_weak_keys(&self, data: &[u8], tweak: &[u8]) -> Result<()> {
        self[1].check_weak_key(tweak)?;
        self[0].check_weak_key(data)
    }

    fn start(&self, iv: &mut [u8]) {
        self[1].encrypt_block(iv);
    }

    fn run(&self, dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
        F::enter::<1, Run>([&self[0]], dir, tweak, io);
    }

    fn crypt(&self, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        F::enter::<2, Crypt>([&self[0], &self[1]], dir, iv, io);
    }
}

/// [`Keys::run`].
enum Run {}

impl Mode<1> for Run {
    #[inline(always)]
    fn run<E: Engine>([e]: [E; 1], dir: Dir, tweak: &mut [u8], io: InOut<'_>) {
        let r = e.registers();
        let following = crypt(e, dir, r.load(tweak), io);
        r.store(following, tweak);
    }
}

/// [`Keys::crypt`] inside a fused driver.
enum Crypt {}

impl Mode<2> for Crypt {
    #[inline(always)]
    fn run<E: Engine>([data, tweak]: [E; 2], dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let first = tweak.encrypt(tweak.registers().load(iv));
        crypt(data, dir, first, io);
    }
}

/// At least one block (IEEE 1619, 5.3.2 and 5.4.2); returns the tweak after the last whole block.
#[inline(always)]
fn crypt<E: Engine>(e: E, dir: Dir, tweak: Block<E>, mut io: InOut<'_>) -> Block<E> {
    let r = e.registers();
    let n = io.len() % BLOCK;
    if n == 0 {
        return blocks(e, dir, tweak, io);
    }
    // All but the last whole block, then that and the part after it.
    let pair = io.len() - n - BLOCK;
    let tweak = blocks(e, dir, tweak, io.reborrow().split_at(pair).0);
    let following = r.doubled(r.double(r.doubling(tweak)));
    let (t1, t2) = match dir {
        Dir::Encrypt => (tweak, following),
        Dir::Decrypt => (following, tweak),
    };
    let tail = r.load_tail(&io.src()[pair..]);
    let stolen = one(e, dir, t1, r.load(&io.src()[pair..pair + BLOCK]));
    let last = one(e, dir, t2, r.splice(tail, n, stolen));
    r.store_tail(last, stolen, &mut io.dst()[pair..]);
    following
}

/// Whole blocks; returns the tweak of the next one.
#[inline(always)]
fn blocks<E: Engine>(e: E, dir: Dir, tweak: Block<E>, io: InOut<'_>) -> Block<E> {
    let r = e.registers();
    let mut lanes = Tweaked::<E::Registers> { tweak: r.doubling(tweak) };
    match dir {
        Dir::Encrypt => e.encrypt_lanes(&mut lanes, io),
        Dir::Decrypt => e.decrypt_lanes(&mut lanes, io),
    }
    r.doubled(lanes.tweak)
}

/// One block under its tweak.
#[inline(always)]
fn one<E: Engine>(e: E, dir: Dir, tweak: Block<E>, block: Block<E>) -> Block<E> {
    let r = e.registers();
    let x = r.xor(block, tweak);
    let y = match dir {
        Dir::Encrypt => e.encrypt(x),
        Dir::Decrypt => e.decrypt(x),
    };
    r.xor(y, tweak)
}

/// The tweak on both sides of the cipher.
struct Tweaked<R: Registers> {
    tweak: R::Doubling,
}

impl<R: Registers> Lanes<R> for Tweaked<R> {
    type Keep = R::Block;

    #[inline(always)]
    fn before(&mut self, r: R, lane: usize, src: &[u8]) -> (R::Block, R::Block) {
        let tweak = r.doubled(self.tweak);
        if lane.is_multiple_of(16) {
            self.tweak = r.doubling(tweak);
        }
        self.tweak = r.double(self.tweak);
        (r.xor(r.load(src), tweak), tweak)
    }

    #[inline(always)]
    fn after(&mut self, r: R, tweak: R::Block, _src: &[u8], out: R::Block) -> R::Block {
        r.xor(out, tweak)
    }

    #[inline(always)]
    fn advance(&mut self, _r: R, _blocks: usize) {}
}

/// A boxed `ecb(..)`, which takes runs of blocks.
#[derive(Clone, Copy)]
struct Calls<'a>(&'a dyn SkcipherDriver);

impl Runs for Calls<'_> {
    fn block_size(self) -> usize {
        BLOCK
    }

    fn encrypt_blocks(self, io: InOut<'_>) {
        self.0.crypt(Dir::Encrypt, &mut [], io);
    }

    fn decrypt_blocks(self, io: InOut<'_>) {
        self.0.crypt(Dir::Decrypt, &mut [], io);
    }
}

#[cfg(test)]
mod tests {
    use kcrypto_core::{Error, InOut};

    use crate::toy::{bytes, keyed, refusal, registry};

    #[test]
    fn takes_a_cipher_or_its_ecb() {
        let registry = registry();
        for name in ["xts(toy16)", "xts(ecb(toy16-plain))"] {
            let tfm = registry.skcipher(name).expect(name);
            assert_eq!((&*tfm.alg().name, &*tfm.alg().driver_name), ("xts(toy16)", "xts(ecb(toy16-plain))"));
            assert!(tfm.key_sizes().iter().eq([8, 12]), "{name}");
            let children: std::vec::Vec<&str> =
                tfm.alg().children().iter().map(|c| &*c.driver_name).collect();
            assert_eq!(children, ["ecb(toy16-plain)", "toy16-plain"], "{name}");
        }
    }

    #[test]
    fn refuses_children() {
        for name in ["xts(toy8)", "xts(cbc(toy16))", "xts(ctr(toy16))", "xts(xts(toy16))"] {
            assert!(matches!(refusal(name), Error::BadChild { .. }), "{name}");
        }
        assert!(matches!(refusal("xts(none)"), Error::NotFound { .. }));
    }

    #[test]
    fn refuses_less_than_a_block() {
        let tfm = keyed(&registry(), "xts(toy16)");
        for len in [0, 1, 15] {
            let refused = tfm.encrypt(&bytes(16), InOut::in_place(&mut bytes(len)));
            assert!(matches!(refused, Err(Error::BadLength { .. })), "{len}");
        }
    }

    #[test]
    fn equal_halves_are_weak_where_that_matters() {
        let mut tfm = registry().skcipher("xts(toy16)").expect("xts(toy16)");
        tfm.set_key(&[1, 2, 3, 4, 1, 2, 3, 4]).expect("weak keys are allowed");
        tfm.forbid_weak_keys();
        for weak in [[1, 2, 3, 4, 1, 2, 3, 4], [0, 0, 0, 0, 1, 2, 3, 4], [1, 2, 3, 4, 0, 0, 0, 0]] {
            assert!(matches!(tfm.set_key(&weak), Err(Error::WeakKey { .. })), "{weak:?}");
        }
        tfm.set_key(&[1, 2, 3, 4, 1, 2, 3, 5]).expect("halves that differ");
        assert!(matches!(tfm.set_key(&[1; 9]), Err(Error::BadKeyLen { .. })));
    }
}
