//! The search for pairs that may touch within a frame: each point and the nearest triangle that faces it.

use pliant_core::math::Vec3;
use pliant_core::model::rest::Approach;

use super::moving_tree::{MovingTree, MovingTriangle, QueryPoint, SearchRange};
use super::surface::ContactSurface;

/// Margin of the search in addition to the distance that may be closed within the frame, mean edges of the tetrahedra: it allows for acceleration. A body that starts to fall moves 1.4 mm in a sixtieth of a
/// second, a tenth of edges of 14 mm.
const MARGIN: f64 = 0.1;
/// Largest closing distance in a frame that the search allows for, mean edges: faster contacts may be found late.
const MAX_CLOSING: f64 = 2.0;
/// Largest depth of a point behind a triangle that is still corrected, mean edges: a deeper point is nearer to the other side of a tetrahedron, and has come from elsewhere.
const MAX_PENETRATION: f64 = 0.5;
/// How far beside a triangle a point may be, mean edges: as far as the margin, so that no point falls between the triangles of a bent surface.
const MAX_LATERAL_DISTANCE: f64 = 0.1;
/// Largest cosine between the normals of a point and a triangle that face each other. The sides of a right angle do not face each other, nor do those of an angle that is 17° smaller.
const MAX_FACING_COSINE: f64 = -0.3;
/// Lips that overlap at rest by up to this, mean edges, touch there; a deeper point belongs to the other side of a wall. A cut quadrilateral whose corners are off its plane by `d` has two diagonals that are `2 d` apart:
/// that is a `d` of about a thirteenth of an edge.
const MAX_REST_OVERLAP: f64 = 0.15;
/// Triangles within this distance of a point at rest, mean edges, belong to its lip, to the opposite lip, or to the other side of its wall.
const NEAR_AT_REST: f64 = 2.0;

/// A point and a triangle that may touch within a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    pub point: u32,
    /// number of the triangle
    pub triangle: u32,
    /// distance at which they touch, m; negative where they overlap at rest
    pub contact_distance: f64,
}

/// Work of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SearchWork {
    /// vertices and triangles that were updated
    pub moved: usize,
    /// visited nodes of the tree, and tested triangles
    pub visited: usize,
}

/// The search of a frame. Keeps its memory.
#[derive(Debug, Clone)]
pub(super) struct Search {
    /// position (m) and velocity (m/s) of each used vertex
    at: Vec<Vec3>,
    velocity: Vec<Vec3>,
    /// twice the area vector of each used triangle, outwards, m²
    areas: Vec<Vec3>,
    tree: MovingTree,
    hits: Vec<Hit>,
    pub work: SearchWork,
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
            work: SearchWork::default(),
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
        self.work = SearchWork {
            moved: surface.vertices.len() + surface.used_triangles.len(),
            visited: 0,
        };
        if !sum.iter().all(|c| c.is_finite()) {
            return;
        }
        for &t in &surface.used_triangles {
            let [a, b, c] = surface.triangles[t as usize].map(|v| self.at[v as usize]);
            self.areas[t as usize] = (b - a).cross(&(c - a));
        }
        let (at, velocity, areas) = (&self.at, &self.velocity, &self.areas);
        self.tree.refit(|t| {
            let corners = surface.triangles[t as usize];
            MovingTriangle {
                corners: corners.map(|v| at[v as usize]),
                velocity: mean_velocity(corners, velocity),
                normal: unit(&areas[t as usize]),
            }
        });
        for &point in &surface.points {
            let nearest = self.nearest(surface, point, duration);
            self.hits.extend(nearest);
        }
    }

    /// The approach of a point and its triangle when the frame begins: gap (m), closing speed, and relative speed (m/s).
    pub fn approach(&self, surface: &ContactSurface, hit: &Hit) -> Option<Approach> {
        let (corners, point) = (surface.triangles[hit.triangle as usize], hit.point as usize);
        let places = corners.map(|v| self.at[v as usize]);
        let plane = Plane::new(places, self.areas[hit.triangle as usize])?;
        let relative = self.velocity[point] - mean_velocity(corners, &self.velocity);
        Some(Approach {
            gap: plane.distance(&self.at[point]) - hit.contact_distance,
            closing: -plane.normal.dot(&relative),
            speed: relative.norm(),
        })
    }

    /// The nearest triangle that faces a point and that it may meet, except those of the piece `excluded_piece`.
    fn nearest(
        &mut self,
        surface: &ContactSurface,
        (point, excluded_piece): (u32, Option<u32>),
        duration: f64,
    ) -> Option<Hit> {
        let at = self.at[point as usize];
        let velocity = self.velocity[point as usize];
        let spacing = surface.spacing;
        let fan = surface.fans.row(point as usize).iter();
        let normal = unit(&fan.map(|t| self.areas[*t as usize]).sum());
        let query = QueryPoint {
            at,
            velocity,
            normal,
            excluded_piece,
        };
        let range = SearchRange {
            duration,
            margin: MARGIN * spacing,
            max_closing: MAX_CLOSING * spacing,
            min_reach: MAX_PENETRATION * spacing,
            max_cosine: MAX_FACING_COSINE,
        };
        let mut nearest: Option<(f64, Hit)> = None;
        let mut tested = 0;
        let visited_nodes = self.tree.visit_near(&query, &range, |triangle| {
            tested += 1;
            let corners = surface.triangles[triangle as usize];
            let area = self.areas[triangle as usize];
            let Some(plane) = Plane::new(corners.map(|v| self.at[v as usize]), area) else {
                return;
            };
            if corners.contains(&point) || normal.dot(&plane.normal) > MAX_FACING_COSINE {
                return;
            }
            let distance = plane.distance(&at);
            let closing = (velocity - mean_velocity(corners, &self.velocity)).norm() * duration;
            let max_distance = range.margin + closing.min(range.max_closing);
            let is_nearer = nearest.is_none_or(|(best, _)| distance.abs() < best);
            if !is_nearer || distance > max_distance || distance < -range.min_reach {
                return;
            }
            if plane.lateral_distance(&at) > MAX_LATERAL_DISTANCE * spacing {
                return;
            }
            if let Some(contact_distance) =
                rest_contact_distance(surface, point, corners, plane.weights(&at))
            {
                let hit = Hit {
                    point,
                    triangle,
                    contact_distance,
                };
                nearest = Some((distance.abs(), hit));
            }
        });
        self.work.visited += visited_nodes + tested;
        nearest.map(|(_, hit)| hit)
    }
}

/// Mean velocity of a triangle, m/s.
fn mean_velocity(corners: [u32; 3], velocity: &[Vec3]) -> Vec3 {
    let [a, b, c] = corners.map(|v| velocity[v as usize]);
    (a + b + c) / 3.0
}

/// The unit vector; zero for a zero vector.
fn unit(v: &Vec3) -> Vec3 {
    v.try_normalize(0.0).unwrap_or_default()
}

/// Distance at which a point and a triangle touch, m; `None` for the two sides of a wall.
fn rest_contact_distance(
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
    (distance >= -MAX_REST_OVERLAP * surface.spacing).then_some(distance.min(0.0))
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

    /// Signed distance of `x`, positive in front, m.
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

    /// Distance of the foot of `x` outside of the triangle, m.
    fn lateral_distance(&self, x: &Vec3) -> f64 {
        let [a, b, c] = self.corners;
        let weights = self.weights(x);
        // heights over the edges opposite to the corners
        let edges = [c - b, a - c, b - a].map(|e| e.norm());
        let out = [0, 1, 2].map(|k| -weights[k] * self.area / edges[k]);
        out.into_iter().fold(0.0, f64::max)
    }
}
