//! Repeatable pseudo-random numbers.

/// A xorshift generator (Marsaglia 2003, "Xorshift RNGs").
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator with a seed.
    pub fn new(seed: u64) -> Self {
        // neighbouring seeds must not give similar first numbers, and the state must not be zero
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `limit`; 0 for a limit of 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 20) as usize % limit.max(1)
    }

    /// One of `items`; `None` where they are empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}
