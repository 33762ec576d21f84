//! Rasterisation of triangles into colour and depth, on the CPU.
//!
//! Corners are snapped to a fine grid where edge functions are exact, so neighbouring triangles leave no gap. Each band of
//! rows is filled by one thread in the order of the triangles: the picture does not depend on threads.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::canvas::Canvas;
use super::projection::{Projection, ScreenTriangle, Vertex, edge};

/// Rows that one task fills.
const BAND_ROWS: usize = 16;

/// Interpolated data of a pixel, for the shader.
#[derive(Debug, Clone, Copy)]
pub struct Fragment {
    /// Position, m.
    pub position: Vector3<f32>,
    /// Unit normal of the visible side.
    pub normal: Vector3<f32>,
    /// Interpolated linear colour.
    pub color: Vector3<f32>,
    /// Interpolated share of the ambient light, 0 to 1.
    pub ambient: f32,
    /// Whether the visible side is the front, whose corners run counter-clockwise.
    pub front: bool,
    /// Distance to the nearest edge of the triangle, in pixels of the canvas.
    pub edge_distance: f32,
}

/// How a batch of triangles is combined with the canvas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blend {
    /// Opacity, 0 to 1.
    pub opacity: f32,
    /// Leave out triangles seen from behind.
    pub cull_back: bool,
}

impl Blend {
    /// Opaque, from both sides.
    pub const OPAQUE: Self = Self {
        opacity: 1.0,
        cull_back: false,
    };
}

/// Draws `count` triangles; `corner(k)` gives triangle `k`, `shade` the linear colour of a fragment. Triangles with a
/// coordinate that is not finite are left out.
pub fn draw_triangles(
    canvas: &mut Canvas,
    projection: &Projection,
    count: usize,
    corners: impl Fn(usize) -> [Vertex; 3] + Sync,
    blend: Blend,
    shade: impl Fn(&Fragment) -> Vector3<f32> + Sync,
) {
    let triangles: Vec<ScreenTriangle> = (0..count)
        .into_par_iter()
        .flat_map_iter(|k| projection.project(corners(k)))
        .filter(|t| t.front || !blend.cull_back)
        .collect();
    if canvas.width == 0 || canvas.height == 0 {
        return;
    }
    let mut bands: Vec<Vec<u32>> = vec![Vec::new(); canvas.height.div_ceil(BAND_ROWS)];
    for (k, t) in triangles.iter().enumerate() {
        let rows = t.at.map(|p| p[1]);
        let low = rows[0].min(rows[1]).min(rows[2]).max(0.0) as usize / BAND_ROWS;
        let high = rows[0].max(rows[1]).max(rows[2]).max(0.0) as usize / BAND_ROWS;
        for band in bands.iter_mut().take(high + 1).skip(low) {
            band.push(k as u32);
        }
    }
    let width = canvas.width;
    canvas
        .color
        .par_chunks_mut(width * BAND_ROWS)
        .zip(canvas.depth.par_chunks_mut(width * BAND_ROWS))
        .zip(&bands)
        .enumerate()
        .for_each(|(band, ((color, depth), list))| {
            for &k in list {
                fill_band(
                    &triangles[k as usize],
                    width,
                    band * BAND_ROWS,
                    color,
                    depth,
                    blend.opacity,
                    &shade,
                );
            }
        });
}

fn fill_band(
    triangle: &ScreenTriangle,
    width: usize,
    first_row: usize,
    color: &mut [[f32; 3]],
    depth: &mut [f32],
    opacity: f32,
    shade: &impl Fn(&Fragment) -> Vector3<f32>,
) {
    let [a, b, c] = triangle.at;
    let area = edge(a, b, c);
    let sign = area.signum();
    let span = |axis: usize| {
        let v = [a[axis], b[axis], c[axis]];
        (v[0].min(v[1]).min(v[2]), v[0].max(v[1]).max(v[2]))
    };
    let ((left, right), (top, bottom)) = (span(0), span(1));
    let columns = left.max(0.0) as usize..(right.max(0.0) as usize + 1).min(width);
    let rows = (top.max(0.0) as usize).max(first_row)
        ..(bottom.max(0.0) as usize + 1).min(first_row + depth.len() / width);
    let lengths = [(b, c), (c, a), (a, b)].map(|(p, q)| (q[0] - p[0]).hypot(q[1] - p[1]));
    for row in rows {
        for column in columns.clone() {
            let p = [column as f64 + 0.5, row as f64 + 0.5];
            let e = [
                edge(b, c, p) * sign,
                edge(c, a, p) * sign,
                edge(a, b, p) * sign,
            ];
            if e[0] < 0.0 || e[1] < 0.0 || e[2] < 0.0 {
                continue;
            }
            // perspective: barycentric weights over depth are linear in the picture
            let scale = (1.0 / area.abs()) as f32;
            let weight = [0, 1, 2].map(|k| e[k] as f32 * scale * triangle.inverse_depth[k]);
            let fragment_depth = 1.0 / (weight[0] + weight[1] + weight[2]);
            let at = (row - first_row) * width + column;
            if fragment_depth >= depth[at] {
                continue;
            }
            depth[at] = fragment_depth;
            let [p, q, r] = &triangle.corners;
            let mix = |field: fn(&Vertex) -> &Vector3<f32>| {
                (field(p) * weight[0] + field(q) * weight[1] + field(r) * weight[2])
                    * fragment_depth
            };
            let normal = mix(|v| &v.normal)
                .try_normalize(1e-12)
                .unwrap_or_else(Vector3::y);
            let fragment = Fragment {
                position: mix(|v| &v.position),
                normal: if triangle.front { normal } else { -normal },
                color: mix(|v| &v.color),
                ambient: (p.ambient * weight[0] + q.ambient * weight[1] + r.ambient * weight[2])
                    * fragment_depth,
                front: triangle.front,
                edge_distance: (e[0] / lengths[0])
                    .min(e[1] / lengths[1])
                    .min(e[2] / lengths[2]) as f32,
            };
            let new = shade(&fragment);
            for (old, new) in color[at].iter_mut().zip(new.iter()) {
                *old += (new - *old) * opacity;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::OrbitCamera;

    fn flat(z: f32, color: [f32; 3]) -> [Vertex; 3] {
        [[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]].map(|[x, y]| Vertex {
            position: Vector3::new(x, y, z),
            normal: Vector3::z(),
            color: color.into(),
            ambient: 1.0,
        })
    }

    fn straight() -> OrbitCamera {
        OrbitCamera {
            yaw: 0.0,
            pitch: 0.0,
            distance: 5.0,
            ..OrbitCamera::default()
        }
    }

    /// Draws triangles in their own colours.
    fn draw_opaque(canvas: &mut Canvas, projection: &Projection, triangles: &[[Vertex; 3]]) {
        let (count, corners) = (triangles.len(), |k: usize| triangles[k]);
        draw_triangles(canvas, projection, count, corners, Blend::OPAQUE, |f| {
            f.color
        });
    }

    #[test]
    fn the_nearer_triangle_wins_in_either_order() {
        let camera = straight();
        let projection = Projection::new(&camera, 64, 64);
        let pair = [flat(0.5, [1.0, 0.0, 0.0]), flat(-0.5, [0.0, 1.0, 0.0])];
        for order in [[0, 1], [1, 0]] {
            let mut canvas = Canvas::new(64, 64, [0.0; 3]);
            draw_opaque(&mut canvas, &projection, &order.map(|k| pair[k]));
            let middle = 32 * 64 + 32;
            assert_eq!(canvas.color[middle], [1.0, 0.0, 0.0]);
            assert!((canvas.depth[middle] - 4.5).abs() < 1e-4);
        }
    }

    #[test]
    fn a_shared_edge_leaves_no_gap_and_a_triangle_through_the_eye_is_cut() {
        let camera = straight();
        let projection = Projection::new(&camera, 97, 61);
        let v = |x: f32, y: f32, z: f32| Vertex {
            position: Vector3::new(x, y, z),
            normal: Vector3::z(),
            color: Vector3::x(),
            ambient: 1.0,
        };
        let corners = [
            v(-9.0, -8.0, 0.1),
            v(9.0, -7.0, 0.0),
            v(8.0, 9.0, -0.2),
            v(-7.0, 8.0, 0.3),
        ];
        let quad = [
            [corners[0], corners[1], corners[2]],
            [corners[0], corners[2], corners[3]],
        ];
        let mut canvas = Canvas::new(97, 61, [0.0; 3]);
        draw_opaque(&mut canvas, &projection, &quad);
        assert!(canvas.depth.iter().all(|d| d.is_finite()));
        // from far in front to behind the eye: only the part in front is drawn, with finite depth
        let through = [
            v(-1.0, -0.5, -20.0),
            v(1.0, -0.5, -20.0),
            v(0.0, -0.5, 20.0),
        ];
        let mut canvas = Canvas::new(97, 61, [0.0; 3]);
        draw_opaque(&mut canvas, &projection, &[through]);
        let drawn = canvas.depth.iter().filter(|d| d.is_finite()).count();
        assert!(drawn > 100 && drawn < 97 * 61 / 2 + 97, "{drawn}");
        let broken = [
            v(f32::NAN, 0.0, 0.0),
            v(1.0, f32::INFINITY, 0.0),
            v(0.0, 1.0, 0.0),
        ];
        draw_opaque(&mut canvas, &projection, &[broken]);
    }
}
