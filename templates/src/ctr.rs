//! `ctr(cipher)`: a key stream of encrypted counters (SP 800-38A, 6.5).
//!
//! ```text
//!   IV ──▶ E        IV+1 ──▶ E        IV+2 ──▶ E
//!   P1 ──▶ ⊕ ─▶ C1    P2 ──▶ ⊕ ─▶ C2    P3 ──▶ ⊕ ─▶ C3, cut to the length of P3
//! ```
//!
//! The child is a block cipher of 4, 8 or 16 bytes; it gets the whole message in one call. The IV is a
//! big-endian number as wide as a block, counts modulo its width, and becomes the counter after the last
//! block, a partial one included. Any length; both directions are the same.

use alloc::boxed::Box;

use kcrypto_core::{
    Alg, CipherDriver, Create, Dir, InOut, Kind, KindTag, Length, Make, Result, SkcipherAlg, SkcipherDriver,
    State, Template,
};

/// The template.
pub const CTR: Template = Template { name: "ctr", create };

#[linkme::distributed_slice(kcrypto_core::link::TEMPLATES)]
static CTR_LINK: Template = CTR;

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Skcipher)?;
    let cipher = c.cipher(c.arg(0)?)?;
    let block_size = cipher.limits.block_size;
    if block_size < 4 || !block_size.is_power_of_two() {
        return Err(c.bad_child(&cipher.alg, "the block size must be a power of two of at least 4 bytes"));
    }
    c.instance(Kind::Skcipher(SkcipherAlg {
        block_size: 1,
        iv_size: block_size,
        chunk_size: block_size,
        walk_size: block_size,
        tail: 0,
        length: Length::ANY,
        keys: cipher.limits.keys,
        state_size: block_size,
        make: Make::skcipher(move || Ok(Ctr::over(cipher.make()?))),
    }))
}

/// CTR over a block cipher. Its state is the counter.
pub struct Ctr<C: ?Sized> {
    cipher: Box<C>,
}

impl<C: CipherDriver + ?Sized> Ctr<C> {
    /// Over this cipher.
    pub fn over(cipher: Box<C>) -> Self {
        Ctr { cipher }
    }
}

impl<C: CipherDriver + ?Sized> SkcipherDriver for Ctr<C> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.cipher.set_key(key)
    }

    fn check_weak_key(&self, key: &[u8]) -> Result<()> {
        self.cipher.check_weak_key(key)
    }

    fn begin(&self, _dir: Dir, iv: &[u8], state: &mut State) {
        state.bytes_mut()[..iv.len()].copy_from_slice(iv);
    }

    fn run(&self, _dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        self.cipher.ctr(&mut state.bytes_mut()[..self.cipher.block_size()], io);
    }

    fn end(&self, _dir: Dir, state: &State, iv_out: &mut [u8]) {
        iv_out.copy_from_slice(&state.bytes()[..iv_out.len()]);
    }

    fn crypt(&self, _dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        self.cipher.ctr(iv, io);
    }
}

#[cfg(test)]
mod tests {
    use kcrypto_core::{Dir, Error, InOut};

    use crate::toy::{bytes, crypt, keyed, refusal, registry};

    #[test]
    fn refuses_children() {
        for name in ["ctr(toy1)", "ctr(toy2)", "ctr(toy12)"] {
            assert!(matches!(refusal(name), Error::BadChild { .. }), "{name}");
        }
    }

    /// Against counters that are made one by one, up to and over the end of what a block can count.
    #[test]
    fn counts_as_wide_as_the_block() {
        let registry = registry();
        for size in [4usize, 8, 16] {
            let name = std::format!("ctr(toy{size})");
            let tfm = keyed(&registry, &name);
            let ecb = keyed(&registry, &name.replace("ctr", "ecb"));
            for carried in [1, size / 2, size] {
                let mut counter = bytes(size);
                counter[size - carried..].fill(0xff);
                counter[size - 1] = 0xf9;
                for len in [0, 1, size - 1, size, 7 * size, 40 * size + 3] {
                    let (out, iv) = crypt(&tfm, Dir::Encrypt, &counter, &bytes(len));
                    let mut now = counter.clone();
                    let mut want = bytes(len);
                    for block in want.chunks_mut(size) {
                        let mut stream = now.clone();
                        ecb.encrypt(&[], InOut::in_place(&mut stream)).expect("one block");
                        block.iter_mut().zip(stream).for_each(|(byte, key)| *byte ^= key);
                        for byte in now.iter_mut().rev() {
                            *byte = byte.wrapping_add(1);
                            if *byte != 0 {
                                break;
                            }
                        }
                    }
                    assert_eq!((out, iv), (want, now), "{name} {carried} {len}");
                }
            }
        }
    }
}
