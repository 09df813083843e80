//! The ciphers against RFC 8439 and draft-irtf-cfrg-xchacha-03, and long runs against single blocks.

use std::string::String;
use std::vec;
use std::vec::Vec;

use kcrypto_core::{Dir, Error, InOut, SkcipherDriver, State};
use kcrypto_templates::chacha::{Input, KeyStream};

use super::*;

const KEY_BYTES: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const SUNSCREEN: &[u8] = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for \
the future, sunscreen would be it.";

fn hex(text: &str) -> Vec<u8> {
    hex::decode(text).unwrap()
}

fn crypt(mut cipher: impl SkcipherDriver, key: &str, iv: &str, text: &[u8]) -> String {
    let mut out = vec![0; text.len()];
    let mut chained = hex(iv);
    cipher.set_key(&hex(key)).unwrap();
    cipher.crypt(Dir::Encrypt, &mut chained, InOut::apart(text, &mut out).unwrap());
    assert_eq!(chained, hex(iv), "the IV stays as it is");
    let cipher_text = hex::encode(&out);
    cipher.crypt(Dir::Decrypt, &mut chained, InOut::in_place(&mut out));
    assert_eq!(out, text);
    cipher_text
}

/// RFC 8439, 2.3.2 and 2.4.2.
#[test]
fn rfc_8439() {
    assert_eq!(
        crypt(ChaCha::<_, 20>::over(Lanes), KEY_BYTES, "01000000000000090000004a00000000", &[0; 64]),
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e\
         d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    );
    assert_eq!(
        crypt(ChaCha::<_, 20>::over(Lanes), KEY_BYTES, "01000000000000000000004a00000000", SUNSCREEN),
        "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b\
         f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8\
         07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736\
         5af90bbf74a35be6b40b8eedf2785e42874d"
    );
}

/// draft-irtf-cfrg-xchacha-03, 2.2.1.
#[test]
fn hchacha20() {
    let key = hex(KEY_BYTES).try_into().unwrap();
    let nonce = hex("000000090000004a0000000031415927").try_into().unwrap();
    assert_eq!(
        hex::encode(Lanes.derive::<20>(&Input::new(&key, &nonce))),
        "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc"
    );
}

#[test]
fn every_length_and_every_cut_give_the_stream_of_single_blocks() {
    fn check<const ROUNDS: usize>(mut cipher: impl SkcipherDriver, iv: &[u8]) {
        cipher.set_key(&hex(KEY_BYTES)).unwrap();
        let whole: Vec<u8> = (0..10)
            .flat_map(|block| {
                let mut iv = iv.to_vec();
                let at = if iv.len() == 32 { 24 } else { 0 };
                let counter = iv[at..].first_chunk_mut().unwrap();
                *counter = u32::from_le_bytes(*counter).wrapping_add(block).to_le_bytes();
                let mut stream = [0; 64];
                cipher.crypt(Dir::Encrypt, &mut iv, InOut::in_place(&mut stream));
                stream
            })
            .collect();
        for len in 0..=whole.len() {
            let mut buf = vec![0; len];
            cipher.crypt(Dir::Encrypt, &mut iv.to_vec(), InOut::in_place(&mut buf));
            assert_eq!(buf, whole[..len], "{len} bytes");
            let mut state = State::new();
            cipher.begin(Dir::Encrypt, iv, &mut state);
            let mut buf = vec![0; len];
            let (a, b) = buf.split_at_mut(len / 2 / 64 * 64);
            cipher.run(Dir::Encrypt, &mut state, InOut::in_place(a), false);
            cipher.run(Dir::Encrypt, &mut state, InOut::in_place(b), true);
            assert_eq!(buf, whole[..len], "{len} bytes in two runs");
            let mut iv_out = vec![0; iv.len()];
            cipher.end(Dir::Encrypt, &state, &mut iv_out);
            assert_eq!(iv_out, iv);
        }
    }
    // The counter wraps around within the message and takes nothing with it.
    check::<20>(
        ChaCha::<_, 20>::over(Lanes),
        &[0xfd, 0xff, 0xff, 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    );
    let mut long: [u8; 32] = core::array::from_fn(|i| i as u8);
    long[24..28].fill(0xff);
    check::<20>(XChaCha::<_, 20>::over(Lanes), &long);
    check::<12>(XChaCha::<_, 12>::over(Lanes), &long);
}

/// Own values: keys, IVs and texts are the sequences 11 i + 1, 5 i + 64 and 7 i + 3 of bytes.
#[test]
fn check_values() {
    let sequence = |len, a: usize, b| (0..len).map(|i| (a * i + b) as u8).collect::<Vec<u8>>();
    let (key, text) = (hex::encode(sequence(32, 11, 1)), sequence(70, 7, 3));
    let iv = |len| hex::encode(sequence(len, 5, 64));
    assert_eq!(
        crypt(ChaCha::<_, 20>::over(Lanes), &key, &iv(16), &text),
        "86bd4d442b19b75873f2a5527ed478736547efd2eac0356f0ff4847f59c2ef0e66697270029df777d5e8665d5c481f93\
         ebb02513f7f87b0d24b1e44811010f75ecf8488f5da1"
    );
    assert_eq!(
        crypt(XChaCha::<_, 20>::over(Lanes), &key, &iv(32), &text),
        "9816c55e708a298175023fca6025bf8633292e4655bc5d67bcbb9f8bfc0b78c84ac7282fe237cd903ee463464c3aac01\
         d021370ab9d37c8d59b77a7edc61e2d7b79ac5533012"
    );
    assert_eq!(
        crypt(XChaCha::<_, 12>::over(Lanes), &key, &iv(32), &text),
        "8a3de5c3bc562e930423454c59f19672358046c7165ed80ad9204c4a33999d410e1c7134e9b98468a28db881eec7a6d4\
         574061407dc663e4f5c2f11aa6f3f67363e2d9108a09"
    );
}

/// Answers of Linux 6.1.192, through AF_ALG; the counter of the first wraps around.
#[test]
fn linux() {
    assert_eq!(
        crypt(
            ChaCha::<_, 20>::over(Lanes),
            "6084250e0df356abb5ad73a2972d7a66cdbf34f7588f2646a0188a21b29963da",
            "feffffff000000000000000000000000",
            &hex("cc6dc95a811d5aab70ed10eb20464941b1ed72351b9b250807ea6d748cd3c22cdd1d981d6ec2bc78f3a48c5d\
                 19190b79c0073ceebad056c5067f6c17c192724df41c289839187f2e7246de8869b2abe95e2babc7f3d6bf64\
                 3c09d77c6d2df53100c83d659887672eb6be12f95db722267786c3f5c6cd697d8782d9175269a9ab50")
        ),
        "0a05fb03ffd01637cdbea6f4d1dff6bae46254e5aae49d5462ff32cb10efe6427a5bb701cdbc8703c59a73794751551c\
         256736eeb00b516b4aa5ac5bb690e77dff97dc6ad5d3cd17e7324c644ee7c4204e59e3ebefaee8f70b54366590c974e5\
         7d12ab0b5e2f0d255512dfc6505554d763d7b54d0ccb2350ef6b1876654ad00f4a"
    );
    assert_eq!(
        crypt(
            XChaCha::<_, 20>::over(Lanes),
            "df44883a0508f277798acb52c51992d01f9cf320ae5e83b7cba31c49f7af60dc",
            "d11defdbfacc8a0b87b6a5ab39c9c80719a884fd6080c3a4c252a2fcb045bae3",
            &hex("eebbf151568eb04552a2eda6c15c7805b5b6904b54aba62deec57f77f5e4f84c8d")
        ),
        "18b2850abb507e9afd4c12d62e398c0437bfe684c65d4f714bd345126a504086f5"
    );
    assert_eq!(
        crypt(
            XChaCha::<_, 12>::over(Lanes),
            "f78c2c95a88aa1def2e30a282bd527fba0482e434745e916e03573c5c4f6fe01",
            "451221f01e4e5369bcb1f02935b449999fc259a9bb548e182763ab067941dd1a",
            &hex("251dd99e5af5bdefb35a9873ca745a53cfac43299dc437d8eb26321e5348da")
        ),
        "6756c4b7d63c1d7e758e79192142c9a74d6d3f10bbd773d284fdc776ffcc6a"
    );
}

#[test]
fn refused_keys() {
    for len in (0..70).filter(|&len| len != 32) {
        assert!(matches!(
            ChaCha::<_, 20>::over(Lanes).set_key(&[0; 70][..len]),
            Err(Error::BadKeyLen { .. })
        ));
    }
}
