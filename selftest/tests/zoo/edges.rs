//! Drivers that are wrong at an edge only: at one length, at the wrap of one counter, after one sort of request.

mod aead;
mod cipher;
mod shash;
mod skcipher;

use crate::wrap::Specimen;

pub(crate) fn specimens() -> Vec<Specimen> {
    let lists = [cipher::specimens(), skcipher::specimens(), shash::specimens(), aead::specimens()];
    lists.into_iter().flatten().collect()
}

/// What only the full mode finds: long messages, and a second thread.
pub(crate) fn late_specimens() -> Vec<Specimen> {
    let lists = [skcipher::late_specimens(), shash::late_specimens(), aead::late_specimens()];
    lists.into_iter().flatten().collect()
}
