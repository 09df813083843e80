//! Random inputs that a seed brings back.

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
#[derive(Debug, Clone)]
pub(crate) struct Prng(u64);

impl Prng {
    pub(crate) fn new(seed: u64) -> Self {
        Prng(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True once in `n` times.
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Bytes: mostly random; sometimes all the same, ascending, or all the same but for a few bits.
    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        let start = self.next() as u8;
        match self.below(8) {
            0 => vec![start; len],
            1 => (0..len).map(|i| start.wrapping_add(i as u8)).collect(),
            2 => {
                let mut bytes = vec![if start & 1 == 0 { 0 } else { 255 }; len];
                for _ in 0..self.below(8) {
                    if let Some(byte) = (len > 0).then(|| self.below(len)) {
                        bytes[byte] ^= 1 << self.below(8);
                    }
                }
                bytes
            }
            _ => {
                let mut bytes = Vec::with_capacity(len + 8);
                while bytes.len() < len {
                    bytes.extend(self.next().to_le_bytes());
                }
                bytes.truncate(len);
                bytes
            }
        }
    }

    /// A length up to `max`, mostly small, often next to a power of two.
    pub(crate) fn length(&mut self, max: usize) -> usize {
        let len = match self.below(4) {
            0 => self.below(65),
            1 => {
                let power = 1usize << self.below(max.ilog2() as usize + 1);
                (power + self.below(3)).saturating_sub(1)
            }
            2 => self.below(257),
            _ => self.below(max + 1),
        };
        len.min(max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers() {
        // The first outputs of the published algorithm for seed 1234567.
        let mut prng = Prng::new(1234567);
        assert_eq!([prng.next(), prng.next()], [6457827717110365317, 3203168211198807973]);
    }

    #[test]
    fn lengths_reach_both_ends() {
        let mut prng = Prng::new(1);
        let lens: Vec<usize> = (0..20_000).map(|_| prng.length(300)).collect();
        assert!(lens.contains(&0) && lens.contains(&300) && lens.iter().all(|&len| len <= 300));
        assert!((0..2000).all(|_| {
            let n = prng.below(50);
            prng.bytes(n).len() == n
        }));
    }
}
