//! `ccm(cipher)`, which is `ccm_base(ctr(cipher),cbcmac(cipher))`: counter mode with CBC-MAC (RFC 3610;
//! SP 800-38C).
//!
//! ```text
//!   MAC   B0 ‖ length of AAD ‖ AAD ‖ 00 .. ‖ plaintext ‖ 00 ..  ──▶ T
//!   CTR   A0 ──▶ S0      A1, A2, .. ──▶ the key stream of the text
//!   tag   the first bytes of T ⊕ S0
//!
//!   B0 = flags ‖ nonce ‖ length of the text (L bytes)
//!   Ai = L - 1 ‖ nonce ‖ i                  (L bytes)
//! ```
//!
//! The children are a counter mode with a 16-byte IV and a `cbcmac(..)` of 16 bytes over the same cipher; the
//! key goes to both. The IV is 16 bytes: L - 1 in 1 to 7, the nonce of 15 - L bytes, and L bytes that do not
//! matter. The text is shorter than 2^(8 L) bytes. Tags have 4, 6, 8, 10, 12, 14 or 16 bytes.

mod lanes;

use alloc::boxed::Box;
use alloc::format;

use kcrypto_core::batch::Job;
use kcrypto_core::chain;
use kcrypto_core::engine::{Block, Engine, Fused, Mac, Masks, Mode, Registers, Seal, read_part};
use kcrypto_core::{
    Aad, AadLength, Aead, AeadAlg, AeadDriver, Alg, CipherDriver, Create, Dir, Error, InOut, KeySizes, Kind,
    KindTag, Length, Lens, Make, MapBlock, Result, ShashDriver, SkcipherAlg, SkcipherDriver, State, TagSizes,
    Template,
};
use zeroize::Zeroize;

use crate::lanes::Parallel;

/// Block size of every cipher in this mode, in bytes.
const BLOCK: usize = 16;

/// The template.
pub const CCM: Template = Template { name: "ccm", create };
/// The template with both children spelled out.
pub const CCM_BASE: Template = Template { name: "ccm_base", create: create_base };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static CCM_LINK: Template = CCM;
#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static CCM_BASE_LINK: Template = CCM_BASE;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    let cipher = c.arg(0)?;
    over(c, &format!("ctr({cipher})"), &format!("cbcmac({cipher})"))
}

fn create_base(c: &mut Create<'_>) -> Result<Alg> {
    let (ctr, mac) = (c.arg(0)?, c.arg(1)?);
    over(c, ctr, mac)
}

fn over(c: &mut Create<'_>, ctr: &str, mac: &str) -> Result<Alg> {
    c.makes(KindTag::Aead)?;
    let ctr = c.skcipher(ctr)?;
    let mac = c.shash(mac)?;
    let Some(mac_inner) = mac.alg.name.strip_prefix("cbcmac(") else {
        return Err(c.bad_child(&mac.alg, "it must be a cbcmac(..)"));
    };
    if mac.limits.digest_size != BLOCK || mac.limits.block_size != BLOCK {
        return Err(c.bad_child(&mac.alg, "the block and the digest must be 16 bytes"));
    }
    let Some(ctr_inner) = ctr.alg.name.strip_prefix("ctr(") else {
        return Err(c.bad_child(&ctr.alg, "it must be a ctr(..)"));
    };
    let SkcipherAlg { iv_size, block_size, length, tail, .. } = ctr.limits;
    if (iv_size, block_size, length, tail) != (BLOCK, 1, Length::ANY, 0) {
        return Err(c.bad_child(&ctr.alg, "it must be a stream mode with an IV of 16 bytes"));
    }
    if ctr_inner != mac_inner {
        return Err(c.bad_child(&mac.alg, "both children must be over the same cipher"));
    }
    let name = format!("ccm({ctr_inner}");
    let driver_name = format!("ccm_base({},{})", ctr.alg.driver_name, mac.alg.driver_name);
    let priority = ctr.alg.priority.midpoint(mac.alg.priority);
    let chunk_size = ctr.limits.chunk_size.max(BLOCK);
    let keys = ctr.limits.keys;
    let chain_size = mac.limits.state_size;
    let make =
        Make::aead(move || Ok(Ccm { parts: Boxed { ctr: ctr.make()?, mac: mac.make()?, chain_size } }));
    c.instance_named(
        name,
        driver_name,
        priority,
        Kind::Aead(AeadAlg { chunk_size, ..limits(keys, chain_size, make) }),
    )
}

/// Limits of CCM over a MAC with this much running state.
pub const fn limits(keys: KeySizes, chain_size: usize, make: Make<dyn AeadDriver>) -> AeadAlg {
    AeadAlg {
        block_size: 1,
        iv_size: BLOCK,
        tags: TagSizes::of(&[4, 6, 8, 10, 12, 14, 16]),
        chunk_size: BLOCK,
        tail: 0,
        length: Length::ANY,
        aad: AadLength::Any,
        keys,
        state_size: CHAIN + chain_size,
        make,
    }
}

// What a message carries from run to run: S0, the bytes that the MAC has not taken yet and how many they are,
// how many bytes the MAC takes in all, the next Ai, and the state of the MAC.
const HELD: usize = 16;
const HELD_LEN: usize = 32;
const TOTAL: usize = 33;
const COUNTER: usize = 41;
const CHAIN: usize = COUNTER + BLOCK;

/// CCM over two parts.
pub struct Ccm<P> {
    parts: P,
}

impl<F: Fused> Ccm<F> {
    /// Over a cipher that compiles the mode into one function.
    pub fn fused(cipher: F) -> Self {
        Ccm { parts: cipher }
    }
}

impl<P: Parts> AeadDriver for Ccm<P> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.parts.set_key(key)
    }

    fn check(&self, iv: &[u8], lens: Lens) -> Result<()> {
        let bits = match iv[0] {
            l @ 1..=7 => 8 * (u32::from(l) + 1),
            _ => return Err(Error::BadIv { why: "its first byte must be 1 to 7" }),
        };
        let max = u64::MAX >> (64 - bits);
        if lens.text > max { Err(Error::TooLong { len: lens.text, max }) } else { Ok(()) }
    }

    fn begin(&self, _dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        self.start(iv, lens, state.bytes_mut());
    }

    fn aad(&self, state: &mut State, run: &[u8], last: bool) {
        self.associate(state.bytes_mut(), run, last);
    }

    fn run(&self, dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        self.parts.text(dir, &mut state.bytes_mut()[COUNTER..], io);
    }

    fn end(&self, _dir: Dir, state: &mut State, tag: &mut [u8]) {
        self.tag(state.bytes_mut(), tag);
    }

    fn crypt(&self, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) {
        P::crypt(self, dir, iv, aad, io, tag);
    }

    fn crypt_batch(&self, jobs: &mut [Job<'_, Aead>]) {
        lanes::run(&self.parts, jobs);
    }
}

impl<P: Parts> Ccm<P> {
    fn start(&self, iv: &[u8], lens: Lens, state: &mut [u8]) {
        let format = Format::new(iv, lens);
        state[COUNTER..CHAIN].copy_from_slice(&format.a0.to_be_bytes());
        let (stream, counted) = state.split_at_mut(COUNTER);
        self.parts.key_stream(&mut counted[..BLOCK], &mut stream[..BLOCK]);

        self.parts.start(&mut state[CHAIN..], &format.b0.to_be_bytes());
        let (prefix, len) = aad_prefix(lens.aad);
        state[HELD..HELD + BLOCK].copy_from_slice(&prefix.to_le_bytes());
        state[HELD_LEN] = len as u8;
        let blocks = |len: u64| len.div_ceil(BLOCK as u64);
        let front = blocks(lens.aad.wrapping_add(len as u64));
        let total = (1 + front).wrapping_add(blocks(lens.text)).wrapping_mul(BLOCK as u64);
        state[TOTAL..COUNTER].copy_from_slice(&total.to_le_bytes());
    }

    fn associate(&self, state: &mut [u8], run: &[u8], last: bool) {
        let (front, chain) = state.split_at_mut(CHAIN);
        let held_len = usize::from(front[HELD_LEN]);
        let held = &mut front[HELD..HELD + BLOCK];
        let (head, rest) = run.split_at(run.len().min(BLOCK - held_len));
        held[held_len..held_len + head.len()].copy_from_slice(head);
        let (blocks, tail) = rest.split_at(rest.len() - rest.len() % BLOCK);
        if held_len + head.len() == BLOCK || last {
            self.parts.absorb(chain, held);
            held.fill(0);
        }
        if !blocks.is_empty() {
            self.parts.absorb(chain, blocks);
        }
        held[..tail.len()].copy_from_slice(tail);
        if last && !tail.is_empty() {
            self.parts.absorb(chain, held);
        }
        front[HELD_LEN] = tail.len() as u8;
    }

    fn tag(&self, state: &mut [u8], tag: &mut [u8]) {
        let (front, chain) = state.split_at_mut(CHAIN);
        let total = read_part(&front[TOTAL..COUNTER]) as u64;
        let mut mac = [0; BLOCK];
        self.parts.end(chain, total, &mut mac);
        mac.iter_mut().zip(&front[..BLOCK]).for_each(|(mac, mask)| *mac ^= mask);
        tag.copy_from_slice(&mac[..tag.len()]);
        mac.as_mut_slice().zeroize();
    }
}

/// The blocks that are made of an IV, as big-endian numbers (RFC 3610, 2.2 and 2.3).
struct Format {
    b0: u128,
    a0: u128,
}

impl Format {
    #[inline(always)]
    fn new(iv: &[u8], lens: Lens) -> Self {
        let iv = iv.first_chunk().map_or(0, |iv| u128::from_be_bytes(*iv));
        let counter_bits = 8 * ((iv >> 120) as u32 % 8 + 1);
        let a0 = iv >> counter_bits << counter_bits;
        let flags = (8 * (lens.tag.saturating_sub(2) / 2) as u128) | if lens.aad > 0 { 0x40 } else { 0 };
        Format { b0: a0 | flags << 120 | u128::from(lens.text), a0 }
    }
}

/// What stands before associated data, its first byte least significant, and its length (RFC 3610, 2.2).
#[inline(always)]
fn aad_prefix(len: u64) -> (u128, usize) {
    match len {
        0 => (0, 0),
        1..0xff00 => ((len as u16).swap_bytes().into(), 2),
        0xff00..=0xffff_ffff => (0xfeff | u128::from((len as u32).swap_bytes()) << 16, 6),
        _ => (0xffff | u128::from(len.swap_bytes()) << 16, 10),
    }
}

/// What [`Ccm`] works over: boxed children, or a cipher with everything in one function.
pub trait Parts: Parallel + Send + Sync {
    /// As [`AeadDriver::set_key`].
    ///
    /// # Errors
    /// Those of the cipher.
    fn set_key(&mut self, key: &[u8]) -> Result<()>;
    /// Writes a block of key stream; the counter goes on.
    fn key_stream(&self, counter: &mut [u8], block: &mut [u8]);
    /// Starts a MAC with its first block; its state is at the start of `chain`, which is zero.
    fn start(&self, chain: &mut [u8], block: &[u8; BLOCK]);
    /// Takes whole blocks into the MAC.
    fn absorb(&self, chain: &mut [u8], blocks: &[u8]);
    /// Takes a run of text, and its plaintext, padded with zeros, into the MAC; `state` is a counter, then the
    /// state of the MAC.
    fn text(&self, dir: Dir, state: &mut [u8], io: InOut<'_>);
    /// Ends a MAC of `total` bytes.
    fn end(&self, chain: &mut [u8], total: u64, mac: &mut [u8]);
    /// Processes a whole message.
    fn crypt(mode: &Ccm<Self>, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8])
    where
        Self: Sized;
}

/// Any counter mode and MAC that were chosen at run time.
struct Boxed {
    ctr: Box<dyn SkcipherDriver>,
    mac: Box<dyn ShashDriver>,
    /// Bytes of the MAC's state.
    chain_size: usize,
}

impl Boxed {
    fn absorb_padded(&self, chain: &mut [u8], text: &[u8]) {
        let (blocks, tail) = text.split_at(text.len() - text.len() % BLOCK);
        if !blocks.is_empty() {
            self.absorb(chain, blocks);
        }
        if !tail.is_empty() {
            let mut block = [0; BLOCK];
            block[..tail.len()].copy_from_slice(tail);
            self.absorb(chain, &block);
            block.as_mut_slice().zeroize();
        }
    }
}

impl Parallel for Boxed {}

impl Parts for Boxed {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.ctr.set_key(key)?;
        self.mac.set_key(key)
    }

    fn key_stream(&self, counter: &mut [u8], block: &mut [u8]) {
        block.fill(0);
        self.ctr.crypt(Dir::Encrypt, counter, InOut::in_place(block));
    }

    fn start(&self, chain: &mut [u8], block: &[u8; BLOCK]) {
        self.mac.init(&mut chain[..self.chain_size]);
        self.absorb(chain, block);
    }

    fn absorb(&self, chain: &mut [u8], blocks: &[u8]) {
        self.mac.update(&mut chain[..self.chain_size], blocks);
    }

    fn text(&self, dir: Dir, state: &mut [u8], mut io: InOut<'_>) {
        let (counter, chain) = state.split_at_mut(BLOCK);
        if dir == Dir::Encrypt {
            self.absorb_padded(chain, io.src());
        }
        self.ctr.crypt(dir, counter, io.reborrow());
        if dir == Dir::Decrypt {
            self.absorb_padded(chain, io.dst());
        }
    }

    fn end(&self, chain: &mut [u8], total: u64, mac: &mut [u8]) {
        self.mac.finish(&mut chain[..self.chain_size], &[], total, mac);
    }

    fn crypt(mode: &Ccm<Self>, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) {
        let mut state = State::new();
        let lens = Lens { aad: aad.len(), text: io.len() as u64, tag: tag.len() };
        mode.begin(dir, iv, lens, &mut state);
        aad.runs(BLOCK, |run, last| mode.aad(&mut state, run, last));
        mode.run(dir, &mut state, io, true);
        mode.end(dir, &mut state, tag);
    }
}

/// The MAC's state is the input of the cipher's next use, so that no run waits for the last block of another.
impl<F: Fused> Parts for F {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        CipherDriver::set_key(self, key)
    }

    fn key_stream(&self, counter: &mut [u8], block: &mut [u8]) {
        block.fill(0);
        self.ctr(counter, InOut::in_place(block));
    }

    fn start(&self, chain: &mut [u8], block: &[u8; BLOCK]) {
        chain[..BLOCK].copy_from_slice(block);
    }

    fn absorb(&self, chain: &mut [u8], blocks: &[u8]) {
        self.enter_mac::<Absorb>(&Masks::default(), blocks, &mut chain[..BLOCK]);
    }

    fn text(&self, dir: Dir, state: &mut [u8], io: InOut<'_>) {
        F::enter::<1, Text>([self], dir, &mut state[..2 * BLOCK], io);
    }

    fn end(&self, chain: &mut [u8], _total: u64, mac: &mut [u8]) {
        self.encrypt_block(&mut chain[..BLOCK]);
        mac.copy_from_slice(&chain[..BLOCK]);
    }

    fn crypt(mode: &Ccm<Self>, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) {
        mode.parts.enter_seal::<Whole>(dir, iv, aad, io, tag);
    }
}

/// [`Parts::absorb`] inside a fused driver.
enum Absorb {}

impl Mac for Absorb {
    #[inline(always)]
    fn run<E: Engine>(e: E, _masks: &Masks, blocks: &[u8], pending: &mut [u8]) {
        let r = e.registers();
        let x = e.start(r.number(0), r.load(pending));
        r.store(e.pending(chain::absorb(e, x, blocks)), pending);
    }
}

/// [`Parts::text`] inside a fused driver.
enum Text {}

impl Mode<1> for Text {
    #[inline(always)]
    fn run<E: Engine>([e]: [E; 1], dir: Dir, state: &mut [u8], io: InOut<'_>) {
        let r = e.registers();
        let (counter, pending) = state.split_at_mut(BLOCK);
        let first = read_part(counter).swap_bytes();
        let following = first.wrapping_add(io.len().div_ceil(BLOCK) as u128);
        let x = e.start(r.number(0), r.load(pending));
        r.store(e.pending(text(e, dir, r.counter(first), x, io)), pending);
        counter.copy_from_slice(&following.to_be_bytes());
    }
}

/// [`Parts::crypt`] inside a fused driver.
enum Whole {}

impl Seal for Whole {
    #[inline(always)]
    fn run<E: Engine>(e: E, dir: Dir, iv: &[u8], aad: &Aad<'_>, io: InOut<'_>, tag: &mut [u8]) {
        let r = e.registers();
        let format = Format::new(iv, Lens { aad: aad.len(), text: io.len() as u64, tag: tag.len() });
        let s0 = e.encrypt(r.number(format.a0.swap_bytes()));
        let x = e.start(r.number(0), r.number(format.b0.swap_bytes()));
        let x = associated(e, x, aad);
        let x = text(e, dir, r.counter(format.a0 + 1), x, io);
        r.store_part(r.xor(e.last(x), s0), tag);
    }
}

/// Goes on in the MAC with associated data.
#[inline(always)]
fn associated<E: Engine>(e: E, mut x: E::Link, aad: &Aad<'_>) -> E::Link {
    let r = e.registers();
    let (mut held, mut held_len) = aad_prefix(aad.len());
    for piece in aad.pieces() {
        let (head, rest) = piece.split_at(piece.len().min(BLOCK - held_len));
        held |= read_part(head) << (8 * held_len);
        held_len += head.len();
        if held_len == BLOCK {
            let (blocks, tail) = rest.split_at(rest.len() - rest.len() % BLOCK);
            x = chain::absorb(e, e.link(x, r.number(held)).1, blocks);
            (held, held_len) = (read_part(tail), tail.len());
        }
    }
    if held_len > 0 { e.link(x, r.number(held)).1 } else { x }
}

/// Goes on in the MAC with the plaintext of text, which it encrypts or decrypts.
#[inline(always)]
fn text<E: Engine>(e: E, dir: Dir, counter: CounterOf<E>, x: E::Link, io: InOut<'_>) -> E::Link {
    let r = e.registers();
    let mut both = Both { e, dir, x, key: e.encrypt(r.counter_block(counter, 0)), counter, ahead: 1 };
    let mut rest = io.map_blocks(&mut both);
    if rest.is_empty() {
        return both.x;
    }
    let input = r.load_part(rest.src(), 0);
    r.store_part(r.xor(input, both.key), rest.dst());
    let plain = if dir == Dir::Encrypt { input } else { r.load_part(rest.dst(), 0) };
    e.link(both.x, plain).1
}

/// Both passes over a text at once: the key stream is made a block ahead, in the shadow of the chain.
struct Both<E: Engine> {
    e: E,
    dir: Dir,
    x: E::Link,
    key: Block<E>,
    counter: CounterOf<E>,
    ahead: usize,
}

type CounterOf<E> = <<E as Engine>::Registers as Registers>::Counter;

impl<E: Engine> MapBlock<BLOCK> for Both<E> {
    #[inline(always)]
    fn map(&mut self, block: &[u8; BLOCK]) -> [u8; BLOCK] {
        let r = self.e.registers();
        let input = r.load(block);
        let output = r.xor(input, self.key);
        let plain = if self.dir == Dir::Encrypt { input } else { output };
        (self.x, self.key) = self.e.link_beside(self.x, plain, r.counter_block(self.counter, self.ahead));
        self.ahead += 1;
        let mut block = [0; BLOCK];
        r.store(output, &mut block);
        block
    }
}
