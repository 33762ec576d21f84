//! The range of values of the colour bar.

use pliant_render::ColorMap;

/// Ends of the colour bar. They extend with the values shown, and are reset with another layer or scene.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Range {
    /// Smallest value, in the layer's unit.
    pub low: f64,
    /// Largest value.
    pub high: f64,
}

impl Range {
    /// Extends the range by finite values.
    pub fn extend(&mut self, values: &[f32]) {
        let values = values.iter().map(|v| f64::from(*v));
        for v in values.filter(|v| v.is_finite()) {
            self.low = self.low.min(v);
            self.high = self.high.max(v);
        }
    }

    /// The colour map: diverging for signed values.
    pub fn map(&self) -> ColorMap {
        if self.low < 0.0 {
            ColorMap::Diverging
        } else {
            ColorMap::Sequential
        }
    }

    /// Ends as they are drawn: symmetric for signed values.
    pub fn ends(&self) -> (f64, f64) {
        if self.low < 0.0 {
            let most = self.high.max(-self.low);
            (-most, most)
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
}
