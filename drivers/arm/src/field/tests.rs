//! Powers of a key do not outlive it.

use core::mem::{MaybeUninit, offset_of};

use super::*;

#[test]
fn nothing_is_left_after_drop() {
    let mut place = MaybeUninit::new(Powers::new());
    let Some(ce) = Ce::new() else { return };
    // SAFETY: it was just initialised.
    let powers = unsafe { place.assume_init_mut() };
    powers.set(ce, &[0x5a; BLOCK]);
    // SAFETY: it is initialised, and not used as powers after this.
    unsafe { place.assume_init_drop() };
    for field in [offset_of!(Powers, powers), offset_of!(Powers, folded)] {
        for i in 0..size_of::<[uint8x16_t; POWERS]>() {
            let byte = place.as_ptr().cast::<u8>().wrapping_add(field + i);
            // SAFETY: the place is still there, and its vectors were last written by the drop.
            assert_eq!(unsafe { byte.read() }, 0, "a power of the key survives the drop");
        }
    }
}
