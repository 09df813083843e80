//! A toy cipher, toy modes and toy hooks: resolution needs no cryptography.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kcrypto_core::{
    Alg, CipherAlg, CipherDriver, Create, Dir, InOut, KeySizes, Kind, KindTag, Length, Make, Registry,
    Report, Result, SelfTest, SkcipherAlg, SkcipherDriver, State, Subject, Template,
};

/// Adds the key to each byte of a 4-byte block.
#[derive(Default)]
pub struct Adder([u8; 4]);

impl CipherDriver for Adder {
    fn block_size(&self) -> usize {
        4
    }
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.copy_from_slice(key);
        Ok(())
    }
    fn encrypt_block(&self, block: &mut [u8]) {
        block.iter_mut().zip(self.0).for_each(|(b, k)| *b = b.wrapping_add(k));
    }
    fn decrypt_block(&self, block: &mut [u8]) {
        block.iter_mut().zip(self.0).for_each(|(b, k)| *b = b.wrapping_sub(k));
    }
}

pub const ADDER: CipherAlg = CipherAlg {
    block_size: 4,
    keys: KeySizes::exactly(4),
    make: Make::Static(|| Box::new(Adder::default())),
};

pub const fn cipher(name: &'static str, driver: &'static str, priority: u32) -> Alg {
    Alg::cipher(name, driver, ADDER).with_priority(priority)
}

/// A chained mode whose last run takes at least five bytes and reverses them: every cutting rule matters.
pub struct Sum {
    child: Box<dyn CipherDriver>,
}

impl SkcipherDriver for Sum {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.child.set_key(key)
    }
    fn begin(&self, _: Dir, iv: &[u8], state: &mut State) {
        state.bytes_mut()[..4].copy_from_slice(iv);
    }
    fn run(&self, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        assert!(last || io.len().is_multiple_of(4), "a run that is not last is a multiple of the chunk");
        let whole = io.len() - io.len() % 4;
        if last {
            assert!(
                io.len() >= 5 || state.bytes()[4] == 0,
                "the last run has its tail, or is the whole message"
            );
        }
        state.bytes_mut()[4] = 1;
        io.copy();
        let (mut body, mut tail) = io.split_at(whole);
        for block in body.dst().chunks_exact_mut(4) {
            let chain = &mut state.bytes_mut()[..4];
            let before: [u8; 4] = (&*block).try_into().unwrap();
            match dir {
                Dir::Encrypt => {
                    block.iter_mut().zip(&*chain).for_each(|(b, c)| *b ^= c);
                    self.child.encrypt_block(block);
                    chain.copy_from_slice(block);
                }
                Dir::Decrypt => {
                    self.child.decrypt_block(block);
                    block.iter_mut().zip(&*chain).for_each(|(b, c)| *b ^= c);
                    chain.copy_from_slice(&before);
                }
            }
        }
        tail.dst().iter_mut().for_each(|b| *b = !*b);
    }
    fn end(&self, _: Dir, state: &State, iv_out: &mut [u8]) {
        iv_out.copy_from_slice(&state.bytes()[..4]);
    }
}

pub const fn sum_limits(make: Make<dyn SkcipherDriver>) -> SkcipherAlg {
    SkcipherAlg {
        block_size: 1,
        iv_size: 4,
        chunk_size: 4,
        walk_size: 4,
        tail: 5,
        length: Length::at_least(2),
        keys: KeySizes::exactly(4),
        state_size: 5,
        make,
    }
}

pub const fn sum(name: &'static str, driver: &'static str, priority: u32) -> Alg {
    let make =
        Make::Static(|| Box::new(Sum { child: Box::new(Adder::default()) }) as Box<dyn SkcipherDriver>);
    Alg::skcipher(name, driver, sum_limits(make)).with_priority(priority)
}

/// How often `sum` was created.
pub static CREATED: AtomicUsize = AtomicUsize::new(0);

/// `sum(cipher)`.
pub const SUM: Template = Template { name: "sum", create: create_sum };

fn create_sum(cx: &mut Create<'_>) -> Result<Alg> {
    CREATED.fetch_add(1, Ordering::Relaxed);
    cx.makes(KindTag::Skcipher)?;
    let child = cx.cipher(cx.arg(0)?)?;
    if child.limits.block_size != 4 {
        return Err(cx.bad_child(&child.alg, "the block must have 4 bytes"));
    }
    let make = Make::skcipher(move || Ok(Sum { child: child.make()? }));
    cx.instance(Kind::Skcipher(sum_limits(make)))
}

/// `over(skcipher)`: hands everything on.
pub const OVER: Template = Template { name: "over", create: create_over };

fn create_over(cx: &mut Create<'_>) -> Result<Alg> {
    cx.makes(KindTag::Skcipher)?;
    let child = cx.skcipher(cx.arg(0)?)?;
    if !child.alg.name.starts_with("sum(") {
        return Err(cx.bad_child(&child.alg, "it must be sum(..)"));
    }
    cx.instance(Kind::Skcipher(child.limits))
}

/// `swap(a,b)`: names itself after its second child, as `xts(ecb(aes))` names itself `xts(aes)`.
pub const ODD: Template = Template { name: "odd", create: create_odd };

fn create_odd(cx: &mut Create<'_>) -> Result<Alg> {
    cx.makes(KindTag::Skcipher)?;
    let child = cx.skcipher(&format!("sum({})", cx.arg(0)?))?;
    let name = format!("odd({})", &child.alg.name[4..child.alg.name.len() - 1]);
    let driver = format!("odd({})", child.alg.driver_name);
    let priority = child.alg.priority;
    cx.instance_named(name, driver, priority, Kind::Skcipher(child.limits))
}

/// Drivers `add-generic` 100 and `add-fast` 300 and the templates.
pub fn registry() -> Registry {
    Registry::with([cipher("add", "add-generic", 100), cipher("add", "add-fast", 300)], [SUM, OVER, ODD])
        .unwrap()
}

/// Fails the drivers named, and counts the tests of each subject.
#[derive(Default)]
pub struct Judge {
    pub wrong: Vec<&'static str>,
    pub tested: std::sync::Mutex<Vec<String>>,
    pub pause: Duration,
}

impl Judge {
    pub fn times(&self, driver: &str) -> usize {
        self.tested.lock().unwrap().iter().filter(|tested| *tested == driver).count()
    }
}

impl SelfTest for Judge {
    fn test(&self, subject: &Subject<'_>) -> Report {
        let driver = subject.alg().driver_name.to_string();
        std::thread::sleep(self.pause);
        let failure = self.wrong.contains(&driver.as_str()).then(|| format!("{driver} is wrong"));
        self.tested.lock().unwrap().push(driver);
        Report { checks: 1, time: Duration::ZERO, failure, skipped: None }
    }
}

/// The driver that answers an skcipher name.
pub fn winner(registry: &Registry, name: &str) -> Result<String> {
    registry.skcipher(name).map(|tfm| tfm.alg().driver_name.to_string())
}

/// A registry with this judge.
pub fn judged(judge: Judge) -> (Registry, Arc<Judge>) {
    let registry = registry();
    let judge = Arc::new(judge);
    registry.set_self_test(Arc::clone(&judge) as Arc<dyn SelfTest>);
    (registry, judge)
}
