//! Step levels: an element of level `i` fires `2^i` times in each part of a frame.

/// Deepest step level: 4096 firings a frame.
pub const DEEPEST: u8 = 12;

/// No level yet.
pub(crate) const UNSET: u8 = u8::MAX;

/// Exponent of 1 in the bits of a number.
const EXPONENT_BIAS: u16 = 1023;

/// Smallest `i` with `2^i ≥ rate · duration`.
pub(crate) fn level_of_rate(rate: f64, duration: f64) -> u8 {
    // round-off above a power of two does not count
    let steps = (rate * duration * (1.0 - 1e-9)).max(1.0);
    let steps = f64::from(1_u32 << DEEPEST).min(steps);
    // from exponent and fraction of the number: logarithms took a third of the time of a forecast
    let bits = steps.to_bits();
    let exponent = (bits >> 52) as u16 - EXPONENT_BIAS;
    exponent as u8 + u8::from(bits << 12 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_the_next_power_of_two() {
        for (steps, level) in [(0.3, 0), (1.0, 0), (1.1, 1), (2.0, 1), (33.0, 6), (64.0, 6)] {
            assert_eq!(level_of_rate(steps, 1.0), level);
            assert_eq!(level_of_rate(steps * (1.0 + 1e-12), 1.0), level);
        }
        for k in 1..40_000 {
            let steps = 1.0 + 0.1 * f64::from(k);
            let level = (steps.log2() - 1e-8).ceil().min(f64::from(DEEPEST));
            assert_eq!(f64::from(level_of_rate(steps, 1.0)), level, "{steps}");
        }
        assert_eq!(level_of_rate(f64::NAN, 1.0), 0);
        assert_eq!(level_of_rate(1e30, 1.0), DEEPEST);
    }
}
