//! Pseudo-random numbers that are the same on every machine.

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
}
