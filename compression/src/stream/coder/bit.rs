//! The adaptive probability of one kind of bit, from the bits that were coded before.

/// Bits of a probability.
const PRECISION: u32 = 16;
/// A probability is the mean of two: over about the last 14 bits and about the last 90. Either alone makes streams 1 to 3 percent larger.
const WINDOWS: [usize; 2] = [14, 90];
/// The least probability, in units of 2^-15: a bit costs at most 10 and at least 0.0014 bits.
const MIN_PROBABILITY: u32 = 32;

/// `2^16 / (n + 1.5)`: the weight of the `n`-th bit in the mean.
const RATES: [u16; WINDOWS[1]] = {
    let mut rates = [0; WINDOWS[1]];
    let mut n = 0;
    while n < WINDOWS[1] {
        rates[n] = (131_072 / (2 * n + 3)) as u16;
        n += 1;
    }
    rates
};

/// An adaptive bit.
#[derive(Debug, Clone, Copy)]
pub(in crate::stream) struct AdaptiveBit {
    /// Probability of a one in units of 2^-16, over the two windows.
    ones: [u16; 2],
    /// Number of bits so far, at most the longer window.
    count: u16,
}

impl Default for AdaptiveBit {
    fn default() -> Self {
        Self {
            ones: [1 << (PRECISION - 1); 2],
            count: 0,
        }
    }
}

impl AdaptiveBit {
    /// The part of `range` that stands for a one. It is neither zero nor all of a range of 2^24 or more.
    #[inline(always)]
    pub fn split(&self, range: u32) -> u32 {
        let ones = ((u32::from(self.ones[0]) + u32::from(self.ones[1])) >> 2)
            .clamp(MIN_PROBABILITY, (1 << 15) - MIN_PROBABILITY);
        (range >> 15) * ones
    }

    /// Moves the probability towards `bit`.
    #[inline(always)]
    pub fn update(&mut self, bit: bool) {
        let target = if bit { 0xffff } else { 0 };
        for (ones, window) in self.ones.iter_mut().zip(WINDOWS) {
            let rate = RATES[usize::from(self.count).min(window - 1)];
            let change = ((target - i32::from(*ones)) * i32::from(rate >> 1)) >> 15;
            *ones = (i32::from(*ones) + change) as u16;
        }
        self.count = (self.count + 1).min(WINDOWS[1] as u16);
    }
}
