//! The hashes below get what their contract promises: whole blocks, and a true total at the end.

use std::sync::atomic::{AtomicU64, Ordering};

use kcrypto_core::{Aead, Alg, Kind, KindTag, Make, Result, ShashAlg, ShashDriver, Want};
use rstest::rstest;

use crate::{bytes, keyed, registry};

/// A hash that counts what it gets. One message at a time.
struct Strict {
    inner: Box<dyn ShashDriver>,
    seen: AtomicU64,
}

impl ShashDriver for Strict {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.inner.set_key(key)
    }
    fn init(&self, state: &mut [u8]) {
        assert!(state.iter().all(|&byte| byte == 0), "the state is zero before");
        self.seen.store(0, Ordering::Relaxed);
        self.inner.init(state);
    }
    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        assert!(!blocks.is_empty() && blocks.len().is_multiple_of(16));
        self.seen.fetch_add(blocks.len() as u64, Ordering::Relaxed);
        self.inner.update(state, blocks);
    }
    fn finish(&self, state: &mut [u8], tail: &[u8], total: u64, digest: &mut [u8]) {
        assert!(tail.is_empty());
        assert_eq!(total, self.seen.load(Ordering::Relaxed));
        assert_eq!(digest.len(), 16, "the whole digest");
        self.inner.finish(state, tail, total, digest);
    }
}

fn strict(name: &'static str, driver_name: &'static str) -> Alg {
    let plain = registry([]).resolve(name, Want::new(KindTag::Shash)).unwrap();
    let Kind::Shash(limits) = plain.alg.kind.clone() else { unreachable!("it was asked for as one") };
    let inner = limits.make.clone();
    let make = Make::shash(move || Ok(Strict { inner: inner.call()?, seen: AtomicU64::new(0) }));
    Alg::shash(name, driver_name, ShashAlg { make, ..limits }).with_priority(500)
}

#[rstest]
fn the_contract_is_kept(
    #[values("gcm(aes)", "rfc4106(gcm(aes))", "rfc4543(gcm(aes))", "ccm(aes)", "rfc4309(ccm(aes))")]
    aes: &str,
    #[values("rfc7539(chacha20,poly1305)", "rfc7539esp(chacha20,poly1305)")] chacha: &str,
) {
    let plain = registry([]);
    let strict = registry([
        strict("ghash", "ghash-strict"),
        strict("cbcmac(aes)", "cbcmac-strict"),
        strict("poly1305", "poly1305-strict"),
    ]);
    for name in [aes, chacha] {
        let (tfm, reference) = (keyed(&strict, name), keyed(&plain, name));
        assert!(tfm.alg().driver_name.contains("strict"));
        let iv = bytes(tfm.iv_size(), 5);
        for aad_len in [0, 16, 20] {
            for text_len in [0, 1, 16, 50, 5000] {
                let (aad, text) = (bytes(aad_len, 3), bytes(text_len, 7));
                let sealed = |tfm: &Aead| {
                    let mut buf = [&text[..], &[0; 16]].concat();
                    tfm.seal_appended(&iv, &aad, &mut buf).map(|()| buf)
                };
                assert_eq!(sealed(&tfm), sealed(&reference));
                let Ok(mut sealer) = tfm.sealer(&iv, aad_len as u64, text_len as u64) else { continue };
                let (mut out, mut tag) = (vec![0; text_len], [0; 16]);
                aad.chunks(7).for_each(|piece| sealer.aad(piece).unwrap());
                let at = sealer.update(&text, &mut out).unwrap();
                sealer.finish(&mut out[at..], &mut tag).unwrap();
                assert_eq!(Ok([&out[..], &tag].concat()), sealed(&reference));
            }
        }
    }
}
