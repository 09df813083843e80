//! The vector at the end of a self-test's failure, replayed: it fails for the wrong driver, and for no other.

use kcrypto::selftest::Mode;
use kcrypto::{
    AeadDriver, Alg, CipherDriver, Defaults, Dir, InOut, Kind, KindTag, Lens, Make, Registry, Result,
    SelfTest, ShashDriver, SkcipherDriver, State, Subject, Want,
};
use serde_json::Value;

use super::bench::Bench;
use super::exceptions::Exceptions;
use super::file;
use super::outcome::Outcome;
use super::words::Words;

/// A right driver that is wrong for long messages, longer than any that is tested before random ones are.
struct Late<D: ?Sized>(Box<D>);

impl CipherDriver for Late<dyn CipherDriver> {
    fn block_size(&self) -> usize {
        self.0.block_size()
    }

    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.set_key(key)
    }

    fn encrypt_block(&self, block: &mut [u8]) {
        self.0.encrypt_block(block);
    }

    fn decrypt_block(&self, block: &mut [u8]) {
        self.0.decrypt_block(block);
    }

    fn decrypt_blocks(&self, mut io: InOut<'_>) {
        self.0.decrypt_blocks(io.reborrow());
        if io.len() > 800 {
            io.dst()[3] ^= 1;
        }
    }
}

impl SkcipherDriver for Late<dyn SkcipherDriver> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.set_key(key)
    }

    fn begin(&self, dir: Dir, iv: &[u8], state: &mut State) {
        self.0.begin(dir, iv, state);
    }

    fn run(&self, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        self.0.run(dir, state, io.reborrow(), last);
        if io.len() > 2000 && dir == Dir::Decrypt {
            io.dst()[2000] ^= 1;
        }
    }

    fn end(&self, dir: Dir, state: &State, iv_out: &mut [u8]) {
        self.0.end(dir, state, iv_out);
    }
}

impl ShashDriver for Late<dyn ShashDriver> {
    fn init(&self, state: &mut [u8]) {
        self.0.init(state);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        self.0.update(state, blocks);
    }

    fn finish(&self, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        self.0.finish(state, tail, total, digest);
        // States that are imported as if far more had gone before are tested earlier.
        digest[9] ^= u8::from((5001..1 << 20).contains(&total));
    }
}

impl AeadDriver for Late<dyn AeadDriver> {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0.set_key(key)
    }

    fn check(&self, iv: &[u8], lens: Lens) -> Result<()> {
        self.0.check(iv, lens)
    }

    fn begin(&self, dir: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        self.0.begin(dir, iv, lens, state);
    }

    fn aad(&self, state: &mut State, run: &[u8], last: bool) {
        self.0.aad(state, run, last);
    }

    fn run(&self, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        self.0.run(dir, state, io.reborrow(), last);
        if io.len() > 3000 && dir == Dir::Encrypt {
            io.dst()[7] ^= 1;
        }
    }

    fn end(&self, dir: Dir, state: &mut State, tag: &mut [u8]) {
        self.0.end(dir, state, tag);
    }
}

/// The driver `late` over the best one of a name.
fn late(registry: &Registry, name: &str, kind: KindTag) -> Alg {
    let right = registry.resolve(name, Want::new(kind)).unwrap().alg;
    let mut kind = right.kind.clone();
    match &mut kind {
        Kind::Cipher(limits) => {
            let inner = limits.make.clone();
            limits.make = Make::cipher(move || Ok(Late(inner.call()?)));
        }
        Kind::Skcipher(limits) => {
            let inner = limits.make.clone();
            limits.make = Make::skcipher(move || Ok(Late(inner.call()?)));
        }
        Kind::Shash(limits) => {
            let inner = limits.make.clone();
            limits.make = Make::shash(move || Ok(Late(inner.call()?)));
        }
        Kind::Aead(limits) => {
            let inner = limits.make.clone();
            limits.make = Make::aead(move || Ok(Late(inner.call()?)));
        }
        _ => unreachable!("none of these kinds was asked for"),
    }
    Alg::new(right.name.clone(), "late".into(), kind).with_priority(1).with_flags(right.flags)
}

#[test]
fn the_printed_vector_fails_for_the_wrong_driver_only() {
    for (name, kind, driver, length) in [
        ("aes", KindTag::Cipher, "ecb(late)", 816),
        ("ctr(aes)", KindTag::Skcipher, "late", 2001),
        ("cts(cbc(aes))", KindTag::Skcipher, "late", 2001),
        ("sha256", KindTag::Shash, "late", 5001),
        ("gcm(aes)", KindTag::Aead, "late", 3001),
    ] {
        let registry = Registry::with_defaults();
        let alg = late(&registry, name, kind);
        let report = Mode::Full { seed: 1 }.test(&Subject::of(&registry, &alg));
        let text = report.failure.expect(name);
        let vector = text.lines().last().unwrap();
        assert!(text.contains(&format!("as a vector for kcrypto check --driver '{driver}':\n")), "{text}");
        let json: Value = serde_json::from_str(vector).unwrap();
        assert_eq!(json["vectors"][0]["input"].as_str().unwrap().len(), 2 * length, "{name}: the smallest");

        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("vector.json");
        std::fs::write(&path, vector).unwrap();
        registry.without_self_tests();
        registry.register(alg).unwrap().keep();
        for (only, fails) in [(Some(driver), true), (None, true), (Some(other(name)), false)] {
            let mut bench = Bench::new(&registry, Exceptions::documented(), Words::default(), only);
            let cases = file::read(&path).unwrap();
            let [case] = cases.as_slice() else { panic!("{name}: not one case") };
            match super::judge(case, &mut bench).unwrap() {
                Outcome::Failed(lines) if fails => {
                    let about = |line: &String| line.contains(&format!(" {driver}: "));
                    assert!(lines.iter().any(about), "{lines:?}");
                }
                Outcome::Passed if !fails => {}
                outcome => panic!("{name}, {only:?}: {outcome:?}"),
            }
        }
    }
}

/// A right driver of the name in the vector.
fn other(name: &str) -> &'static str {
    match name {
        "aes" => "ecb(aes-generic)",
        "ctr(aes)" => "ctr(aes-generic)",
        "cts(cbc(aes))" => "cts(cbc(aes-generic))",
        "sha256" => "sha256-generic",
        _ => "gcm_base(ctr(aes-generic),ghash-generic)",
    }
}
