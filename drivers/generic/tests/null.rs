//! What does nothing, under the names and limits of Linux.

use kcrypto_core::{Error, InOut, Length, Registry, TagSizes};

fn registry() -> Registry {
    Registry::with(kcrypto_generic::ALGS.iter().cloned(), []).unwrap()
}

#[test]
fn the_cipher_takes_no_key_and_changes_nothing() {
    let mut tfm = registry().cipher("cipher_null").unwrap();
    assert_eq!((&*tfm.alg().driver_name, tfm.alg().priority), ("cipher_null-generic", 0));
    assert_eq!(tfm.block_size(), 1);
    let mut out = [9; 5];
    tfm.encrypt(InOut::apart(b"plain", &mut out).unwrap()).unwrap();
    assert_eq!(&out, b"plain");
    assert!(matches!(tfm.set_key(&[1]), Err(Error::BadKeyLen { len: 1, .. })));
    tfm.decrypt(&mut out).unwrap();
    assert_eq!(&out, b"plain", "there is no key to lose");
    tfm.set_key(&[]).unwrap();
}

#[test]
fn nor_does_its_mode() {
    let mut tfm = registry().skcipher("ecb(cipher_null)").unwrap();
    assert_eq!((&*tfm.alg().driver_name, tfm.alg().priority), ("ecb-cipher_null", 100));
    assert_eq!((tfm.block_size(), tfm.iv_size(), tfm.length()), (1, 0, Length::ANY));
    let mut out = [9; 5];
    tfm.encrypt(&[], InOut::apart(b"plain", &mut out).unwrap()).unwrap();
    assert_eq!(&out, b"plain");
    assert!(matches!(tfm.encrypt(&[0], &mut out), Err(Error::BadIvLen { len: 1, want: 0 })));
    assert!(matches!(tfm.set_key(&[1]), Err(Error::BadKeyLen { len: 1, .. })));
    tfm.decrypt(&[], &mut out).unwrap();
    tfm.set_key(&[]).unwrap();
    assert_eq!(&out, b"plain");
}

#[test]
fn the_digest_has_no_bytes_and_verifies_nothing() {
    let mut tfm = registry().shash("digest_null").unwrap();
    assert_eq!((&*tfm.alg().driver_name, tfm.alg().priority), ("digest_null-generic", 0));
    assert_eq!((tfm.block_size(), tfm.digest_size()), (1, 0));
    assert_eq!(tfm.digest(b"message", &mut []), Err(Error::NeedKey));
    tfm.set_key(b"any").unwrap();
    tfm.digest(b"message", &mut []).unwrap();
    tfm.digest_segments(&[b"mess", b"age"], &mut []).unwrap();
    assert_eq!(tfm.digest(b"message", &mut [0]), Err(Error::LengthMismatch { src: 0, dst: 1 }));
    for tag in [&[][..], &[0], &[0; 64]] {
        let refused = Err(Error::BadTagLen { len: tag.len(), accepted: TagSizes::up_to(0) });
        assert_eq!(tfm.verify(b"message", tag), refused);
    }
    let mut hashing = tfm.hasher().unwrap();
    hashing.update(b"mess");
    let mut state = vec![0; tfm.export_size()];
    hashing.export(&mut state).unwrap();
    let mut hashing = tfm.import(&state).unwrap();
    hashing.update(b"age");
    assert_eq!(hashing.total(), 7);
    hashing.finalize(&mut []).unwrap();
}
