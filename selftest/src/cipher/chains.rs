//! The chains that a block cipher offers in bulk (CBC and CTR) are those of its single blocks.

use kcrypto_core::{CipherDriver, Dir, InOut};

use crate::cipher::Trial;
use crate::failure::{Check, Origin};
use crate::keys::{key_lens, taken};
use crate::prng::Prng;
use crate::skcipher::shape::{Case, Shape};

/// Lengths in blocks that the lazy mode tries: around what drivers process side by side.
const BLOCKS: [usize; 9] = [0, 1, 2, 4, 7, 8, 9, 17, 33];

/// One of the chains, as a function of the driver's trait.
struct Chain {
    name: &'static str,
    dir: Dir,
    /// Whether the last block may be cut.
    ragged: bool,
    bulk: fn(&dyn CipherDriver, &mut [u8], InOut<'_>),
    plain: fn(&dyn CipherDriver, &mut [u8], &mut [u8]),
}

const CHAINS: [Chain; 3] = [
    Chain {
        name: "cbc",
        dir: Dir::Encrypt,
        ragged: false,
        bulk: |driver, iv, io| driver.cbc_encrypt(iv, io),
        plain: cbc_encrypt,
    },
    Chain {
        name: "cbc",
        dir: Dir::Decrypt,
        ragged: false,
        bulk: |driver, iv, io| driver.cbc_decrypt(iv, io),
        plain: cbc_decrypt,
    },
    Chain {
        name: "ctr",
        dir: Dir::Encrypt,
        ragged: true,
        bulk: |driver, iv, io| driver.ctr(iv, io),
        plain: ctr,
    },
];

/// Compares each chain with the plain form of it, for several lengths.
pub(crate) fn test(trial: &mut Trial<'_>) -> Check {
    trial.tally.enter("chains");
    let size = trial.limits.block_size;
    let mut prng = Prng::new(trial.effort.seed ^ 4);
    let every: Vec<usize> = if trial.effort.exhaustive { (0..=40).collect() } else { BLOCKS.into() };
    let mut any = false;
    for key_len in key_lens(trial.limits.keys) {
        let mut driver = trial.limits.make.call().map_err(|why| trial.tally.unmade(&why))?;
        let key = prng.bytes(key_len);
        if !taken(trial.tally, driver.set_key(&key), &key)? {
            continue;
        }
        any = true;
        for (chain, &blocks) in CHAINS.iter().flat_map(|chain| every.iter().map(move |n| (chain, n))) {
            let cut = if chain.ragged && blocks > 0 { prng.below(size) } else { 0 };
            let input = prng.bytes(blocks * size - cut);
            let mut iv = prng.bytes(size);
            if blocks == 2 {
                iv.fill(0xff);
            } else if prng.one_in(2) {
                // A counter that carries far, soon.
                let low = prng.below(size);
                iv[low..].fill(0xff);
                iv[size - 1] = 0xff - prng.below(blocks + 1) as u8;
            }
            let (mut iv_out, mut output) = (iv.clone(), input.clone());
            (chain.plain)(&*driver, &mut iv_out, &mut output);
            let origin = Origin::Contract(format!("{} len={} klen={key_len}", chain.name, input.len()));
            let iv_out = Some(iv_out.as_slice());
            let case =
                Case { dir: chain.dir, iv: &iv, iv_out, input: &input, output: &output, origin: &origin };
            for in_place in [true, false] {
                let shape = Shape::whole(in_place, true, blocks % 16);
                trial.bench.check_call(trial.tally, &case, &shape, |bench| {
                    let (iv, io) = bench.parts(in_place)?;
                    (chain.bulk)(&*driver, iv, io);
                    Ok(())
                })?;
            }
        }
    }
    if any { Ok(()) } else { Err(trial.tally.no_key()) }
}

/// SP 800-38A, 6.2, one block at a time.
fn cbc_encrypt(driver: &dyn CipherDriver, iv: &mut [u8], message: &mut [u8]) {
    for block in message.chunks_exact_mut(iv.len()) {
        xor(block, iv);
        driver.encrypt_block(block);
        iv.copy_from_slice(block);
    }
}

/// SP 800-38A, 6.2, one block at a time.
fn cbc_decrypt(driver: &dyn CipherDriver, iv: &mut [u8], message: &mut [u8]) {
    for block in message.chunks_exact_mut(iv.len()) {
        let next = block.to_vec();
        driver.decrypt_block(block);
        xor(block, iv);
        iv.copy_from_slice(&next);
    }
}

/// SP 800-38A, 6.5, one block at a time; the counter fills the block.
fn ctr(driver: &dyn CipherDriver, counter: &mut [u8], message: &mut [u8]) {
    for block in message.chunks_mut(counter.len()) {
        let mut stream = counter.to_vec();
        driver.encrypt_block(&mut stream);
        xor(block, &stream);
        for byte in counter.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }
}

fn xor(block: &mut [u8], with: &[u8]) {
    block.iter_mut().zip(with).for_each(|(a, b)| *a ^= b);
}
