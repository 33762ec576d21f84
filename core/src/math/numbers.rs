//! Numbers in messages.

/// A number with three significant digits: as a decimal, with a power of ten only for very large and very small numbers.
///
/// ```
/// use pliant_core::math::numbers::decimal;
/// assert_eq!(decimal(0.0080341), "0.00803");
/// assert_eq!(decimal(27.301), "27.3");
/// assert_eq!(decimal(1_917.4), "1917");
/// assert_eq!(decimal(-0.5), "-0.5");
/// assert_eq!(decimal(3.2e-9), "3.2e-9");
/// ```
pub fn decimal(value: f64) -> String {
    let scientific = format!("{value:.2e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return value.to_string();
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |digits: &str| match digits.contains('.') {
        true => digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        false => digits.to_owned(),
    };
    if (-4..6).contains(&exponent) {
        let places = (2 - exponent).max(0) as usize;
        return trimmed(&format!("{value:.places$}"));
    }
    format!("{}e{exponent}", trimmed(mantissa))
}

/// Decimal places for numbers up to `largest`: `least`, or as many as give it three digits where it would have only one or none. What is below 1e-12 counts as zero.
///
/// ```
/// use pliant_core::math::numbers::places;
/// let force = 1.85123e-5;
/// assert_eq!(format!("{:.*}", places(force, 4), force), "0.0000185");
/// assert_eq!(places(0.0347, 4), 4);
/// assert_eq!(places(0.0, 4), 4);
/// ```
pub fn places(largest: f64, least: usize) -> usize {
    let two_digits = 10.0_f64.powi(1 - least as i32);
    match (1e-12..two_digits).contains(&largest) {
        true => (2.0 - largest.log10().floor()) as usize,
        false => least,
    }
}

/// Digits in groups of three.
///
/// ```
/// use pliant_core::math::numbers::grouped;
/// assert_eq!((grouped(1_234_567), grouped(12)), ("1,234,567".to_owned(), "12".to_owned()));
/// ```
pub fn grouped(value: usize) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun, in the plural unless it is one. Digits stand in groups of three.
///
/// ```
/// use pliant_core::math::numbers::counted;
/// assert_eq!(counted(1, "hole"), "1 hole");
/// assert_eq!(counted(14, "hole"), "14 holes");
/// assert_eq!(counted(9_693, "hole"), "9,693 holes");
/// ```
pub fn counted(count: usize, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", grouped(count))
}

#[cfg(test)]
mod tests {
    use super::{decimal, places};

    #[test]
    fn small_numbers_have_more_places_and_noise_has_not() {
        assert_eq!(places(1e-3, 4), 4);
        assert_eq!(places(9.99e-4, 4), 6);
        assert_eq!(places(2.5e-7, 3), 9);
        assert_eq!(places(1e-13, 4), 4);
        assert_eq!(places(f64::NAN, 4), 4);
        assert_eq!(places(f64::INFINITY, 4), 4);
    }

    #[test]
    fn numbers_without_digits_and_at_the_ends_of_the_range() {
        assert_eq!(decimal(0.0), "0");
        assert_eq!(decimal(f64::NAN), "NaN");
        assert_eq!(decimal(f64::INFINITY), "inf");
        assert_eq!(decimal(999_999.0), "1e6");
        assert_eq!(decimal(99_960.0), "99960");
        assert_eq!(decimal(1e-4), "0.0001");
        assert_eq!(decimal(9.99e-5), "9.99e-5");
        assert_eq!(decimal(100.0), "100");
    }
}
