//! Marked points: dots that no surface hides.

use nalgebra::Vector3;

use super::views::MarkerView;
use crate::color::decode_srgb;
use crate::raster::points::draw_points;
use crate::raster::{Canvas, Projection};

/// Draws the points; `pixel` is how many pixels of the canvas make one of the picture.
pub(super) fn draw_markers(
    canvas: &mut Canvas,
    projection: &Projection,
    markers: &[MarkerView],
    pixel: f32,
) {
    for marker in markers {
        let place = [Vector3::from(marker.position)];
        // markers show through: they are drawn without the depth of the scene, then the nearer depth is put back
        let depth = std::mem::replace(
            &mut canvas.depth,
            vec![f32::INFINITY; canvas.width * canvas.height],
        );
        draw_points(
            canvas,
            projection,
            &place,
            5.0 * pixel,
            Vector3::repeat(1.0),
        );
        canvas.depth.fill(f32::INFINITY);
        draw_points(
            canvas,
            projection,
            &place,
            3.6 * pixel,
            decode_srgb(marker.color).into(),
        );
        canvas.depth = depth;
    }
}
