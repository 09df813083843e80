//! Which IV belongs to which piece of data.
//!
//! ```text
//! byte        0               8                              24        32
//! FILE_KEY    index (64 bits) zero
//! DIRECT_KEY  index (64 bits) nonce of the inode             zero
//! LBLK_64     index | inode   zero
//! LBLK_32     sum   zero             sum = SipHash(inode) + index, 32 bits
//! ```
//!
//! All numbers are little-endian. A mode takes as many bytes from the front as its IV has. Names and link targets
//! are index 0; contents count their blocks.

use crate::keys::MasterKey;
use crate::policy::{Policy, Separation};

/// What identifies a file: its inode number and the nonce stored with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inode {
    /// Inode number.
    pub number: u64,
    /// Nonce of 16 random bytes.
    pub nonce: [u8; 16],
}

/// The IV of piece `index` of a file, as wide as the widest mode wants it.
pub fn iv(policy: &Policy, key: &MasterKey<'_>, inode: &Inode, index: u64) -> [u8; 32] {
    let mut iv = [0; 32];
    let first = match policy.separation {
        Separation::FileKey | Separation::DirectKey => index,
        Separation::InoLblk64 => (index & 0xffff_ffff) | (inode.number << 32),
        Separation::InoLblk32 => key.hash_inode(inode.number).wrapping_add(index as u32).into(),
    };
    iv[..8].copy_from_slice(&first.to_le_bytes());
    if policy.separation == Separation::DirectKey {
        iv[8..24].copy_from_slice(&inode.nonce);
    }
    iv
}
