//! The bar that explains a colour map.

use crate::color::ColorMap;
use crate::numbers::number;
use crate::raster::Canvas;
use crate::raster::text::{draw_text, text_width};

const PAPER: [f32; 3] = [1.0, 1.0, 1.0];
const INK: [f32; 3] = [0.12, 0.15, 0.19];
const FAINT: [f32; 3] = [0.42, 0.46, 0.51];

/// Draws a colour bar into the lower left corner: `low` and `high` are the values at its ends, in `unit`.
pub fn draw_color_bar(
    canvas: &mut Canvas,
    map: ColorMap,
    label: &str,
    low: f64,
    high: f64,
    unit: &str,
) {
    let (width, left, height) = (canvas.width / 3, 16, 10);
    let Some(top) = canvas.height.checked_sub(40) else {
        return;
    };
    if width < 40 {
        return;
    }
    // dark letters on a bright place, bright ones on a dark place
    let behind = canvas.color[(top + 2) * canvas.width + left];
    let ink = if behind.iter().sum::<f32>() > 0.6 {
        INK
    } else {
        PAPER
    };
    canvas.fill_rect(left - 1, top - 1, width + 2, height + 2, FAINT);
    for k in 0..width {
        canvas.fill_rect(
            left + k,
            top,
            1,
            height,
            map.color(k as f64 / (width - 1) as f64),
        );
    }
    let text_top = (top + height) as f32 + 7.0;
    let plain = |value: f64| number(value, 3).replace('−', "-");
    let end = format!("{} {unit}", plain(high));
    draw_text(canvas, left as f32, text_top, 9.0, ink, &plain(low));
    draw_text(
        canvas,
        (left + width) as f32 - text_width(&end, 9.0),
        text_top,
        9.0,
        ink,
        &end,
    );
    draw_text(canvas, left as f32, top as f32 - 17.0, 9.0, ink, label);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_bar_shows_both_ends_and_spares_tiny_pictures() {
        let mut canvas = Canvas::new(300, 200, [1.0; 3]);
        draw_color_bar(
            &mut canvas,
            ColorMap::Sequential,
            "displacement",
            0.0,
            0.0123,
            "m",
        );
        let at = |x: usize| crate::color::encode_srgb(canvas.color[165 * 300 + x])[0];
        assert!((at(16) - ColorMap::Sequential.color(0.0)[0]).abs() < 1e-3);
        assert!((at(115) - ColorMap::Sequential.color(1.0)[0]).abs() < 1e-3);
        draw_color_bar(
            &mut Canvas::new(20, 5, [1.0; 3]),
            ColorMap::Diverging,
            "",
            -1.0,
            1.0,
            "",
        );
    }
}
