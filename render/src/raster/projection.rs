//! From world coordinates to pixels: projection, clipping at the near plane, snapping.

use nalgebra::{Matrix4, Vector3, Vector4};

use crate::camera::{NEAR_SHARE, OrbitCamera};

/// Subdivisions of a pixel that corners are snapped to. Edge functions of corners within 2^17 pixels are then exact in f64.
const SUBPIXELS: f64 = 256.0;

/// A corner of a triangle in world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertex {
    /// Position, m.
    pub position: Vector3<f32>,
    /// Normal of unit length.
    pub normal: Vector3<f32>,
    /// Linear colour.
    pub color: Vector3<f32>,
    /// Share of the ambient light that reaches it, 0 to 1.
    pub ambient: f32,
}

/// A camera for one canvas: world to pixels.
#[derive(Debug, Clone, Copy)]
pub struct Projection {
    clip_from_world: Matrix4<f32>,
    size: [f32; 2],
    near: f32,
}

/// A triangle ready to be filled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScreenTriangle {
    /// pixels, snapped
    pub(crate) at: [[f64; 2]; 3],
    /// 1/m at the corners
    pub(crate) inverse_depth: [f32; 3],
    pub(crate) corners: [Vertex; 3],
    /// corners run counter-clockwise in the picture
    pub(crate) front: bool,
}

impl Projection {
    /// The camera's view in a canvas of `width` x `height` pixels.
    pub fn new(camera: &OrbitCamera, width: usize, height: usize) -> Self {
        let aspect = width.max(1) as f64 / height.max(1) as f64;
        Self {
            clip_from_world: camera.projection(aspect) * camera.view(),
            size: [width as f32, height as f32],
            near: NEAR_SHARE as f32 * camera.distance as f32,
        }
    }

    /// Pixel coordinates (x right, y down).
    fn to_pixel(self, clip: &Vector4<f32>) -> [f32; 2] {
        [
            (0.5 + 0.5 * clip.x / clip.w) * self.size[0],
            (0.5 - 0.5 * clip.y / clip.w) * self.size[1],
        ]
    }

    /// Clips a triangle at the near plane and projects the rest: none, one or two triangles.
    pub(crate) fn project(
        &self,
        corners: [Vertex; 3],
    ) -> impl Iterator<Item = ScreenTriangle> + use<> {
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
                        ambient: from.ambient + (to.ambient - from.ambient) * t,
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

    /// Snaps the corners, and drops triangles without area or outside the canvas.
    fn screen_triangle(
        &self,
        projected: [([f32; 2], f32); 3],
        corners: [Vertex; 3],
    ) -> Option<ScreenTriangle> {
        let limit = 1e7_f32;
        let at = projected.map(|(p, _)| {
            p.map(|v| (f64::from(v.clamp(-limit, limit)) * SUBPIXELS).round() / SUBPIXELS)
        });
        let area = edge(at[0], at[1], at[2]);
        let outside = (0..2).any(|axis| {
            let high = f64::from(self.size[axis]);
            at.iter().all(|p| p[axis] < 0.0) || at.iter().all(|p| p[axis] > high)
        });
        (area != 0.0 && !outside).then(|| ScreenTriangle {
            at,
            inverse_depth: projected.map(|(_, depth)| 1.0 / depth),
            corners,
            front: area < 0.0,
        })
    }
}

/// Twice the signed area of (a, b, p); negative for counter-clockwise, since y points down.
pub(crate) fn edge(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}
