//! The `ccmp` example on the frame that comes with it, on captures of every form, and on input that is wrong.
#![forbid(unsafe_code)]

#[expect(dead_code, reason = "the tests call what main calls")]
#[path = "../ccmp/main.rs"]
mod ccmp;

use std::fs;
use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use kcrypto::registry;
use serde_json::Value;
use tempfile::TempDir;

const ANNEX_KEY: &str = "c97c1f67ce371185514a8a19f2bdd52f";
const ANNEX_TEXT: &str = "f8ba1a55d02f85ae967bb62fb6cda8eb7e78a050";

/// Exit status, stdout, stderr.
fn ccmp(args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["ccmp"].iter().chain(args).map(|arg| (*arg).into());
    let status = ccmp::run(registry(), args, &mut out, &mut err);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// The same over a capture of these bytes.
fn over(capture: &[u8], args: &[&str]) -> (u8, String, String) {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("frames.pcap");
    fs::write(&path, capture).unwrap();
    ccmp(&[&["--pcap", path.to_str().unwrap()], args].concat())
}

/// A capture file of these packets.
fn pcap(number: fn(u32) -> [u8; 4], link: u32, packets: &[Vec<u8>]) -> Vec<u8> {
    let mut file: Vec<u8> =
        [0xa1b2_c3d4, 0x0002_0004, 0, 0, 65535, link].into_iter().flat_map(number).collect();
    for packet in packets {
        let len = packet.len() as u32;
        file.extend([0, 0, len, len].into_iter().flat_map(number));
        file.extend(packet);
    }
    file
}

/// The published frame, without its check sequence.
fn annex() -> Vec<u8> {
    let file = fs::read(ccmp::shipped_capture()).unwrap();
    file[24 + 16 + 10..file.len() - 4].to_vec()
}

/// A frame of this header, CCMP header and text, sealed under an IV and associated data made by hand.
fn sealed(header: &str, ccmp: &str, iv: &str, aad: &str, text: &[u8]) -> Vec<u8> {
    let [mut frame, ccmp, iv, aad, key] =
        [header, ccmp, iv, aad, ANNEX_KEY].map(|digits| hex::decode(digits).unwrap());
    let mut tfm = registry().aead("ccm(aes)").unwrap();
    tfm.set_tag_size(8).unwrap();
    tfm.set_key(&key).unwrap();
    let mut body = [text, &[0; 8]].concat();
    tfm.seal_appended(&iv, &aad, &mut body).unwrap();
    frame.extend([ccmp, body].concat());
    frame
}

#[test]
fn the_published_frame_opens() {
    let (status, out, err) = ccmp(&[]);
    assert_eq!((status, err.as_str()), (0, ""));
    let line = "50:30:f1:84:44:08 -> 0f:d2:e1:28:a5:7c  PN b5039776e70c  key 0    20 bytes  ";
    assert!(out.contains(&format!("{line}{ANNEX_TEXT}\n")), "{out}");
    assert!(out.ends_with("\n1 frames decrypted, 0 failed, 0 not CCMP\n"), "{out}");

    let (status, out, _) = ccmp(&["--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, &document["frames"][0]["plaintext"]), (0, &ANNEX_TEXT.into()));
    assert_eq!(document["summary"]["decrypted"], 1);
}

/// Every bit that CCMP covers; the others are the duration, the sequence number, and what changes when a frame is
/// sent again.
#[test]
fn a_flipped_bit_is_reported_and_yields_no_plaintext() {
    let frame = annex();
    let free = |bit: usize| matches!(bit, 4..=6 | 11..=13 | 16..=31 | 180..=191);
    let structural = |bit: usize| matches!(bit, 2 | 3 | 7 | 8 | 9 | 14 | 15) || (208..224).contains(&bit);
    let packets: Vec<Vec<u8>> = (0..frame.len() * 8)
        .filter(|bit| !free(*bit) && !structural(*bit))
        .map(|bit| {
            let mut frame = frame.clone();
            frame[bit / 8] ^= 1 << (bit % 8);
            frame
        })
        .collect();
    for args in [&["--tk", ANNEX_KEY][..], &["--tk", ANNEX_KEY, "--json"]] {
        let (status, out, err) = over(&pcap(u32::to_le_bytes, 105, &packets), args);
        assert_eq!((status, err.as_str()), (1, ""));
        let failed = out.matches("FAILED\n").count() + out.matches("\"status\": \"failed\"").count();
        assert_eq!(failed, packets.len());
        assert!(!out.contains(&ANNEX_TEXT[..4]), "{out}");
    }
    let (status, out, _) = ccmp(&["--tk", "00000000000000000000000000000000"]);
    assert!(status == 1 && out.ends_with("0 frames decrypted, 1 failed, 0 not CCMP\n"), "{out}");
}

/// Among good frames, in one batch with them.
#[test]
fn a_flipped_bit_fails_its_own_frame_only() {
    let mut packets = vec![annex(); 9];
    for nth in [1, 4, 5] {
        let last = packets[nth].len() - 1;
        packets[nth][last - nth * 3] ^= 0x20;
    }
    let (status, out, err) = over(&pcap(u32::to_le_bytes, 105, &packets), &["--tk", ANNEX_KEY]);
    assert_eq!((status, err.as_str()), (1, ""));
    for (nth, line) in (0..9).zip(out.lines().skip(1)) {
        let end = if [1, 4, 5].contains(&nth) { "  FAILED" } else { ANNEX_TEXT };
        assert!(line.ends_with(end), "{line}");
    }
    assert!(out.ends_with("\n6 frames decrypted, 3 failed, 0 not CCMP\n"), "{out}");
}

#[test]
fn bits_that_change_on_the_way_do_not_matter() {
    let mut frame = annex();
    frame[1] ^= 0x38; // retry, power, more data
    frame[2] ^= 0xff; // duration
    frame[22] ^= 0xf0; // sequence number
    let (status, out, _) = over(&pcap(u32::to_le_bytes, 105, &[frame]), &["--tk", ANNEX_KEY]);
    assert!(status == 0 && out.contains(ANNEX_TEXT), "{out}");
}

#[test]
fn every_form_of_capture() {
    let frame = annex();
    let with_fcs = [&frame[..], &[1, 2, 3, 4]].concat();
    let plain = [&[0, 0, 8, 0, 0, 0, 0, 0], &frame[..]].concat();
    let timed = [&[0, 0, 17, 0, 3, 0, 0, 0], &[0; 8][..], &[0x10], &with_fcs].concat();
    // Two words of presence: the time moves to the next multiple of 8.
    let wide =
        [&[0, 0, 25, 0, 3, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0], &[0; 8][..], &[0x10], &with_fcs].concat();
    let fcs_in_link = 1 << 26 | 2 << 28 | 105;
    for number in [u32::to_le_bytes, u32::to_be_bytes] {
        for (link, packet) in
            [(105, &frame), (127, &plain), (127, &timed), (127, &wide), (fcs_in_link, &with_fcs)]
        {
            let many = vec![packet.clone(); 3];
            let file = pcap(number, link, &many);
            let mut squeezed = GzEncoder::new(Vec::new(), Compression::default());
            squeezed.write_all(&file).unwrap();
            for file in [file, squeezed.finish().unwrap()] {
                let (status, out, err) = over(&file, &["--tk", ANNEX_KEY]);
                assert_eq!((status, err.as_str()), (0, ""), "link type {link}");
                assert!(out.ends_with("\n3 frames decrypted, 0 failed, 0 not CCMP\n"), "{out}");
            }
        }
    }
}

/// Headers of every shape, with the IV and the associated data as the standard says, written out.
#[test]
fn every_form_of_header() {
    let [to, from, third, fourth] = ["020000000001", "020000000002", "020000000003", "020000000004"];
    let (ccmp, pn) = ("7697002003b50000", "0000b5039776");
    let iv = |flags: &str| format!("01{flags}{from}{pn}0000");
    let shape = |control: &str, rest: &str, flags: &str, masked: &str, kept: &str| {
        let header = format!("{control}0000{to}{from}{third}a123{rest}");
        sealed(&header, ccmp, &iv(flags), &format!("{masked}{to}{from}{third}0100{kept}"), b"in the air")
    };
    let frames = [
        shape("0851", "", "00", "0841", ""),
        shape("8852", "0500", "05", "8842", "0500"),
        shape("8852", "8500", "05", "8842", "0500"),
        shape("88d2", "0500deadbeef", "05", "8842", "0500"),
        shape("0843", fourth, "00", "0843", fourth),
        shape("8843", &format!("{fourth}0700"), "07", "8843", &format!("{fourth}0700")),
        shape("d048", "", "10", "d040", ""),
    ];
    let (status, out, _) = over(&pcap(u32::to_le_bytes, 105, &frames), &["--tk", ANNEX_KEY]);
    assert!(status == 0 && out.ends_with("\n7 frames decrypted, 0 failed, 0 not CCMP\n"), "{out}");
    assert_eq!(out.matches(&hex::encode("in the air")).count(), 7);
}

/// A frame of an independent program: QoS data under `key[i] = 11 * i + 1`, with the text `7 * i + 3`.
#[test]
fn a_frame_that_others_sealed() {
    let header = "88520000020000000001020000000002020000000003a1230500";
    let body = "a19d45fbb9a8f6bbaa72d8733fbb6f0103e70d64e1ebc75e95d13dd043f26dbe3c7edd0799cc073580";
    let frame = hex::decode(format!("{header}7697002003b50000{body}")).unwrap();
    let key: Vec<u8> = (0..16).map(|i| 11 * i + 1).collect();
    let file = pcap(u32::to_le_bytes, 105, &[frame]);
    let (status, out, _) = over(&file, &["--tk", &hex::encode(key), "--json"]);
    let text: Vec<u8> = (0..33).map(|i| 7 * i + 3).collect();
    assert!(status == 0 && out.contains(&hex::encode(text)), "{out}");
}

#[test]
fn what_is_not_for_these_keys_is_told_apart() {
    let frame = annex();
    let changed = |at: usize, value: u8| {
        let mut frame = frame.clone();
        frame[at] = value;
        frame
    };
    let packets = [
        frame.clone(),
        changed(27, 0x60),         // key 1
        changed(1, 0x08),          // not protected
        changed(0, 0x04),          // control
        changed(27, 0x00),         // WEP
        changed(26, 0x01),         // TKIP
        frame[..20].to_vec(),      // cut in the header
        frame[..24 + 8].to_vec(),  // no body
        frame[..24 + 16].to_vec(), // no payload
        Vec::new(),
    ];
    let file = pcap(u32::to_le_bytes, 105, &packets);
    let (status, out, _) = over(&file, &["--tk", ANNEX_KEY]);
    let summary = "1 frames decrypted, 2 failed, 6 not CCMP, 1 under keys that were not given\n";
    assert!(status == 1 && out.ends_with(summary) && out.contains("key 1  no key\n"), "{out}");

    let (_, out, _) = over(&file, &["--tk", &format!("1:{ANNEX_KEY}"), "--tk", ANNEX_KEY]);
    assert!(out.ends_with("2 frames decrypted, 2 failed, 6 not CCMP\n"), "{out}");
    let (status, out, _) = over(&pcap(u32::to_le_bytes, 105, &[]), &["--tk", ANNEX_KEY]);
    assert!(status == 1 && out.ends_with("\n0 frames decrypted, 0 failed, 0 not CCMP\n"), "{out}");
}

/// One clear line that says what is wrong, and exit status 2.
#[track_caller]
fn refused((status, out, err): (u8, String, String), why: &str) {
    assert_eq!((status, out.as_str()), (2, ""), "{err}");
    assert!(err.starts_with("ccmp: ") && err.lines().count() == 1 && err.contains(why), "{err}");
}

#[test]
fn bad_input_is_refused() {
    let file = pcap(u32::to_le_bytes, 105, &[annex()]);
    let key = ["--tk", ANNEX_KEY];
    refused(over(&file[..3], &key), "not a pcap file");
    refused(over(&file[..20], &key), "truncated in the header of the file");
    refused(over(&file[..30], &key), "truncated in packet 1");
    refused(over(&file[..file.len() - 1], &key), "truncated in packet 1");
    refused(over(&[0x0a; 40], &key), "unknown magic number");
    refused(over(&[0x1f, 0x8b, 0], &key), "cannot read the capture");
    refused(over(&pcap(u32::to_le_bytes, 1, &[]), &key), "link type 1; expected 105");
    for radiotap in
        [&[0, 0, 9, 0, 0, 0, 0, 0][..], &[0, 0, 8, 0, 2, 0, 0, 0], &[1, 0, 8, 0, 0, 0, 0, 0], &[0; 3]]
    {
        refused(
            over(&pcap(u32::to_le_bytes, 127, &[radiotap.to_vec()]), &key),
            "packet 1: malformed radiotap",
        );
    }
    refused(ccmp(&["--pcap", "/no/such/file", "--tk", ANNEX_KEY]), "cannot read the capture: No such file");

    for (key, why) in [
        ("00", "temporal key of 1 bytes; CCMP takes 16 bytes"),
        (&ANNEX_KEY[1..], "Odd number of digits"),
        ("0g7c1f67ce371185514a8a19f2bdd52f", "Invalid character 'g'"),
        ("4:00", "its identifier is 0, 1, 2 or 3"),
    ] {
        refused(ccmp(&["--tk", key]), why);
    }
}

#[test]
fn usage() {
    let (status, out, err) = ccmp(&["--help"]);
    assert!(status == 0 && out.contains("--pcap <FILE>") && err.is_empty());
    for args in [&["--pcap", "x"][..], &["--what"], &["x"]] {
        let (status, out, err) = ccmp(args);
        assert!(status == 2 && out.is_empty() && err.starts_with("error: "), "{err}");
    }
}
