//! Points with depth: surfaces in front hide them, but not the surface that they lie on.

use nalgebra::Vector3;

use super::canvas::Canvas;
use super::projection::{Projection, ScreenTriangle, Vertex};
use super::triangles::fill;

/// Depth of a disc over the depth of its point. It puts the disc in front of the surface that the point lies on.
const DEPTH_FACTOR: f32 = 0.996;

/// Draws discs of `radius` pixels and one linear colour, in front of surfaces that they lie on.
pub fn draw_points(
    canvas: &mut Canvas,
    projection: &Projection,
    points: &[Vector3<f32>],
    radius: f32,
    color: Vector3<f32>,
) {
    const SIDES: usize = 20;
    let vertex = Vertex {
        position: Vector3::zeros(),
        normal: Vector3::y(),
        color,
        ambient: 1.0,
    };
    let mut triangles: Vec<ScreenTriangle> = Vec::new();
    for ([x, y], depth) in points.iter().filter_map(|p| projection.pixel(*p)) {
        let rim = |k: usize| {
            let angle = k as f32 / SIDES as f32 * std::f32::consts::TAU;
            let position = [x + radius * angle.cos(), y + radius * angle.sin()];
            (position, depth * DEPTH_FACTOR)
        };
        let fan = (1..SIDES - 1).map(|k| [0, k, k + 1].map(rim));
        triangles.extend(fan.filter_map(|t| projection.screen_triangle(t, [vertex; 3])));
    }
    fill(canvas, &triangles, 1.0, |f| f.color);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::triangles::tests::{draw_opaque, flat, straight};

    #[test]
    fn points_hide_behind_surfaces() {
        let camera = straight();
        let projection = Projection::new(&camera, 64, 64);
        let blue = Vector3::z();
        for (z, seen) in [(0.2_f32, true), (-0.2, false)] {
            let mut canvas = Canvas::new(64, 64, [0.0; 3]);
            draw_opaque(&mut canvas, &projection, &[flat(0.0, [1.0, 0.0, 0.0])]);
            let point = Vector3::new(0.0, 0.0, z);
            draw_points(&mut canvas, &projection, &[point], 4.0, blue);
            let count = canvas.color.iter().filter(|c| c[2] > 0.5).count();
            assert_eq!(count > 40, seen, "{count}");
            assert_eq!(count == 0, !seen);
        }
    }
}
