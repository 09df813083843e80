//! `crc32-generic` (IEEE 802.3) and `crc32c-generic` (Castagnoli, RFC 3720): checksums, not for security.
//!
//! The optional key of 4 bytes is the register to start from, little-endian. As in the kernel, `crc32` starts
//! from 0 and gives the register as it is; `crc32c` starts from all ones and gives its complement.

use alloc::boxed::Box;

use crc::{CRC_32_ISCSI, CRC_32_ISO_HDLC, Crc, Table};
use kcrypto_core::{Alg, Error, Flags, KeySizes, Result, ShashDriver};

use super::{entry, limits, one_shot, words};

pub(crate) const CRC32: Alg =
    checksum("crc32", "crc32-generic", || Box::new(Checksum { crc: &IEEE, start: 0, mask: 0 }));
pub(crate) const CRC32C: Alg =
    checksum("crc32c", "crc32c-generic", || Box::new(Checksum { crc: &CASTAGNOLI, start: !0, mask: !0 }));

/// Bytes of the register, and of the key.
const SIZE: usize = 4;

static IEEE: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);
static CASTAGNOLI: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);

const fn checksum(name: &'static str, driver_name: &'static str, make: fn() -> Box<dyn ShashDriver>) -> Alg {
    let mut limits = limits(1, SIZE, SIZE, make);
    limits.keys = Some(KeySizes::exactly(SIZE));
    entry(name, driver_name, "crc", limits).with_flags(Flags::OPTIONAL_KEY).variable_time()
}

struct Checksum {
    crc: &'static Crc<u32, Table<16>>,
    /// The register before the first byte.
    start: u32,
    /// What the register is xored with at the end.
    mask: u32,
}

impl ShashDriver for Checksum {
    fn set_key(&mut self, key: &[u8]) -> Result<()> {
        let accepted = KeySizes::exactly(SIZE);
        let key = key.try_into().map_err(|_| Error::BadKeyLen { len: key.len(), accepted })?;
        self.start = u32::from_le_bytes(key);
        Ok(())
    }

    fn init(&self, state: &mut [u8]) {
        words::put_le32(&[self.start], state);
    }

    fn update(&self, state: &mut [u8], blocks: &[u8]) {
        let [register] = words::le32::<1>(state);
        // The crate takes the first register's mirror image, and complements the last.
        let mut crc = self.crc.digest_with_initial(register.reverse_bits());
        crc.update(blocks);
        words::put_le32(&[!crc.finalize()], state);
    }

    fn finish(&self, state: &mut [u8], _tail: &[u8], _total: u64, digest: &mut [u8]) {
        let [register] = words::le32::<1>(state);
        words::put_le32(&[register ^ self.mask], digest);
    }

    fn digest(&self, message: &[u8], digest: &mut [u8]) -> bool {
        one_shot::<SIZE, 1, 0>(self, message, digest)
    }
}
