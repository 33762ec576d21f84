//! Two perceptually uniform colour maps for quantities.
//!
//! Each is a path through OKLab, sampled at equal distances, so that equal steps of a quantity look equally large, also in grey and
//! for colour-blind readers.

use std::sync::OnceLock;

use super::oklab::{distance, into_gamut, lab, linear_from_oklab};
use super::srgb::encode_srgb;

/// Colours of a stored map. It is odd, so that the middle is one of them.
const TABLE_SIZE: usize = 257;

/// A map from a number to a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorMap {
    /// Dark violet over blue and green to pale yellow, for quantities from zero up.
    Sequential,
    /// Blue over near-white to red, for signed quantities; 0.5 is neutral.
    Diverging,
}

impl ColorMap {
    /// Colour (sRGB, 0 to 1) at `t` in 0 to 1; values outside are clamped, NaN is grey.
    pub fn color(self, t: f64) -> [f32; 3] {
        if t.is_nan() {
            return [0.5; 3];
        }
        let table = self.table();
        let position = t.clamp(0.0, 1.0) * (TABLE_SIZE - 1) as f64;
        let low = (position.floor() as usize).min(TABLE_SIZE - 2);
        let part = (position - low as f64) as f32;
        let (a, b) = (table[low], table[low + 1]);
        [0, 1, 2].map(|c| a[c] + (b[c] - a[c]) * part)
    }

    /// Equally spaced colours.
    fn table(self) -> &'static [[f32; 3]; TABLE_SIZE] {
        static SEQUENTIAL: OnceLock<[[f32; 3]; TABLE_SIZE]> = OnceLock::new();
        static DIVERGING: OnceLock<[[f32; 3]; TABLE_SIZE]> = OnceLock::new();
        match self {
            Self::Sequential => SEQUENTIAL.get_or_init(|| sample_path(sequential_path)),
            Self::Diverging => DIVERGING.get_or_init(|| sample_path(diverging_path)),
        }
    }
}

/// Lightness, chroma and hue along the sequential map.
fn sequential_path(t: f64) -> [f64; 3] {
    let lightness = 0.32 + 0.61 * t;
    let hue = (295.0 - 190.0 * t).to_radians();
    let chroma = 0.11 + 0.06 * t * t;
    lab(lightness, chroma, hue)
}

/// Lightness, chroma and hue along the diverging map.
fn diverging_path(t: f64) -> [f64; 3] {
    let signed = 2.0 * t - 1.0;
    let away = signed.abs();
    let hue = if signed < 0.0 { 255.0_f64 } else { 35.0 };
    lab(0.95 - 0.47 * away, 0.17 * away, hue.to_radians())
}

/// Samples a path at equal distances, after moving it into the sRGB gamut.
fn sample_path(path: fn(f64) -> [f64; 3]) -> [[f32; 3]; TABLE_SIZE] {
    const FINE: usize = 2048;
    let points: Vec<[f64; 3]> = (0..=FINE)
        .map(|k| into_gamut(path(k as f64 / FINE as f64)))
        .collect();
    let mut length = vec![0.0; FINE + 1];
    for k in 0..FINE {
        length[k + 1] = length[k] + distance(points[k], points[k + 1]);
    }
    let total = length[FINE];
    let mut table = [[0.0; 3]; TABLE_SIZE];
    let mut k = 0;
    for (step, entry) in table.iter_mut().enumerate() {
        let target_length = total * step as f64 / (TABLE_SIZE - 1) as f64;
        while k + 1 < FINE && length[k + 1] < target_length {
            k += 1;
        }
        let part = ((target_length - length[k]) / (length[k + 1] - length[k])).clamp(0.0, 1.0);
        let (a, b) = (points[k], points[k + 1]);
        let linear = linear_from_oklab([0, 1, 2].map(|c| a[c] + (b[c] - a[c]) * part));
        *entry = encode_srgb(linear.map(|c| c as f32));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::oklab::oklab_from_srgb;

    #[test]
    fn equal_steps_look_equal_and_lightness_rises() {
        for map in [ColorMap::Sequential, ColorMap::Diverging] {
            let colors: Vec<[f64; 3]> = (0..=64)
                .map(|k| oklab_from_srgb(map.color(k as f64 / 64.0)))
                .collect();
            let steps: Vec<f64> = colors.windows(2).map(|w| distance(w[0], w[1])).collect();
            let mean = steps.iter().sum::<f64>() / steps.len() as f64;
            for s in &steps {
                assert!((s / mean - 1.0).abs() < 0.05, "{map:?}: {s} against {mean}");
            }
            if map == ColorMap::Sequential {
                assert!(colors.windows(2).all(|w| w[1][0] > w[0][0]));
            }
        }
    }

    #[test]
    fn the_middle_of_the_diverging_map_is_neutral_and_nan_is_grey() {
        let [_, a, b] = oklab_from_srgb(ColorMap::Diverging.color(0.5));
        assert!(a.hypot(b) < 0.01);
        assert_eq!(ColorMap::Sequential.color(f64::NAN), [0.5; 3]);
    }
}
