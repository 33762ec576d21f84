//! Round numbers for axes and grids, and numbers as people write them.

/// The largest of 1, 2, 5 times a power of ten that is not above `value`; 1 for values that are not positive and finite.
///
/// ```
/// use pliant_render::ticks::nice_step;
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

/// An axis: its range and the places of its ticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// Smallest value shown; a multiple of the step.
    pub low: f64,
    /// Largest value shown; a multiple of the step.
    pub high: f64,
    /// Values with a tick, ascending.
    pub at: Vec<f64>,
    /// Digits after the point that tell neighbouring ticks apart.
    pub decimals: usize,
}

/// Ticks for values between `low` and `high`, about `count` of them; an empty, constant or non-finite range is widened.
pub fn ticks(low: f64, high: f64, count: usize) -> Ticks {
    let (mut low, mut high) =
        if low.is_finite() && high.is_finite() && low <= high && high - low < f64::MAX {
            (low, high)
        } else {
            (0.0, 1.0)
        };
    let size = low.abs().max(high.abs());
    if high - low <= size * 1e-9 {
        let half = if size > 0.0 { size * 0.5 } else { 0.5 };
        (low, high) = (low - half, high + half);
    }
    let count = count.max(2);
    let span = high - low;
    let mut step = nice_step(span / count as f64);
    // the rounded-down step may give up to 2.5 times the ticks asked for
    for factor in [2.0, 2.5, 2.0] {
        if span / step > count as f64 * 1.3 {
            step = nice_step(step * factor * 1.01);
        }
    }
    let (first, last) = ((low / step + 1e-6).floor(), (high / step - 1e-6).ceil());
    let steps = (last - first).clamp(1.0, 50.0) as usize;
    Ticks {
        low: first * step,
        high: (first + steps as f64) * step,
        at: (0..=steps).map(|k| (first + k as f64) * step).collect(),
        decimals: (-(step * 1.000_001).log10().floor()).clamp(0.0, 12.0) as usize,
    }
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

/// A number in a table: `digits` significant ones, a power of ten only where the point would be far away, a minus sign
/// that looks like one, and an em dash for what does not exist.
///
/// ```
/// use pliant_render::ticks::number;
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

/// A scale in the unit that is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Range and ticks, in the unit that is shown.
    pub ticks: Ticks,
    /// Factor from values to the unit that is shown.
    pub scale: f64,
    /// The unit that is shown.
    pub unit: String,
}

impl Axis {
    /// A scale for values from `low` to `high` in `unit`, with about `count` ticks (held to 2 to 10).
    pub fn new((low, high): (f64, f64), unit: &str, count: usize) -> Self {
        let (scale, unit) = engineering_unit(low.abs().max(high.abs()), unit);
        Self {
            ticks: ticks(low * scale, high * scale, count.clamp(2, 10)),
            scale,
            unit,
        }
    }

    /// Where a value lies between the ends, 0 to 1 inside.
    pub fn part(&self, value: f64) -> f64 {
        self.ticks_part(value * self.scale)
    }

    /// The same for a value in the unit that is shown.
    pub fn ticks_part(&self, value: f64) -> f64 {
        // far outside is far enough; the text of a path should not hold 300 digits
        ((value - self.ticks.low) / (self.ticks.high - self.ticks.low)).clamp(-10.0, 11.0)
    }

    /// A tick as text; all ticks of an axis have the same number of decimals.
    pub fn text(&self, value: f64) -> String {
        let largest = self.ticks.low.abs().max(self.ticks.high.abs());
        if value.abs() < largest * 1e-9 {
            "0".to_owned()
        } else if largest < 1e6 && self.ticks.decimals <= 5 {
            format!("{value:.*}", self.ticks.decimals).replace('-', "−")
        } else {
            number(value, 3)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_cover_the_range_and_are_neither_few_nor_many() {
        let mut low = 1e-12;
        for k in 0..400 {
            low *= 1.17;
            for (a, b) in [
                (0.0, low),
                (-low, low * 0.3),
                (low, low * (1.0 + 0.01 * f64::from(k + 1))),
            ] {
                let t = ticks(a, b, 5);
                let slack = (b - a) * 1e-5;
                assert!(t.low <= a + slack && t.high >= b - slack, "{a} {b} {t:?}");
                assert!((2..=9).contains(&t.at.len()), "{a} {b} {t:?}");
            }
        }
    }

    #[test]
    fn impossible_ranges_still_give_an_axis() {
        for (a, b) in [
            (0.0, 0.0),
            (3.0, 3.0),
            (f64::NAN, 1.0),
            (f64::INFINITY, f64::NEG_INFINITY),
            (-f64::MAX, f64::MAX),
            (1e300, 1e300),
            (0.0, 5e-324),
        ] {
            let t = ticks(a, b, 5);
            assert!(
                t.low < t.high && t.at.len() >= 2 && t.at.len() < 60,
                "{a} {b} {t:?}"
            );
            assert!(t.at.iter().all(|v| v.is_finite()));
        }
    }

    #[test]
    fn prefixes_keep_numbers_readable() {
        assert_eq!(engineering_unit(0.004, "m"), (1e3, "mm".to_owned()));
        assert_eq!(engineering_unit(0.4, "m"), (1.0, "m".to_owned()));
        assert_eq!(engineering_unit(2e5, "Pa").1, "kPa");
        assert_eq!(engineering_unit(2e5, "s").1, "s");
        assert_eq!(engineering_unit(2e5, "frames"), (1.0, "frames".to_owned()));
        assert_eq!(engineering_unit(f64::NAN, "m").1, "m");
    }
}
