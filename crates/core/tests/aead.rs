//! AEADs over a toy algorithm that notices every broken rule of the run contract.

use kcrypto_core::{
    Aad, AadLength, Aead, AeadAlg, AeadDriver, Alg, Dir, Error, InOut, KeySizes, Length, Lens, Make,
    Registry, Result, Segments, State, TagSizes, Want,
};

/// XORs a key byte and the position; its tag sums what it saw. Text comes in 4-byte chunks and a tail of 5.
#[derive(Default)]
struct Toy(u8);

const SEEN: usize = 8;

impl AeadDriver for Toy {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        self.0 = key[0];
        Ok(())
    }
    fn check(&self, iv: &[u8], lens: Lens) -> Result<()> {
        if iv[0] == 0xff {
            return Err(Error::BadIv { why: "it must not be ff" });
        }
        if lens.text > 100 {
            return Err(Error::TooLong { len: lens.text, max: 100 });
        }
        Ok(())
    }
    fn begin(&self, _: Dir, iv: &[u8], lens: Lens, state: &mut State) {
        let state = state.bytes_mut();
        state[..4].copy_from_slice(&[iv[0], lens.aad as u8, lens.text as u8, lens.tag as u8]);
    }
    fn aad(&self, state: &mut State, run: &[u8], last: bool) {
        let state = state.bytes_mut();
        assert!(!run.is_empty() && (last || run.len().is_multiple_of(4)));
        assert_eq!(state[SEEN], 0, "associated data comes first, and ends once");
        run.iter().for_each(|byte| state[4] = state[4].wrapping_mul(31).wrapping_add(*byte));
        state[5] = state[5].wrapping_add(run.len() as u8);
        if last {
            assert_eq!(state[5], state[1], "the last run of associated data ends it");
            state[SEEN] = 1;
        }
    }
    fn run(&self, dir: Dir, state: &mut State, mut io: InOut<'_>, last: bool) {
        let state = state.bytes_mut();
        assert!(state[1] == 0 || state[SEEN] == 1, "all associated data came before");
        assert!(!io.is_empty() && (last || io.len().is_multiple_of(4)));
        assert!(!last || io.len() >= 5 || state[6] == 0, "the last run has its tail, or is the whole text");
        io.copy();
        for byte in io.dst() {
            let plain = if dir == Dir::Encrypt { *byte } else { *byte ^ self.0 ^ state[6] };
            *byte ^= self.0 ^ state[6];
            state[7] = state[7].wrapping_mul(17).wrapping_add(plain);
            state[6] = state[6].wrapping_add(1);
        }
        if last {
            assert_eq!(state[6], state[2], "the last run ends the text");
        }
    }
    fn end(&self, _: Dir, state: &mut State, tag: &mut [u8]) {
        let state = state.bytes();
        let full = [state[0], state[4] ^ state[1], state[7] ^ state[2], self.0, state[3], 1, 2, 3];
        tag.copy_from_slice(&full[..tag.len()]);
    }
}

fn tfm() -> Aead {
    let limits = AeadAlg {
        block_size: 1,
        iv_size: 1,
        tags: TagSizes::of(&[3, 5, 8]),
        chunk_size: 4,
        tail: 5,
        length: Length::ANY,
        aad: AadLength::Any,
        keys: KeySizes::exactly(1),
        state_size: 9,
        make: Make::Static(|| Box::new(Toy::default())),
    };
    let registry = Registry::with([Alg::aead("toy", "toy-generic", limits)], []).unwrap();
    let mut tfm = registry.aead_with("toy", Want::new(kcrypto_core::KindTag::Aead)).unwrap();
    tfm.set_key(&[0x5a]).unwrap();
    tfm
}

fn bytes(len: usize, factor: usize) -> Vec<u8> {
    (0..len).map(|i| (factor * i + 3) as u8).collect()
}

fn sealed(tfm: &Aead, aad: &[u8], text: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut out, mut tag) = (text.to_vec(), vec![0; tfm.tag_size()]);
    tfm.seal(&[1], aad, &mut out, &mut tag).unwrap();
    (out, tag)
}

#[test]
fn pieces_of_associated_data_make_no_difference() {
    let tfm = tfm();
    for aad_len in 0..41 {
        let aad = bytes(aad_len, 3);
        let text = bytes(9, 7);
        let expected = sealed(&tfm, &aad, &text);
        for first in 0..=aad_len {
            for second in [first, (first + 3).min(aad_len), aad_len] {
                let pieces = [&aad[..first], &[], &aad[first..second], &aad[second..]];
                let (mut out, mut tag) = (vec![0; 9], vec![0; 8]);
                let io = InOut::apart(&text, &mut out).unwrap();
                tfm.seal_with(&[1], &Aad::new(&pieces), io, &mut tag).unwrap();
                assert_eq!((out, tag), expected, "{aad_len} cut at {first} and {second}");
            }
        }
    }
}

#[test]
fn segments_and_streams_give_the_bytes_of_one_call() {
    let tfm = tfm();
    for text_len in 0..24 {
        for aad_len in [0, 1, 4, 5, 13] {
            let (aad, text) = (bytes(aad_len, 3), bytes(text_len, 7));
            let expected = sealed(&tfm, &aad, &text);
            for cut in 0..=text_len {
                let (mut out, mut tag) = (text.clone(), vec![0; 8]);
                let (a, b) = out.split_at_mut(cut);
                tfm.seal_segments(
                    &[1],
                    &Aad::new(&[&aad]),
                    Segments::InPlace(&mut [a, &mut [], b]),
                    &mut tag,
                )
                .unwrap();
                assert_eq!((&out, &tag), (&expected.0, &expected.1));
                let (a, b) = out.split_at_mut(text_len - cut);
                let list = Segments::InPlace(&mut [a, b]);
                tfm.open_segments(&[1], &Aad::new(&[&aad]), list, &tag).unwrap();
                assert_eq!(out, text);

                let mut sealer = tfm.sealer(&[1], aad_len as u64, text_len as u64).unwrap();
                aad.chunks(1 + cut).for_each(|piece| sealer.aad(piece).unwrap());
                sealer.aad(&[]).unwrap();
                let (mut out, mut tag, mut at) = (vec![0; text_len], vec![0; 8], 0);
                for piece in text.chunks(1 + cut) {
                    let due = sealer.update_len(piece.len());
                    assert_eq!(sealer.update(piece, &mut out[at..]), Ok(due));
                    at += due;
                }
                assert_eq!(sealer.finish_len(), text_len - at);
                sealer.finish(&mut out[at..], &mut tag).unwrap();
                assert_eq!((&out, &tag), (&expected.0, &expected.1));

                let mut opener = tfm.opener(&[1], aad_len as u64, text_len as u64).unwrap();
                opener.aad(&aad).unwrap();
                let (mut plain, mut at) = (vec![0; text_len], 0);
                for piece in out.chunks(1 + cut) {
                    let seen = opener.update(piece, &mut plain[at..]).unwrap();
                    at += seen.keep_unverified().len();
                }
                opener.finish(&mut plain[at..], &tag).unwrap();
                assert_eq!(plain, text);
            }
        }
    }
}

#[test]
fn nothing_is_left_of_what_does_not_verify() {
    let tfm = tfm();
    let (aad, text) = (bytes(6, 3), bytes(21, 7));
    let (good, tag) = sealed(&tfm, &aad, &text);
    let mut wrong = tag.clone();
    wrong[7] ^= 0x80;
    let zero = vec![0; 21];

    let mut buf = good.clone();
    assert_eq!(tfm.open(&[1], &aad, &mut buf, &wrong), Err(Error::BadTag));
    assert_eq!(buf, zero);
    let mut out = vec![0xfe; 21];
    let io = InOut::apart(&good, &mut out).unwrap();
    assert_eq!(tfm.open(&[1], &aad[1..], io, &tag), Err(Error::BadTag));
    assert_eq!(out, zero);
    let mut buf = good.clone();
    let (a, b) = buf.split_at_mut(10);
    let list = Segments::InPlace(&mut [a, b]);
    assert_eq!(tfm.open_segments(&[1], &Aad::new(&[&aad]), list, &wrong), Err(Error::BadTag));
    assert_eq!(buf, zero);
    let mut buf = [&good[..], &wrong].concat();
    assert_eq!(tfm.open_appended(&[1], &aad, &mut buf), Err(Error::BadTag));
    assert_eq!(buf[..21], zero);

    let mut opener = tfm.opener(&[1], 6, 21).unwrap();
    opener.aad(&aad).unwrap();
    let mut plain = vec![0xfe; 21];
    let seen = opener.update(&good, &mut plain).unwrap();
    let at = seen.as_unverified_bytes().len();
    assert_eq!(seen.as_unverified_bytes(), &text[..at]);
    drop(seen);
    assert_eq!(plain[..at], zero[..at], "wiped with its guard");
    assert_eq!(opener.finish(&mut plain[at..], &wrong), Err(Error::BadTag));
    assert_eq!(plain, zero);
}

#[test]
fn appended_tags_go_round() {
    let mut tfm = tfm();
    tfm.set_tag_size(5).unwrap();
    let mut buf = [&b"hello world"[..], &[0; 5]].concat();
    tfm.seal_appended(&[1], b"aad", &mut buf).unwrap();
    assert_eq!(tfm.open_appended(&[1], b"aad", &mut buf).unwrap(), b"hello world");
    assert!(matches!(tfm.open_appended(&[1], b"aad", &mut [0; 4]), Err(Error::BadLength { len: 4, .. })));
}

#[test]
fn refusals_come_before_anything_is_written() {
    let mut tfm = tfm();
    let seal = |tfm: &Aead, iv: &[u8], len: usize, tag: usize| {
        let (mut buf, mut out) = (vec![9; len], vec![9; tag]);
        let result = tfm.seal(iv, &[], &mut buf, &mut out);
        assert!(result.is_ok() || buf.iter().chain(&out).all(|&byte| byte == 9));
        result
    };
    assert_eq!(seal(&tfm, &[1], 8, 8), Ok(()));
    assert_eq!(seal(&tfm, &[1, 2], 8, 8), Err(Error::BadIvLen { len: 2, want: 1 }));
    assert!(matches!(seal(&tfm, &[1], 8, 5), Err(Error::BadTagLen { len: 5, .. })));
    assert!(matches!(seal(&tfm, &[0xff], 8, 8), Err(Error::BadIv { .. })));
    assert_eq!(seal(&tfm, &[1], 101, 8).unwrap_err().errno_name(), "EOVERFLOW");
    for bad in [0, 1, 4, 9, 64, 1 << 20] {
        assert!(matches!(tfm.set_tag_size(bad), Err(Error::BadTagLen { .. })), "{bad}");
    }
    assert_eq!(tfm.set_tag_size(4).unwrap_err().to_string(), "tag of 4 bytes; accepted: 3, 5 or 8 bytes");
    assert_eq!(tfm.tag_size(), 8);
    assert!(tfm.set_key(&[]).is_err());
    assert_eq!(seal(&tfm, &[1], 8, 8), Err(Error::NeedKey));
    assert!(matches!(tfm.sealer(&[1], 0, 0), Err(Error::NeedKey)));
}

#[test]
fn a_stream_keeps_to_its_announced_lengths() {
    let tfm = tfm();
    let mut out = [0; 32];
    let mut sealer = tfm.sealer(&[1], 4, 8).unwrap();
    assert!(matches!(sealer.update(&[0; 4], &mut out), Err(Error::BadAadLen { len: 0, .. })));
    assert!(matches!(sealer.aad(&[0; 5]), Err(Error::BadAadLen { len: 5, .. })));
    sealer.aad(&[0; 4]).unwrap();
    assert_eq!(sealer.update(&[0; 9], &mut out), Err(Error::TooLong { len: 9, max: 8 }));
    sealer.update(&[0; 7], &mut out).unwrap();
    assert!(matches!(sealer.aad(&[0]), Err(Error::BadAadLen { .. })));
    assert!(matches!(sealer.finish(&mut out, &mut [0; 8]), Err(Error::LengthMismatch { src: 8, dst: 7 })));
    assert!(matches!(tfm.sealer(&[1], 0, 101), Err(Error::TooLong { .. })));
}
