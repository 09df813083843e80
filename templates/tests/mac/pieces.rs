//! Every cut of every short message, with the state exported at the cut and imported by another driver.

use kcrypto_core::{Error, MAX_EXPORT, Shash};
use rstest::rstest;

use crate::toy::Toy;
use crate::{bytes, digest, keyed, registry, toy_cbc, toy_macs, toy_xcbc};

fn tfms(names: &[&str]) -> Vec<Shash> {
    let ciphers = [Toy::<16>::alg("toy16", "toy16-generic"), Toy::<8>::alg("toy8", "toy8-generic")];
    let cbcs = [toy_cbc::<16>("cbc(toy16)", "cbc-toy16"), toy_cbc::<8>("cbc(toy8)", "cbc-toy8")];
    let wide = toy_macs::<16>(["cmac(toy16)", "cmac-toy16-fused"], ["cbcmac(toy16)", "cbcmac-toy16-fused"]);
    let narrow = toy_macs::<8>(["cmac(toy8)", "cmac-toy8-fused"], ["cbcmac(toy8)", "cbcmac-toy8-fused"]);
    let more = ciphers.into_iter().chain(cbcs).chain(wide).chain(narrow).chain([toy_xcbc()]);
    let registry = registry(more);
    names.iter().map(|name| keyed(&registry, name)).collect()
}

#[rstest]
#[case(&["cmac(aes-generic)", "cmac(cbc(aes-generic))"])]
#[case(&["cmac(toy16-generic)", "cmac(cbc-toy16)", "cmac-toy16-fused", "cmac(cbc(toy16-generic))"])]
#[case(&["cmac(toy8-generic)", "cmac(cbc-toy8)", "cmac-toy8-fused"])]
#[case(&["xcbc(toy16-generic)", "xcbc-toy16-fused"])]
#[case(&["cbcmac(toy16-generic)", "cbcmac-toy16-fused"])]
#[case(&["cbcmac(toy8-generic)", "cbcmac-toy8-fused"])]
fn cuts_and_drivers_make_no_difference(#[case] names: &[&str]) {
    let tfms = tfms(names);
    let name = &tfms[0].alg().name;
    let mut exported = [0; MAX_EXPORT];
    for len in 0..=130 {
        let message = bytes(len, 7);
        let expected = digest(&tfms[0], &message);
        for (i, tfm) in tfms.iter().enumerate() {
            assert_eq!(
                (&tfm.alg().name, digest(tfm, &message)),
                (name, expected.clone()),
                "{} {len}",
                names[i]
            );
        }
        for cut in 0..=len {
            let before = &tfms[cut % tfms.len()];
            let after = &tfms[(cut + 1) % tfms.len()];
            let mut hashing = before.hasher().unwrap();
            hashing.update(&message[..cut]);
            let size = hashing.export(&mut exported).unwrap();
            let state = exported;
            let mut other = after.hasher().unwrap();
            other.update(&message[..cut]);
            other.export(&mut exported).unwrap();
            assert_eq!(state[..size], exported[..size], "the states after {cut} bytes are the same");
            let mut hashing = after.import(&exported[..size]).unwrap();
            hashing.update(&message[cut..]);
            let mut out = vec![0; expected.len()];
            hashing.finalize(&mut out).unwrap();
            assert_eq!(out, expected, "{name} {len} cut at {cut}");
        }
    }
    for len in [511, 512, 513, 528, 1024, 1041, 5000] {
        let message = bytes(len, 7);
        let expected = digest(&tfms[0], &message);
        for (tfm, name) in tfms.iter().zip(names) {
            assert_eq!(digest(tfm, &message), expected, "{name} {len}");
            let mut out = vec![0; expected.len()];
            let (a, b) = message.split_at(len / 3);
            tfm.digest_segments(&[a, b], &mut out).unwrap();
            assert_eq!(out, expected, "{name} {len} in segments");
        }
    }
}

#[test]
fn keys_come_before_messages_and_states_belong_to_one_name() {
    let registry = registry([]);
    for name in ["cmac(aes)", "xcbc(aes)", "cbcmac(aes)"] {
        let mut tfm = registry.shash(name).unwrap();
        assert_eq!(tfm.digest(b"message", &mut [0; 16]), Err(Error::NeedKey));
        for len in (0..40).filter(|len| ![16, 24, 32].contains(len)) {
            tfm.set_key(&bytes(16, 1)).unwrap();
            assert_eq!(tfm.set_key(&bytes(len, 1)).unwrap_err().errno_name(), "EINVAL");
            assert_eq!(tfm.digest(b"message", &mut [0; 16]), Err(Error::NeedKey), "the old key is gone");
        }
        assert!(matches!(keyed(&registry, name).verify(b"message", &[1; 16]), Err(Error::BadTag)));
    }
    let mut exported = [0; MAX_EXPORT];
    let size = keyed(&registry, "cmac(aes)").hasher().unwrap().export(&mut exported).unwrap();
    let other = keyed(&registry, "xcbc(aes)");
    assert!(matches!(other.import(&exported[..size]), Err(Error::BadState { .. })));
}
