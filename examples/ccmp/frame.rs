//! The header of an IEEE 802.11 frame, and what CCMP makes of it (IEEE 802.11-2020, 12.5.3).
//!
//! ```text
//! frame   control (2) duration (2) A1 A2 A3 (18) sequence (2) [A4 (6)] [QoS (2)] [HT (4)] CCMP (8) body MIC (8)
//! CCMP    PN0 PN1 00 (20 | key << 6) PN2 PN3 PN4 PN5
//! IV      01, flags and TID (1) A2 (6) PN5 .. PN0 (6) 00 00
//! AAD     control A1 A2 A3 sequence [A4] [QoS], without the bits that change when a frame is sent again
//! ```

use core::fmt;

/// Length of the message integrity code in bytes.
pub(crate) const MIC: usize = 8;

/// Bits of the frame control field.
mod control {
    pub(super) const TYPE: u16 = 0x000c;
    pub(super) const MANAGEMENT: u16 = 0x0000;
    pub(super) const DATA: u16 = 0x0008;
    /// The bits of the subtype that the associated data of a data frame leaves out.
    pub(super) const SUBTYPE: u16 = 0x0070;
    pub(super) const QOS: u16 = 0x0080;
    pub(super) const FROM_AND_TO_DS: u16 = 0x0300;
    pub(super) const RETRY_POWER_MORE: u16 = 0x3800;
    pub(super) const PROTECTED: u16 = 0x4000;
    pub(super) const ORDER: u16 = 0x8000;
}

/// The CCMP header says that it has 8 bytes, not 4 as that of WEP.
const EXTENDED_IV: u8 = 0x20;

/// The address of a station.
#[derive(Clone, Copy)]
pub(crate) struct Address([u8; 6]);

/// What CCMP needs to know of a frame.
pub(crate) struct Ccmp {
    pub(crate) receiver: Address,
    pub(crate) transmitter: Address,
    pub(crate) packet_number: u64,
    pub(crate) key_id: u8,
    pub(crate) iv: [u8; 16],
    pub(crate) aad: Vec<u8>,
    /// Where the body starts, which ends with the MIC.
    pub(crate) body: usize,
}

impl Ccmp {
    /// Parses a frame; `None` for one that CCMP does not protect.
    pub(crate) fn parse(frame: &[u8]) -> Option<Ccmp> {
        let (header, mut rest) = frame.split_first_chunk::<24>()?;
        let control = u16::from_le_bytes([header[0], header[1]]);
        let kind = control & control::TYPE;
        let (data, management) = (kind == control::DATA, kind == control::MANAGEMENT);
        if control & control::PROTECTED == 0 || !(data || management) {
            return None;
        }
        let qos = data && control & control::QOS != 0;
        let four_addresses = data && control & control::FROM_AND_TO_DS == control::FROM_AND_TO_DS;
        let a4 = rest.split_off(..if four_addresses { 6 } else { 0 })?;
        let tid = rest.split_off(..if qos { 2 } else { 0 })?.first().map(|first| first & 0x0f);
        rest.split_off(..if qos && control & control::ORDER != 0 { 4 } else { 0 })?;

        let &[pn0, pn1, 0, key, pn2, pn3, pn4, pn5] = rest.first_chunk()? else { return None };
        if key & EXTENDED_IV == 0 {
            return None;
        }
        let pn = [pn5, pn4, pn3, pn2, pn1, pn0];

        let mut masked = control & !control::RETRY_POWER_MORE;
        if data {
            masked &= !control::SUBTYPE;
        }
        if qos {
            masked &= !control::ORDER;
        }
        let mut aad = masked.to_le_bytes().to_vec();
        aad.extend_from_slice(&header[4..22]);
        aad.extend_from_slice(&[header[22] & 0x0f, 0]);
        aad.extend_from_slice(a4);
        aad.extend(tid.into_iter().flat_map(|tid| [tid, 0]));

        let mut iv = [0; 16];
        iv[0] = 1;
        iv[1] = tid.unwrap_or(0) | if management { 0x10 } else { 0 };
        iv[2..8].copy_from_slice(&header[10..16]);
        iv[8..14].copy_from_slice(&pn);

        Some(Ccmp {
            receiver: Address(core::array::from_fn(|i| header[4 + i])),
            transmitter: Address(core::array::from_fn(|i| header[10 + i])),
            packet_number: pn.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)),
            key_id: key >> 6,
            iv,
            aad,
            body: frame.len() - rest.len() + 8,
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}
