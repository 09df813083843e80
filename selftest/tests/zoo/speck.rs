//! Speck with its bytes in another order: the cipher as the paper prints it, and the tweak as a machine has its
//! numbers that is not little-endian.

use kcrypto_core::{Cipher, CipherDriver, Dir, InOut, Registry, Result, SkcipherDriver, State};

use crate::wrap::{CipherFault, Fault, Specimen};

const WRONG: &str = "wrong result";

pub(crate) fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::cipher("speck64", "words of 32 bits big-endian", WRONG, || Box::new(BigEndian(4))),
        Specimen::cipher("speck128", "words of 64 bits big-endian", WRONG, || Box::new(BigEndian(8))),
        Specimen::cipher("speck64", "x before y in 8 bytes", WRONG, || Box::new(HalvesSwapped(8))),
        Specimen::cipher("speck128", "x before y in 16 bytes", WRONG, || Box::new(HalvesSwapped(16))),
        Specimen::skcipher("xts(speck64)", "tweak big-endian", WRONG, || Box::new(Sectors::big_endian())),
        Specimen::skcipher("xts(speck64)", "tweak reduced as in 128 bits", WRONG, || {
            Box::new(Sectors::new(|tweak| double(u64::from_le_bytes(tweak), 0x87).to_le_bytes()))
        }),
    ]
}

/// Reads and writes words of so many bytes the other way round, of keys too.
struct BigEndian(usize);
impl CipherFault for BigEndian {
    fn set_key(&mut self, right: &mut dyn CipherDriver, key: &[u8]) -> Result<()> {
        let mut key = key.to_vec();
        key.chunks_exact_mut(self.0).for_each(<[u8]>::reverse);
        right.set_key(&key)
    }

    fn blocks(&self, right: &dyn CipherDriver, dir: Dir, io: InOut<'_>) {
        around(right, dir, io, |bytes| bytes.chunks_exact_mut(self.0).for_each(<[u8]>::reverse));
    }
}

/// Takes the halves of a block of so many bytes one for the other.
struct HalvesSwapped(usize);
impl CipherFault for HalvesSwapped {
    fn blocks(&self, right: &dyn CipherDriver, dir: Dir, io: InOut<'_>) {
        let size = self.0;
        around(right, dir, io, |bytes| {
            bytes.chunks_exact_mut(size).for_each(|block| block.rotate_left(size / 2));
        });
    }
}

/// The right cipher between two changes of order.
fn around(right: &dyn CipherDriver, dir: Dir, mut io: InOut<'_>, reorder: impl Fn(&mut [u8])) {
    io.copy();
    let bytes = io.dst();
    reorder(bytes);
    match dir {
        Dir::Encrypt => right.encrypt_blocks(InOut::in_place(bytes)),
        Dir::Decrypt => right.decrypt_blocks(InOut::in_place(bytes)),
    }
    reorder(bytes);
}

/// The mode over single blocks, with a step of its own from tweak to tweak.
struct Sectors {
    next: fn([u8; 8]) -> [u8; 8],
    keys: Option<[Cipher; 2]>,
}

impl Sectors {
    fn new(next: fn([u8; 8]) -> [u8; 8]) -> Self {
        Sectors { next, keys: None }
    }

    /// On a big-endian machine this is what a driver does that knows of no order; elsewhere it has to swap.
    fn big_endian() -> Self {
        Sectors::new(|tweak| double(u64::from_be_bytes(tweak), 0x1b).to_be_bytes())
    }

    /// Processes blocks from a tweak on, which becomes the next one.
    fn blocks(&self, dir: Dir, tweak: &mut [u8], mut io: InOut<'_>) {
        let Some([data, _]) = &self.keys else { return };
        io.copy();
        for block in io.dst().chunks_exact_mut(8) {
            block.iter_mut().zip(&*tweak).for_each(|(byte, tweak)| *byte ^= tweak);
            let done =
                if dir == Dir::Encrypt { data.encrypt(&mut *block) } else { data.decrypt(&mut *block) };
            done.expect("a keyed cipher");
            block.iter_mut().zip(&*tweak).for_each(|(byte, tweak)| *byte ^= tweak);
            let next = (self.next)(tweak.try_into().expect("8 bytes"));
            tweak.copy_from_slice(&next);
        }
    }
}

/// Times x in GF(2^64) with this polynomial.
fn double(tweak: u64, polynomial: u64) -> u64 {
    (tweak << 1) ^ (polynomial * (tweak >> 63))
}

impl Fault for Sectors {
    fn set_key(&mut self, right: &mut dyn SkcipherDriver, key: &[u8]) -> Result<()> {
        right.set_key(key)?;
        let registry = Registry::with(kcrypto_generic::ALGS.iter().cloned(), [])?;
        let cipher = |key: &[u8]| -> Result<Cipher> {
            let mut cipher = registry.cipher("speck64")?;
            cipher.set_key(key)?;
            Ok(cipher)
        };
        let (data, tweak) = key.split_at(key.len() / 2);
        self.keys = Some([cipher(data)?, cipher(tweak)?]);
        Ok(())
    }

    fn run(&self, _right: &dyn SkcipherDriver, dir: Dir, state: &mut State, io: InOut<'_>, _last: bool) {
        self.blocks(dir, &mut state.bytes_mut()[..8], io);
    }

    fn crypt(&self, _right: &dyn SkcipherDriver, dir: Dir, iv: &mut [u8], io: InOut<'_>) {
        let mut tweak = iv.to_vec();
        if let Some([_, cipher]) = &self.keys {
            cipher.encrypt(&mut tweak).expect("a keyed cipher");
        }
        self.blocks(dir, &mut tweak, io);
    }
}

/// The mode of this file is the right one but for the step.
#[test]
fn with_the_right_step_it_is_accepted() {
    let registry = crate::registry();
    let right = || -> Box<dyn Fault> {
        Box::new(Sectors::new(|tweak| double(u64::from_le_bytes(tweak), 0x1b).to_le_bytes()))
    };
    let alg = Specimen::skcipher("xts(speck64)", "none", "", right).alg(&registry);
    let report = kcrypto_selftest::check_driver(&registry, &alg);
    assert_eq!(report.failure, None);
}
