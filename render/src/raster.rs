//! Triangles, lines and points into colour and depth, on the CPU.
//!
//! Corners are snapped to 1/256 pixel, so edge functions are exact in f64 and neighbouring triangles leave no gap. Each
//! band of rows is filled by one thread in the order of the primitives: the picture does not depend on threads.

use nalgebra::{Matrix4, Vector3, Vector4};
use rayon::prelude::*;

use crate::camera::OrbitCamera;
use crate::canvas::Canvas;

/// Rows that one task fills.
const BAND: usize = 16;
/// Parts of a pixel that corners are snapped to.
const SNAP: f64 = 256.0;
/// Smallest w (view depth over the camera's distance) that is drawn.
const NEAR: f32 = 0.01;

/// A corner of a triangle in world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertex {
    /// Position, m.
    pub position: Vector3<f32>,
    /// Normal of unit length.
    pub normal: Vector3<f32>,
    /// Linear colour.
    pub color: Vector3<f32>,
}

/// What a shader knows about the place that it colours.
#[derive(Debug, Clone, Copy)]
pub struct Fragment {
    /// Position, m.
    pub position: Vector3<f32>,
    /// Unit normal, turned towards the side that is seen.
    pub normal: Vector3<f32>,
    /// Interpolated linear colour.
    pub color: Vector3<f32>,
    /// Whether the side is seen whose corners run counter-clockwise.
    pub front: bool,
    /// Distance to the nearest edge of the triangle, in pixels of the canvas.
    pub edge_distance: f32,
}

/// How a batch of triangles meets what is already there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blend {
    /// Share of the new colour, 0 to 1.
    pub opacity: f32,
    /// Leave out triangles seen from behind.
    pub cull_back: bool,
}

impl Blend {
    /// Covers what is behind, from both sides.
    pub const OPAQUE: Self = Self {
        opacity: 1.0,
        cull_back: false,
    };
}

/// A camera for one canvas: world to pixels.
#[derive(Debug, Clone, Copy)]
pub struct Projection {
    clip_from_world: Matrix4<f32>,
    size: [f32; 2],
    near: f32,
}

#[derive(Debug, Clone, Copy)]
struct ScreenTriangle {
    /// pixels, snapped
    at: [[f64; 2]; 3],
    inverse_depth: [f32; 3],
    corners: [Vertex; 3],
    front: bool,
}

impl Projection {
    /// The camera's view in a canvas of `width` x `height` pixels.
    pub fn new(camera: &OrbitCamera, width: usize, height: usize) -> Self {
        let aspect = width.max(1) as f64 / height.max(1) as f64;
        Self {
            clip_from_world: camera.projection(aspect) * camera.view(),
            size: [width as f32, height as f32],
            near: NEAR * camera.distance as f32,
        }
    }

    /// Pixel coordinates (x right, y down) and depth (m) of a point; `None` behind the near plane or if not finite.
    pub fn pixel(&self, point: Vector3<f32>) -> Option<([f32; 2], f32)> {
        let clip = self.clip_from_world * point.push(1.0);
        (clip.w > self.near && clip.iter().all(|c| c.is_finite()))
            .then(|| (self.to_pixel(&clip), clip.w))
    }

    fn to_pixel(self, clip: &Vector4<f32>) -> [f32; 2] {
        [
            (0.5 + 0.5 * clip.x / clip.w) * self.size[0],
            (0.5 - 0.5 * clip.y / clip.w) * self.size[1],
        ]
    }

    /// Cuts a triangle at the near plane and projects what is left: none, one or two triangles.
    fn project(&self, corners: [Vertex; 3]) -> impl Iterator<Item = ScreenTriangle> + use<> {
        let clip = corners.map(|c| self.clip_from_world * c.position.push(1.0));
        let mut polygon: Vec<(Vector4<f32>, Vertex)> = Vec::with_capacity(4);
        if clip.iter().all(|c| c.iter().all(|v| v.is_finite())) {
            for k in 0..3 {
                let next = (k + 1) % 3;
                let (a, b) = (clip[k].w - self.near, clip[next].w - self.near);
                if a > 0.0 {
                    polygon.push((clip[k], corners[k]));
                }
                if (a > 0.0) != (b > 0.0) {
                    let t = a / (a - b);
                    let (from, to) = (corners[k], corners[next]);
                    let mixed = Vertex {
                        position: from.position.lerp(&to.position, t),
                        normal: from.normal.lerp(&to.normal, t),
                        color: from.color.lerp(&to.color, t),
                    };
                    polygon.push((clip[k].lerp(&clip[next], t), mixed));
                }
            }
        }
        let projection = *self;
        (1..polygon.len().saturating_sub(1)).filter_map(move |k| {
            let fan = [polygon[0], polygon[k], polygon[k + 1]];
            projection.screen_triangle(
                fan.map(|(c, _)| (projection.to_pixel(&c), c.w)),
                fan.map(|(_, v)| v),
            )
        })
    }

    /// Snaps; drops triangles without area or outside the canvas.
    fn screen_triangle(
        &self,
        places: [([f32; 2], f32); 3],
        corners: [Vertex; 3],
    ) -> Option<ScreenTriangle> {
        let limit = 65536.0_f32;
        let at = places
            .map(|(p, _)| p.map(|v| (f64::from(v.clamp(-limit, limit)) * SNAP).round() / SNAP));
        let area = edge(at[0], at[1], at[2]);
        let outside = (0..2).any(|axis| {
            let high = f64::from(self.size[axis]);
            at.iter().all(|p| p[axis] < 0.0) || at.iter().all(|p| p[axis] > high)
        });
        (area != 0.0 && !outside).then(|| ScreenTriangle {
            at,
            inverse_depth: places.map(|(_, depth)| 1.0 / depth),
            corners,
            front: area < 0.0,
        })
    }
}

/// Twice the signed area of (a, b, p); negative for counter-clockwise, since y points down.
fn edge(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// Draws `count` triangles; `corner(k)` gives triangle `k`, `shade` its linear colour at a place. Triangles with a
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
    fill(canvas, &triangles, blend.opacity, shade);
}

/// Draws segments `(from, to)` of one linear colour and `width` pixels, in front of surfaces that they lie on.
pub fn draw_lines(
    canvas: &mut Canvas,
    projection: &Projection,
    segments: &[(Vector3<f32>, Vector3<f32>)],
    width: f32,
    color: Vector3<f32>,
) {
    let triangles: Vec<ScreenTriangle> = segments
        .iter()
        .filter_map(|(a, b)| Some((projection.pixel(*a)?, projection.pixel(*b)?)))
        .flat_map(|((a, depth_a), (b, depth_b))| {
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            let length = dx.hypot(dy).max(1e-6);
            let (ux, uy) = (dx / length * width * 0.5, dy / length * width * 0.5);
            // square ends, so that the corners of polylines close
            let corner = |p: [f32; 2], along: f32, across: f32| {
                [
                    p[0] + ux * along - uy * across,
                    p[1] + uy * along + ux * across,
                ]
            };
            let quad = [
                (corner(a, -1.0, -1.0), depth_a),
                (corner(a, -1.0, 1.0), depth_a),
                (corner(b, 1.0, 1.0), depth_b),
                (corner(b, 1.0, -1.0), depth_b),
            ];
            flat_fan(projection, &quad, color)
        })
        .collect();
    fill(canvas, &triangles, 1.0, |f| f.color);
}

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
    };
    let nearer = |(p, depth): ([f32; 2], f32)| (p, depth * 0.996);
    (1..polygon.len().saturating_sub(1))
        .filter_map(|k| {
            let places = [polygon[0], polygon[k], polygon[k + 1]].map(nearer);
            projection.screen_triangle(places, [vertex; 3])
        })
        .collect()
}

fn fill(
    canvas: &mut Canvas,
    triangles: &[ScreenTriangle],
    opacity: f32,
    shade: impl Fn(&Fragment) -> Vector3<f32> + Sync,
) {
    if canvas.width == 0 || canvas.height == 0 {
        return;
    }
    let mut bands: Vec<Vec<u32>> = vec![Vec::new(); canvas.height.div_ceil(BAND)];
    for (k, t) in triangles.iter().enumerate() {
        let rows = t.at.map(|p| p[1]);
        let low = rows[0].min(rows[1]).min(rows[2]).max(0.0) as usize / BAND;
        let high = rows[0].max(rows[1]).max(rows[2]).max(0.0) as usize / BAND;
        for band in bands.iter_mut().take(high + 1).skip(low) {
            band.push(k as u32);
        }
    }
    let width = canvas.width;
    canvas
        .color
        .par_chunks_mut(width * BAND)
        .zip(canvas.depth.par_chunks_mut(width * BAND))
        .zip(&bands)
        .enumerate()
        .for_each(|(band, ((color, depth), list))| {
            for &k in list {
                fill_band(
                    &triangles[k as usize],
                    width,
                    band * BAND,
                    color,
                    depth,
                    opacity,
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
            // perspective: weights over depth are linear in the picture
            let scale = (1.0 / area.abs()) as f32;
            let weight = [0, 1, 2].map(|k| e[k] as f32 * scale * triangle.inverse_depth[k]);
            let here = 1.0 / (weight[0] + weight[1] + weight[2]);
            let at = (row - first_row) * width + column;
            if here >= depth[at] {
                continue;
            }
            depth[at] = here;
            let mix = |field: fn(&Vertex) -> &Vector3<f32>| {
                let [p, q, r] = &triangle.corners;
                (field(p) * weight[0] + field(q) * weight[1] + field(r) * weight[2]) * here
            };
            let normal = mix(|v| &v.normal)
                .try_normalize(1e-12)
                .unwrap_or_else(Vector3::y);
            let fragment = Fragment {
                position: mix(|v| &v.position),
                normal: if triangle.front { normal } else { -normal },
                color: mix(|v| &v.color),
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

    fn flat(z: f32, color: [f32; 3]) -> [Vertex; 3] {
        [[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]].map(|[x, y]| Vertex {
            position: Vector3::new(x, y, z),
            normal: Vector3::z(),
            color: color.into(),
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

    #[test]
    fn the_nearer_triangle_wins_in_either_order() {
        let camera = straight();
        let projection = Projection::new(&camera, 64, 64);
        let pair = [flat(0.5, [1.0, 0.0, 0.0]), flat(-0.5, [0.0, 1.0, 0.0])];
        for order in [[0, 1], [1, 0]] {
            let mut canvas = Canvas::new(64, 64, [0.0; 3]);
            draw_triangles(
                &mut canvas,
                &projection,
                2,
                |k| pair[order[k]],
                Blend::OPAQUE,
                |f| f.color,
            );
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
        draw_triangles(
            &mut canvas,
            &projection,
            2,
            |k| quad[k],
            Blend::OPAQUE,
            |f| f.color,
        );
        assert!(canvas.depth.iter().all(|d| d.is_finite()));
        // from far in front to behind the eye: only the part in front is drawn, with finite depth
        let through = [
            v(-1.0, -0.5, -20.0),
            v(1.0, -0.5, -20.0),
            v(0.0, -0.5, 20.0),
        ];
        let mut canvas = Canvas::new(97, 61, [0.0; 3]);
        draw_triangles(
            &mut canvas,
            &projection,
            1,
            |_| through,
            Blend::OPAQUE,
            |f| f.color,
        );
        let drawn = canvas.depth.iter().filter(|d| d.is_finite()).count();
        assert!(drawn > 100 && drawn < 97 * 61 / 2 + 97, "{drawn}");
        let broken = [
            v(f32::NAN, 0.0, 0.0),
            v(1.0, f32::INFINITY, 0.0),
            v(0.0, 1.0, 0.0),
        ];
        draw_triangles(
            &mut canvas,
            &projection,
            1,
            |_| broken,
            Blend::OPAQUE,
            |f| f.color,
        );
    }

    #[test]
    fn lines_and_points_hide_behind_surfaces() {
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
            let segment = (Vector3::new(-0.4, -0.5, z), Vector3::new(0.4, -0.5, z));
            draw_lines(&mut canvas, &projection, &[segment], 3.0, blue);
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
