//! Published answers, and those of a real kernel.

use rstest::rstest;

use crate::{digest, registry};

/// The values of each case, in the order of the file.
fn parse(file: &str) -> Vec<Vec<Vec<u8>>> {
    let case = |block: &str| {
        let mut fields: Vec<String> = Vec::new();
        for line in block.lines().filter(|line| !line.starts_with('#')) {
            match line.split_once('=') {
                Some((_, value)) => fields.push(value.trim().into()),
                None => fields.last_mut().expect("a field").push_str(line.trim()),
            }
        }
        fields.iter().map(|value| hex::decode(value).expect("hex")).collect()
    };
    file.split("\n\n").map(case).filter(|case: &Vec<_>| !case.is_empty()).collect()
}

#[rstest]
#[case("cmac(aes)", include_str!("../vectors/cmac-aes.txt"), 26)]
#[case("cmac(cbc(aes))", include_str!("../vectors/cmac-aes.txt"), 26)]
#[case("xcbc(aes)", include_str!("../vectors/xcbc-aes.txt"), 21)]
#[case("cbcmac(aes)", include_str!("../vectors/cbcmac-aes.txt"), 14)]
fn answers(#[case] name: &str, #[case] file: &str, #[case] count: usize) {
    let registry = registry([]);
    let cases = parse(file);
    assert_eq!(cases.len(), count);
    for case in &cases {
        let [key, message, mac] = &case[..] else { panic!("three fields") };
        let mut tfm = registry.shash(name).unwrap();
        tfm.set_key(key).unwrap();
        assert_eq!(hex::encode(digest(&tfm, message)), hex::encode(mac));
        tfm.verify(message, &mac[..12]).unwrap();
        let mut hashing = tfm.hasher().unwrap();
        message.chunks(7).for_each(|piece| hashing.update(piece));
        let mut out = [0; 16];
        hashing.finalize(&mut out).unwrap();
        assert_eq!(out[..], mac[..]);
    }
}
