//! Formatting of numbers: round steps, units with prefixes, significant digits.

pub use pliant_core::math::numbers::grouped;

/// The largest of 1, 2, 5 times a power of ten that is not above `value`; 1 for values that are not positive and finite.
///
/// ```
/// use pliant_render::numbers::nice_step;
/// assert_eq!((nice_step(0.7), nice_step(34.0)), (0.5, 20.0));
/// ```
pub fn nice_step(value: f64) -> f64 {
    if !(value > 0.0 && value.is_finite()) {
        return 1.0;
    }
    // the smallest normal numbers would underflow in the power of ten
    let power = 10.0_f64.powi(value.max(1e-290).log10().floor() as i32);
    let leading = value / power * (1.0 + 1e-9);
    let step = if leading >= 5.0 {
        5.0
    } else if leading >= 2.0 {
        2.0
    } else {
        1.0
    };
    step * power
}

/// The power of ten and the unit with its prefix that suit values up to `largest` in `unit`:
/// `(1e3, "mm")` for 0.004 m means multiply by 1000 and write mm. Units without a customary prefix stay.
pub fn engineering_unit(largest: f64, unit: &str) -> (f64, String) {
    const PREFIXES: [(f64, &str); 6] = [
        (1e9, "G"),
        (1e6, "M"),
        (1e3, "k"),
        (1.0, ""),
        (1e-3, "m"),
        (1e-6, "µ"),
    ];
    let known = ["m", "s", "N", "Pa", "J", "W", "Hz", "V"].contains(&unit);
    let measurable = largest > 0.0 && largest.is_finite();
    if !known || !measurable {
        return (1.0, unit.to_owned());
    }
    let fits = |p: &&(f64, &str)| largest >= p.0 && !(unit == "s" && p.0 > 1.0);
    let (scale, prefix) = PREFIXES.iter().find(fits).copied().unwrap_or((1e-6, "µ"));
    // 0.4 m reads better than 400 mm, 0.02 N does not
    let (scale, prefix) = if prefix == "m" && largest >= 0.1 {
        (1.0, "")
    } else {
        (scale, prefix)
    };
    (1.0 / scale, format!("{prefix}{unit}"))
}

/// A number in a table: `digits` significant ones, a power of ten only for very small or large numbers, a typographic minus
/// sign, and an em dash for values that are not finite.
///
/// ```
/// use pliant_render::numbers::number;
/// assert_eq!(number(-0.012345, 3), "−0.0123");
/// assert_eq!(number(f64::NAN, 3), "—");
/// assert_eq!(number(1.5e9, 2), "1.5 × 10⁹");
/// ```
pub fn number(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "—".to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let digits = digits.clamp(1, 17);
    let scientific = format!("{:.*e}", digits - 1, value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if value < 0.0 { "−" } else { "" };
    if (-4..6).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        return format!("{sign}{:.*}", decimals, value.abs());
    }
    let raised: String = exponent
        .to_string()
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            other => other
                .to_digit(10)
                .and_then(|d| char::from_u32(0x2070 + d))
                .unwrap_or(other),
        })
        .collect();
    format!("{sign}{mantissa} × 10{raised}")
}

/// A measured value with three digits and a unit of its size.
///
/// ```
/// use pliant_render::numbers::quantity;
/// assert_eq!(quantity(0.0102, "m"), "10.2 mm");
/// assert_eq!(quantity(2.0, ""), "2.00");
/// ```
pub fn quantity(value: f64, unit: &str) -> String {
    let (scale, prefixed) = engineering_unit(value.abs(), unit);
    // below a millionth of a unit
    if scale == 1e6 && value.abs() < 1e-6 {
        return format!("{} n{unit}", number(value * 1e9, 3));
    }
    format!("{} {prefixed}", number(value * scale, 3))
        .trim_end()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_keep_numbers_readable() {
        assert_eq!(engineering_unit(0.004, "m"), (1e3, "mm".to_owned()));
        assert_eq!(engineering_unit(0.4, "m"), (1.0, "m".to_owned()));
        assert_eq!(engineering_unit(2e5, "Pa").1, "kPa");
        assert_eq!(engineering_unit(2e5, "s").1, "s");
        assert_eq!(engineering_unit(2e5, "frames"), (1.0, "frames".to_owned()));
        assert_eq!(engineering_unit(f64::NAN, "m").1, "m");
    }

    #[test]
    fn values_have_units_of_their_size() {
        assert_eq!(quantity(1.05e-9, "m"), "1.05 nm");
        assert_eq!(quantity(0.0, "m"), "0 m");
        assert_eq!(quantity(3000.0, "Pa"), "3.00 kPa");
    }
}
