//! The words of a remedy that moves things apart.

use pliant_core::math::Vec3;

/// Cosine between a motion and the y axis from which on it goes up or down.
const UPRIGHT: f64 = 0.99;

/// A motion (m) in words: `up by 0.02 m`, `down by 0.02 m`, or `by [0.01, 0.02, 0] m`. It is rounded up to two digits.
pub(super) fn motion_words(motion: &Vec3) -> String {
    let length = motion.norm();
    if motion.y.abs() < UPRIGHT * length {
        let [x, y, z] = [motion.x, motion.y, motion.z].map(|along| rounded_up(along, length));
        return format!("by [{x}, {y}, {z}] m");
    }
    let way = if motion.y < 0.0 { "down" } else { "up" };
    format!("{way} by {} m", rounded_up(length, length))
}

/// `value` away from zero to a multiple of the second digit of `whole`.
pub(super) fn rounded_up(value: f64, whole: f64) -> f64 {
    let decimals = (1.0 - whole.log10().floor()).clamp(0.0, 12.0);
    let scale = 10_f64.powf(decimals);
    // a part of a millionth of a digit is round-off
    let digits = (value.abs() * scale - 1e-6).ceil();
    match digits > 0.0 {
        true => (digits / scale).copysign(value),
        // without the sign of a zero
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_is_told_with_two_digits_that_suffice() {
        for (motion, words) in [
            (Vec3::new(0.0, 0.02, 0.0), "up by 0.02 m"),
            (Vec3::new(1e-9, -0.0201, 0.0), "down by 0.021 m"),
            (Vec3::new(0.03, -0.04, 1e-18), "by [0.03, -0.04, 0] m"),
            (Vec3::new(0.0, 0.0, 12.3), "by [0, 0, 13] m"),
        ] {
            assert_eq!(motion_words(&motion), words);
        }
    }
}
