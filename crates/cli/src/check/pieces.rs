//! Cutting messages into pieces.

/// Cuts a buffer into pieces of these lengths, which add up to its own.
pub(crate) fn split<'a>(mut data: &'a mut [u8], lens: &[usize]) -> Vec<&'a mut [u8]> {
    let cut = |&len: &usize| {
        let (piece, rest) = core::mem::take(&mut data).split_at_mut(len);
        data = rest;
        piece
    };
    lens.iter().map(cut).collect()
}

/// The same of a buffer that is only read.
pub(crate) fn split_ref<'a>(mut data: &'a [u8], lens: &[usize]) -> Vec<&'a [u8]> {
    let cut = |&len: &usize| {
        let (piece, rest) = data.split_at(len);
        data = rest;
        piece
    };
    lens.iter().map(cut).collect()
}

/// Lengths of uneven pieces that add up to `total`, with empty ones and single bytes at the start: cuts inside
/// of blocks and of runs of blocks.
pub(crate) fn uneven(total: usize) -> Vec<usize> {
    let mut lens = Vec::new();
    let mut left = total;
    for len in [0, 1, 15, 17, 0, 64, 100, 511, 1024] {
        let len = left.min(len);
        lens.push(len);
        left -= len;
    }
    lens.extend([left / 2, left - left / 2]);
    lens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_whole() {
        for total in [0, 1, 16, 33, 1000, 70_000] {
            let lens = uneven(total);
            assert_eq!(lens.iter().sum::<usize>(), total);
            let mut data: Vec<u8> = (0..total).map(|i| i as u8).collect();
            assert_eq!(split_ref(&data, &lens).concat(), data);
            let lengths: Vec<usize> = split(&mut data, &lens).iter().map(|piece| piece.len()).collect();
            assert_eq!(lengths, lens);
        }
    }
}
