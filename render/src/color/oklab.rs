//! The colour space OKLab (Ottosson 2020, "A perceptual color space for image processing"), in which distances are perceived
//! differences. A colour consists of its lightness and two coordinates from green to red and from blue to yellow.

#[cfg(test)]
use super::srgb::decode_srgb;

/// A colour from lightness, chroma and hue (rad).
pub(crate) fn lab(lightness: f64, chroma: f64, hue: f64) -> [f64; 3] {
    [lightness, chroma * hue.cos(), chroma * hue.sin()]
}

/// Lowers the chroma until the colour exists in sRGB.
pub(crate) fn into_gamut(color: [f64; 3]) -> [f64; 3] {
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

/// Distance of two colours in OKLab, a measure of their perceived difference.
pub(crate) fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)).sqrt()
}

/// OKLab to linear sRGB (Ottosson 2020).
pub(crate) fn linear_from_oklab([l, a, b]: [f64; 3]) -> [f64; 3] {
    let long = (l + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let medium = (l - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let short = (l - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    [
        4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short,
    ]
}

/// sRGB code values to OKLab, the inverse of [`linear_from_oklab`] (Ottosson 2020).
#[cfg(test)]
pub(crate) fn oklab_from_srgb(srgb: [f32; 3]) -> [f64; 3] {
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
