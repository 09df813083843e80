//! Sectors under Speck: the kernels of AVX2 beside the template over the portable cipher, in one process, in turns.
//!
//! `cargo bench -p kcrypto-benches --bench speck` prints nanoseconds and ratios; each is the middle one of three
//! passes. The portable cipher is compiled for the target's baseline: without `-C target-cpu`, that is SSE2.

use std::hint::black_box;

use kcrypto::{Dir, InOut, Skcipher};
use kcrypto_benches::interleave::{Plan, Run, Times, measure, timed};
use kcrypto_benches::message::Message;
use kcrypto_benches::ours;

/// Driver, bytes of both keys.
const DRIVERS: [(&str, usize); 5] = [
    ("xts-speck64-avx2", 32),
    ("xts-speck128-avx2", 32),
    ("xts-speck128-avx2", 64),
    ("xts(ecb(speck64-generic))", 32),
    ("xts(ecb(speck128-generic))", 64),
];

/// Places in [`DRIVERS`] of one and of what it is to beat, with the ratio that it must not exceed.
const GOALS: [(usize, usize, f64); 4] = [(0, 3, 1.0 / 3.0), (2, 4, 1.0 / 3.0), (0, 2, 1.0), (0, 1, 1.0)];

const PASSES: usize = 3;
const SIZES: [usize; 4] = [64, 512, 4096, 16384];

fn main() {
    if cfg!(target_feature = "avx2") {
        panic!("the portable cipher must be compiled for the baseline");
    }
    // Cargo says `--bench` when it means to measure.
    let has = |word: &str| std::env::args().any(|argument| argument == word);
    let (plan, passes) =
        if has("--bench") && !has("--test") { (Plan::FULL, PASSES) } else { (Plan::TEST, 1) };
    let registry = ours::registry();
    let tfms = DRIVERS.map(|(name, len)| {
        let mut tfm = registry.skcipher(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let key: Vec<u8> = (1..).take(len).collect();
        tfm.set_key(&key).expect("a good key");
        tfm
    });
    for dir in Dir::BOTH {
        for size in SIZES {
            let passes: Vec<Vec<Times>> = (0..passes).map(|_| pass(plan, &tfms, dir, size)).collect();
            println!("{dir:?}, {size} bytes");
            for (i, (name, len)) in DRIVERS.iter().enumerate() {
                let least = middle(passes.iter().map(|pass| pass[i].least()));
                let key = 4 * len;
                println!("  {name:28} {key} bits {least:10.1} ns {:6.2} ns/byte", least / size as f64);
            }
            for (one, other, goal) in GOALS {
                let ratio = middle(passes.iter().map(|pass| pass[one].least() / pass[other].least()));
                let name = |i: usize| format!("{} {}", DRIVERS[i].0, 4 * DRIVERS[i].1);
                let met = if ratio <= goal { "met" } else { "missed" };
                println!("  {} : {} {ratio:.2}, at most {goal:.2}: {met}", name(one), name(other));
            }
        }
    }
}

/// Everyone in turns, at one size.
fn pass(plan: Plan, tfms: &[Skcipher], dir: Dir, size: usize) -> Vec<Times> {
    let mut messages: Vec<Message> = tfms.iter().map(|_| Message::new(size)).collect();
    let mut runs: Vec<Run<'_>> =
        tfms.iter().zip(&mut messages).map(|(tfm, message)| run(tfm, dir, message)).collect();
    measure(plan, &mut runs)
}

/// Independent messages, from one buffer to another.
fn run<'a>(tfm: &'a Skcipher, dir: Dir, message: &'a mut Message) -> Run<'a> {
    let iv_size = tfm.iv_size();
    timed(move |n| {
        message.move_on();
        let iv = message.iv;
        let (src, dst) = message.apart();
        for _ in 0..n {
            let io = InOut::apart(black_box(src), black_box(&mut *dst)).expect("equal lengths");
            tfm.crypt(dir, black_box(&iv[..iv_size]), io).expect("a good request");
        }
    })
}

fn middle(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
