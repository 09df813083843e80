//! A template of your own, registered at run time: `ige(cipher)`.
//!
//! Infinite garble extension (Carl Campbell, 1978; here as in OpenSSL, and in Telegram's MTProto): every block
//! depends on the ciphertext and on the plaintext before it.
//!
//! ```text
//!   Ci = E(Pi ⊕ Ci-1) ⊕ Pi-1        IV = C0 ‖ P0, two blocks; it becomes the last pair
//! ```
//!
//! It shows a [`Template`], a mode in linear form, and that the mode works over every cipher of the registry.
#![forbid(unsafe_code)]

use kcrypto::selftest::Mode;
use kcrypto::{
    Alg, CipherDriver, Create, Defaults, Dir, Error, InOut, Kind, KindTag, Length, Make, Registry, Result,
    SkcipherAlg, SkcipherDriver, State, Template,
};
use zeroize::Zeroize;

const IGE: Template = Template { name: "ige", create };

fn create(c: &mut Create<'_>) -> Result<Alg> {
    c.makes(KindTag::Skcipher)?;
    let cipher = c.cipher(c.arg(0)?)?;
    let block_size = cipher.limits.block_size;
    if !block_size.is_power_of_two() {
        return Err(c.bad_child(&cipher.alg, "the block size must be a power of two"));
    }
    c.instance(Kind::Skcipher(SkcipherAlg {
        block_size,
        iv_size: 2 * block_size,
        chunk_size: block_size,
        walk_size: block_size,
        tail: 0,
        length: Length::blocks(block_size),
        keys: cipher.limits.keys,
        state_size: 2 * block_size,
        make: Make::skcipher(move || Ok(Ige(cipher.make()?))),
    }))
}

/// The mode over a cipher that was chosen at run time. Its state is the pair of blocks before.
struct Ige(Box<dyn CipherDriver>);

impl SkcipherDriver for Ige {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.set_key(key)
    }

    fn begin(&self, _dir: Dir, iv: &[u8], state: &mut State) {
        state.bytes_mut()[..iv.len()].copy_from_slice(iv);
    }

    fn run(&self, dir: Dir, state: &mut State, mut io: InOut<'_>, _last: bool) {
        let size = self.0.block_size();
        let (cipher, plain) = state.bytes_mut()[..2 * size].split_at_mut(size);
        // Decryption is the same with the two texts exchanged.
        let (before, after) = if dir == Dir::Encrypt { (cipher, plain) } else { (plain, cipher) };
        let (mut source, mut block) = ([0; 16], [0; 16]);
        let (source, block) = (&mut source[..size], &mut block[..size]);
        for at in (0..io.len()).step_by(size) {
            source.copy_from_slice(&io.src()[at..at + size]);
            block.copy_from_slice(source);
            xor(block, before);
            match dir {
                Dir::Encrypt => self.0.encrypt_block(block),
                Dir::Decrypt => self.0.decrypt_block(block),
            }
            xor(block, after);
            io.dst()[at..at + size].copy_from_slice(block);
            before.copy_from_slice(block);
            after.copy_from_slice(source);
        }
        source.zeroize();
        block.zeroize();
    }

    fn end(&self, _dir: Dir, state: &State, iv_out: &mut [u8]) {
        iv_out.copy_from_slice(&state.bytes()[..iv_out.len()]);
    }
}

fn xor(block: &mut [u8], with: &[u8]) {
    block.iter_mut().zip(with).for_each(|(a, b)| *a ^= b);
}

/// Registers the template, checks it against the published answer, and takes it away again.
pub fn main() -> Result<()> {
    let registry = Registry::with_defaults();
    let guard = registry.register_template(IGE)?;

    // Ben Laurie, "OpenSSL's Implementation of Infinite Garble Extension" (2006), second vector.
    let decode = |text: &str| hex::decode(text).expect("hex");
    let iv = decode("6d656e746174696f6e206f6620494745206d6f646520666f72204f70656e5353");
    let expected = decode("4c2e204c6574277320686f70652042656e20676f74206974207269676874210a");
    let mut data = decode("99706487a1cde613bc6de0b6f24b1c7aa448c8b9c3403e3467a8cad89340f53b");
    let mut tfm = registry.skcipher("ige(aes)")?;
    tfm.set_key(b"This is an imple")?;
    tfm.encrypt(&iv, &mut data)?;
    assert_eq!(data, expected);
    println!("{} encrypts to {:?}", tfm.alg().driver_name, String::from_utf8_lossy(&data));

    // Whatever was chosen passed its self-test before; here is the long one, against `ige(aes-generic)`.
    let report = registry.test(&tfm.alg().driver_name, &Mode::full())?;
    println!("{} checks, {:?}", report.checks, report.failure);
    assert!(report.passed());
    assert!(registry.templates().contains(&"ige"));
    print!("{}", registry.explain("ige(aes)", kcrypto::Want::new(KindTag::Skcipher)));

    guard.unregister();
    tfm.decrypt(&iv, &mut data)?;
    let gone = registry.skcipher("ige(aes)").expect_err("nobody makes it now");
    println!("unregistered, the transform keeps working; a new request: {gone}");
    assert!(matches!(gone, Error::NotFound { .. }));
    Ok(())
}
