//! What may touch within a frame: each point and the nearest triangle that faces it.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::math::near_points::{NearPoints, Query};

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
    pub triangle: u32,
    /// distance at which they touch, m; negative where they overlap at rest
    pub reach: f64,
}

/// The search of a frame. Keeps its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Search {
    /// of each vertex, m and m/s
    at: Vec<Vec3>,
    velocity: Vec<Vec3>,
    boxes: Vec<Aabb>,
    fastest: Vec<f64>,
    /// triangles that something may meet
    faces: Vec<Face>,
    near: NearPoints,
    hits: Vec<Hit>,
}

impl Search {
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
        self.hits.clear();
        self.follow(surface, positions, velocities);
        let fastest = self.fastest.iter().copied().fold(0.0, f64::max);
        let spacing = surface.spacing;
        let closing = (2.0 * fastest * duration).min(FARTHEST * spacing);
        let reach = (MARGIN * spacing + closing).max(DEEPEST * spacing);
        let radius = reach + self.find_faces(surface, reach);
        if self.faces.is_empty() || !radius.is_finite() {
            return;
        }
        let all = self.boxes.iter().fold(Aabb::empty(), |a, b| a.union(b));
        self.near.begin(&all, radius);
        for (k, face) in (0..).zip(&self.faces) {
            self.near.add(k, face.plane.middle());
        }
        self.near.sort();
        for &v in &surface.points {
            let at = self.at[v as usize];
            let piece = surface.pieces[v as usize];
            if surface.is_cut[v as usize] || self.may_meet_others(piece, &at, reach) {
                let nearest = self.nearest(surface, v, radius, duration);
                self.hits.extend(nearest);
            }
        }
    }

    /// Collects the triangles of lips and caps, and those that other pieces are within `reach` (m) of. Returns the largest distance of a corner from the middle of its triangle, m.
    fn find_faces(&mut self, surface: &ContactSurface, reach: f64) -> f64 {
        let mut widest = 0.0_f64;
        self.faces.clear();
        for &triangle in &surface.faces {
            let vertices = surface.triangles[triangle as usize];
            let corners = vertices.map(|v| self.at[v as usize]);
            let Some(plane) = Plane::of(corners) else {
                continue;
            };
            let middle = plane.middle();
            let radius = corners.map(|x| (x - middle).norm());
            let radius = radius.into_iter().fold(0.0, f64::max);
            let piece = surface.pieces[vertices[0] as usize];
            if surface.is_cut_face(triangle) || self.may_meet_others(piece, &middle, radius + reach)
            {
                let sum: Vec3 = vertices.iter().map(|v| self.velocity[*v as usize]).sum();
                widest = widest.max(radius);
                self.faces.push(Face {
                    triangle,
                    plane,
                    velocity: sum / 3.0,
                });
            }
        }
        widest
    }

    /// Whether a place (m) is within `distance` (m) of the box of another piece.
    fn may_meet_others(&self, piece: u32, place: &Vec3, distance: f64) -> bool {
        let others = (0..).zip(&self.boxes).filter(|(k, _)| *k != piece);
        others
            .map(|(_, bounds)| bounds.inflated(distance))
            .any(|bounds| bounds.contains(place))
    }

    /// The nearest triangle that faces a point and that it may meet; the middle of each that it may meet is within `radius` (m).
    fn nearest(
        &self,
        surface: &ContactSurface,
        point: u32,
        radius: f64,
        duration: f64,
    ) -> Option<Hit> {
        let at = self.at[point as usize];
        let velocity = self.velocity[point as usize];
        let normal = surface.normal(point, |v| self.at[v as usize]);
        let normal = normal.try_normalize(0.0)?;
        let spacing = surface.spacing;
        let mut nearest: Option<(f64, Hit)> = None;
        self.near.visit(&Query { at, radius }, |k, _| {
            let face = &self.faces[k as usize];
            let plane = &face.plane;
            if normal.dot(&plane.normal) > FACING {
                return;
            }
            let distance = plane.distance(&at);
            let closing = (velocity - face.velocity).norm() * duration;
            let farthest = MARGIN * spacing + closing.min(FARTHEST * spacing);
            let is_nearer = nearest.is_none_or(|(known, _)| distance.abs() < known);
            let corners = surface.triangles[face.triangle as usize];
            if !is_nearer
                || distance > farthest
                || distance < -DEEPEST * spacing
                || corners.contains(&point)
                || plane.beside(&at) > BESIDE * spacing
            {
                return;
            }
            if let Some(reach) = reach_at_rest(surface, point, corners, plane.weights(&at)) {
                let hit = Hit {
                    point,
                    triangle: face.triangle,
                    reach,
                };
                nearest = Some((distance.abs(), hit));
            }
        });
        nearest.map(|(_, hit)| hit)
    }

    /// Places and velocities of all vertices, and the box and the highest speed of each piece.
    fn follow(&mut self, surface: &ContactSurface, positions: &[Vec3], velocities: &[Vec3]) {
        let count = surface.rest.len() as u32;
        self.at.clear();
        self.velocity.clear();
        self.boxes.clear();
        self.boxes.resize(surface.piece_count, Aabb::empty());
        self.fastest.clear();
        self.fastest.resize(surface.piece_count, 0.0);
        for v in 0..count {
            let x = surface.interpolate(v, positions);
            let velocity = surface.interpolate(v, velocities);
            let piece = surface.pieces[v as usize] as usize;
            self.boxes[piece].grow(&x);
            self.fastest[piece] = self.fastest[piece].max(velocity.norm());
            self.at.push(x);
            self.velocity.push(velocity);
        }
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

/// A triangle that something may meet.
#[derive(Debug, Clone, Copy)]
struct Face {
    triangle: u32,
    plane: Plane,
    /// of its middle, m/s
    velocity: Vec3,
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

    fn middle(&self) -> Vec3 {
        self.corners.iter().sum::<Vec3>() / 3.0
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
