//! Repeatable random numbers.

/// Marsaglia 2003, "Xorshift RNGs".
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Other seeds give other numbers.
    pub fn new(seed: u64) -> Self {
        // neighbouring seeds must not begin alike, and zero is the one forbidden state
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

    /// A number below `limit`; 0 where there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 20) as usize % limit.max(1)
    }

    /// One of them.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}
