//! Points with depth: they hide behind surfaces and lie in front of those that carry them.

use nalgebra::Vector3;

use super::canvas::Canvas;
use super::projection::{Projection, ScreenTriangle, Vertex};
use super::triangles::fill;

/// Depth of a disc over the depth of its place: in front of a surface that it lies on.
const LIFT: f32 = 0.996;

/// Draws discs of `radius` pixels and one linear colour, in front of surfaces that they lie on.
pub fn draw_points(
    canvas: &mut Canvas,
    projection: &Projection,
    points: &[Vector3<f32>],
    radius: f32,
    color: Vector3<f32>,
) {
    const SIDES: usize = 20;
    let triangles: Vec<ScreenTriangle> = points
        .iter()
        .filter_map(|p| projection.pixel(*p))
        .flat_map(|(center, depth)| {
            let rim: Vec<([f32; 2], f32)> = (0..SIDES)
                .map(|k| {
                    let angle = k as f32 / SIDES as f32 * std::f32::consts::TAU;
                    (
                        [
                            center[0] + radius * angle.cos(),
                            center[1] + radius * angle.sin(),
                        ],
                        depth,
                    )
                })
                .collect();
            flat_fan(projection, &rim, color)
        })
        .collect();
    fill(canvas, &triangles, 1.0, |f| f.color);
}

/// A convex polygon in pixels and depths as triangles of one colour, pulled slightly towards the eye.
fn flat_fan(
    projection: &Projection,
    polygon: &[([f32; 2], f32)],
    color: Vector3<f32>,
) -> Vec<ScreenTriangle> {
    let vertex = Vertex {
        position: Vector3::zeros(),
        normal: Vector3::y(),
        color,
        ambient: 1.0,
    };
    let nearer = |(p, depth): ([f32; 2], f32)| (p, depth * LIFT);
    (1..polygon.len().saturating_sub(1))
        .filter_map(|k| {
            let places = [polygon[0], polygon[k], polygon[k + 1]].map(nearer);
            projection.screen_triangle(places, [vertex; 3])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::triangles::tests::{flat, straight};
    use crate::raster::triangles::{Blend, draw_triangles};

    #[test]
    fn points_hide_behind_surfaces() {
        let camera = straight();
        let projection = Projection::new(&camera, 64, 64);
        let blue = Vector3::z();
        for (z, seen) in [(0.2_f32, true), (-0.2, false)] {
            let mut canvas = Canvas::new(64, 64, [0.0; 3]);
            draw_triangles(
                &mut canvas,
                &projection,
                1,
                |_| flat(0.0, [1.0, 0.0, 0.0]),
                Blend::OPAQUE,
                |f| f.color,
            );
            draw_points(
                &mut canvas,
                &projection,
                &[Vector3::new(0.0, 0.0, z)],
                4.0,
                blue,
            );
            let count = canvas.color.iter().filter(|c| c[2] > 0.5).count();
            assert_eq!(count > 40, seen, "{count}");
            assert_eq!(count == 0, !seen);
        }
    }
}
