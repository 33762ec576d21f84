//! What may touch within a frame: each point and the nearest triangle that faces it.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::triangle_tree::TriangleTree;

use super::surface::ContactSurface;

/// Distance at which contacts are kept ready besides what may be closed within the frame, mean edges of the tetrahedra.
const MARGIN: f64 = 0.1;
/// Most that is looked for besides, mean edges: what closes more within a frame may be met late.
const FARTHEST: f64 = 2.0;
/// Deepest that a point can be behind a triangle and still be pushed out, mean edges: what is deeper has come from elsewhere.
const DEEPEST: f64 = 0.5;
/// How far beside a triangle a point may be, mean edges.
const BESIDE: f64 = 0.1;
/// Cosine between the normals of a point and a triangle that face each other, at most.
const FACING: f64 = -0.3;
/// Lips that are as deep in each other at rest, mean edges, touch there; deeper is the other side of a wall.
const OVERLAP: f64 = 0.15;
/// Triangles that are as near to a point at rest, mean edges, are on its lip, on the lip beside it, or on the other side of its wall.
const NEAR_AT_REST: f64 = 2.0;

/// A point and a triangle that may touch within a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    pub point: u32,
    /// number of the face
    pub triangle: u32,
    /// distance at which they touch, m; negative where they overlap at rest
    pub reach: f64,
}

/// The search of a frame. Keeps its memory.
#[derive(Debug, Clone)]
pub(super) struct Search {
    /// of each vertex, m and m/s
    at: Vec<Vec3>,
    velocity: Vec<Vec3>,
    /// over the faces of the surface
    tree: TriangleTree,
    hits: Vec<Hit>,
}

impl Search {
    /// For a surface.
    pub fn new(surface: &ContactSurface) -> Self {
        Self {
            at: Vec::new(),
            velocity: Vec::new(),
            tree: TriangleTree::new(&surface.rest, &surface.faces),
            hits: Vec::new(),
        }
    }

    /// The pairs that were found, by point.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Finds them, from positions (m) and velocities (m/s) of the nodes, for a frame of `duration` seconds.
    pub fn find(
        &mut self,
        surface: &ContactSurface,
        positions: &[Vec3],
        velocities: &[Vec3],
        duration: f64,
    ) {
        let vertices = 0..surface.rest.len();
        let place = |v| surface.rows.interpolate(v, positions);
        let velocity = |v| surface.rows.interpolate(v, velocities);
        self.hits.clear();
        self.at.clear();
        self.at.extend(vertices.clone().map(place));
        self.velocity.clear();
        self.velocity.extend(vertices.map(velocity));
        if !self.at.iter().all(|x| x.iter().all(|c| c.is_finite())) {
            return;
        }
        self.tree.refit(&self.at, &surface.faces);
        let speeds = self.velocity.iter().map(|v| v.norm_squared());
        let fastest = speeds.fold(0.0, f64::max).sqrt();
        for &v in &surface.points {
            let nearest = self.nearest(surface, v, fastest, duration);
            self.hits.extend(nearest);
        }
    }

    /// The nearest triangle that faces a point and that it may meet. No vertex is faster than `fastest` (m/s).
    fn nearest(
        &self,
        surface: &ContactSurface,
        point: u32,
        fastest: f64,
        duration: f64,
    ) -> Option<Hit> {
        let at = self.at[point as usize];
        let velocity = self.velocity[point as usize];
        let spacing = surface.spacing;
        let closing = (velocity.norm() + fastest) * duration;
        let farthest = |closing: f64| MARGIN * spacing + closing.min(FARTHEST * spacing);
        let reach = farthest(closing).max(DEEPEST * spacing);
        let bounds = Aabb::of_points([&at]).inflated(reach);
        let mut normal = None;
        let mut nearest: Option<(f64, Hit)> = None;
        self.tree.overlapping(&bounds, |triangle| {
            let corners = surface.faces[triangle as usize];
            if corners.contains(&point) {
                return;
            }
            let Some(plane) = Plane::of(corners.map(|v| self.at[v as usize])) else {
                return;
            };
            let distance = plane.distance(&at);
            let speeds = corners.map(|v| self.velocity[v as usize]);
            let drift = speeds.iter().sum::<Vec3>() / 3.0;
            let closing = (velocity - drift).norm() * duration;
            let is_nearer = nearest.is_none_or(|(known, _)| distance.abs() < known);
            if !is_nearer || distance > farthest(closing) || distance < -DEEPEST * spacing {
                return;
            }
            let of_point = || surface.normal(point, |v| self.at[v as usize]);
            let normal = normal.get_or_insert_with(|| of_point().normalize());
            let is_facing = normal.dot(&plane.normal) <= FACING;
            if !is_facing || plane.beside(&at) > BESIDE * spacing {
                return;
            }
            if let Some(reach) = reach_at_rest(surface, point, corners, plane.weights(&at)) {
                let hit = Hit {
                    point,
                    triangle,
                    reach,
                };
                nearest = Some((distance.abs(), hit));
            }
        });
        nearest.map(|(_, hit)| hit)
    }
}

/// Distance at which a point and a triangle touch, m; `None` for those on both sides of a wall.
fn reach_at_rest(
    surface: &ContactSurface,
    point: u32,
    corners: [u32; 3],
    weights: [f64; 3],
) -> Option<f64> {
    let [a, b, c] = corners.map(|v| surface.rest[v as usize]);
    let x = surface.rest[point as usize];
    let foot = a * weights[0] + b * weights[1] + c * weights[2];
    if (x - foot).norm() > NEAR_AT_REST * surface.spacing {
        return Some(0.0);
    }
    let distance = Plane::of([a, b, c])?.distance(&x);
    (distance >= -OVERLAP * surface.spacing).then_some(distance.min(0.0))
}

/// The plane of a triangle.
#[derive(Debug, Clone, Copy)]
struct Plane {
    corners: [Vec3; 3],
    normal: Vec3,
    /// twice the area, m²
    area: f64,
}

impl Plane {
    fn of(corners @ [a, b, c]: [Vec3; 3]) -> Option<Self> {
        let normal = (b - a).cross(&(c - a));
        let area = normal.norm();
        (area > 0.0).then(|| Self {
            corners,
            normal: normal / area,
            area,
        })
    }

    /// Of `x` in front of it, m.
    fn distance(&self, x: &Vec3) -> f64 {
        self.normal.dot(&(x - self.corners[0]))
    }

    /// Barycentric coordinates of the foot of `x`.
    fn weights(&self, x: &Vec3) -> [f64; 3] {
        let [a, b, c] = self.corners;
        let part = |p: Vec3, q: Vec3| (p - x).cross(&(q - x)).dot(&self.normal) / self.area;
        let (u, v) = (part(b, c), part(c, a));
        [u, v, 1.0 - u - v]
    }

    /// How far the foot of `x` is outside of the triangle, m.
    fn beside(&self, x: &Vec3) -> f64 {
        let [a, b, c] = self.corners;
        let weights = self.weights(x);
        // heights over the edges opposite to the corners
        let edges = [c - b, a - c, b - a].map(|e| e.norm());
        let out = [0, 1, 2].map(|k| -weights[k] * self.area / edges[k]);
        out.into_iter().fold(0.0, f64::max)
    }
}
