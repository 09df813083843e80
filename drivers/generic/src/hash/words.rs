//! Words in byte order, from the start of a slice of bytes and back to it; and loops written out.

use core::array;

macro_rules! words {
    ($($word:ident $load:ident $from:ident $store:ident $to:ident)*) => { $(
        #[inline(always)]
        pub(super) fn $load<const N: usize>(bytes: &[u8]) -> [$word; N] {
            let bytes = bytes.as_chunks().0;
            array::from_fn(|i| $word::$from(bytes[i]))
        }

        #[inline(always)]
        pub(super) fn $store(words: &[$word], bytes: &mut [u8]) {
            words.iter().zip(bytes.as_chunks_mut().0).for_each(|(word, bytes)| *bytes = word.$to());
        }
    )* };
}

words! {
    u32 be32 from_be_bytes put_be32 to_be_bytes
    u32 le32 from_le_bytes put_le32 to_le_bytes
    u64 be64 from_be_bytes put_be64 to_be_bytes
    u64 le64 from_le_bytes put_le64 to_le_bytes
}

/// Runs the block once for each number. A loop that the compiler leaves a loop keeps the working words in
/// memory, at twice the time.
macro_rules! unrolled {
    ($i:ident in $($n:literal)* => $body:block) => { $( { let $i: usize = $n; $body } )* };
}
pub(super) use unrolled;
