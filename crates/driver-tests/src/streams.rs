//! ChaCha beside the portable drivers.
//!
//! A name is a driver's.

use kcrypto_core::{Dir, InOut, Skcipher, State};

use crate::skciphers::{apart, driver, in_place, keyed};
use crate::{Drivers, bytes};

/// The names of each driver and of the portable one, and where the block counter is in the IV.
fn for_each(drivers: &Drivers) -> impl Iterator<Item = ([String; 2], usize)> {
    drivers.names.iter().map(|name| {
        let algorithm = drivers.algorithm(name);
        let counter = if algorithm.starts_with('x') { 24 } else { 0 };
        ([name.to_string(), format!("{algorithm}-generic")], counter)
    })
}

/// The message encrypted in place, and decrypted apart: the same bytes.
fn both(tfm: &Skcipher, iv: &[u8], message: &[u8]) -> [Vec<u8>; 2] {
    [in_place(tfm, Dir::Encrypt, iv, message).0, apart(tfm, Dir::Decrypt, iv, message).0]
}

/// Every length, in place and apart.
pub fn the_portable_driver_agrees_on_every_length(drivers: &Drivers) {
    for (names, _) in for_each(drivers) {
        let [tfm, portable] = names.each_ref().map(|name| keyed(&drivers.registry, name, &bytes(32, 1)));
        let iv = bytes(tfm.iv_size(), 2);
        for len in (0..=1100).chain([4095, 4096, 4097]) {
            let message = bytes(len, len as u64);
            let want = both(&portable, &iv, &message);
            assert_eq!(both(&tfm, &iv, &message), want, "{} {len}", names[0]);
        }
    }
}

/// The counter wraps within a message, and leaves the words after it alone.
pub fn the_counter_wraps_around_and_takes_nothing_with_it(drivers: &Drivers) {
    for (names, counter) in for_each(drivers) {
        let [tfm, portable] = names.each_ref().map(|name| keyed(&drivers.registry, name, &bytes(32, 1)));
        for before in 0..20u32 {
            let mut iv = bytes(tfm.iv_size(), 3);
            iv[counter..counter + 4].copy_from_slice(&(u32::MAX - before).to_le_bytes());
            for len in [64, 128, 192, 256, 320, 512, 700, 1300] {
                let message = bytes(len, 4);
                let want = both(&portable, &iv, &message);
                assert_eq!(both(&tfm, &iv, &message), want, "{} {before} {len}", names[0]);
            }
        }
    }
}

/// Cut at every block, and continued by the other driver from the state of the first.
pub fn states_move_between_drivers(drivers: &Drivers) {
    let key = bytes(32, 1);
    for (names, counter) in for_each(drivers) {
        let portable = keyed(&drivers.registry, &names[1], &key);
        let drivers = names.each_ref().map(|name| driver(&drivers.registry, name, &key));
        let mut iv = bytes(portable.iv_size(), 5);
        iv[counter..counter + 4].fill(0xff);
        for len in (0..=300).chain([1000, 1024]) {
            let message = bytes(len, len as u64);
            let [want, _] = both(&portable, &iv, &message);
            for cut in (0..=len).step_by(64) {
                for [first, second] in [[0, 1], [1, 0], [0, 0]] {
                    let mut out = message.clone();
                    let mut state = State::new();
                    let (a, b) = out.split_at_mut(cut);
                    drivers[first].begin(Dir::Encrypt, &iv, &mut state);
                    drivers[first].run(Dir::Encrypt, &mut state, InOut::in_place(a), false);
                    drivers[second].run(Dir::Encrypt, &mut state, InOut::in_place(b), true);
                    let mut iv_out = vec![0; iv.len()];
                    drivers[second].end(Dir::Encrypt, &state, &mut iv_out);
                    assert_eq!((&out, &iv_out), (&want, &iv), "{} {len} cut at {cut}", names[0]);
                }
            }
        }
    }
}

/// Algorithm, key, IV, plaintext and ciphertext. RFC 8439, 2.4.2; draft-irtf-cfrg-xchacha-03, A.3.2.1, whose counter
/// starts at 0.
const PUBLISHED: [(&str, &str, &str, &[u8], &str); 2] = [
    (
        "chacha20",
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "01000000000000000000004a00000000",
        b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen \
          would be it.",
        "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b\
         f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8\
         07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736\
         5af90bbf74a35be6b40b8eedf2785e42874d",
    ),
    (
        "xchacha20",
        "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
        "404142434445464748494a4b4c4d4e4f50515253545556580000000000000000",
        b"The dhole (pronounced \"dole\") is also known as the Asiatic wild dog, red dog, and whistling dog. It is \
          about the size of a German shepherd but looks more like a long-legged fox. This highly elusive and \
          skilled jumper is classified with wolves, coyotes, jackals, and foxes in the taxonomic family Canidae.",
        "4559abba4e48c16102e8bb2c05e6947f50a786de162f9b0b7e592a9b53d0d4e9\
         8d8d6410d540a1a6375b26d80dace4fab52384c731acbf16a5923c0c48d3575d\
         4d0d2c673b666faa731061277701093a6bf7a158a8864292a41c48e3a9b4c0da\
         ece0f8d98d0d7e05b37a307bbb66333164ec9e1b24ea0d6c3ffddcec4f68e744\
         3056193a03c810e11344ca06d8ed8a2bfb1e8d48cfa6bc0eb4e2464b74814240\
         7c9f431aee769960e15ba8b96890466ef2457599852385c661f752ce20f9da0c\
         09ab6b19df74e76a95967446f8d0fd415e7bee2a12a114c20eb5292ae7a349ae\
         577820d5520a1f3fb62a17ce6a7e68fa7c79111d8860920bc048ef43fe84486c\
         cb87c25f0ae045f0cce1e7989a9aa220a28bdd4827e751a24a6d5c62d790a663\
         93b93111c1a55dd7421a10184974c7c5",
    ),
];

/// What is published.
pub fn published(drivers: &Drivers) {
    for name in &drivers.names {
        let algorithm = drivers.algorithm(name);
        for (_, key, iv, plain, cipher) in PUBLISHED.iter().filter(|case| case.0 == algorithm) {
            let [key, iv] = [key, iv].map(|text| hex::decode(text).expect("hex"));
            let tfm = keyed(&drivers.registry, name, &key);
            let mut text = plain.to_vec();
            tfm.encrypt(&iv, &mut text).expect(name);
            assert_eq!(hex::encode(text), *cipher, "{name}");
        }
    }
}
