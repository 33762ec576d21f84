//! The range of values of the colour bar.

use pliant_render::ColorMap;

/// Ends of the colour bar. They extend with the values shown, and are reset with another layer or scene.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Range {
    /// Smallest value, in the layer's unit.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// The value of a body at rest: colours diverge from it where there are smaller ones.
    pub neutral: f64,
}

impl Range {
    /// The range of no values yet, for a layer with this neutral value.
    pub fn around(neutral: f64) -> Self {
        Self {
            low: neutral,
            high: neutral,
            neutral,
        }
    }

    /// Extends the range by finite values.
    pub fn extend(&mut self, values: &[f32]) {
        let values = values.iter().map(|v| f64::from(*v));
        for v in values.filter(|v| v.is_finite()) {
            self.low = self.low.min(v);
            self.high = self.high.max(v);
        }
    }

    /// The colour map: diverging for values on both sides of the neutral one.
    pub fn map(&self) -> ColorMap {
        if self.low < self.neutral {
            ColorMap::Diverging
        } else {
            ColorMap::Sequential
        }
    }

    /// Ends as they are drawn: as far from the neutral value on both sides, where there are smaller ones.
    pub fn ends(&self) -> (f64, f64) {
        let neutral = self.neutral;
        if self.low < neutral {
            let most = (self.high - neutral).max(neutral - self.low);
            (neutral - most, neutral + most)
        } else {
            (self.low, self.high)
        }
    }

    /// Colour of a value (sRGB, 0 to 1).
    pub fn color(&self, value: f32) -> [f32; 3] {
        let (low, high) = self.ends();
        let part = if high > low {
            (f64::from(value) - low) / (high - low)
        } else {
            0.0
        };
        self.map().color(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_grows_and_is_symmetrical_for_signed_values() {
        let mut range = Range::default();
        range.extend(&[0.5, f32::NAN, 2.0]);
        assert_eq!(range.ends(), (0.0, 2.0));
        assert_eq!(range.map(), ColorMap::Sequential);
        range.extend(&[-3.0]);
        assert_eq!(range.ends(), (-3.0, 3.0));
        assert_eq!(range.map(), ColorMap::Diverging);
        assert_eq!(range.color(0.0), ColorMap::Diverging.color(0.5));
    }

    #[test]
    fn ratios_diverge_from_one() {
        let mut range = Range::around(1.0);
        range.extend(&[1.0, 1.25]);
        assert_eq!(range.ends(), (1.0, 1.25));
        assert_eq!(range.map(), ColorMap::Sequential);
        range.extend(&[0.5]);
        assert_eq!(range.ends(), (0.5, 1.5));
        assert_eq!(range.color(1.0), ColorMap::Diverging.color(0.5));
    }
}
