//! Marked points: dots that are drawn over all surfaces.

use nalgebra::Vector3;

use super::views::MarkerView;
use crate::color::decode_srgb;
use crate::raster::points::draw_points;
use crate::raster::{Canvas, Projection};

/// Draws the points; `pixel` is the number of canvas pixels per pixel of the picture.
pub(super) fn draw_markers(
    canvas: &mut Canvas,
    projection: &Projection,
    markers: &[MarkerView],
    pixel: f32,
) {
    for marker in markers {
        let point = [Vector3::from(marker.position)];
        // markers show through: they are drawn without the depth of the scene, which is restored afterwards
        let depth = std::mem::replace(
            &mut canvas.depth,
            vec![f32::INFINITY; canvas.width * canvas.height],
        );
        draw_points(
            canvas,
            projection,
            &point,
            5.0 * pixel,
            Vector3::repeat(1.0),
        );
        canvas.depth.fill(f32::INFINITY);
        draw_points(
            canvas,
            projection,
            &point,
            3.6 * pixel,
            decode_srgb(marker.color).into(),
        );
        canvas.depth = depth;
    }
}
