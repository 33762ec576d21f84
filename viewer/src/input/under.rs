//! What is under the pointer: the ray through it, and the skin around the point that it meets.

use pliant_core::inspect::pick;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::{Aabb, Ray};
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh, SurfacePoint};
use pliant_render::OrbitCamera;

/// What is under the pointer.
#[derive(Debug, Clone, Copy)]
pub struct Under<'a> {
    /// The skin at rest.
    pub skin: &'a SurfaceMesh,
    /// The skin of the pane.
    pub frame: &'a SurfaceFrame,
    /// Diagonal of the body, m.
    pub diagonal: f64,
    /// Mean edge length of the skin, m.
    pub edge: f64,
    /// Force of a pull for each metre that the pointer goes, N/m.
    pub pull_stiffness: f64,
    /// The half-line from the eye through the pointer.
    pub ray: Ray,
}

impl Under<'_> {
    /// Bounding box of the deformed skin, m.
    fn bounds(&self) -> Aabb {
        let mut bounds = Aabb::empty();
        for v in 0..self.frame.positions.len() {
            bounds.grow(&self.frame.position(v));
        }
        bounds
    }

    /// The skin vertex nearest to the point under the pointer; `None` beside the body.
    pub fn vertex(&self) -> Option<u32> {
        if self.frame.positions.len() != self.skin.vertex_count() {
            return None;
        }
        let (_, at) = pick(self.skin, self.frame, &self.ray)?;
        let point = self.frame.point(self.skin, &at);
        let distance = |v: u32| (self.frame.position(v as usize) - point).norm_squared();
        let corners = self.skin.triangles[at.triangle as usize].into_iter();
        corners.min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
    }

    /// Ends of the edge of a blade that lies along the view through the pointer, m: it goes through the whole body.
    pub fn blade_edge(&self) -> [Vec3; 2] {
        let bounds = self.bounds();
        let Ray { origin, direction } = &self.ray;
        let per_length = 1.0 / direction.norm().max(f64::MIN_POSITIVE);
        let middle = (bounds.center() - origin).dot(direction) * per_length * per_length;
        let half = (0.6 * bounds.diagonal() + 0.1 * self.diagonal) * per_length;
        [middle - half, middle + half].map(|t| self.ray.at(t))
    }
}

/// The half-line from the eye through a point of a pane; `at` counts from the pane's upper left corner, in parts of its size.
pub fn pointer_ray(camera: &OrbitCamera, at: egui::Vec2, size: egui::Vec2) -> Ray {
    let aspect = f64::from(size.x) / f64::from(size.y.max(1.0));
    let (x, y) = (
        f64::from(at.x / size.x.max(1.0)),
        f64::from(at.y / size.y.max(1.0)),
    );
    camera.ray(2.0 * x - 1.0, 1.0 - 2.0 * y, aspect)
}

/// Skin vertices near a point of the deformed skin: within two edges, and at least 4 % of the diagonal.
pub(super) fn neighbourhood(under: &Under<'_>, point: &Vec3) -> Vec<u32> {
    let reach = (2.0 * under.edge).max(0.04 * under.diagonal);
    let near = |v: &u32| (under.frame.position(*v as usize) - point).norm() <= reach;
    let all: Vec<u32> = (0..under.frame.positions.len() as u32)
        .filter(near)
        .collect();
    if !all.is_empty() {
        return all;
    }
    // a skin of few large triangles: the nearest vertex
    let distance = |v: &u32| (under.frame.position(*v as usize) - point).norm_squared();
    (0..under.frame.positions.len() as u32)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .into_iter()
        .collect()
}

/// Mean displacement of vertices from their places at rest, m.
pub(super) fn mean_displacement(under: &Under<'_>, vertices: &[u32]) -> Vec3 {
    let sum: Vec3 = vertices
        .iter()
        .map(|&v| under.frame.position(v as usize) - under.skin.positions[v as usize])
        .sum();
    sum / vertices.len().max(1) as f64
}

/// Outward normal of the deformed skin, interpolated over a triangle.
pub(super) fn smooth_normal(skin: &SurfaceMesh, frame: &SurfaceFrame, at: &SurfacePoint) -> Vec3 {
    let corners = skin.triangles[at.triangle as usize];
    let sum: Vec3 = corners
        .iter()
        .zip(at.weights)
        .map(|(&v, w)| frame.normal(v as usize) * w)
        .sum();
    sum.try_normalize(1e-9).unwrap_or_else(Vec3::y)
}
