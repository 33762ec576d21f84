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
    /// of the point and the triangle now, as distance from its plane, m
    distance: f64,
    /// distance at which they touch, m; negative where they overlap at rest
    pub reach: f64,
}

/// The search of a frame. Keeps its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Search {
    /// of each vertex, m and m/s
    at: Vec<Vec3>,
    velocity: Vec<Vec3>,
    /// unit normals of points, by vertex
    normals: Vec<Vec3>,
    boxes: Vec<Aabb>,
    fastest: Vec<f64>,
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
        let near = MARGIN * spacing + closing;
        let widest = self.widest(surface);
        if self.boxes.is_empty() || !widest.is_finite() || !near.is_finite() {
            return;
        }
        let all = self.boxes.iter().fold(Aabb::empty(), |a, b| a.union(b));
        self.near.begin(&all, widest + near.max(DEEPEST * spacing));
        let Self {
            at,
            velocity,
            normals,
            boxes,
            near: points,
            hits,
            ..
        } = self;
        let may_meet = |piece: u32, x: &Vec3, radius: f64| {
            let others = boxes.iter().enumerate().filter(|(k, _)| *k as u32 != piece);
            others
                .map(|(_, b)| b.inflated(radius))
                .any(|b| b.contains(x))
        };
        normals.resize(at.len(), Vec3::zeros());
        for &v in &surface.points {
            let x = at[v as usize];
            let is_near = surface.is_cut[v as usize]
                || may_meet(surface.pieces[v as usize], &x, near.max(DEEPEST * spacing));
            if is_near {
                points.add(v, x);
                let normal = surface.normal(v, |v| at[v as usize]);
                normals[v as usize] = normal.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
            }
        }
        points.sort();
        for &t in &surface.faces {
            let corners = surface.triangles[t as usize];
            let [a, b, c] = corners.map(|v| at[v as usize]);
            let middle = (a + b + c) / 3.0;
            let radius = radius_of([a, b, c], &middle) + near.max(DEEPEST * spacing);
            let piece = surface.pieces[corners[0] as usize];
            if !surface.is_cut_face(t) && !may_meet(piece, &middle, radius) {
                continue;
            }
            let Some(plane) = Plane::of([a, b, c]) else {
                continue;
            };
            let drift = corners.map(|v| velocity[v as usize]).iter().sum::<Vec3>() / 3.0;
            points.visit(&Query { at: middle, radius }, |v, _| {
                let k = v as usize;
                if corners.contains(&v) || normals[k].dot(&plane.normal) > FACING {
                    return;
                }
                let distance = plane.normal.dot(&(at[k] - a));
                let closing = (velocity[k] - drift).norm() * duration;
                let farthest = MARGIN * spacing + closing.min(FARTHEST * spacing);
                if distance > farthest || distance < -DEEPEST * spacing {
                    return;
                }
                if plane.beside(&at[k]) > BESIDE * spacing {
                    return;
                }
                if let Some(reach) = reach_at_rest(surface, v, corners, plane.weights(&at[k])) {
                    hits.push(Hit {
                        point: v,
                        triangle: t,
                        distance: distance.abs(),
                        reach,
                    });
                }
            });
        }
        // the nearest triangle of each point
        hits.sort_unstable_by(|a, b| {
            let by_point = a.point.cmp(&b.point);
            let by_distance = a.distance.total_cmp(&b.distance);
            by_point.then(by_distance).then(a.triangle.cmp(&b.triangle))
        });
        hits.dedup_by_key(|hit| hit.point);
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

    /// Largest distance of a corner of a face from its middle, m.
    fn widest(&self, surface: &ContactSurface) -> f64 {
        let radius = |t: &u32| {
            let corners = surface.triangles[*t as usize].map(|v| self.at[v as usize]);
            radius_of(corners, &(corners.iter().sum::<Vec3>() / 3.0))
        };
        surface.faces.iter().map(radius).fold(0.0, f64::max)
    }
}

fn radius_of(corners: [Vec3; 3], middle: &Vec3) -> f64 {
    let far = corners.map(|x| (x - middle).norm());
    far.into_iter().fold(0.0, f64::max)
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
    let distance = Plane::of([a, b, c])?.normal.dot(&(x - a));
    (distance >= -OVERLAP * surface.spacing).then_some(distance.min(0.0))
}

/// The plane of a triangle.
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
