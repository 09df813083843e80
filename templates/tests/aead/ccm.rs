//! What is CCM's own: its IV, its lengths, its prefixes, and both of its forms.

use kcrypto_core::{Aad, Aead, Alg, Error, InOut, KeySizes, KindTag, Make, Registry, Want};
use kcrypto_templates::ccm::{Ccm, limits};
use rstest::rstest;

use crate::names::better;
use crate::toy::Toy;
use crate::{bytes, keyed, registry};

#[rstest]
#[case("ccm(aes)", "ccm(aes)", "ccm_base(ctr(aes-generic),cbcmac(aes-generic))")]
#[case(
    "ccm_base(ctr(aes-generic),cbcmac(aes-generic))",
    "ccm(aes)",
    "ccm_base(ctr(aes-generic),cbcmac(aes-generic))"
)]
#[case("rfc4309(ccm(aes))", "rfc4309(ccm(aes))", "rfc4309(ccm_base(ctr(aes-generic),cbcmac(aes-generic)))")]
fn names_come_from_the_children(#[case] request: &str, #[case] name: &str, #[case] driver: &str) {
    let registry = registry([]);
    let tfm = registry.aead(request).unwrap();
    assert_eq!((tfm.alg().name.as_ref(), tfm.alg().driver_name.as_ref()), (name, driver));
    assert_eq!(tfm.alg().priority, 100);
}

#[rstest]
#[case("ccm", "ENOENT")]
#[case("ccm(nosuch)", "ENOENT")]
#[case("ccm(toy64)", "EINVAL")]
#[case("ccm(ccm(aes))", "EINVAL")]
#[case("ccm(ctr(aes))", "EINVAL")]
#[case("ccm(aes-generic)", "EEXIST")]
#[case("ccm_base(ctr(aes),cbcmac(aes))", "EEXIST")]
#[case("ccm_base(ctr(aes))", "ENOENT")]
#[case("ccm_base(ctr(aes),cmac(aes))", "EINVAL")]
#[case("ccm_base(ctr(aes),xcbc(aes))", "EINVAL")]
#[case("ccm_base(ctr(aes),ghash)", "EINVAL")]
#[case("ccm_base(ctr(aes),cbcmac(toy))", "EINVAL")]
#[case("ccm_base(ctr(aes),cbcmac(toy64))", "EINVAL")]
#[case("ccm_base(ctr(toy64),cbcmac(toy64))", "EINVAL")]
#[case("ccm_base(cbc(aes),cbcmac(aes))", "EINVAL")]
#[case("ccm_base(rfc3686(ctr(aes)),cbcmac(aes))", "EINVAL")]
#[case("rfc4309(aes)", "ENOENT")]
#[case("rfc4309(cbc(aes))", "EINVAL")]
#[case("rfc4309(gcm(aes))", "EINVAL")]
#[case("rfc4309(rfc4309(ccm(aes)))", "EINVAL")]
fn refused_children(#[case] name: &str, #[case] errno: &str) {
    let registry = registry([Toy::<16>::alg("toy", "toy-generic"), Toy::<8>::alg("toy64", "toy64-generic")]);
    let error = registry.aead(name).unwrap_err();
    assert_eq!(error.errno_name(), errno, "{error}");
    for good in ["ccm(aes)", "rfc4309(ccm(aes))"] {
        registry.aead(good).unwrap();
    }
}

#[test]
fn ccm_is_no_skcipher() {
    let error = registry([]).skcipher_with("ccm(aes)", Want::new(KindTag::Skcipher)).unwrap_err();
    assert_eq!(error.errno_name(), "EINVAL", "{error}");
}

#[test]
fn the_priority_is_between_those_of_the_halves() {
    let registry = registry([better("aes", "aes-fast", 301)]);
    let tfm = registry.aead("ccm_base(ctr(aes-fast),cbcmac(aes-generic))").unwrap();
    assert_eq!((tfm.alg().name.as_ref(), tfm.alg().priority), ("ccm(aes)", 200));
}

/// SP 800-38C, appendix C, example 4: the associated data is longer than two bytes can say.
#[test]
fn long_associated_data() {
    let registry = registry([]);
    let mut tfm = registry.aead("ccm(aes)").unwrap();
    let key: Vec<u8> = (0x40..0x50).collect();
    tfm.set_key(&key).unwrap();
    tfm.set_tag_size(14).unwrap();
    let iv: Vec<u8> = [1].into_iter().chain(0x10..0x1d).chain([0, 0]).collect();
    let aad: Vec<u8> = (0..65536).map(|i| i as u8).collect();
    let mut buf: Vec<u8> = (0x20..0x40).chain([0; 14]).collect();
    tfm.seal_appended(&iv, &aad, &mut buf).unwrap();
    assert_eq!(
        hex::encode(buf),
        "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72b4ac6bec93e8598e7f0dadbcea5b"
    );
}

/// The lengths where the prefix of associated data changes, by definition and from every form.
#[test]
fn prefixes_of_associated_data() {
    let registry = both_forms();
    let mut mac = registry.shash("cbcmac(toy)").unwrap();
    mac.set_key(&bytes(16, 11)).unwrap();
    let tfms = FORMS.map(|name| keyed(&registry, name));
    for len in [1, 13, 14, 15, 0xfeff, 0xff00, 0x10000] {
        let (iv, aad) = (iv(1), bytes(len, 3));
        let prefix = if len < 0xff00 {
            (len as u16).to_be_bytes().to_vec()
        } else {
            [&[0xff, 0xfe][..], &(len as u32).to_be_bytes()].concat()
        };
        let b0 = [&[0x40 | (8 * 7) | 1][..], &iv[1..14], &[0, 0]].concat();
        let mut message = [b0, prefix, aad.clone()].concat();
        message.resize(message.len().next_multiple_of(16), 0);
        let mut expected = [0; 16];
        mac.digest(&message, &mut expected).unwrap();
        let mut ctr = registry.skcipher("ctr(toy)").unwrap();
        ctr.set_key(&bytes(16, 11)).unwrap();
        ctr.encrypt(&[&iv[..14], &[0, 0]].concat(), &mut expected).unwrap();
        for tfm in &tfms {
            let mut tag = [0; 16];
            tfm.seal(&iv, &aad, &mut [], &mut tag).unwrap();
            assert_eq!(tag, expected, "{len} bytes");
        }
    }
}

#[test]
fn both_forms_give_the_same_bytes() {
    let registry = both_forms();
    let mut tfms = FORMS.map(|name| keyed(&registry, name));
    for l in 1..=7 {
        for tag_len in [4, 6, 8, 10, 12, 14, 16] {
            tfms.iter_mut().for_each(|tfm| tfm.set_tag_size(tag_len).unwrap());
            for aad_len in [0, 1, 14, 15, 30, 40] {
                for text_len in (0..=50).chain([512, 1000]) {
                    let (iv, aad, text) = (iv(l), bytes(aad_len, 3), bytes(text_len, 7));
                    let sealed = |tfm: &Aead| {
                        let mut buf = [&text[..], &vec![0; tag_len]].concat();
                        tfm.seal_appended(&iv, &aad, &mut buf).unwrap();
                        let (mut out, mut tag) = (vec![0xfe; text_len], vec![0; tag_len]);
                        let io = InOut::apart(&text, &mut out).unwrap();
                        tfm.seal_with(
                            &iv,
                            &Aad::new(&[&aad[..aad_len / 3], &aad[aad_len / 3..]]),
                            io,
                            &mut tag,
                        )
                        .unwrap();
                        assert_eq!([out, tag].concat(), buf);
                        buf
                    };
                    let expected = sealed(&tfms[0]);
                    assert_eq!(sealed(&tfms[1]), expected, "{l} {tag_len} {aad_len} {text_len}");
                    for tfm in &tfms {
                        assert_eq!(tfm.open_appended(&iv, &aad, &mut expected.clone()).unwrap(), text);
                    }
                }
            }
        }
    }
}

#[test]
fn ivs_say_how_long_a_text_can_be() {
    let registry = both_forms();
    for name in ["ccm(aes)", FORMS[0], FORMS[1]] {
        let tfm = keyed(&registry, name);
        for first in (0..=255).filter(|first| !(1..=7).contains(first)) {
            let mut iv = iv(1);
            iv[0] = first;
            let (mut buf, mut tag) = ([9; 20], [9; 16]);
            let error = tfm.seal(&iv, &[], &mut buf, &mut tag).unwrap_err();
            assert_eq!((error.errno_name(), buf, tag), ("EINVAL", [9; 20], [9; 16]), "{first}");
            assert!(matches!(tfm.open(&iv, &[], &mut buf, &tag), Err(Error::BadIv { .. })));
        }
        for l in 1..=7 {
            let max = if l == 7 { u64::MAX } else { (1 << (8 * (l + 1))) - 1 };
            let start = |text| tfm.sealer(&iv(l), 0, text).map(|_| ());
            if usize::try_from(max).is_ok() {
                assert_eq!(start(max), Ok(()));
            }
            let long = max.wrapping_add(1);
            if long != 0 && usize::try_from(long).is_ok() {
                assert_eq!(start(long), Err(Error::TooLong { len: long, max }));
                assert_eq!(start(long).unwrap_err().errno_name(), "EOVERFLOW");
            }
        }
        // A text as long as a field of two bytes cannot say is refused whole as well.
        let error = tfm.seal(&iv(1), &[], &mut vec![0; 65536], &mut [0; 16]).unwrap_err();
        assert_eq!(error, Error::TooLong { len: 65536, max: 65535 });
        tfm.seal(&iv(1), &[], &mut vec![0; 65535], &mut [0; 16]).unwrap();
    }
}

#[test]
fn the_end_of_an_iv_does_not_matter_and_stays() {
    let registry = both_forms();
    for tfm in FORMS.map(|name| keyed(&registry, name)) {
        for l in 1..=7 {
            let sealed = |iv: &[u8]| {
                let (mut buf, mut tag) = (bytes(40, 7), [0; 16]);
                tfm.seal(iv, b"aad", &mut buf, &mut tag).unwrap();
                (buf, tag)
            };
            let (plain, mut other) = (iv(l), iv(l));
            other[15 - usize::from(l)..].fill(0xff);
            assert_eq!(sealed(&plain), sealed(&other));
            other[14 - usize::from(l)] ^= 1;
            assert_ne!(sealed(&plain), sealed(&other));
        }
    }
}

/// An IV with a length field of `l` + 1 bytes.
fn iv(l: u8) -> Vec<u8> {
    let mut iv = bytes(16, 5);
    iv[0] = l;
    iv
}

/// CCM over a toy cipher, composed and fused.
const FORMS: [&str; 2] = ["ccm_base(ctr(toy-generic),cbcmac(toy-generic))", "ccm-toy-fused"];

fn both_forms() -> Registry {
    let keys = KeySizes::exactly(16);
    let limits = limits(keys, 16, Make::Static(|| Box::new(Ccm::fused(Toy::<16>::new()))));
    registry([Toy::<16>::alg("toy", "toy-generic"), Alg::aead("ccm(toy)", "ccm-toy-fused", limits)])
}
