//! An axis: its range, its ticks at round numbers, its unit.

use crate::numbers::{engineering_unit, nice_step, number};

/// The range of an axis and the positions of its ticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// Smallest value shown; a multiple of the step.
    pub low: f64,
    /// Largest value shown; a multiple of the step.
    pub high: f64,
    /// Values with a tick, ascending.
    pub at: Vec<f64>,
    /// Decimals that distinguish neighbouring ticks.
    pub decimals: usize,
}

/// Tolerance for a tick at the end of the range.
const ROUNDING_FACTOR: f64 = 1.0 + 1e-9;

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
    // the rounded-down step may give up to 2.5 times the requested ticks
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

/// An axis in the displayed unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Range and ticks, in the displayed unit.
    pub ticks: Ticks,
    /// Factor from values to the displayed unit.
    pub scale: f64,
    /// The displayed unit.
    pub unit: String,
    /// Whether the axis is logarithmic.
    pub is_logarithmic: bool,
}

impl Axis {
    /// An axis for values from `low` to `high` in `unit`, with about `count` ticks (clamped to 2 to 10).
    pub fn new((low, high): (f64, f64), unit: &str, count: usize) -> Self {
        let (scale, unit) = engineering_unit(low.abs().max(high.abs()), unit);
        Self {
            ticks: ticks(low * scale, high * scale, count.clamp(2, 10)),
            scale,
            unit,
            is_logarithmic: false,
        }
    }

    /// A logarithmic axis for values from `low` to `high`, both above zero, in `unit`. Ticks are at 1, 2 and 5 times powers of ten, or at powers of ten alone
    /// where these would be more than ten.
    pub fn logarithmic((low, high): (f64, f64), unit: &str) -> Self {
        // powers of ten beyond this range have no finite reciprocal
        let is_sound = low > 1e-200 && high < 1e200 && low <= high;
        let (low, high) = if is_sound { (low, high) } else { (1.0, 10.0) };
        let (scale, unit) = engineering_unit(high, unit);
        let (low, high) = (low * scale, high * scale);
        let steps = |steps: &[f64]| -> Vec<f64> {
            let decades = low.log10().floor() as i32..=high.log10().ceil() as i32 + 1;
            let all = decades.flat_map(|k| steps.iter().map(move |m| m * 10_f64.powi(k)));
            let all: Vec<f64> = all.collect();
            let first = all
                .iter()
                .rposition(|t| *t <= low * ROUNDING_FACTOR)
                .unwrap_or(0);
            let last = all.iter().position(|t| *t * ROUNDING_FACTOR >= high);
            // a single value still gets an axis
            let last = last.unwrap_or(all.len() - 1).max(first + 1);
            all[first..=last.min(all.len() - 1)].to_vec()
        };
        let fine = steps(&[1.0, 2.0, 5.0]);
        let at = if fine.len() <= 10 {
            fine
        } else {
            steps(&[1.0])
        };
        Self {
            ticks: Ticks {
                low: at[0],
                high: at[at.len() - 1],
                at,
                decimals: 0,
            },
            scale,
            unit,
            is_logarithmic: true,
        }
    }

    /// Position of a value between the ends, 0 to 1 inside.
    pub fn fraction(&self, value: f64) -> f64 {
        self.fraction_of_shown(value * self.scale)
    }

    /// The same for a value in the displayed unit.
    pub fn fraction_of_shown(&self, value: f64) -> f64 {
        let Ticks { low, high, .. } = self.ticks;
        let fraction = if self.is_logarithmic {
            (value.max(f64::MIN_POSITIVE) / low).ln() / (high / low).ln()
        } else {
            (value - low) / (high - low)
        };
        // clamped, so that the text of a path has no numbers with 300 digits
        fraction.clamp(-10.0, 11.0)
    }

    /// A tick as text; all ticks of an axis have the same number of decimals.
    pub fn text(&self, value: f64) -> String {
        let largest = self.ticks.low.abs().max(self.ticks.high.abs());
        if self.is_logarithmic {
            let decimals = (-(value * ROUNDING_FACTOR).log10().floor()).max(0.0);
            if decimals <= 5.0 && value < 1e6 {
                format!("{value:.*}", decimals as usize)
            } else {
                number(value, 3)
            }
        } else if value.abs() < largest * 1e-9 {
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
    fn equal_ratios_are_equal_distances_and_the_ends_are_round() {
        let axis = Axis::logarithmic((0.3, 17.0), "ms");
        assert_eq!((axis.ticks.low, axis.ticks.high), (0.2, 20.0));
        assert_eq!(axis.ticks.at.len(), 7);
        assert!((axis.fraction(2.0) - 0.5).abs() < 1e-12);
        let step = axis.fraction(8.0) - axis.fraction(4.0);
        assert!((axis.fraction(1.0) - axis.fraction(0.5) - step).abs() < 1e-12);
        assert_eq!(
            (axis.text(0.5), axis.text(20.0)),
            ("0.5".into(), "20".into())
        );
        // many decades have a tick each
        let wide = Axis::logarithmic((1e-3, 1e6), "ms");
        assert_eq!(wide.ticks.at.len(), 10);
        for range in [
            (0.0, 1.0),
            (f64::NAN, 1.0),
            (2.0, 2.0),
            (1.0, f64::INFINITY),
        ] {
            let axis = Axis::logarithmic(range, "ms");
            assert!(axis.ticks.low < axis.ticks.high && axis.ticks.low > 0.0);
            assert!(axis.fraction(0.0).is_finite());
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
}
