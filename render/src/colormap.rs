//! Colours: two perceptually uniform maps for quantities, and one colour for each method.
//!
//! The maps are paths through OKLab (Ottosson 2020, "A perceptual color space for image processing"), walked at constant
//! speed: equal steps of a quantity look equally large, also in grey and for colour-blind readers.

use std::sync::OnceLock;

/// Colours of a stored map; odd, so that the middle is one of them.
const STEPS: usize = 257;

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
        let at = t.clamp(0.0, 1.0) * (STEPS - 1) as f64;
        let low = (at.floor() as usize).min(STEPS - 2);
        let part = (at - low as f64) as f32;
        let (a, b) = (table[low], table[low + 1]);
        [0, 1, 2].map(|c| a[c] + (b[c] - a[c]) * part)
    }

    /// Colours of values between `low` and `high` (same unit), one each; a range without length maps to the middle.
    pub fn colors(self, values: &[f64], low: f64, high: f64) -> Vec<[f32; 3]> {
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        let start = if high > low { 0.0 } else { 0.5 };
        values
            .iter()
            .map(|v| self.color((v - low) * scale + start))
            .collect()
    }

    /// The whole map as 257 equally spaced colours (sRGB, 0 to 1), for a texture or a colour bar.
    pub fn table(self) -> &'static [[f32; 3]; 257] {
        static SEQUENTIAL: OnceLock<[[f32; 3]; STEPS]> = OnceLock::new();
        static DIVERGING: OnceLock<[[f32; 3]; STEPS]> = OnceLock::new();
        match self {
            Self::Sequential => SEQUENTIAL.get_or_init(|| walk(sequential_path)),
            Self::Diverging => DIVERGING.get_or_init(|| walk(diverging_path)),
        }
    }
}

/// Colour of a method in panes, curves and tables, by its kind (`adaptive`, `quasistatic`, `lattice`); anything else is a
/// neutral grey. Blue, orange and green differ in lightness too and stay apart for all common kinds of colour blindness.
pub fn method_color(kind: &str) -> [f32; 3] {
    match kind {
        "adaptive" => [0.16, 0.38, 0.74],
        "quasistatic" => [0.90, 0.45, 0.12],
        "lattice" => [0.12, 0.66, 0.50],
        _ => [0.50, 0.53, 0.57],
    }
}

/// `#rrggbb` of an sRGB colour.
pub fn css(color: [f32; 3]) -> String {
    let [r, g, b] = color.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
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

fn lab(lightness: f64, chroma: f64, hue: f64) -> [f64; 3] {
    [lightness, chroma * hue.cos(), chroma * hue.sin()]
}

/// Samples a path at equal lengths, after pulling it into the sRGB gamut.
fn walk(path: fn(f64) -> [f64; 3]) -> [[f32; 3]; STEPS] {
    const FINE: usize = 2048;
    let points: Vec<[f64; 3]> = (0..=FINE)
        .map(|k| into_gamut(path(k as f64 / FINE as f64)))
        .collect();
    let mut length = vec![0.0; FINE + 1];
    for k in 0..FINE {
        length[k + 1] = length[k] + distance(points[k], points[k + 1]);
    }
    let total = length[FINE];
    let mut table = [[0.0; 3]; STEPS];
    let mut k = 0;
    for (step, entry) in table.iter_mut().enumerate() {
        let wanted = total * step as f64 / (STEPS - 1) as f64;
        while k + 1 < FINE && length[k + 1] < wanted {
            k += 1;
        }
        let part = ((wanted - length[k]) / (length[k + 1] - length[k])).clamp(0.0, 1.0);
        let (a, b) = (points[k], points[k + 1]);
        let linear = linear_from_oklab([0, 1, 2].map(|c| a[c] + (b[c] - a[c]) * part));
        *entry = crate::shade::encode_srgb(linear.map(|c| c as f32));
    }
    table
}

/// Lowers the chroma until the colour exists in sRGB.
fn into_gamut(color: [f64; 3]) -> [f64; 3] {
    let scaled = |s: f64| [color[0], color[1] * s, color[2] * s];
    let inside = |c: [f64; 3]| linear_from_oklab(c).iter().all(|v| (0.0..=1.0).contains(v));
    if inside(color) {
        return color;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if inside(scaled(middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    scaled(low)
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)).sqrt()
}

/// OKLab to linear sRGB (Ottosson 2020).
fn linear_from_oklab([l, a, b]: [f64; 3]) -> [f64; 3] {
    let long = (l + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let medium = (l - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let short = (l - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    [
        4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shade::decode_srgb;

    fn oklab(srgb: [f32; 3]) -> [f64; 3] {
        let [r, g, b] = decode_srgb(srgb).map(f64::from);
        let long = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let medium = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let short = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        [
            0.210_454_255_3 * long + 0.793_617_785_0 * medium - 0.004_072_046_8 * short,
            1.977_998_495_1 * long - 2.428_592_205_0 * medium + 0.450_593_709_9 * short,
            0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766_0 * short,
        ]
    }

    #[test]
    fn equal_steps_look_equal_and_lightness_rises() {
        for map in [ColorMap::Sequential, ColorMap::Diverging] {
            let colors: Vec<[f64; 3]> = (0..=64)
                .map(|k| oklab(map.color(k as f64 / 64.0)))
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
        let [_, a, b] = oklab(ColorMap::Diverging.color(0.5));
        assert!(a.hypot(b) < 0.01);
        assert_eq!(ColorMap::Sequential.color(f64::NAN), [0.5; 3]);
        assert_eq!(ColorMap::Diverging.colors(&[3.0], 3.0, 3.0).len(), 1);
    }

    /// Dichromats' view (Viénot, Brettel and Mollon 1999): linear RGB matrices for protanopia and deuteranopia, and a
    /// tritanopic one that drops the short-wave response in the same way.
    #[test]
    fn methods_stay_apart_without_red_green_or_blue_receptors() {
        let views: [[[f32; 3]; 3]; 3] = [
            [
                [0.11238, 0.88762, 0.0],
                [0.11238, 0.88762, 0.0],
                [0.00401, -0.00401, 1.0],
            ],
            [
                [0.29275, 0.70725, 0.0],
                [0.29275, 0.70725, 0.0],
                [-0.02234, 0.02234, 1.0],
            ],
            [
                [1.0, 0.14461, -0.14461],
                [0.0, 0.85924, 0.14076],
                [0.0, 0.85924, 0.14076],
            ],
        ];
        let kinds = ["adaptive", "quasistatic", "lattice"];
        for view in views {
            let seen = kinds.map(|kind| {
                let linear = decode_srgb(method_color(kind));
                let row = |r: [f32; 3]| r[0] * linear[0] + r[1] * linear[1] + r[2] * linear[2];
                oklab(crate::shade::encode_srgb(view.map(row)))
            });
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                assert!(
                    distance(seen[a], seen[b]) > 0.1,
                    "{a} {b}: {}",
                    distance(seen[a], seen[b])
                );
            }
        }
    }
}
