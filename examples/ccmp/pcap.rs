//! Packets of a capture file (classic pcap, either byte order), down to the IEEE 802.11 frames in them.
//!
//! ```text
//! file    magic (4) version (4) zone (4) accuracy (4) longest packet (4) link type (4), then packets
//! packet  seconds (4) fraction (4) bytes captured (4) bytes sent (4), then those captured
//! ```

use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

/// Magic numbers: fractions in microseconds and in nanoseconds.
const MAGIC: [u32; 2] = [0xa1b2_c3d4, 0xa1b2_3c4d];

/// Link type of bare frames.
const IEEE802_11: u32 = 105;
/// Link type of frames after a radiotap header.
const RADIOTAP: u32 = 127;

/// Length in bytes of a frame check sequence.
const FCS: usize = 4;

/// The frames of a capture, without radiotap headers and frame check sequences.
pub(crate) fn read(path: &Path) -> Result<Vec<Vec<u8>>, String> {
    let mut bytes = fs::read(path).map_err(|error| format!("cannot read the capture: {error}"))?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut raw = Vec::new();
        let inflated = GzDecoder::new(&bytes[..]).read_to_end(&mut raw);
        inflated.map_err(|error| format!("cannot read the capture: {error}"))?;
        bytes = raw;
    }
    frames(&bytes)
}

fn frames(mut file: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let magic = *file.first_chunk().ok_or("not a pcap file: it has no header")?;
    let number = match magic {
        _ if MAGIC.contains(&u32::from_le_bytes(magic)) => u32::from_le_bytes,
        _ if MAGIC.contains(&u32::from_be_bytes(magic)) => u32::from_be_bytes,
        _ => return Err("not a classic pcap file: unknown magic number".into()),
    };
    let header = words::<6>(&mut file, number).ok_or("truncated in the header of the file")?;
    let link = Link::of(header[5])?;
    let mut frames = Vec::new();
    while !file.is_empty() {
        let n = frames.len() + 1;
        let truncated = || format!("truncated in packet {n}");
        let [_, _, captured, _] = words(&mut file, number).ok_or_else(truncated)?;
        let packet = file.split_off(..captured as usize).ok_or_else(truncated)?;
        let frame = link.frame(packet).ok_or_else(|| format!("packet {n}: malformed radiotap header"))?;
        frames.push(frame.to_vec());
    }
    Ok(frames)
}

/// Takes numbers of 4 bytes off the front.
fn words<const N: usize>(bytes: &mut &[u8], number: fn([u8; 4]) -> u32) -> Option<[u32; N]> {
    let (words, _) = bytes.split_off(..4 * N)?.as_chunks();
    Some(core::array::from_fn(|i| number(words[i])))
}

/// What is around the frames of a file.
struct Link {
    radiotap: bool,
    fcs: usize,
}

impl Link {
    /// The low bits are the type; the highest four tell the length of check sequences in units of 2 bytes, if bit
    /// 26 is set.
    fn of(word: u32) -> Result<Link, String> {
        let fcs = if word >> 26 & 1 == 1 { 2 * (word >> 28) as usize } else { 0 };
        match word & 0xffff {
            IEEE802_11 => Ok(Link { radiotap: false, fcs }),
            RADIOTAP => Ok(Link { radiotap: true, fcs }),
            other => Err(format!("link type {other}; expected 105 (IEEE 802.11) or 127 (radiotap)")),
        }
    }

    /// The frame in a packet; one that is shorter than its check sequence is empty.
    fn frame<'p>(&self, packet: &'p [u8]) -> Option<&'p [u8]> {
        let (frame, fcs) = if self.radiotap { after_radiotap(packet)? } else { (packet, self.fcs) };
        Some(&frame[..frame.len().saturating_sub(fcs)])
    }
}

/// The frame after a radiotap header, and the length of its check sequence.
///
/// ```text
/// version 0 (1) pad (1) length (2, little-endian) present (4, and 4 more while bit 31 is set)
/// time (8, aligned to 8) if bit 0 is present, flags (1) if bit 1 is, and more
/// ```
fn after_radiotap(packet: &[u8]) -> Option<(&[u8], usize)> {
    let length = u16::from_le_bytes([*packet.get(2)?, *packet.get(3)?]).into();
    let (header, frame) = packet.split_at_checked(length)?;
    let (words, _) = header.get(4..)?.as_chunks::<4>();
    let more = words.iter().take_while(|word| word[3] & 0x80 != 0).count();
    let present = words.get(more).and(words.first())?[0];
    let mut at = 8 + 4 * more;
    if present & 1 != 0 {
        at = at.next_multiple_of(8) + 8;
    }
    let flags = if present & 2 != 0 { *header.get(at)? } else { 0 };
    let has_fcs = flags & 0x10 != 0;
    (header[0] == 0).then_some((frame, if has_fcs { FCS } else { 0 }))
}
