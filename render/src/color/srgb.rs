//! Conversions between sRGB code values and linear light (IEC 61966-2-1).

/// Linear light to sRGB code values, both 0 to 1; values outside are clamped (IEC 61966-2-1).
pub fn encode_srgb(linear: [f32; 3]) -> [f32; 3] {
    linear.map(|value| {
        let c = value.clamp(0.0, 1.0);
        if c < 0.003_130_8 {
            12.92 * c
        } else {
            1.055 * c.powf(1.0 / 2.4) - 0.055
        }
    })
}

/// sRGB code values to linear light, both 0 to 1.
pub fn decode_srgb(encoded: [f32; 3]) -> [f32; 3] {
    encoded.map(|value| {
        let c = value.clamp(0.0, 1.0);
        if c <= 0.040_45 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn srgb_round_trips() {
        for k in 0..=255 {
            let c = k as f32 / 255.0;
            assert!((encode_srgb(decode_srgb([c; 3]))[0] - c).abs() < 1e-5);
        }
    }
}
