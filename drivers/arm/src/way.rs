//! What the two ways of doing AES have in common: the four steps that the AES extension has instructions for.

use alloc::borrow::Cow;
use core::arch::aarch64::uint8x16_t;
use core::fmt::Debug;

use crate::vector::Vector;

/// A way of doing AES, with the proof that this process may go it.
///
/// Every step is `#[inline(always)]`, and so is all code between them and [`enter`](Way::enter).
pub(crate) trait Way: Copy + Debug + Send + Sync + 'static {
    /// Driver name of the cipher.
    const CIPHER: &'static str;
    /// Priority of the cipher.
    const CIPHER_PRIORITY: u32;
    /// Priority of the modes.
    const PRIORITY: u32;
    /// Where it comes from.
    const MODULE: &'static str;
    /// CPU features.
    const FEATURES: &'static [&'static str];
    /// How many blocks go side by side, at most 8.
    const LANES: usize;

    /// The proof.
    fn new() -> Option<Self>;
    /// Whether [`new`](Way::new) succeeds, else the reason.
    fn require() -> Result<(), Cow<'static, str>>;
    /// Runs a task in one function that has the instructions.
    fn enter<T: Task>(self, task: T);

    /// Its registers.
    fn vector(self) -> Vector;
    /// The rounds of the cipher over blocks side by side, without the XOR of the last round key: the first step of each
    /// has a key of its own, and these are those of the steps after it.
    #[inline(always)]
    fn encrypt<const N: usize>(
        self,
        x: [uint8x16_t; N],
        first: [uint8x16_t; N],
        keys: &[uint8x16_t],
    ) -> [uint8x16_t; N] {
        encrypt(self, x, first, keys)
    }

    /// As [`encrypt`](Way::encrypt), with a list of keys for each block, the first step's among them. All lists have
    /// the same length.
    #[inline(always)]
    fn encrypt_each<const N: usize>(self, x: [uint8x16_t; N], keys: [&[uint8x16_t]; N]) -> [uint8x16_t; N] {
        encrypt_each(self, x, keys)
    }

    /// The rounds of the equivalent inverse cipher over blocks side by side, without the XOR of the last round key.
    #[inline(always)]
    fn decrypt<const N: usize>(self, x: [uint8x16_t; N], keys: &[uint8x16_t]) -> [uint8x16_t; N] {
        decrypt(self, x, keys)
    }

    /// ShiftRows of SubBytes of `x ^ key` (FIPS 197, 5.1.1 and 5.1.2).
    fn sub_shift(self, x: uint8x16_t, key: uint8x16_t) -> uint8x16_t;
    /// MixColumns (FIPS 197, 5.1.3).
    fn mix(self, x: uint8x16_t) -> uint8x16_t;
    /// InvSubBytes of InvShiftRows of `x ^ key` (FIPS 197, 5.3.1 and 5.3.2).
    fn inv_sub_shift(self, x: uint8x16_t, key: uint8x16_t) -> uint8x16_t;
    /// InvMixColumns (FIPS 197, 5.3.3).
    fn inv_mix(self, x: uint8x16_t) -> uint8x16_t;
}

/// As [`Way::encrypt`].
#[inline(always)]
pub(crate) fn encrypt<W: Way, const N: usize>(
    way: W,
    mut x: [uint8x16_t; N],
    first: [uint8x16_t; N],
    keys: &[uint8x16_t],
) -> [uint8x16_t; N] {
    let (last, keys) = keys.split_last().expect("more than one round");
    for (x, key) in x.iter_mut().zip(first) {
        *x = way.mix(way.sub_shift(*x, key));
    }
    for key in keys {
        for x in &mut x {
            *x = way.mix(way.sub_shift(*x, *key));
        }
    }
    for x in &mut x {
        *x = way.sub_shift(*x, *last);
    }
    x
}

/// As [`Way::encrypt_each`].
#[inline(always)]
pub(crate) fn encrypt_each<W: Way, const N: usize>(
    way: W,
    mut x: [uint8x16_t; N],
    keys: [&[uint8x16_t]; N],
) -> [uint8x16_t; N] {
    let last = keys.first().map_or(0, |keys| keys.len()).saturating_sub(1);
    for round in 0..last {
        for (x, keys) in x.iter_mut().zip(keys) {
            *x = way.mix(way.sub_shift(*x, keys[round]));
        }
    }
    for (x, keys) in x.iter_mut().zip(keys) {
        *x = way.sub_shift(*x, keys[last]);
    }
    x
}

/// As [`Way::decrypt`].
#[inline(always)]
pub(crate) fn decrypt<W: Way, const N: usize>(
    way: W,
    mut x: [uint8x16_t; N],
    keys: &[uint8x16_t],
) -> [uint8x16_t; N] {
    let (last, keys) = keys.split_last().expect("more than one round");
    for key in keys {
        for x in &mut x {
            *x = way.inv_mix(way.inv_sub_shift(*x, *key));
        }
    }
    for x in &mut x {
        *x = way.inv_sub_shift(*x, *last);
    }
    x
}

/// What is done in a function that has the instructions of a way. It is a type with a method, since a closure
/// would be compiled without them.
pub(crate) trait Task {
    /// Does it.
    fn run(self);
}
