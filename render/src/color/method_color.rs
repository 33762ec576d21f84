//! One colour for each method, one for the inside of bodies, and colours as CSS text.

/// Colour of the inside of a body where a cut or a break shows it (sRGB, 0 to 1).
pub const INSIDE: [f32; 3] = [0.78, 0.63, 0.56];

/// Colour of a method in panes, curves and tables, by its kind (`adaptive`, `quasistatic`, `lattice`); anything else is a
/// neutral grey. Blue, orange and green differ in lightness too and stay distinguishable for all common kinds of colour blindness.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::oklab::{distance, oklab_from_srgb};
    use crate::color::srgb::{decode_srgb, encode_srgb};

    /// Colours as dichromats see them (Viénot, Brettel and Mollon 1999): linear RGB matrices for protanopia and deuteranopia, and a
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
                oklab_from_srgb(encode_srgb(view.map(row)))
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
