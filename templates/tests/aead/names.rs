//! Names, priorities, and what the templates can be built over.

use std::borrow::Cow;

use kcrypto_core::{
    Alg, CipherAlg, CipherDriver, Dir, Error, InOut, KeySizes, Kind, KindTag, Length, Make, Registry, Result,
    SkcipherAlg, Want,
};
use rstest::rstest;

use crate::{bytes, keyed, registry};

#[rstest]
#[case("gcm(aes)", "gcm(aes)", "gcm_base(ctr(aes-generic),ghash-generic)")]
#[case("gcm_base(ctr(aes-generic),ghash-generic)", "gcm(aes)", "gcm_base(ctr(aes-generic),ghash-generic)")]
#[case("rfc4106(gcm(aes))", "rfc4106(gcm(aes))", "rfc4106(gcm_base(ctr(aes-generic),ghash-generic))")]
#[case("rfc4543(gcm(aes))", "rfc4543(gcm(aes))", "rfc4543(gcm_base(ctr(aes-generic),ghash-generic))")]
#[case(
    "rfc7539(chacha20,poly1305)",
    "rfc7539(chacha20,poly1305)",
    "rfc7539(chacha20-generic,poly1305-generic)"
)]
#[case(
    "rfc7539esp(chacha20-generic,poly1305-generic)",
    "rfc7539esp(chacha20,poly1305)",
    "rfc7539esp(chacha20-generic,poly1305-generic)"
)]
#[case(
    "rfc7539(ctr(aes),poly1305)",
    "rfc7539(ctr(aes),poly1305)",
    "rfc7539(ctr(aes-generic),poly1305-generic)"
)]
#[case(
    "rfc4106(rfc7539(chacha20,poly1305))",
    "rfc4106(rfc7539(chacha20,poly1305))",
    "rfc4106(rfc7539(chacha20-generic,poly1305-generic))"
)]
fn names_come_from_the_children(#[case] request: &str, #[case] name: &str, #[case] driver: &str) {
    let registry = registry([]);
    let tfm = registry.aead(request).unwrap();
    assert_eq!((tfm.alg().name.as_ref(), tfm.alg().driver_name.as_ref()), (name, driver));
    assert_eq!(tfm.alg().priority, 100);
}

#[rstest]
#[case("gcm", "ENOENT")]
#[case("gcm(nosuch)", "ENOENT")]
#[case("gcm(ctr(aes))", "EINVAL")]
#[case("gcm(gcm(aes))", "EINVAL")]
#[case("gcm(toy64)", "EINVAL")]
#[case("gcm(aes,ghash)", "EEXIST")]
#[case("gcm(aes-generic)", "EEXIST")]
#[case("gcm_base(ctr(aes))", "ENOENT")]
#[case("gcm_base(ctr(aes),polyval)", "EINVAL")]
#[case("gcm_base(ctr(aes),poly1305)", "EINVAL")]
#[case("gcm_base(cbc(aes),ghash)", "EINVAL")]
#[case("gcm_base(rfc3686(ctr(aes)),ghash)", "EINVAL")]
#[case("gcm_base(chacha20,ghash)", "EINVAL")]
#[case("rfc4106(aes)", "ENOENT")]
#[case("rfc4106(cbc(aes))", "EINVAL")]
#[case("rfc4106(rfc4106(gcm(aes)))", "EINVAL")]
#[case("rfc4543(rfc4106(gcm(aes)))", "EINVAL")]
#[case("rfc4543(rfc7539esp(chacha20,poly1305))", "EINVAL")]
#[case("rfc7539(chacha20)", "ENOENT")]
#[case("rfc7539esp(chacha20)", "ENOENT")]
#[case("rfc7539(chacha20,ghash)", "EINVAL")]
#[case("rfc7539(poly1305,chacha20)", "ENOENT")]
#[case("rfc7539(xchacha20,poly1305)", "EINVAL")]
#[case("rfc7539esp(cbc(aes),poly1305)", "EINVAL")]
#[case("rfc7539(ctr(toy64),poly1305)", "EINVAL")]
fn refused_children(#[case] name: &str, #[case] errno: &str) {
    let toy = CipherAlg { block_size: 8, keys: KeySizes::AES, make: Make::Static(|| Box::new(Toy64)) };
    let registry = registry([Alg::cipher("toy64", "toy64-generic", toy)]);
    let error = registry.aead(name).unwrap_err();
    assert_eq!(error.errno_name(), errno, "{error}");
    // What was refused is not in the way of what is not.
    for good in ["gcm(aes)", "rfc4106(gcm(aes))", "rfc7539(chacha20,poly1305)"] {
        registry.aead(good).unwrap();
    }
}

#[test]
fn aeads_are_not_asked_for_as_something_else() {
    for name in ["gcm(aes)", "rfc4106(gcm(aes))", "rfc7539(chacha20,poly1305)"] {
        let error = registry([]).skcipher_with(name, Want::new(KindTag::Skcipher)).unwrap_err();
        assert_eq!(error.errno_name(), "EINVAL", "{error}");
    }
}

#[test]
fn the_priority_of_gcm_is_between_those_of_its_halves() {
    let fast = better("ghash", "ghash-fast", 401);
    let registry = registry([fast]);
    let tfm = registry.aead("gcm(aes)").unwrap();
    assert_eq!(tfm.alg().driver_name, "gcm_base(ctr(aes-generic),ghash-fast)");
    assert_eq!(tfm.alg().priority, 250);
    // Somebody who spells the drivers changes nothing for the others.
    registry.aead("gcm_base(ctr(aes-generic),ghash-generic)").unwrap();
    assert_eq!(registry.aead("gcm(aes)").unwrap().alg().driver_name, tfm.alg().driver_name);
}

/// RFC 8439, 2.8, by hand over a stream that is not ChaCha.
#[test]
fn another_stream_is_used_in_the_same_way() {
    let registry = registry([]);
    let tfm = keyed(&registry, "rfc7539(ctr(aes),poly1305)");
    let mut ctr = registry.skcipher("ctr(aes)").unwrap();
    ctr.set_key(&bytes(32, 11)).unwrap();
    let (iv, aad, text) = (bytes(12, 5), bytes(13, 3), bytes(70, 7));
    let (mut cipher, mut tag) = (text.clone(), [0; 16]);
    tfm.seal(&iv, &aad, &mut cipher, &mut tag).unwrap();

    let counter = |block: u8| [&[block, 0, 0, 0][..], &iv].concat();
    let (mut message, mut expected) = (vec![0; 32], text);
    ctr.crypt(Dir::Encrypt, &counter(0), InOut::in_place(&mut message)).unwrap();
    ctr.crypt(Dir::Encrypt, &counter(1), InOut::in_place(&mut expected)).unwrap();
    assert_eq!(cipher, expected);
    for part in [&aad, &cipher] {
        message.extend(part);
        message.resize(message.len().next_multiple_of(16), 0);
    }
    message.extend(13u64.to_le_bytes());
    message.extend(70u64.to_le_bytes());
    let mut expected = [0; 16];
    registry.shash("poly1305").unwrap().digest(&message, &mut expected).unwrap();
    assert_eq!(tag, expected);
}

/// A portable driver under another name and with another priority.
pub(crate) fn better(name: &str, driver_name: &'static str, priority: u32) -> Alg {
    let found = kcrypto_generic::ALGS.iter().find(|alg| alg.name == name).unwrap();
    Alg { driver_name: Cow::Borrowed(driver_name), ..found.clone() }.with_priority(priority)
}

/// Blocks of 8 bytes, nothing done to them.
struct Toy64;

impl CipherDriver for Toy64 {
    fn block_size(&self) -> usize {
        8
    }
    fn set_key(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }
    fn encrypt_block(&self, _: &mut [u8]) {}
    fn decrypt_block(&self, _: &mut [u8]) {}
}

/// A counter mode of somebody's own, with other limits.
fn odd(change: fn(&mut SkcipherAlg)) -> Registry {
    let found = registry([]).resolve("ctr(aes)", Want::new(KindTag::Skcipher)).unwrap();
    let Kind::Skcipher(mut limits) = found.alg.kind.clone() else { unreachable!("it was asked for as one") };
    change(&mut limits);
    registry([Alg::skcipher("ctr(aes)", "ctr-odd", limits)])
}

/// It does not take every cut and length.
#[rstest]
#[case(|limits: &mut SkcipherAlg| limits.tail = 1)]
#[case(|limits: &mut SkcipherAlg| limits.length = Length::at_least(1))]
#[case(|limits: &mut SkcipherAlg| limits.length = Length::blocks(16))]
fn a_counter_mode_that_asks_for_more_is_refused(#[case] change: fn(&mut SkcipherAlg)) {
    for name in ["ccm_base(ctr-odd,cbcmac(aes-generic))", "gcm_base(ctr-odd,ghash-generic)"] {
        odd(|_| {}).aead(name).unwrap();
        let error = odd(change).aead(name).unwrap_err();
        assert!(matches!(error, Error::BadChild { .. }), "{name}: {error}");
    }
}

#[rstest]
#[case("ccm_base(ctr-odd,cbcmac(aes-generic))")]
#[case("gcm_base(ctr-odd,ghash-generic)")]
#[case("rfc7539(ctr-odd,poly1305-generic)")]
#[case("rfc4106(gcm_base(ctr-odd,ghash-generic))")]
#[case("rfc4543(gcm_base(ctr-odd,ghash-generic))")]
#[case("rfc4309(ccm_base(ctr-odd,cbcmac(aes-generic)))")]
fn texts_are_cut_where_the_counter_mode_can_be(#[case] name: &str) {
    let registry = odd(|limits| (limits.chunk_size, limits.walk_size) = (64, 64));
    let found = registry.resolve(name, Want::new(KindTag::Aead)).unwrap();
    let Kind::Aead(limits) = &found.alg.kind else { unreachable!("it was asked for as one") };
    assert_eq!(limits.chunk_size, 64);
}
