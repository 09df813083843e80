//! Modes that chain or count blocks, written once over an [`Engine`].

use zeroize::Zeroize;

use crate::cipher::CipherDriver;
use crate::engine::Engine;
use crate::{InOut, MAX_UNIT};

/// CBC encryption of whole blocks; `iv` becomes the last ciphertext block.
#[inline(always)]
pub fn cbc_encrypt<E: Engine>(e: E, iv: &mut [u8], mut io: InOut<'_>) {
    let size = e.block_size();
    let mut chain = e.load(iv);
    for at in (0..io.len()).step_by(size) {
        let plain = e.load(&io.src()[at..at + size]);
        chain = e.cbc_link(chain, plain);
        e.store(chain, &mut io.dst()[at..at + size]);
    }
    e.store(chain, iv);
}

/// CBC decryption of whole blocks; `iv` becomes the last ciphertext block.
#[inline(always)]
pub fn cbc_decrypt<E: Engine>(e: E, iv: &mut [u8], mut io: InOut<'_>) {
    let size = e.block_size();
    let mut chain = e.load(iv);
    let mut at = 0;
    while at < io.len() {
        let n = next_group(e, io.len() - at);
        if n == 0 {
            break;
        }
        let src = &io.src()[at..at + n];
        let next = e.load(&src[n - size..]);
        let group = e.decrypt_group(e.load_group(src));
        let group = e.xor_previous(group, chain, src);
        e.store_group(group, &mut io.dst()[at..at + n]);
        chain = next;
        at += n;
    }
    while at < io.len() {
        let cipher = e.load(&io.src()[at..at + size]);
        e.store(e.xor(e.decrypt(cipher), chain), &mut io.dst()[at..at + size]);
        chain = cipher;
        at += size;
    }
    e.store(chain, iv);
}

/// CTR encryption or decryption; `counter` advances by the blocks used, a partial one included.
#[inline(always)]
pub fn ctr<E: Engine>(e: E, counter: &mut [u8], mut io: InOut<'_>) {
    let size = e.block_size();
    let mut count = read_counter(counter);
    let whole = io.len() - io.len() % size;
    let mut at = 0;
    while at < whole {
        let n = next_group(e, whole - at);
        if n == 0 {
            break;
        }
        let group = e.encrypt_group(e.counters(count, n / size));
        let group = e.xor_source(group, &io.src()[at..at + n]);
        e.store_group(group, &mut io.dst()[at..at + n]);
        count = count.wrapping_add((n / size) as u128);
        at += n;
    }
    let mut block = [0u8; 16];
    while at < io.len() {
        let n = size.min(io.len() - at);
        block[..size].copy_from_slice(&count.to_be_bytes()[16 - size..]);
        let stream = e.encrypt(e.load(&block[..size]));
        if n == size {
            let src = e.load(&io.src()[at..at + n]);
            e.store(e.xor(src, stream), &mut io.dst()[at..at + n]);
        } else {
            e.store(stream, &mut block[..size]);
            for (i, key) in block[..n].iter().enumerate() {
                let byte = io.src()[at + i];
                io.dst()[at + i] = byte ^ key;
            }
        }
        count = count.wrapping_add(1);
        at += n;
    }
    block.zeroize();
    counter.copy_from_slice(&count.to_be_bytes()[16 - size..]);
}

/// Bytes of the next group, or 0 when what is left goes block by block.
#[inline(always)]
fn next_group<E: Engine>(e: E, left: usize) -> usize {
    let full = e.group_blocks() * e.block_size();
    if left >= full {
        full
    } else if E::PARTIAL_GROUPS {
        left
    } else {
        0
    }
}

/// A big-endian number of 1 to 16 bytes.
#[inline(always)]
fn read_counter(bytes: &[u8]) -> u128 {
    let mut wide = [0; 16];
    wide[16 - bytes.len()..].copy_from_slice(bytes);
    u128::from_be_bytes(wide)
}

/// Any block cipher as an [`Engine`]: groups are runs of up to 512 bytes in a buffer that is wiped.
#[derive(Debug)]
pub struct Blocks<'a, C: ?Sized> {
    cipher: &'a C,
    size: usize,
}

impl<'a, C: CipherDriver + ?Sized> Blocks<'a, C> {
    /// The cipher, with its block size read once.
    pub fn new(cipher: &'a C) -> Self {
        Blocks { cipher, size: cipher.block_size() }
    }
}

impl<C: ?Sized> Clone for Blocks<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: ?Sized> Copy for Blocks<'_, C> {}

/// A run of blocks in memory.
#[derive(Debug)]
pub struct Run {
    bytes: [u8; MAX_UNIT],
    len: usize,
}

impl Run {
    fn copy_of(src: &[u8]) -> Self {
        let mut run = Run { bytes: [0; MAX_UNIT], len: src.len() };
        run.bytes[..src.len()].copy_from_slice(src);
        run
    }

    fn xor(&mut self, at: usize, with: &[u8]) {
        self.bytes[at..].iter_mut().zip(with).for_each(|(a, b)| *a ^= b);
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.bytes[..self.len].zeroize();
    }
}

impl<C: CipherDriver + ?Sized> Engine for Blocks<'_, C> {
    type Block = [u8; 16];
    type Group = Run;
    const PARTIAL_GROUPS: bool = true;

    fn block_size(self) -> usize {
        self.size
    }

    fn group_blocks(self) -> usize {
        MAX_UNIT / self.size
    }

    fn load(self, src: &[u8]) -> [u8; 16] {
        let mut block = [0; 16];
        block[..self.size].copy_from_slice(src);
        block
    }

    fn store(self, block: [u8; 16], dst: &mut [u8]) {
        dst.copy_from_slice(&block[..self.size]);
    }

    fn xor(self, a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
        (u128::from_ne_bytes(a) ^ u128::from_ne_bytes(b)).to_ne_bytes()
    }

    fn encrypt(self, mut block: [u8; 16]) -> [u8; 16] {
        self.cipher.encrypt_block(&mut block[..self.size]);
        block
    }

    fn decrypt(self, mut block: [u8; 16]) -> [u8; 16] {
        self.cipher.decrypt_block(&mut block[..self.size]);
        block
    }

    fn load_group(self, src: &[u8]) -> Run {
        Run::copy_of(src)
    }

    fn store_group(self, group: Run, dst: &mut [u8]) {
        dst.copy_from_slice(&group.bytes[..group.len]);
    }

    fn encrypt_group(self, mut group: Run) -> Run {
        let len = group.len;
        self.cipher.encrypt_blocks(InOut::in_place(&mut group.bytes[..len]));
        group
    }

    fn decrypt_group(self, mut group: Run) -> Run {
        let len = group.len;
        self.cipher.decrypt_blocks(InOut::in_place(&mut group.bytes[..len]));
        group
    }

    fn xor_previous(self, mut group: Run, first: [u8; 16], src: &[u8]) -> Run {
        group.xor(0, &first[..self.size]);
        group.xor(self.size, &src[..src.len() - self.size]);
        group
    }

    fn xor_source(self, mut group: Run, src: &[u8]) -> Run {
        group.xor(0, src);
        group
    }

    fn counters(self, counter: u128, blocks: usize) -> Run {
        let mut run = Run { bytes: [0; MAX_UNIT], len: blocks * self.size };
        for (i, block) in run.bytes[..blocks * self.size].chunks_exact_mut(self.size).enumerate() {
            let value = counter.wrapping_add(i as u128).to_be_bytes();
            block.copy_from_slice(&value[16 - self.size..]);
        }
        run
    }
}
