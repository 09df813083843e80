//! Block ciphers.

use kcrypto_core::{CipherDriver, Dir, InOut, Result};

use crate::wrap::{CipherFault, Right, Specimen};

const WRONG: &str = "wrong result";

pub(crate) fn specimens() -> Vec<Specimen> {
    let wrong = |fault, says, make| Specimen::cipher("aes", fault, says, make);
    vec![
        wrong("the third key is the second", WRONG, || Box::new(ThirdKey::default())),
        wrong("decryption of four blocks apart", WRONG, || Box::new(FourApart)),
        wrong("33rd block of a run", WRONG, || Box::new(Late)),
        wrong("CTR from a counter of ones", "contract: ctr", || Box::new(Ones)),
        wrong("CBC decryption of nine blocks in place", "contract: cbc", || Box::new(NineInPlace)),
    ]
}

/// Keeps the key before where a third one is set.
#[derive(Default)]
struct ThirdKey {
    before: Vec<u8>,
    count: usize,
}
impl CipherFault for ThirdKey {
    fn set_key(&mut self, right: &mut dyn CipherDriver, key: &[u8]) -> Result<()> {
        self.count += 1;
        if self.count == 3 {
            return right.set_key(&self.before);
        }
        self.before = key.to_vec();
        right.set_key(key)
    }
}

fn in_place(io: &mut InOut<'_>) -> bool {
    core::ptr::eq(io.src().as_ptr(), io.dst().as_ptr())
}

struct FourApart;
impl CipherFault for FourApart {
    fn blocks(&self, right: &dyn CipherDriver, dir: Dir, mut io: InOut<'_>) {
        let hit = dir == Dir::Decrypt && io.len() == 64 && !in_place(&mut io);
        Right.blocks(right, dir, io.reborrow());
        if hit {
            io.dst()[63] ^= 1;
        }
    }
}

struct Late;
impl CipherFault for Late {
    fn blocks(&self, right: &dyn CipherDriver, dir: Dir, mut io: InOut<'_>) {
        Right.blocks(right, dir, io.reborrow());
        if let Some(byte) = io.dst().get_mut(512) {
            *byte ^= 1;
        }
    }
}

struct Ones;
impl CipherFault for Ones {
    fn ctr(&self, right: &dyn CipherDriver, counter: &mut [u8], mut io: InOut<'_>) {
        let ones = counter.iter().all(|&byte| byte == 0xff);
        right.ctr(counter, io.reborrow());
        if let (true, Some(byte)) = (ones, io.dst().get_mut(16)) {
            *byte ^= 1;
        }
    }
}

struct NineInPlace;
impl CipherFault for NineInPlace {
    fn cbc(&self, right: &dyn CipherDriver, dir: Dir, iv: &mut [u8], mut io: InOut<'_>) {
        let hit = dir == Dir::Decrypt && io.len() == 144 && in_place(&mut io);
        Right.cbc(right, dir, iv, io.reborrow());
        if hit {
            io.dst()[128] ^= 1;
        }
    }
}
