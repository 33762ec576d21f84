//! Pseudo-random numbers that are the same on every machine.

use super::Vec3;

/// The generator SplitMix64 (Steele, Lea and Flood 2014); the field is its seed.
///
/// ```
/// use pliant_core::math::random::SplitMix64;
/// assert_eq!(SplitMix64(0).number(), 0xe220_a839_7b1d_cdaf);
/// ```
#[derive(Debug, Clone)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next number; all bits are random.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A whole number below `limit`, which is at most 2³¹; 0 for a limit of 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() >> 33) as usize % limit.max(1)
    }

    /// A number from −1 to below 1.
    pub fn signed(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Three numbers from −1 to below 1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.signed())
    }
}
