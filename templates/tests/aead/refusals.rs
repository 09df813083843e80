//! Lengths that are refused before anything is written.

use kcrypto_core::{Aead, Error};
use rstest::rstest;

use crate::{bytes, keyed, registry};

#[rstest]
#[case("ccm(aes)", &[16, 24, 32], &[4, 6, 8, 10, 12, 14, 16], 16)]
#[case("rfc4309(ccm(aes))", &[19, 27, 35], &[8, 12, 16], 8)]
#[case("gcm(aes)", &[16, 24, 32], &[4, 8, 12, 13, 14, 15, 16], 12)]
#[case("rfc4106(gcm(aes))", &[20, 28, 36], &[8, 12, 16], 8)]
#[case("rfc4543(gcm(aes))", &[20, 28, 36], &[16], 8)]
#[case("rfc7539(chacha20,poly1305)", &[32], &[16], 12)]
#[case("rfc7539esp(chacha20,poly1305)", &[36], &[16], 8)]
#[case("rfc4106(rfc7539(chacha20,poly1305))", &[36], &[16], 8)]
fn keys_tags_and_ivs(#[case] name: &str, #[case] keys: &[usize], #[case] tags: &[usize], #[case] iv: usize) {
    let registry = registry([]);
    let mut tfm = registry.aead(name).unwrap();
    assert_eq!(tfm.seal(&vec![0; iv], &[0; 16], &mut [0; 4], &mut [0; 16]), Err(Error::NeedKey));
    for len in 0..70 {
        let key = tfm.set_key(&bytes(len, 1));
        assert_eq!(key.is_ok(), keys.contains(&len), "{len}: {key:?}");
        assert!(key.is_ok() || key.unwrap_err().errno_name() == "EINVAL");
        let tag = tfm.set_tag_size(len);
        assert_eq!(tag.is_ok(), tags.contains(&len), "{len}: {tag:?}");
    }
    let tfm = keyed(&registry, name);
    for len in (0..20).filter(|&len| len != iv) {
        let result = tfm.seal(&vec![0; len], &[0; 16], &mut [0; 4], &mut [0; 16]);
        assert_eq!(result, Err(Error::BadIvLen { len, want: iv }));
    }
}

#[rstest]
#[case("ccm(aes)", |_| true)]
#[case("rfc4309(ccm(aes))", |len| [16, 20].contains(&len))]
#[case("gcm(aes)", |_| true)]
#[case("rfc4106(gcm(aes))", |len| [16, 20].contains(&len))]
#[case("rfc4543(gcm(aes))", |len| [16, 20].contains(&len))]
#[case("rfc7539(chacha20,poly1305)", |_| true)]
#[case("rfc7539esp(chacha20,poly1305)", |len| len >= 8)]
fn associated_data(#[case] name: &str, #[case] accepts: fn(usize) -> bool) {
    let tfm = keyed(&registry([]), name);
    let mut iv = bytes(tfm.iv_size(), 5);
    iv[0] = 1;
    for len in 0..50 {
        let (mut buf, mut tag) = ([9; 20], [9; 16]);
        let result = tfm.seal(&iv, &bytes(len, 3), &mut buf, &mut tag);
        assert_eq!(result.is_ok(), accepts(len), "{len}: {result:?}");
        if let Err(error) = result {
            assert_eq!((error.errno_name(), buf, tag), ("EINVAL", [9; 20], [9; 16]));
        }
    }
}

/// SP 800-38D, 5.2.1.1; RFC 8439, 2.8. A stream announces its length, so all its pieces together are checked.
#[test]
fn long_texts() {
    let refusal = |tfm: &Aead, aad: u64, text: u64| {
        let iv = bytes(tfm.iv_size(), 5);
        let sealer = tfm.sealer(&iv, aad, text).map(|_| ());
        assert_eq!(tfm.opener(&iv, aad, text).map(|_| ()), sealer);
        sealer
    };
    let registry = registry([]);
    let (gcm, chacha) = ((1 << 36) - 32, (1 << 38) - 64);
    for (name, aad, max) in [
        ("gcm(aes)", 0, gcm),
        ("rfc4106(gcm(aes))", 16, gcm),
        ("rfc7539(chacha20,poly1305)", 0, chacha),
        ("rfc7539esp(chacha20,poly1305)", 8, chacha),
    ] {
        let tfm = keyed(&registry, name);
        assert_eq!(refusal(&tfm, aad, max), Ok(()), "{name}");
        assert_eq!(refusal(&tfm, aad, max + 1), Err(Error::TooLong { len: max + 1, max }), "{name}");
        assert!(matches!(refusal(&tfm, aad, u64::MAX), Err(Error::TooLong { .. })), "{name}");
    }
    // What GMAC does not encrypt may be longer; its length in bits must fit in 64.
    let tfm = keyed(&registry, "rfc4543(gcm(aes))");
    assert_eq!(refusal(&tfm, 16, gcm + 1), Ok(()));
    assert!(matches!(refusal(&tfm, 16, (1 << 61) - 16), Err(Error::TooLong { .. })));
    let tfm = keyed(&registry, "gcm(aes)");
    assert_eq!(refusal(&tfm, (1 << 61) - 1, 0), Ok(()));
    assert!(matches!(refusal(&tfm, 1 << 61, 0), Err(Error::TooLong { .. })));
}

#[test]
fn announced_lengths_up_to_the_greatest_are_taken_or_refused() {
    let registry = registry([]);
    for name in
        ["ccm(aes)", "gcm(aes)", "rfc4309(ccm(aes))", "rfc4106(gcm(aes))", "rfc7539(chacha20,poly1305)"]
    {
        let mut tfm = registry.aead(name).unwrap();
        tfm.set_key(&vec![1; tfm.key_sizes().min]).unwrap();
        let iv = vec![1; tfm.iv_size()];
        for aad in [0, 20, 1 << 61, u64::MAX - 9, u64::MAX] {
            for text in [0, 1 << 61, u64::MAX - 9, u64::MAX] {
                let _ = tfm.sealer(&iv, aad, text);
            }
        }
    }
}
