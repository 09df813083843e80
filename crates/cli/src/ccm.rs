//! The IV of CCM: a formatted block rather than a nonce.

use kcrypto::Alg;

/// Length of the block in bytes.
pub(crate) const BLOCK: usize = 16;

/// Whether an algorithm's IV is such a block: the length of the length field less one, the nonce, zeros.
pub(crate) fn takes_block(alg: &Alg) -> bool {
    alg.name.starts_with("ccm(")
}

/// The block for a nonce, which has 7 to 13 bytes (RFC 3610, section 2.3).
pub(crate) fn block(nonce: &[u8]) -> Option<[u8; BLOCK]> {
    let mut block = [0; BLOCK];
    match nonce.len() {
        n @ 7..=13 => {
            block[0] = 14 - n as u8;
            block[1..=n].copy_from_slice(nonce);
            Some(block)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonce_and_length_field_fill_the_block() {
        assert_eq!(block(&[9; 13]), Some([1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0, 0]));
        assert_eq!(block(&[9; 7]), Some([7, 9, 9, 9, 9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0]));
        assert_eq!((block(&[9; 6]), block(&[9; 14])), (None, None));
    }
}
