//! What may touch within a frame: each point and the nearest triangle that faces it.

use pliant_core::math::Vec3;
use pliant_core::model::rest::Approach;

use super::moving_tree::{Looking, Moving, MovingTree, Range};
use super::surface::ContactSurface;

/// Distance at which contacts are kept ready except what may be closed within the frame, mean edges of the tetrahedra: for what gets faster within the frame. What begins to fall goes 1.4 mm in a sixtieth of a
/// second, a tenth of edges of 14 mm.
const MARGIN: f64 = 0.1;
/// Most that is looked for except, mean edges: what closes more within a frame may be met late.
const FARTHEST: f64 = 2.0;
/// Deepest that a point can be behind a triangle and still be pushed out, mean edges: what is deeper is nearer to the other side of a tetrahedron, and has come from elsewhere.
const DEEPEST: f64 = 0.5;
/// How far beside a triangle a point may be, mean edges: as far as the margin, so that none falls between triangles of a surface that bends.
const BESIDE: f64 = 0.1;
/// Cosine between the normals of a point and a triangle that face each other, at most. Sides of a right angle do not, and not where the angle is 17° smaller.
const FACING: f64 = -0.3;
/// Lips that are as deep in each other at rest, mean edges, touch there; deeper is the other side of a wall. A cut quadrilateral whose corners are off its plane by `d` has two diagonals that are `2 d` apart:
/// edges whose cut places are off by a thirteenth of an edge.
const OVERLAP: f64 = 0.15;
/// Triangles that are as near to a point at rest, mean edges, are on its lip, on the lip beside it, or on the other side of its wall.
const NEAR_AT_REST: f64 = 2.0;

/// A point and a triangle that may touch within a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    pub point: u32,
    /// number of the triangle
    pub triangle: u32,
    /// distance at which they touch, m; negative where they overlap at rest
    pub reach: f64,
}

/// What a search looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Looked {
    /// vertices and triangles that were moved
    pub moved: usize,
    /// nodes of the tree, and triangles
    pub visited: usize,
}

/// The search of a frame. Keeps its memory.
#[derive(Debug, Clone)]
pub(super) struct Search {
    /// of each vertex that counts, m and m/s
    at: Vec<Vec3>,
    velocity: Vec<Vec3>,
    /// twice the area of each triangle that counts, outwards, m²
    areas: Vec<Vec3>,
    tree: MovingTree,
    hits: Vec<Hit>,
    pub looked: Looked,
}

impl Search {
    /// For a surface.
    pub fn new(surface: &ContactSurface) -> Self {
        Self {
            at: vec![Vec3::zeros(); surface.rest.len()],
            velocity: vec![Vec3::zeros(); surface.rest.len()],
            areas: vec![Vec3::zeros(); surface.triangles.len()],
            tree: MovingTree::new(surface.resting_faces()),
            hits: Vec::with_capacity(surface.points.len()),
            looked: Looked::default(),
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
        self.hits.clear();
        let mut sum = Vec3::zeros();
        for &v in &surface.vertices {
            let v = v as usize;
            self.at[v] = surface.rows.interpolate(v, positions);
            self.velocity[v] = surface.rows.interpolate(v, velocities);
            sum += self.at[v] + self.velocity[v];
        }
        self.looked = Looked {
            moved: surface.vertices.len() + surface.counted.len(),
            visited: 0,
        };
        if !sum.iter().all(|c| c.is_finite()) {
            return;
        }
        for &t in &surface.counted {
            let [a, b, c] = surface.triangles[t as usize].map(|v| self.at[v as usize]);
            self.areas[t as usize] = (b - a).cross(&(c - a));
        }
        let (at, velocity, areas) = (&self.at, &self.velocity, &self.areas);
        self.tree.refit(|t| {
            let corners = surface.triangles[t as usize];
            Moving {
                corners: corners.map(|v| at[v as usize]),
                velocity: drift(corners, velocity),
                normal: unit(&areas[t as usize]),
            }
        });
        for &point in &surface.points {
            let nearest = self.nearest(surface, point, duration);
            self.hits.extend(nearest);
        }
    }

    /// How a point is to its triangle when the frame begins: the gap (m), at which speed it closes, and the speed of one relative to the other (m/s).
    pub fn approach(&self, surface: &ContactSurface, hit: &Hit) -> Option<Approach> {
        let (corners, point) = (surface.triangles[hit.triangle as usize], hit.point as usize);
        let places = corners.map(|v| self.at[v as usize]);
        let plane = Plane::new(places, self.areas[hit.triangle as usize])?;
        let relative = self.velocity[point] - drift(corners, &self.velocity);
        Some(Approach {
            gap: plane.distance(&self.at[point]) - hit.reach,
            closing: -plane.normal.dot(&relative),
            speed: relative.norm(),
        })
    }

    /// The nearest triangle that faces a point and that it may meet, but for those of the piece `except`.
    fn nearest(
        &mut self,
        surface: &ContactSurface,
        (point, except): (u32, Option<u32>),
        duration: f64,
    ) -> Option<Hit> {
        let at = self.at[point as usize];
        let velocity = self.velocity[point as usize];
        let spacing = surface.spacing;
        let fan = surface.fans.row(point as usize).iter();
        let normal = unit(&fan.map(|t| self.areas[*t as usize]).sum());
        let looking = Looking {
            at,
            velocity,
            normal,
            except,
        };
        let range = Range {
            duration,
            always: MARGIN * spacing,
            most: FARTHEST * spacing,
            least: DEEPEST * spacing,
            facing: FACING,
        };
        let mut nearest: Option<(f64, Hit)> = None;
        let mut tested = 0;
        let looked = self.tree.near(&looking, &range, |triangle| {
            tested += 1;
            let corners = surface.triangles[triangle as usize];
            let area = self.areas[triangle as usize];
            let Some(plane) = Plane::new(corners.map(|v| self.at[v as usize]), area) else {
                return;
            };
            if corners.contains(&point) || normal.dot(&plane.normal) > FACING {
                return;
            }
            let distance = plane.distance(&at);
            let closing = (velocity - drift(corners, &self.velocity)).norm() * duration;
            let farthest = range.always + closing.min(range.most);
            let is_nearer = nearest.is_none_or(|(known, _)| distance.abs() < known);
            if !is_nearer || distance > farthest || distance < -range.least {
                return;
            }
            if plane.beside(&at) > BESIDE * spacing {
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
        self.looked.visited += looked + tested;
        nearest.map(|(_, hit)| hit)
    }
}

/// Mean velocity of a triangle, m/s.
fn drift(corners: [u32; 3], velocity: &[Vec3]) -> Vec3 {
    let [a, b, c] = corners.map(|v| velocity[v as usize]);
    (a + b + c) / 3.0
}

/// Of length one; zero for a vector without length.
fn unit(v: &Vec3) -> Vec3 {
    v.try_normalize(0.0).unwrap_or_default()
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
    let distance = Plane::new([a, b, c], (b - a).cross(&(c - a)))?.distance(&x);
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
    /// `cross` is twice the area, outwards, m².
    fn new(corners: [Vec3; 3], cross: Vec3) -> Option<Self> {
        let area = cross.norm();
        (area > 0.0).then(|| Self {
            corners,
            normal: cross / area,
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
